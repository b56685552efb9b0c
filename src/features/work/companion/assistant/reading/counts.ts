import { isMoney } from './dates.ts'
import { readNumber } from './number-words.ts'
import { isHebrew, type Sentence, setOf, type Token, take } from './words.ts'

export type Order = 'largest' | 'smallest' | 'newest' | 'oldest'

/** How many are asked for, and in which order: top 5, the last three, חמשת הגדולים. */
export type Counts = { counts: { first?: number }; order?: Order }

const orderWords: ReadonlyMap<string, Order> = new Map(
  Object.entries({
    largest: `top largest biggest highest greatest priciest הגדול הגדולה הגדולים הגדולות הגבוה הגבוהה הגבוהים הגבוהות היקר היקרה היקרים היקרות המובילים המובילות`,
    smallest:
      'bottom smallest lowest cheapest least הקטן הקטנה הקטנים הקטנות הנמוך הנמוכה הנמוכים הנמוכות הזול הזולה הזולים הזולות',
    newest: 'newest latest last recent האחרון האחרונה האחרונים האחרונות החדש החדשה החדשים החדשות',
    oldest: 'oldest earliest הישן הישנה הישנים הישנות',
  }).flatMap(([order, words]) => words.split(/\s+/).map((word) => [word, order as Order] as const)),
)

const afterMost: ReadonlyMap<string, Order> = new Map([
  ['גדול', 'largest'], ['הרבה', 'largest'], ['גבוה', 'largest'], ['יקר', 'largest'], ['קטן', 'smallest'], ['פחות', 'smallest'], ['מעט', 'smallest'],
  ['נמוך', 'smallest'], ['זול', 'smallest'], ['חדש', 'newest'], ['ישן', 'oldest'], ['expensive', 'largest'], ['recent', 'newest'], ['overdue', 'oldest'],
]) // biome-ignore format: a table

export function readCounts(sentence: Sentence): Counts {
  const { tokens, taken } = sentence
  let order: Order | undefined
  for (const [at, token] of tokens.entries()) {
    if (taken[at]) continue
    order ??= orderAt(tokens, at, token)
  }
  const first = readFirst(sentence)
  return { counts: first === undefined ? {} : { first }, ...(order && { order }) }
}

function orderAt(tokens: readonly Token[], at: number, token: Token): Order | undefined {
  if (token.text === 'most' && tokens[at - 1]?.text !== 'at')
    return afterMost.get(tokens[at + 1]?.text ?? '') ?? 'largest'
  if (token.text === 'least' && tokens[at - 1]?.text === 'at') return undefined
  if (token.text === 'הכי') return afterMost.get(genderless(tokens[at + 1]?.text ?? ''))
  if (token.text === 'last' && /^(name|names|time)$/.test(tokens[at + 1]?.text ?? '')) return undefined
  return orderWords.get(token.text) ?? (isHebrew(token.text) ? orderWords.get(token.text.slice(1)) : undefined)
}

/** Without the ending, and with the letter that a word ends in: ישנה is ישן. */
function genderless(word: string): string {
  if (afterMost.has(word)) return word
  return word.replace(/(ה|ים|ות)$/, '').replace(/[כמנפצ]$/, (letter) => 'ךםןףץ'['כמנפצ'.indexOf(letter)] ?? letter)
}

function readFirst(sentence: Sentence): number | undefined {
  const { tokens, taken } = sentence
  for (let at = 0; at < tokens.length; at++) {
    if (taken[at]) continue
    const number = readNumber(tokens, at)
    if (!number) continue
    const { value, end } = number
    if (Number.isInteger(value) && value >= 1 && value <= 1000 && !isMoney(tokens[end]) && isCounted(tokens, at, end)) {
      take(sentence, at, end)
      return value
    }
    at = end - 1
  }
  return undefined
}

const before = setOf(
  'top first last latest newest oldest largest biggest smallest highest lowest cheapest bottom recent earliest next',
)
const starters = setOf('הראשונים הראשונות')

/** The word before it says so, or one of the two words after it: last three, 5 biggest customers, 3 החשבוניות האחרונות. */
function isCounted(tokens: readonly Token[], at: number, end: number): boolean {
  if (tokens[end]?.isGlued && tokens[end]?.kind !== 'sign') return false
  if (before.has(tokens[at - 1]?.text ?? '')) return true
  const isMost = tokens[end]?.text === 'most'
  return (
    isMost ||
    [tokens[end], tokens[end + 1]].some(
      (token, distance) => isSuperlative(token) && (distance === 0 || isHebrew(token?.text ?? '')),
    )
  )
}

const isSuperlative = (token: Token | undefined) =>
  token !== undefined && token.text !== 'last' && (orderWords.has(token.text) || starters.has(token.text))
