import { amountMax } from '../../../../../core/values/money.ts'
import type { CountryCode } from '../../../../../countries/country.ts'
import { type Comparison, comparisonAfter, comparisonBefore } from './comparisons.ts'
import { currencyAt } from './currencies.ts'
import { type ReadNumber, readNumber } from './number-words.ts'
import { afterPrefix, isHebrew, isOneOf, type Sentence, setOf, type Token, take } from './words.ts'

/** A sum of money. Without a currency it is of the main currency of the organization. */
export type Amount = { value: number; currency?: string; comparison: Comparison; start: number; end: number }

/** How many of something: 5 invoices, 3 hours. */
export type Quantity = { value: number; of: string; start: number; end: number }

type Money = { value: number; currency?: string; isSpoken: boolean; isSmallWord: boolean; first: number; end: number }

export function readAmounts(sentence: Sentence, country: CountryCode): { amounts: Amount[]; quantities: Quantity[] } {
  const amounts: Amount[] = []
  const quantities: Quantity[] = []
  const { tokens, taken } = sentence
  for (let at = 0; at < tokens.length; at++) {
    if (taken[at]) continue
    const found = readMoney(sentence, at, country)
    if (!found) continue
    const quantity = quantityAt(sentence, found)
    if (quantity) {
      quantities.push(quantity)
      take(sentence, at, found.end)
    } else if (isAmount(sentence, found)) {
      const pair = readPair(sentence, found, country)
      if (pair) amounts.push(...pair.amounts)
      else amounts.push(single(sentence, found))
      if (pair) found.end = pair.end
    }
    at = found.end - 1
  }
  return { amounts, quantities }
}

/** A number with the currency before or after it. */
function readMoney(sentence: Sentence, at: number, country: CountryCode): Money | undefined {
  const { tokens, taken } = sentence
  if (isInsideCode(tokens, at)) return undefined
  let [place, isNegative] = skipMinus(tokens, at)
  const before = currencyAt(sentence, place, country)
  if (before) {
    place = before.end
    const minus = skipMinus(tokens, place)
    if (minus[1]) [place, isNegative] = minus
  }
  const number = readNumber(tokens, place)
  if (!number || taken[place]) return undefined
  const joined = joinThousands(
    tokens,
    place,
    number,
    (end) => before !== undefined || currencyAt(sentence, end, country) !== undefined,
  )
  const behind = before ? undefined : currencyAt(sentence, joined.end, country)
  const currency = before?.currency ?? behind?.currency
  const value = isNegative && joined.value !== 0 ? -joined.value : joined.value
  if (Math.abs(value) > Number(amountMax) / 100) return undefined
  const isSmallWord = number.isSpoken && tokens[place]?.kind === 'word' && number.value < 100
  return {
    value,
    ...(currency && { currency }),
    isSpoken: number.isSpoken,
    isSmallWord,
    first: at,
    end: behind?.end ?? joined.end,
  }
}

/** Part of a word such as B2B: no amount. */
function isInsideCode(tokens: readonly Token[], at: number): boolean {
  const [token, before] = [tokens[at], tokens[at - 1]]
  if (token?.kind !== 'number' || !token.isGlued || !before) return false
  return before.kind === 'number' || (before.kind === 'word' && (!isHebrew(before.text) || before.text.length > 3))
}

/** A minus stands directly before the number and not after a word: ב-500 is no negative amount. */
function skipMinus(tokens: readonly Token[], at: number): [number, boolean] {
  if (tokens[at]?.text === 'minus' || tokens[at]?.text === 'מינוס') return [at + 1, true]
  const isMinus = tokens[at]?.text === '-' && tokens[at + 1]?.isGlued === true
  if (!isMinus) return [at, false]
  const before = tokens[at]?.isGlued ? tokens[at - 1] : undefined
  return before && before.kind !== 'sign' ? [at, false] : [at + 1, true]
}

/** 1 200 USD: groups of three digits with spaces, if a currency says that it is one amount. */
function joinThousands(
  tokens: readonly Token[],
  at: number,
  number: ReadNumber,
  hasCurrency: (end: number) => boolean,
): ReadNumber {
  if (!/^\d{1,3}$/.test(tokens[at]?.text ?? '') || number.end !== at + 1) return number
  let [end, digits] = [at + 1, tokens[at]?.text ?? '']
  while (
    end < at + 5 &&
    tokens[end]?.kind === 'number' &&
    !tokens[end]?.isGlued &&
    /^\d{3}(\.\d{1,2})?$/.test(tokens[end]?.text ?? '')
  ) {
    digits += tokens[end]?.text
    end++
    if (digits.includes('.')) break
  }
  return end > at + 1 && hasCurrency(end) ? { value: Number(digits), end, isSpoken: false } : number
}

/** Between 100 and 200, from 1k to 2k, 100-200, בין 100 ל-200. */
function readPair(
  sentence: Sentence,
  first: Money,
  country: CountryCode,
): { amounts: Amount[]; end: number } | undefined {
  const { tokens } = sentence
  const opening = tokens[prefixStart(tokens, first.first) - 1]
  const ownLetter = tokens[prefixStart(tokens, first.first)]?.text
  const isBetween = isOneOf(opening, betweens)
  const isFrom = opening?.text === 'from' || ownLetter === 'מ'
  const joint = tokens[first.end]
  const isDash = joint?.text === '-' && tokens[first.end + 1]?.kind === 'number'
  const isJoined = isBetween
    ? isOneOf(joint, ands)
    : isOneOf(joint, tos) && (isFrom || first.currency !== undefined || joint?.text !== 'to')
  const isLetter = isBetween && (joint?.text === 'ל' || joint?.text === 'ו')
  const place = isLetter
    ? afterPrefix(tokens, first.end)
    : isJoined || isDash
      ? afterPrefix(tokens, first.end + 1)
      : isBetween
        ? first.end
        : -1
  const second = place < 0 ? undefined : readMoney(sentence, place, country)
  if (!second || (isFrom && !isJoined && !isDash)) return undefined
  const currency = first.currency ?? second.currency
  const [low, high] = first.value <= second.value ? [first, second] : [second, first]
  const amounts: Amount[] = (
    [
      ['from', low],
      ['to', high],
    ] as const
  ).map(([comparison, { value, first: at, end }]) => ({
    value,
    ...(currency && { currency }),
    comparison,
    ...take(sentence, at, end),
  }))
  take(sentence, prefixStart(tokens, first.first) - (isBetween || opening?.text === 'from' ? 1 : 0), second.end)
  return { amounts, end: second.end }
}
const betweens = setOf('between בין')
const ands = setOf('and to - עד')
const tos = setOf('to until till עד ועד')

/** The Hebrew letter before a number belongs to it: ל-500. */
function prefixStart(tokens: readonly Token[], at: number): number {
  for (const back of [1, 2]) if (at >= back && afterPrefix(tokens, at - back) === at) return at - back
  return at
}

function single(sentence: Sentence, { value, currency, first, end }: Money): Amount {
  const start = prefixStart(sentence.tokens, first)
  const before = comparisonBefore(sentence.tokens, start, first)
  const behind = before ? undefined : comparisonAfter(sentence.tokens, end)
  const comparison = before?.comparison ?? behind?.comparison ?? 'exactly'
  const span = take(sentence, first, end)
  take(sentence, before?.start ?? start, behind?.end ?? end)
  return { value, ...(currency && { currency }), comparison, ...span }
}

/** Numbers before things are counts of them; a number that says its currency or scale is money. */
function quantityAt(sentence: Sentence, { value, currency, first, end }: Money): Quantity | undefined {
  const { tokens, taken } = sentence
  const word = tokens[end]?.text === 'x' || tokens[end]?.text === '×' ? tokens[end + 1] : tokens[end]
  if (currency || taken[end] || word?.kind !== 'word' || value < 0) return undefined
  if (/^(הוצאה|expense)$/.test(tokens[first - 1]?.text ?? '')) return undefined // expense 119 materials
  if (/^ל/.test(word.text) && isOneOf(word, perUnits)) return undefined // 350 לשעה is a price
  const isPlural = /[^su]s$/.test(word.text) && word.text.length > 3 && !/'s$/.test(word.text) && !word.isCapital
  const isHebrewPlural =
    isHebrew(word.text) && /(ים|ות)$/.test(word.text) && word.text.length > 3 && !/^[בלמ]/.test(word.text)
  const isOne = value === 1 && !isOneOf(word, connectors)
  const isThing = isOneOf(word, things) || tokens[end]?.text === 'x' || tokens[end]?.text === '×'
  if (!(isPlural || isHebrewPlural || isOne || isThing) || isOneOf(word, notThings)) return undefined
  const isScaled = value >= 1000 && tokens[end - 1]?.kind === 'word'
  if (isScaled && !isThing && comparisonBefore(tokens, prefixStart(tokens, first), first)) return undefined // over 10k gets paid
  return { value, of: word.text, start: tokens[first]?.start ?? 0, end: word.end }
}
const things = setOf(
  'unit pcs piece hour hr hrs kg kilo kilos litre liter bag box meter metre קילו ליטר מטר שק שקית ארגז people staff invoice customer supplier employee item שעה שעת יחידה יח קופסה ק"ג איש אנשים לקוח ספק עובד פריט חשבונית',
)
const rateUnits = setOf('month mo hour hr h day week unit pc piece kg year yr שעה חודש יום יחידה')
const perUnits = setOf('שעה יחידה יום חודש קילו ליטר מטר ק"ג')
const notThings = setOf('plus less minus towards this is was has does its as עבודות שירותים לתשלום')
const connectors = setOf('for to from and or in on of at by per the a עבור של את על עם')

/** A bare number is money unless something else is meant: a small number in words, a count, a code. */
function isAmount({ tokens }: Sentence, { value, currency, isSpoken, isSmallWord, first, end }: Money): boolean {
  if (currency) return true
  const next = tokens[end]
  if (next?.isGlued && next.kind === 'word' && !isSpoken) return false
  const isPer = next?.text === '/' && isOneOf(tokens[end + 1], rateUnits) // 5200/month
  if (next?.isGlued && /^[/:@_]$/.test(next.text) && !isPer) return false
  const start = prefixStart(tokens, first)
  const comparison = comparisonBefore(tokens, start, first) ?? comparisonAfter(tokens, end)
  if (comparison) return true
  if (isSmallWord) return isOneOf(tokens[start - 1], betweens)
  const before = tokens[start - 1]
  return !(isOneOf(before, countWords) && value < 100) && !(before?.isGlued === false && before.text === '#')
}
const countWords = setOf('top first last latest newest oldest largest biggest page step version unit room floor suite')
