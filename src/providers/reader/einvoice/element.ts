import { Decimal } from 'decimal.js'

/** An element of XML. Its name is without prefix; `uri` is its namespace. */
export type Element = {
  uri: string
  name: string
  attributes: Readonly<Record<string, string>>
  /** The text directly in it. */
  text: string
  children: readonly Element[]
}

/** How the namespaces of the two syntaxes begin. Elements of others are extensions, which are ignored. */
const families = ['urn:un:unece:uncefact:', 'urn:ferd:', 'urn:oasis:names:specification:ubl:']

const isOfInvoices = ({ uri }: Element) => families.some((family) => uri.startsWith(family))

/** The elements at this path. A step names alternatives with `|`. */
export function all(from: Element | undefined, ...path: string[]): Element[] {
  let found = from ? [from] : []
  for (const step of path) {
    const names = step.split('|')
    found = found.flatMap(({ children }) => children.filter((each) => names.includes(each.name) && isOfInvoices(each)))
  }
  return found
}

export const first = (from: Element | undefined, ...path: string[]): Element | undefined => all(from, ...path)[0]

/** The text of the first element at this path that has some, on one line. */
export function textAt(from: Element | undefined, ...path: string[]): string | null {
  for (const element of all(from, ...path)) {
    const text = textOf(element)
    if (text) return text
  }
  return null
}

const textMax = 1_000

/** The text of an element on one line; null if there is none. */
export const textOf = (element: Element | undefined): string | null => (element && onOneLine(element.text)) || null

/** Without control characters, which neither XML nor the database allows, and without marks of direction. */
const onOneLine = (text: string) =>
  text
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .replace(/[\p{Cf}\p{Cs}\p{Cn}]/gu, '')
    .trim()
    .slice(0, textMax)
    .normalize('NFC')

/** A decimal number as written, without a plus sign and zeros that say nothing: `100.00` stays, `100.0000` is `100.00`. */
export function toDecimal(text: string | null): string | null {
  if (!text || text.length > 40 || !/^[+-]?(\d+\.?\d*|\.\d+)$/.test(text)) return null
  const [whole = '', fraction = ''] = text.replace(/^[+-]/, '').split('.')
  const kept = fraction.slice(0, 2) + fraction.slice(2).replace(/0+$/, '')
  const digits = `${whole.replace(/^0+(?=\d)/, '') || '0'}${kept ? `.${kept}` : ''}`
  return text.startsWith('-') && /[1-9]/.test(digits) ? `-${digits}` : digits
}

export const decimalAt = (from: Element | undefined, ...path: string[]) => toDecimal(textAt(from, ...path))

/** The sum, with as many decimals as the longest of the numbers; null if there are none. */
export function sum(values: readonly (string | null)[]): string | null {
  const given = values.filter((value) => value !== null)
  if (given.length === 0) return null
  const decimals = given.reduce((most, value) => Math.max(most, value.split('.')[1]?.length ?? 0), 0)
  return given.reduce((total, value) => total.plus(value), new Decimal(0)).toFixed(decimals)
}

export function negated(value: string | null): string | null {
  if (value === null || !/[1-9]/.test(value)) return value
  return value.startsWith('-') ? value.slice(1) : `-${value}`
}

/** The price of one, where the price is for a number of them. */
export function perUnit(price: string | null, quantity: string | null): string | null {
  if (price === null || quantity === null || !/[1-9]/.test(quantity) || new Decimal(quantity).eq(1)) return price
  return toDecimal(new Decimal(price).div(quantity).toFixed(6))
}

/** An ISO day from `20260131` or `2026-01-31`, also with a time or zone behind it; null if there is no such day. */
export function toDay(text: string | null): string | null {
  const [, year, month, day] = /^(\d{4})-?(\d\d)-?(\d\d)(?!\d{1,3}$)/.exec(text ?? '') ?? []
  const iso = `${year}-${month}-${day}`
  const date = new Date(`${iso}T00:00:00Z`)
  return !Number.isNaN(date.valueOf()) && date.toISOString().startsWith(iso) ? iso : null
}
