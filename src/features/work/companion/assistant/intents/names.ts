import { isSize, type NameKind as KnownKind } from '../reading/names.ts'
import type { Slots } from '../reading/slots.ts'
import { isHebrew, type Token } from '../reading/words.ts'
import { type Concept, type Hit, isLight, isWordFor } from './lexicon.ts'

/** `title` is the name of an automation or a mailbox, which can be any words. */
export type NameKind = KnownKind | 'title'

/** A sentence whose words are read, and whose names are not found yet. */
export type ReadWords = {
  text: string
  slots: Slots
  tokens: readonly Token[]
  hits: readonly Hit[]
  has(...concepts: Concept[]): boolean
}

/** Words between which a name stands and that are part of no name at its ends. */
const edges = new Set(
  `a an the of to for in on at by with from and or my our his her their is are was about named called regarding
   הבטיח הבטיחה הבטיחו התחייב התחייבה אמור אמורה wants promised says asked asks now their them it me please us you i we who whom has have had do did does can could would as if so but not hasn't haven't havent hasnt didnt dont isnt arent wasnt doesnt
   left right currently total remaining total total? new already again ago soon ones one thing things anything something stuff money cash much
   connection connections this that these those second third fourth fifth next previous nobody noone anybody everybody stuff things annual yearly monthly quarterly paper's
   משהו משהוא כלום אנחנו anything something nothing בכל לכל כל im i'm going need needs night morning evening לילה בוקר נכון בערך לערך סתם מתי
   gave give given sent wrote issued made did does went goes got getting owe owed asked ordered told bought pay paid
   same break split group down up אחריו אחריה לפניו לפניה sort sorted order ordered rank ranked by level levels lately situation going
   far figure figures default terms because though really anybody's worth via flat
   שנתי שנתית ממה מזה מהם עברו היו היה הייתה תנאי כי נשאר נשארו בסהכ במערכת
   look like get got give need want know tell let see going doing done there here today whole entire full exactly really actually still ever yet
   company business year month week day time date number amount person people guy guys us them everything status state situation list report reports
   hour hours hrs item units pcs each per piece pieces not no ltd's via re re: named who's whose what's been be being will
   במערכת החודשי השנתי יוצא יוצאת ביחד יחד בסך הכל
   של את על עם אצל עבור בשביל בשם לפי כל גם רק או לא שעות שעה יחידות אני זה עוד יש אין ממנו לי לנו שלי שלנו היא הוא הם`.split(
    /\s+/,
  ),
)

/** The company behind the word for it, of whatever words: הספק ישן בע"מ, customer Last Order Ltd. */
const companyOf = ({ text }: ReadWords, kind: NameKind): string | undefined =>
  kind === 'customer' || kind === 'supplier'
    ? new RegExp(
        `${companyLabels[kind]}\\s+(?!called|named|new|חדש|בשם)(?<name>(?:[^\\s,]+\\s+){1,4}?(?:בע"מ|בע״מ|ltd|llc|inc|gmbh)(?![\\p{L}]))`,
        'iu',
      ).exec(text)?.groups?.name
    : undefined
const companyLabels = { customer: '(?:customer|client|לקוחה?)', supplier: '(?:supplier|vendor|ספק)' }

/** The best name of this kind: words that mean nothing else in a request. */
export const nameOf = (said: ReadWords, kind: NameKind): string | undefined =>
  companyOf(said, kind) ??
  (kind === 'title' && said.slots.quoted.length === 0 ? titleOf(said) : undefined) ??
  (kind === 'title' && said.has('automation') && said.slots.quoted.length === 0 ? undefined : namesOf(said, kind)[0])

/** All that can be a name of this kind, the best first. */
function namesOf(said: ReadWords, kind: NameKind): string[] {
  const quoted = said.slots.quoted.map(({ text }) => text.replaceAll(/^["'״“”]|["'״“”]$/g, ''))
  const names = said.slots
    .names(kind === 'title' ? 'item' : kind)
    .filter((candidate) => !isCutAtStart(said.text, candidate) && !isCutTopic(said, candidate))
    .map((candidate) => trimmed(said, candidate, kind))
  return [...new Set([...quoted, ...names.filter((name) => name !== undefined)])]
}

/** A sentence seldom begins with "from": מלונות is a name, and not לונות with a letter before it. */
const isCutAtStart = (text: string, candidate: string): boolean => /^מ/.test(text) && text.indexOf(candidate) === 1

/** In ביטוח the first letter belongs to the word. */
function isCutTopic({ text, tokens }: ReadWords, candidate: string): boolean {
  const at = text.indexOf(candidate)
  const word = tokens.find(({ start, end }) => start < at && at < end)
  return word !== undefined && isWordFor('topic', word.text)
}

/** The words before or after "automation" or "mailbox", which can be words of a request: "the Overdue reminders automation". */
export function titleOf({ tokens, hits, text }: Pick<ReadWords, 'tokens' | 'hits' | 'text'>): string | undefined {
  const alert = alertOf({ tokens, hits, text })
  if (alert !== undefined) return alert
  const label = hits.find(({ concepts }) => concepts.includes('automation') || concepts.includes('mailbox'))
  const [before, after] = label
    ? [label.first - 1, label.end]
    : [-1, tokens.findIndex((token) => token.text === 'of' || token.text === 'של') + 1 || tokens.length]
  const isTitle = (at: number) => {
    const token = tokens[at]
    return (
      token !== undefined &&
      token.kind !== 'sign' &&
      (token.isCapital ||
        !edges.has(token.text) ||
        (titleNouns.has(token.text) && tokens[at - 1]?.isCapital === true)) &&
      !hits.some((hit) => hit.first <= at && at < hit.end && hit.concepts.some((concept) => steering.has(concept)))
    )
  }
  let [first, end] = [before + 1, after]
  while (isTitle(first - 1)) first--
  if (first <= before) return text.slice(tokens[first]?.start, tokens[before]?.end)
  while (/^(called|named|of|for|של|בשם|ה)$/.test(tokens[end]?.text ?? '')) end++
  const start = end
  while (isTitle(end)) end++
  return end > start ? text.slice(tokens[start]?.start, tokens[end - 1]?.end) : undefined
}

/** "Turn on the low stock alert": without the word automation, all that stands behind the command. */
function alertOf({ tokens, hits, text }: Pick<ReadWords, 'tokens' | 'hits' | 'text'>): string | undefined {
  const command = hits.find(({ concepts }) => concepts.includes('enable') || concepts.includes('disable'))
  const isNamed = hits.some(({ concepts }) => concepts.includes('automation') || concepts.includes('mailbox'))
  if (!command || isNamed || !tokens.some(({ text: word }) => alerts.has(word))) return undefined
  const own = tokens.slice(command.end).filter(({ text: word, kind }) => kind !== 'sign' && !aroundAlert.has(word))
  return own.length > 0 ? text.slice(own[0]?.start, own.at(-1)?.end).replace(/^ה(?=התרא|תזכור)/, '') : undefined
}

const alerts = new Set(
  'alert alerts reminder reminders digest התראה התראת התראות ההתראה ההתראות תזכורת תזכורות התזכורת התזכורות'.split(' '),
)
const aroundAlert = new Set('the my our please again now את בבקשה שוב עכשיו'.split(' '))

/** Words that end a title and begin none: Monthly report. */
const titleNouns = new Set(['report', 'reports', 'list', 'summary'])

const steering = new Set<string>(
  'enable disable delete replay why failed run automation mailbox list which all create draft please me last it active inactive who when howMany find history help top'.split(
    ' ',
  ),
)

/** The name that stands where a customer stands in "invoice Globex for consulting" and "a bill to Globex". */
export function billedName(said: ReadWords): string | undefined {
  const names = namesOf(said, 'customer')
  const place = (name: string): number => {
    const before = said.text.slice(0, said.text.indexOf(name)).toLowerCase()
    const isBilled =
      /(invoice|inv|bill|charge|customer|client|to|receipt|quote|request|estimate)\s+$|(ללקוח|לקוח|לקוחה|לחברת|את|חברת)\s+$|\sל-?$|^ל$/.test(
        before,
      )
    const isUnit = /(hours?|hrs|days?|units?|pcs|pieces)( of)?\s+$|(שעות|ימים|יחידות)( של)?\s+$|\sעל\s+$/.test(before)
    return (
      (isBilled ? 4 : 0) +
      (/^\p{Lu}/u.test(name) ? 2 : 0) +
      (/\bfor\s+$|עבור\s+$|בשביל\s+$/.test(before) ? 1 : 0) -
      (isUnit ? 5 : 0)
    )
  }
  return names.toSorted((a, b) => place(b) - place(a))[0]
}

/** Letters that Hebrew writes together with a name, where the rest is long enough to be one: ממשה is משה. */
const letters: Record<NameKind, RegExp> = {
  customer: /^[למ](?=[א-ת]{3}|(?:טל|גל|רן|דן|חן|שי|עז|בר|גד|נח|רז|תם|רם|פז)(?![א-ת]))/, supplier: /^[למב](?=[א-ת]{3})/, item: /^[לב](?=[א-ת]{3})/, employee: /^ל(?=[א-ת]{3})/, category: /^ב(?=[א-ת]{3})/, title: /^$/,
} // biome-ignore format: a table

/** The candidate without the words of the request at its ends; none is left if it has no words of its own. */
function trimmed(said: ReadWords, candidate: string, kind: NameKind): string | undefined {
  const start = said.text.indexOf(candidate)
  if (start < 0) return undefined
  const end = start + candidate.length
  const inside = said.tokens.filter((token) => token.end > start && token.start < end)
  const isOwn = inside.map(
    (token, at) =>
      ((!edges.has(token.text) || isSize(said.tokens, said.tokens.indexOf(token))) &&
        token.kind !== 'sign' &&
        !isMeant(said, token.start) &&
        !isMistyped(said, token, inside.length)) ||
      isPartOfTitle(inside, at),
  )
  const first = isOwn.indexOf(true)
  const last = isOwn.lastIndexOf(true)
  if (first < 0) return undefined
  const from = Math.max(start, inside[first]?.start ?? start)
  const whole = said.text.slice(first === 0 ? start : from, closing(said, inside[last]?.end ?? end, end)).trim()
  const isTold = /(תרשום|רשום|תרשמי|לרשום)\s+$/.test(said.text.slice(0, start)) && /^ש(?=[א-ת]{3})/.test(whole)
  const name = (first > 0 && letters[kind].test(whole)) || isTold ? whole.slice(1) : whole
  return name.length >= 2 || isHebrew(name) ? name.replace(/['’]s?$/, '') : undefined
}

/** In Hotel Carmel View the last word is part of the name, though "view" is also a request. */
const isPartOfTitle = (inside: readonly Token[], at: number): boolean =>
  at > 1 && [at - 2, at - 1, at].every((place) => inside[place]?.isCapital)

/** A word of the request with a typing error, such as חשבוניו, or a verb such as disputing, is no name. */
function isMistyped({ hits, tokens }: ReadWords, token: Token, words: number): boolean {
  if (token.isCapital || words > 1) return false
  return hits.some(
    ({ first, end, isGuessed, concepts }) =>
      isGuessed && !concepts.includes('topic') && tokens[first]?.start === token.start && end === first + 1,
  )
}

/** Ltd, Inc. and בע"מ belong to the name before them, with the point. */
const closing = ({ text }: ReadWords, last: number, end: number): number => {
  const more = /^[\s,]*(ltd|inc|llc|corp|co|pte|gmbh|בע"מ|בע״מ)(?!\p{L})\.?/iu.exec(text.slice(last, end + 8))
  return more ? last + more[0].length : last
}

/** "By bit" is how it was paid, Bit Systems may be who paid. */
const isMeans = (before: Token | undefined): boolean => /^(by|via|with|through|using|in|on)$/.test(before?.text ?? '')

/** Whether the token at this place is a word of the request. A guess is no reason to take a word out of a name. */
export const isMeant = ({ hits, tokens }: ReadWords, start: number): boolean =>
  hits.some(
    ({ first, end, isGuessed, concepts }) =>
      !isGuessed &&
      (tokens[first]?.start ?? 0) <= start &&
      start < (tokens[end - 1]?.end ?? 0) &&
      !(concepts.every(isLight) && concepts.includes('bit') && !isMeans(tokens[first - 1])) &&
      !concepts.includes('topic'),
  )
