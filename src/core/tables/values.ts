import { isCountry, toCountryCode } from '../values/country-names.ts'
import { isCurrency, toCurrencyCode } from '../values/currency.ts'
import { exact, toMinor } from '../values/money.ts'
import { clearOrderOf, isAmbiguous, toCalendarDay } from './dates.ts'
import type { DateOrder, Field } from './field.ts'
import { type DecimalMark, toDecimal } from './numbers.ts'
import type { Cell } from './table.ts'

/** How numbers and dates of a file are written. */
export type Conventions = {
  decimalMark: DecimalMark
  dateOrder: DateOrder
  /** The caller has said so; otherwise a date that can only be read in another order is read in that one. */
  isOrderGiven: boolean
  /** The file has dates that are clearly day first and others that are clearly month first. */
  isOrderMixed: boolean
  currency: string
}

type Value = { value: unknown } | { problem: string }

/** The value of a cell that is not empty, or what is wrong with it. */
export function toValue(cell: Cell, field: Field, conventions: Conventions): Value {
  if (typeof cell === 'object' && cell !== null && 'error' in cell)
    return { problem: `the cell has the error ${cell.error}; correct its formula` }
  switch (field.type) {
    case 'TEXT':
      return toText(cell, field)
    case 'EMAIL':
      return toEmail(cell)
    case 'COUNTRY':
      return toCountry(cell)
    case 'CURRENCY':
      return toCurrency(textOf(cell))
    case 'CURRENCIES':
      return toCurrencies(textOf(cell))
    case 'DECIMAL':
    case 'INTEGER':
      return toNumber(cell, field, conventions)
    case 'AMOUNT':
      return toAmount(cell, conventions)
    case 'DAY':
      return toDayValue(cell, conventions)
    case 'YES_NO':
      return toYesNo(cell)
    case 'CHOICE':
      return toChoice(cell, field)
  }
}

/** A number of a spreadsheet in a column of text, such as a registration number, is its digits. */
export function textOf(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return exact(cell).toFixed()
  if (typeof cell === 'boolean') return cell ? 'yes' : 'no'
  return (typeof cell === 'string' ? cell : 'day' in cell ? cell.day : cell.error).trim()
}

/** What PostgreSQL does not store: halves of characters, and NUL. */
const unstorable = /[\p{Cs}\0]/u

function toText(cell: Cell, { maxLength = 10_000 }: Field): Value {
  const text = textOf(cell)
  if (text.length > maxLength) return { problem: `the text has ${text.length} characters; at most ${maxLength} fit` }
  if (unstorable.test(text)) return { problem: 'the text has a character that cannot be stored' }
  return { value: text }
}

const emailPattern = /^[^\s@"(),:;<>[\]\\]{1,64}@[^\s@"(),:;<>[\]\\.]+(\.[^\s@"(),:;<>[\]\\.]+)+$/

function toEmail(cell: Cell): Value {
  const text = textOf(cell).replace(/^mailto:/i, '')
  return text.length <= 320 && emailPattern.test(text) && !unstorable.test(text)
    ? { value: text }
    : { problem: `"${short(text)}" is no e-mail address` }
}

function toCountry(cell: Cell): Value {
  const code = toCountryCode(textOf(cell))
  return isCountry(code)
    ? { value: code }
    : { problem: `"${short(textOf(cell))}" is no country; give its name or code, such as IL` }
}

const currencyWords: Record<string, string> = {
  '₪': 'ILS', NIS: 'ILS', 'ש"ח': 'ILS', 'ש״ח': 'ILS', שח: 'ILS', שקל: 'ILS', '$': 'USD', דולר: 'USD', '€': 'EUR', אירו: 'EUR', '£': 'GBP', S$: 'SGD',
} // biome-ignore format: a list of words

function toCurrency(text: string): Value {
  const code = currencyWords[text.toUpperCase()] ?? toCurrencyCode(text)
  return isCurrency(code) ? { value: code } : { problem: `"${short(text)}" is no currency; give its code, such as USD` }
}

function toCurrencies(text: string): Value {
  const codes: string[] = []
  for (const each of text.split(/[\s,;/|]+/).filter((word) => word !== '')) {
    const read = toCurrency(each)
    if ('problem' in read) return read
    if (!codes.includes(String(read.value))) codes.push(String(read.value))
  }
  return codes.length <= 50 ? { value: codes } : { problem: 'at most 50 currencies fit' }
}

function toNumber(cell: Cell, { type, min, max }: Field, { decimalMark }: Conventions): Value {
  const text = toDecimal(cell, decimalMark)
  if (text === undefined) return { problem: `"${short(textOf(cell))}" is no number` }
  const number = exact(text)
  if (type === 'INTEGER' && !number.isInteger()) return { problem: `${text} is no whole number` }
  if (min !== undefined && number.lt(min)) return { problem: `${text} is less than ${min}` }
  if (max !== undefined && number.gt(max)) return { problem: `${text} is more than ${max.toLocaleString('en')}` }
  return number.decimalPlaces() > 6 ? { problem: `${text} has more than six decimal places` } : { value: text }
}

function toAmount(cell: Cell, { decimalMark, currency }: Conventions): Value {
  const text = toDecimal(cell, decimalMark)
  if (text === undefined) return { problem: `"${short(textOf(cell))}" is no amount` }
  const parsed = toMinor(Number(text), currency)
  if (parsed.kind === 'too-large') return { problem: `${text} is too large` }
  return parsed.kind === 'finer'
    ? { problem: `${text} has more decimal places than ${currency}` }
    : { value: String(parsed.minor) }
}

function toDayValue(cell: Cell, { dateOrder, isOrderGiven, isOrderMixed }: Conventions): Value {
  const order = isOrderGiven ? dateOrder : (clearOrderOf(cell) ?? dateOrder)
  const day = toCalendarDay(cell, order)
  if (day === undefined) {
    const form = {
      DMY: 'day first, such as 31/01/2026',
      MDY: 'month first, such as 01/31/2026',
      YMD: 'year first, such as 2026-01-31',
    }[dateOrder]
    return { problem: `"${short(textOf(cell))}" is no date (${form})` }
  }
  return isOrderMixed && isAmbiguous(cell)
    ? {
        problem: `"${short(textOf(cell))}" may be read in two ways, and the file has dates in both orders; give dateOrder`,
      }
    : { value: day }
}

const yes = new Set(['yes', 'y', 'true', 't', '1', 'x', 'v', '✓', '✔', 'כן', 'כ', 'נכון', 'פעיל'])
const no = new Set(['no', 'n', 'false', 'f', '0', '-', 'לא', 'ל', 'לא נכון', 'לא פעיל'])

function toYesNo(cell: Cell): Value {
  if (typeof cell === 'boolean') return { value: cell }
  const word = textOf(cell).toLowerCase()
  if (yes.has(word)) return { value: true }
  return no.has(word) ? { value: false } : { problem: `"${short(word)}" is neither yes nor no` }
}

function toChoice(cell: Cell, { choices = {} }: Field): Value {
  const word = textOf(cell).toLowerCase()
  const found = Object.entries(choices).find(([value, words]) => value.toLowerCase() === word || words.includes(word))
  return found ? { value: found[0] } : { problem: `"${short(word)}" is none of ${Object.keys(choices).join(', ')}` }
}

const short = (text: string) => (text.length > 60 ? `${text.slice(0, 60)}…` : text)
