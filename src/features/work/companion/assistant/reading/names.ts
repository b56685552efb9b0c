import { isKnownWord } from './known-words.ts'
import type { Found } from './references.ts'
import { isHebrew, isOneOf, type Sentence, setOf, type Token } from './words.ts'

export type NameKind = 'customer' | 'supplier' | 'item' | 'employee' | 'category'

type Candidate = { text: string; score: number; start: number }

/** A sequence of words that can be a name, by its first and its last token. */
type Run = { first: number; end: number }

/** The best candidates for a name of this kind, the best one first. */
export function namesIn(sentence: Sentence, quoted: readonly Found[], kind: NameKind): string[] {
  const candidates = [
    ...quoted.map(({ text, start }) => ({ text, start, score: 100 })),
    ...runsIn(sentence).flatMap((run) => candidatesOf(sentence, run, kind)),
  ]
  const ordered = candidates.toSorted((a, b) => b.score - a.score || a.start - b.start)
  return [...new Set(ordered.map(({ text }) => text))].slice(0, 8)
}

const labels: Record<NameKind, ReadonlySet<string>> = {
  customer: setOf('customer client debtor לקוח לקוחה הלקוח חברת'),
  supplier: setOf('supplier vendor ספק ספקית חברת'),
  item: setOf('item product service פריט מוצר שירות'),
  employee: setOf('employee worker עובד עובדת'),
  category: setOf('category קטגוריה קטגוריית סעיף'),
}
const words: Record<NameKind, ReadonlySet<string>> = {
  customer: setOf('to for from by of with against named called של עבור בשביל את עם אצל בשם'),
  supplier: setOf('from to by of with at named called של את עם אצל עבור בשם'),
  item: setOf('for of named called על עבור של את בשם'),
  employee: setOf('for to of by from named called של עבור את בשם'),
  category: setOf('on for as under in into of על עבור של בשביל'),
}
/** The words that stand before a name of any kind: what follows them has no letter before it. */
const leading = new Set(Object.values(words).flatMap((set) => [...set]))
/** ועל is על. */
const plainLead = (token: Token | undefined): string =>
  leading.has(token?.text ?? '') ? (token?.text ?? '') : (token?.text ?? '').replace(/^ו/, '')

/** Letters that Hebrew writes together with the name. */
const letters: Record<NameKind, string> = { customer: 'למ', supplier: 'מל', item: 'לב', employee: 'ל', category: 'בל' }
const companies = setOf('ltd inc llc llp corp co gmbh pte plc limited company בע"מ')

function candidatesOf(sentence: Sentence, run: Run, kind: NameKind): Candidate[] {
  const { tokens } = sentence
  const first = tokens[run.first]
  const text = nameText(sentence, run)
  if (!first || text.length < 2) return []
  const isLabelled = isOneOf(tokens[run.first - 1], labels[kind])
  const isLed = !isLabelled && words[kind].has(plainLead(tokens[run.first - 1]))
  const isCompany = isOneOf(tokens[run.end - 1], companies)
  const isName = kind !== 'item' && kind !== 'category'
  const isOther = !isLabelled && isOtherLabel(tokens[run.first - 1], kind)
  let score = (isLabelled ? 50 : 0) + (isLed ? 30 : 0) - (isOther ? 30 : 0)
  if (isName)
    score += (first.isCapital ? 20 : 0) + (isCompany ? 25 : 0) + (/'s$/.test(tokens[run.end - 1]?.text ?? '') ? 20 : 0)
  else score -= first.isCapital || isCompany ? 15 : 0
  const whole = { text, score, start: first.start }
  const isCounted = kind === 'item' && tokens[run.first - 1]?.kind === 'number' // 12 בקבוקים
  if (isLabelled || isOther || isCounted || leading.has(plainLead(tokens[run.first - 1])) || !isHebrew(first.text))
    return [whole]
  return [...withoutLetter(whole, kind), whole]
}

const isOtherLabel = (token: Token | undefined, kind: NameKind) =>
  Object.entries(labels).some(([other, set]) => other !== kind && isOneOf(token, set))

/** לאקמה is אקמה, if the letter says what is asked for. */
function withoutLetter({ text, score, start }: Candidate, kind: NameKind): Candidate[] {
  const cut = text.startsWith('ו') && letters[kind].includes(text[1] ?? '') ? 2 : 1
  const letter = text[cut - 1] ?? ''
  const rest = text.slice(cut).replace(/^[-־"״]/, '')
  const isLong = /^[א-ת]{3}/.test(rest) || !isHebrew(rest) || shortNames.test(rest)
  if (!letters[kind].includes(letter) || rest.length < 2 || (cut === 1 && ownLetter.has(text.split(' ')[0] ?? '')))
    return []
  return [{ text: rest, score: score + (isLong ? 25 : -5), start }]
}

/** Words and names whose first letter is their own: מרפאת ארז is no רפאת. */
const ownLetter =
  setOf(`מרפאת מאפיית מאפה מוסך מלון מכון מפעל מועדון מספרת מסעדת מכולת מחסני משרד מרכז מעבדת מגרש מזון מכללת משתלת מוזיאון מינימרקט
  מיזוג מערכות מחשבי מחשבים מדיה משה מיכל מירי מאיר מרים מתן מיכאל מורן מאיה מנחם מרדכי מנורות מדפים מדפסת מקלדת מכונת לחם לילך ליאור לירון לימור להב לוחות
  בית בנק בזק ביטוח בדים בשר ברגים בטון ברזל בגדי בקבוקי בקבוקים`)

/** First names of two letters. */
const shortNames = /^(טל|גל|רן|דן|חן|שי|עז|בר|גד|נח|רז|תם|רם|פז)(?![א-ת])/

/** As the person wrote it, without 's and without signs around it. */
function nameText({ text, tokens }: Sentence, { first, end }: Run): string {
  return text
    .slice(tokens[first]?.start, tokens[end - 1]?.end)
    .replaceAll(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    .replace(/['’]s?$/, '')
    .trim()
}

function runsIn({ tokens, taken }: Sentence): Run[] {
  const runs: Run[] = []
  for (let at = 0; at < tokens.length; at++) {
    if (!isNameWord(tokens, taken, at)) continue
    let end = at + 1
    while (end - at < 8) {
      const more = joinedBy(tokens, taken, end)
      if (more === 0) break
      end += more
    }
    runs.push({ first: at, end })
    at = end - 1
  }
  return runs
}

/** A word that is none of how people ask, or one in capitals beside such a word: Office Depot, Blue Order Ltd. */
function isNameWord(tokens: readonly Token[], taken: readonly boolean[], at: number): boolean {
  const token = tokens[at]
  if (!token || taken[at] || token.kind !== 'word') return false
  if (!isKnownWord(token) || isSize(tokens, at) || isHouse(tokens, at)) return true
  if (!token.isCapital || at === 0) return false
  const place = /^(of|and)$/.test(tokens[at + 1]?.text ?? '') ? at + 2 : at + 1
  const next = tokens[place]
  return next?.kind === 'word' && next.isCapital && !taken[place] && !isKnownWord(next) && !isShort(token)
}
/** ועד הבית is a customer, and not "until the house". */
const isHouse = (tokens: readonly Token[], at: number): boolean =>
  /^[למ]?ועד$/.test(tokens[at]?.text ?? '') && /^ה?בית$/.test(tokens[at + 1]?.text ?? '')

/** A4, M8: a letter with a number is part of a name. */
export const isSize = (tokens: readonly Token[], at: number): boolean =>
  /^[a-z]$/.test(tokens[at]?.text ?? '') && tokens[at + 1]?.kind === 'number' && tokens[at + 1]?.isGlued === true

const isShort = (token: Token) => token.text.length < 3

/** How many tokens from this one on continue a name: a word, & and a word, or a number that is written together with it. */
function joinedBy(tokens: readonly Token[], taken: readonly boolean[], at: number): number {
  const [token, last] = [tokens[at], tokens[at - 1]]
  if (!token || taken[at] || !last) return 0
  if (
    /'s$/.test(last.text) ||
    (token.kind === 'word' && isHebrew(token.text) !== isHebrew(last.text) && last.kind === 'word')
  )
    return 0
  const isWord = (place: number) => {
    const word = tokens[place]
    return word?.kind === 'word' && !taken[place] && (!isKnownWord(word) || (word.isCapital && last.isCapital))
  }
  if (isWord(at)) return 1
  if (token.kind === 'number') return token.isGlued ? 1 : 0
  if (/^[&+]$/.test(token.text) && isWord(at + 1)) return 2
  if (/^[-.'"]$/.test(token.text) && token.isGlued && tokens[at + 1]?.isGlued && isWord(at + 1)) return 2
  if (/^(of|and|the)$/.test(token.text) && last.isCapital && tokens[at + 1]?.isCapital && isWord(at + 1)) return 2
  if (token.text === ',' && isOneOf(tokens[at + 1], companies)) return 2
  return 0
}
