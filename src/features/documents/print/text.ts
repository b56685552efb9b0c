import { exact, minorDigits } from '../../../core/values/money.ts'

// How values read on paper: 1,234.56 in every language. Each is wrapped in marks that keep it together (Unicode isolates),
// so that a number, a phone or "Ltd." stays whole in a Hebrew line and a Hebrew name in an English one.

/** Runs from left to right whatever stands around it: numbers, dates, codes. */
export const ltr = (text: string): string => `\u2066${text}\u2069`

/** Runs the way its own first letter does: what people wrote. */
export const own = (text: string): string => `\u2068${breakable(text)}\u2069`

/** A word that is longer than any column gets places to break at. */
const breakable = (text: string): string => text.replace(/\S{25,}/g, (word) => word.replace(/.{12}/gu, '$&\u200b'))

/** A sentence of ours that holds numbers or codes: each stays whole. */
export const mixed = (text: string): string => own(/[\u0590-\u05ff]/.test(text) ? text.replace(codes, ltr) : text)
const codes = /[\dA-Za-z](?:[\x20-\x7e]*[\dA-Za-z%])?/g

/** Text of people as lines, none of them empty at the end. */
export const linesOf = (text: string | null): string[] => (text ? text.trim().split(/\s*\n/).map(own) : [])

/** An amount without its currency. */
export function amountText(minor: bigint, currency: string): string {
  const digits = minorDigits(currency)
  return grouped(exact(minor).div(exact(10).pow(digits)).toFixed(digits))
}

/** An amount with its currency, as the country calls it: $ at home, US$ abroad. */
export function moneyText(minor: bigint, currency: string, country: string): string {
  const symbol = symbolOf(currency, country)
  const space = /\p{L}$/u.test(symbol) ? '\u00a0' : ''
  const sign = minor < 0n ? '-' : ''
  return `${sign}${symbol}${space}${amountText(minor < 0n ? -minor : minor, currency)}`
}

function symbolOf(currency: string, country: string): string {
  try {
    const parts = new Intl.NumberFormat(`en-${country}`, { style: 'currency', currency }).formatToParts(0)
    return parts.find(({ type }) => type === 'currency')?.value ?? currency
  } catch {
    return currency // a code that is none
  }
}

/** A price or a quantity: no digits that say nothing, yet at least so many after the point. */
export function numberText(value: number, leastDigits = 0): string {
  const decimal = exact(value).toDecimalPlaces(6)
  return grouped(decimal.toFixed(Math.max(leastDigits, decimal.decimalPlaces())))
}

export const rateText = (percent: number): string => `${numberText(percent)}%`

const grouped = (decimal: string): string => {
  const [whole = '', fraction] = decimal.split('.')
  const parted = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return fraction ? `${parted}.${fraction}` : parted
}

/** An IBAN in groups of four. */
export const ibanText = (iban: string): string => iban.replace(/\s/g, '').replace(/(.{4})(?=.)/g, '$1 ')
