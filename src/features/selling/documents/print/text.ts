import { unprintableIn } from '../../../../core/characters/characters.ts'
import { memoizeText } from '../../../../core/values/memoize.ts'
import { exact, minorDigits } from '../../../../core/values/money.ts'

// Formats of printed values: 1,234.56 in every language. Each value is wrapped in Unicode isolates, so that a number, a
// phone number or "Ltd." keeps its order within a Hebrew line, and a Hebrew name within an English one.

/** Isolates numbers, dates and codes, which always run from left to right. */
export const ltr = (text: string): string => `\u2066${text}\u2069`

/** Isolates text whose first letter decides its direction: names and other user input. */
export const isolate = (text: string): string => `\u2068${breakable(text)}\u2069`

/**
 * Adds places to break at to words that are longer than a column. Typst itself knows where Chinese or Thai breaks; a mark within
 * an Arabic word would separate letters that join.
 */
const breakable = (text: string): string =>
  text.replace(/[^\s\u0600-\u{10ffff}]{25,}/gu, (word) => word.replace(/.{12}(?!\p{M})/gu, '$&\u200b'))

/** Isolates a sentence and, in Hebrew, each number or code in it. */
export const isolateMixed = (text: string): string =>
  isolate(/[\u0590-\u05ff]/.test(text) ? text.replace(codes, ltr) : text)
const codes = /[\dA-Za-z](?:[\x20-\x7e]*[\dA-Za-z%])?/g

/** User input as lines, without empty lines at the end. */
export const linesOf = (text: string | null): string[] => (text ? text.trim().split(/\s*\n/).map(isolate) : [])

/** An amount without its currency. */
export function amountText(minor: bigint, currency: string): string {
  const digits = minorDigits(currency)
  const text = String(minor < 0n ? -minor : minor).padStart(digits + 1, '0')
  const pointAt = text.length - digits
  return grouped(minor < 0n ? '-' : '', text.slice(0, pointAt), text.slice(pointAt))
}

/** An amount with the currency symbol that the country uses: $ in the United States, US$ elsewhere. */
export function moneyText(minor: bigint, currency: string, country: string): string {
  return `${minor < 0n ? '-' : ''}${withSymbol(amountText(minor < 0n ? -minor : minor, currency), currency, country)}`
}

/** A number with the currency symbol before it. Letters are set apart: $5, but CHF 5. */
export function withSymbol(number: string, currency: string, country: string): string {
  const symbol = symbolOf(`${country} ${currency}`)
  return `${symbol}${/\p{L}$/u.test(symbol) ? '\u00a0' : ''}${number}`
}

/**
 * The symbol of a currency in a country (`SG USD`). The code of the currency stands for a symbol that no font has. Kept, because
 * asking for it took a tenth of what printing takes from the requests of others.
 */
const symbolOf = memoizeText((countryAndCurrency) => {
  const [country = '', currency = ''] = countryAndCurrency.split(' ')
  try {
    const parts = new Intl.NumberFormat(`en-${country}`, { style: 'currency', currency }).formatToParts(0)
    const symbol = parts.find(({ type }) => type === 'currency')?.value ?? currency
    return unprintableIn(symbol).length > 0 ? currency : symbol
  } catch {
    return currency // not a currency code that Intl knows
  }
})

/** A price or quantity without trailing zeros, but with at least `leastDigits` decimal places. */
export function numberText(value: number, leastDigits = 0): string {
  const [, sign = '', whole = '', fraction = ''] =
    plainNumber.exec(String(value)) ?? plainNumber.exec(rounded(value)) ?? []
  return grouped(sign, whole, fraction.padEnd(leastDigits, '0'))
}

/** What most numbers are as text; a document of a thousand lines has thousands of them, and Decimal takes ten times as long. */
const plainNumber = /^(-?)(\d+)(?:\.(\d{1,6}))?$/
const rounded = (value: number) => exact(value).toDecimalPlaces(6).toFixed()

export const rateText = (percent: number): string => `${numberText(percent)}%`

const grouped = (sign: string, whole: string, fraction: string): string => {
  let text = whole.slice(-3)
  for (let end = whole.length - 3; end > 0; end -= 3) text = `${whole.slice(Math.max(0, end - 3), end)},${text}`
  return fraction ? `${sign}${text}.${fraction}` : sign + text
}
