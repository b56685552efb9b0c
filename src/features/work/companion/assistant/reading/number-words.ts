import { toDecimal } from '../../../../../core/tables/numbers.ts'
import { isHebrew, isPhrase, lookUp, type Token } from './words.ts'

/** A number in digits or in words, from one token up to another. */
export type ReadNumber = {
  value: number
  end: number
  /** Written in words or with a scale such as k or thousand: no number of a document. */
  isSpoken: boolean
}

export function readNumber(tokens: readonly Token[], at: number): ReadNumber | undefined {
  return tokens[at]?.kind === 'number' ? readDigits(tokens, at) : (readHalf(tokens, at) ?? readWords(tokens, at))
}

function readDigits(tokens: readonly Token[], at: number): ReadNumber | undefined {
  const text = tokens[at]?.text ?? ''
  const value = valueOfDigits(text)
  if (value === undefined) return undefined
  const next = tokens[at + 1]
  const scale = next && (next.isGlued ? gluedScales : scales).get(next.text)
  return scale
    ? { value: rounded(value * scale), end: at + 2, isSpoken: true }
    : { value, end: at + 1, isSpoken: false }
}

function valueOfDigits(digits: string): number | undefined {
  if (/^\d{1,15}$/.test(digits)) return Number(digits)
  const decimal = digits.length > 30 ? undefined : toDecimal(digits, '.')
  return decimal === undefined ? undefined : Number(decimal)
}

/** Half a million, חצי מיליון, quarter of a million. */
function readHalf(tokens: readonly Token[], at: number): ReadNumber | undefined {
  const share = shares.get(tokens[at]?.text ?? '')
  if (share === undefined) return undefined
  let next = at + 1
  while (tokens[next]?.text === 'a' || tokens[next]?.text === 'of') next++
  const scale = scales.get(tokens[next]?.text ?? '')
  return scale && scale >= 1000 ? { value: share * scale, end: next + 1, isSpoken: true } : undefined
}

type Sum = { total: number; current: number; last: number; scale: number }

function readWords(tokens: readonly Token[], at: number): ReadNumber | undefined {
  const sum: Sum = { total: 0, current: 0, last: 0, scale: Number.POSITIVE_INFINITY }
  let end = at
  let next = isArticle(tokens, at) ? at + 1 : at
  for (;;) {
    const more = addWord(sum, tokens, next, next === at)
    if (more === 0) break
    next += more
    end = next
    if (tokens[next]?.text === 'and' || (tokens[next]?.text === '-' && tokens[next]?.isGlued)) next++
  }
  return end === at ? undefined : { value: rounded(sum.total + sum.current), end, isSpoken: true }
}

const isArticle = (tokens: readonly Token[], at: number) =>
  /^an?$/.test(tokens[at]?.text ?? '') && articled.has(tokens[at + 1]?.text ?? '')

/** Adds the word at this place to the number, if it continues it, and tells how many words that were. */
function addWord(sum: Sum, tokens: readonly Token[], at: number, isFirst: boolean): number {
  const token = tokens[at]
  if (token?.kind !== 'word') return 0
  if (isPhrase(tokens, at, 'a half') || token.text === 'וחצי') return addHalf(sum, token, isFirst)
  const word = isHebrew(token.text) && !isFirst ? token.text.replace(/^ו/, '') : token.text
  const find = <T>(table: ReadonlyMap<string, T>) => table.get(word) ?? (isFirst ? lookUp(token, table) : undefined)
  const unit = find(units)
  if (unit !== undefined) return addUnit(sum, unit) ? 1 : 0
  const scale = find(scales)
  return scale !== undefined && addScale(sum, scale) ? 1 : 0
}

function addHalf(sum: Sum, token: Token, isFirst: boolean): number {
  if (isFirst || sum.last === 0) return 0
  sum.current += sum.last / 2
  sum.last = 0
  return token.text === 'a' ? 2 : 1
}

/** One to ninety-nine, and in Hebrew the ten of the teens and the hundreds that are one word. */
function addUnit(sum: Sum, unit: number): boolean {
  const isTeen = unit === 10 && sum.current % 100 > 0 && sum.current % 100 < 10
  const room = unit >= 100 ? 1000 : unit >= 10 ? 100 : 10
  const isFree = sum.current % room === 0 && !(unit < 10 && sum.current % 100 === 10)
  if (!isTeen && !isFree) return false
  if (unit >= 2000) return addThousands(sum, unit)
  sum.current += unit
  sum.last = unit >= 100 ? 100 : 1
  return true
}

function addThousands(sum: Sum, value: number): boolean {
  if (sum.current !== 0 || sum.scale <= 1000) return false
  sum.total += value
  sum.scale = 1000
  sum.last = 1000
  return true
}

function addScale(sum: Sum, scale: number): boolean {
  if (scale === 100) {
    if (sum.current > 99 || sum.last > 1) return false
    sum.current = (sum.current || 1) * 100
    sum.last = 100
    return true
  }
  if (scale >= sum.scale) return false
  sum.total += (sum.current || 1) * scale
  Object.assign(sum, { current: 0, scale, last: scale })
  return true
}

/** Without the noise of binary fractions: 1.1 million is 1100000. */
const rounded = (value: number) => Number(value.toPrecision(15))

const table = (lines: string): ReadonlyMap<string, number> =>
  new Map(
    lines
      .trim()
      .split('\n')
      .flatMap((line) => {
        const [value, ...words] = line.trim().split(/\s+/)
        return words.map((word) => [word, Number(value)] as const)
      }),
  )

const units = table(`
  1 one אחד אחת
  2 two couple שניים שתיים שני שתי
  3 three שלושה שלוש שלושת
  4 four ארבעה ארבע ארבעת
  5 five חמישה חמש חמשת חמישת
  6 six שישה שש ששת
  7 seven שבעה שבע שבעת
  8 eight שמונה שמונת
  9 nine תשעה תשע תשעת
  10 ten עשרה עשר עשרת
  11 eleven
  12 twelve dozen תריסר
  13 thirteen
  14 fourteen
  15 fifteen
  16 sixteen
  17 seventeen
  18 eighteen
  19 nineteen
  20 twenty עשרים
  30 thirty שלושים
  40 forty fourty ארבעים
  50 fifty חמישים
  60 sixty שישים
  70 seventy שבעים
  80 eighty שמונים
  90 ninety תשעים
  200 מאתיים
  2000 אלפיים`)

const scales = table(`
  100 hundred מאה מאות
  1000 thousand thousands grand k אלף אלפים אלפי
  1000000 million millions מיליון מליון מיליוני מיליונים
  1000000000 billion billions מיליארד`)

const gluedScales = table(`
  1000 k
  1000000 m mn mm mil mln
  1000000000 b bn`)

const shares = new Map([['half', 0.5], ['חצי', 0.5], ['quarter', 0.25], ['רבע', 0.25]]) // biome-ignore format: a table
const articled = new Set(['hundred', 'thousand', 'million', 'billion', 'couple', 'dozen', 'grand'])
