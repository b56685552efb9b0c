import type { Period } from '../reading/periods.ts'
import { namedKinds } from '../reading/references.ts'
import { readSlots, type Slots } from '../reading/slots.ts'
import { isOneOf, readSentence, type Token } from '../reading/words.ts'
import type { Named, RecordKind, ShownRecord, Surroundings } from '../understood.ts'
import { type Concept, findHits, type Hit, isAct } from './lexicon.ts'
import { type NameKind, nameOf, type ReadWords, titleOf } from './names.ts'
import { withNumbers } from './numbered.ts'

/** A sentence as the intents see it: its slots, what its words mean, and the records that it names or points at. */
export type Said = ReadWords & {
  around: Surroundings
  /** All that its words mean. */
  concepts: ReadonlySet<Concept>
  /** A question, not a request: "did you send it?", and not "can you send it?". */
  isAsking: boolean
  /** The first time that is named. */
  period: Period | undefined
  /** The name of a person, company or thing, as it was written. */
  name(kind: NameKind): string | undefined
  /** The record of this kind that the sentence names, or that it points at with "it" or "the second one". */
  target(kind: RecordKind, where?: Record<string, string>): Named | string | undefined
}

export function readSaid(text: string, around: Surroundings): Said {
  const slots = readSlots(text, around)
  const { tokens } = readSentence(text)
  const spans = spansOf(slots)
  const isRead = (token: Token) =>
    spans.some(({ start, end }) => token.start >= start && token.end <= end) || isNameWithNumber(tokens, token)
  const isAsking = isQuestion(text)
  const read = withNumbers(findHits(tokens, isRead), tokens, slots)
  const nouns = withPromises(withNouns(read, tokens), tokens, text)
  const found = withoutReason(withoutTitle(withNegations(nouns, tokens), tokens, text), tokens)
  const hits = withShown(isAsking ? withStates(withDuties(found, text)) : found, tokens, around)
  const concepts: ReadonlySet<Concept> = new Set(hits.flatMap((hit) => hit.concepts))
  const has = (...wanted: Concept[]) => wanted.some((concept) => concepts.has(concept))
  const names = new Map<NameKind, string | undefined>()
  const known = (kind: NameKind) => {
    if (!names.has(kind)) names.set(kind, nameOf(said, kind))
    return names.get(kind)
  }
  const said: Said = {
    text, around, slots, tokens, hits, concepts, has,
    isAsking,
    period: slots.periods[0],
    name: (kind) => known(kind),
    target: (kind, where) => targetOf(said, kind, where),
  } // biome-ignore format: a list of words
  return said
}

/** In "customer test123" the letters of the name ask for nothing. */
function isNameWithNumber(tokens: readonly Token[], token: Token): boolean {
  const at = tokens.indexOf(token)
  const next = tokens[at + 1]
  return next?.kind === 'number' && next.isGlued && isOneOf(tokens[at - 1], namedKinds)
}

/** A question by its first word, or by its sign; "can you send it?" and "send it?" are requests. */
const isQuestion = (text: string): boolean => asks.test(text) || (/\?\s*$/.test(text) && !requests.test(text))

const requests =
  /^\s*(and |ו)?(can|could|would|will|please|pls|send|make|create|add|draft|mark|delete|approve|cancel|אפשר|תוכל|תוכלי|אתה|את |ת[א-ת]{2,}|שלח|צור|הוסף|בטל|אשר|מחק)/i

const asks =
  /^\s*(ok |so |hey |hi |and |,)*(did|was|were|has|have|had|is|are|am|who|whom|whose|when|why|what|whats|what's|which|how|where|should|does|do (i|we|they|you)|האם|מי|למי|מתי|למה|מדוע|איך|כמה|איזה|אילו|איזו|מה|איפה|של מי)(?=[\s?,]|$)/i

/** The words of a title such as "Overdue reminders" ask for nothing themselves. */
function withoutTitle(hits: Hit[], tokens: readonly Token[], text: string): Hit[] {
  const has = (...concepts: Concept[]) => hits.some((hit) => concepts.some((concept) => hit.concepts.includes(concept)))
  if (!has('automation', 'run') || !has('delete', 'enable', 'disable', 'replay', 'why', 'failed')) return hits
  const title = titleOf({ tokens, hits, text })
  const start = title === undefined ? -1 : text.indexOf(title)
  if (title === undefined || start < 0) return hits
  return hits.filter(
    ({ first }) => (tokens[first]?.start ?? 0) < start || (tokens[first]?.start ?? 0) >= start + title.length,
  )
}

/** Why something is rejected asks for nothing: "because it is a duplicate". */
function withoutReason(hits: Hit[], tokens: readonly Token[]): Hit[] {
  if (!hits.some(({ concepts }) => concepts.includes('reject'))) return hits
  const at = tokens.findIndex(({ text }, place) => place > 1 && /^(because|since|as|כי|בגלל|,|;)$/.test(text))
  return at < 0 ? hits : hits.filter(({ first }) => first < at)
}

const isOneWord = (hit: Hit, words: readonly string[], tokens: readonly Token[]) =>
  hit.end - hit.first === 1 && words.includes(tokens[hit.first]?.text ?? '')

/** In "with email" and "by mail" the word is no command. */
const withNouns = (hits: Hit[], tokens: readonly Token[]): Hit[] =>
  hits
    .filter((hit) => !(isOneWord(hit, ['הדלק', 'שני'], tokens) && hit.first > 0))
    .map((hit) =>
      isOneWord(hit, ['email', 'mail', 'e-mail'], tokens) &&
      /^(with|by|via|the|an|their|his|her|s|whose|,)$/.test(tokens[hit.first - 1]?.text ?? '')
        ? { ...hit, concepts: ['fromMail'] }
        : isNounDraft(hit, tokens)
          ? { ...hit, concepts: ['draftState'] }
          : isCheque(hit, tokens)
            ? { ...hit, concepts: ['cheque'] }
            : hit,
    )

/** "The draft order" is one that there is, "draft an order" a command. */
const isNounDraft = (hit: Hit, tokens: readonly Token[]): boolean =>
  isOneWord(hit, ['draft'], tokens) &&
  /^(the|our|my|this|that|last|latest|open|any)$/.test(tokens[hit.first - 1]?.text ?? '')

/** "A check of 1,200" is a cheque, "check the stock" a request. */
const isCheque = (hit: Hit, tokens: readonly Token[]): boolean =>
  isOneWord(hit, ['check'], tokens) &&
  /^(a|the|by|with|in|via|per|their|his|her|this|that|of)$/.test(tokens[hit.first - 1]?.text ?? '')

/** "Acme will pay 500", אלון הבטיח לשלם: what others are to pay is open, and nothing that we are told to pay. */
const withPromises = (hits: Hit[], tokens: readonly Token[], text: string): Hit[] =>
  hits.map((hit) => {
    if (!hit.concepts.includes('pay')) return hit
    const start = tokens[hit.first]?.start ?? 0
    return promises.test(text.slice(Math.max(0, start - 80), start)) ? { ...hit, concepts: ['unpaid'] } : hit
  })

const promises =
  /^(?!.*\b(i|we|you|lets|please)\b).*\p{L}.*\s(will|promised to|agreed to|(still )?(has|have|needs?|is supposed|is going|intends|wants) to|must|should)\s+$|^(?!.*(אני|אנחנו|אתה|את)\s).*\p{L}.*\s(הבטיח|הבטיחה|הבטיחו|התחייב|התחייבה|התחייבו|אמור|אמורה|אמורים|מתכוון|מתכוונת)\s+$/iu

const opposites: Partial<Record<Concept, Concept>> = {
  paid: 'unpaid',
  paidState: 'unpaid',
  sentState: 'unsent',
  approved: 'pending',
  active: 'inactive',
  receivedState: 'open',
}

/** What was not done yet: "drafts I haven't issued". */
const undone: Partial<Record<Concept, Concept>> = {
  issue: 'draftState',
  send: 'unsent',
  approve: 'pending',
  pay: 'unpaid',
}

const negation = /^(not|never|n't|isn'?t|aren'?t|wasn'?t|weren'?t|hasn'?t|haven'?t|לא|שלא|אינן|אינה|אינו|טרם|שאינן)$/
const notYet = /^(hasn'?t|haven'?t|didn'?t|hadn'?t)$/

/** "Not paid" is unpaid, in every form of the words. */
const withNegations = (hits: Hit[], tokens: readonly Token[]): Hit[] =>
  hits.map((hit) => {
    const isBehind = (words: RegExp) => [1, 2].some((back) => words.test(tokens[hit.first - back]?.text ?? ''))
    const table = isBehind(notYet) ? { ...opposites, ...undone } : isBehind(negation) ? opposites : {}
    const opposite = hit.concepts.map((concept) => table[concept]).find((concept) => concept !== undefined)
    return opposite ? { ...hit, concepts: [opposite] } : hit
  })

/** Whom one should remind are those who are late: "which invoices should I chase?". */
const withDuties = (hits: Hit[], text: string): Hit[] =>
  /\b(should|needs?|have to|must|worth)\b|צריך|צריכה|צריכים|כדאי|חייבים ל/i.test(text)
    ? hits.map((hit) => {
        const [duty] = hit.concepts.flatMap((concept) => duties[concept] ?? [])
        return duty && hit.concepts.every(isAct) ? { ...hit, concepts: [duty] } : hit
      })
    : hits

const duties: Partial<Record<Concept, Concept>> = { remind: 'overdue', approve: 'pending', send: 'unsent' }

/** In a question a command is a state: "what did we send?" asks for what was sent. */
const withStates = (hits: Hit[]): Hit[] =>
  hits.map((hit) => ({
    ...hit,
    concepts: [...hit.concepts, ...hit.concepts.flatMap((concept) => states[concept] ?? [])],
  }))

const states: Partial<Record<Concept, Concept>> = {
  send: 'sentState', pay: 'paid', approve: 'approved', reject: 'rejected', create: 'created', issue: 'created', delete: 'deleted', change: 'changed', scan: 'scanned', receive: 'receivedState', submit: 'claim',
} // biome-ignore format: a table

/** What "it" stands for is the kind of the record that was shown last: "approve it" is about an expense, or about payslips. */
function withShown(hits: Hit[], tokens: readonly Token[], around: Surroundings): Hit[] {
  const [shown] = around.shown
  const concept = shown && conceptOf[shown.kind]
  if (!concept) return hits
  const isPointer = (hit: Hit) =>
    hit.concepts.includes('it') ||
    (hit.concepts.includes('them') && !hits.some((other) => other.concepts.includes('it')))
  const pointing = hits.map((hit) => (isPointer(hit) ? { ...hit, concepts: [...hit.concepts, concept] } : hit))
  const at = tokens.findIndex((token) => ordinals.some((words) => token.forms.some((form) => words.includes(form))))
  if (at < 0 || hits.some((hit) => hit.concepts.includes(concept))) return pointing
  return [
    ...pointing.filter((hit) => hit.first !== at),
    { concepts: ['it', concept], first: at, end: at + 1, isGuessed: false },
  ]
}

const conceptOf: Partial<Record<RecordKind, Concept>> = {
  document: 'document', customer: 'customer', supplier: 'supplier', payment: 'payment', expense: 'expense', item: 'item', order: 'order',
  employee: 'employee', payslip: 'payslip', automation: 'automation', run: 'run', member: 'member', category: 'category', connection: 'mailbox',
} // biome-ignore format: a table

type Place = { start: number; end: number }

function spansOf(slots: Slots): Place[] {
  const { amounts, periods, durations, emails, phones, numbers, quoted, rates } = slots
  return [...amounts, ...periods, ...durations, ...emails, ...phones, ...numbers, ...quoted, ...rates.percents]
}

function targetOf(said: Said, kind: RecordKind, where?: Record<string, string>): Named | string | undefined {
  const number = numbered.has(kind) ? said.slots.numbers[0]?.text : undefined
  const more = { ...whichOf(said), ...(where && { where }) }
  if (number !== undefined) return { $named: kind, words: number }
  const bare = numbered.has(kind) ? bareNumber(said) : undefined
  const ordinal = ordinalOf(said)
  if (ordinal !== undefined) {
    const shown = shownOf(said, kind)[ordinal]
    if (shown) return shown.id
    const customer = kind === 'document' ? shownOf(said, 'customer')[ordinal] : undefined
    if (customer) return { $named: kind, words: customer.name, ...more }
  }
  const words = said.name(nameKinds[kind] ?? 'customer')
  if (words !== undefined) return { $named: kind, words, ...more }
  if (bare !== undefined) return { $named: kind, words: bare }
  const [shown] = shownOf(said, kind)
  if (pointsBack(said) && shown) return shown.id
  if (more.which && (numbered.has(kind) || kind === 'payment')) return { $named: kind, words: '', ...more }
  return undefined
}

const numbered = new Set<RecordKind>(['document', 'order', 'expense', 'payslip'])

/** A number behind the kind of document, such as 17 in "quote no 17", where nothing says that it is money. */
const bareNumber = ({ slots, text }: Said): string | undefined => {
  const called =
    /(?:invoice|receipt|quote|request|order|document|חשבונית|קבלה|המחיר|מחיר|תשלום|הזמנה|מסמך)\s+(?:number |no\.? |מספר |מס' )?(\d{1,12})(?![\d.,/%])/i.exec(
      text,
    )?.[1]
  if (called) return called
  const amount = slots.amounts.find(
    ({ value, currency, comparison }) =>
      currency === undefined && comparison === 'exactly' && Number.isInteger(value) && value > 0,
  )
  return amount && String(amount.value)
}

const nameKinds: Partial<Record<RecordKind, NameKind>> = {
  supplier: 'supplier', expense: 'supplier', item: 'item', employee: 'employee', payslip: 'employee', member: 'employee',
  automation: 'title', run: 'title', connection: 'title', category: 'category',
} // biome-ignore format: a table

const shownOf = ({ around }: Said, kind: RecordKind): ShownRecord[] =>
  around.shown.filter((record) => record.kind === kind)

/** Words such as "it", or a command that names nothing at all: "send". */
function pointsBack({ has, tokens }: Said): boolean {
  return has('it', 'them') || tokens.length <= 3 || tokens.some(({ text }) => text === 'the' || text.startsWith('ה'))
}

function whichOf({ slots, has }: Said): { which?: 'latest' | 'oldest' } {
  if (slots.order === 'newest' || has('last')) return { which: 'latest' }
  if (slots.order === 'oldest' || has('first')) return { which: 'oldest' }
  return {}
}

const ordinals: readonly (readonly string[])[] = [
  ['first', '1st', 'top', 'הראשון', 'הראשונה'],
  ['second', '2nd', 'השני', 'השנייה', 'השניה'],
  ['third', '3rd', 'השלישי', 'השלישית'],
  ['fourth', '4th', 'הרביעי', 'הרביעית'],
  ['fifth', '5th', 'החמישי', 'החמישית'],
]

/** The second one is 1. */
export function ordinalOf({ tokens, around }: Pick<Said, 'tokens' | 'around'>): number | undefined {
  if (around.shown.length === 0) return undefined
  const found = ordinals.findIndex((words) => tokens.some(({ forms }) => forms.some((form) => words.includes(form))))
  return found < 0 ? undefined : found
}

/** Words before what is wanted in "I need a receipt for Globex, 500". */
const opening = new Set(
  'hi hello hey yo ok so אהלן היי שלום אוקיי i we need want please pls plz can could get have give gimme a an the new quick another one אני אנחנו צריך צריכה צריכים רוצה בבקשה נא אפשר עוד לי'.split(
    ' ',
  ),
)

/** Whether the first word that says something means one of these: "receipt for Globex, 500" names what is wanted, without a verb. */
export function startsWith({ tokens, hits }: Said, ...concepts: Concept[]): boolean {
  const at = tokens.findIndex(({ text }) => !opening.has(text))
  return hits.some(({ first, concepts: own }) => first === at && own.some((concept) => concepts.includes(concept)))
}
