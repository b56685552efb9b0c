import type { Language } from '../../../../core/values/language.ts'
import { toLine } from '../../../../core/values/line.ts'
import { minorDigits } from '../../../../core/values/money.ts'
import { visible } from '../../../../core/values/visible.ts'
import { knownWord } from '../assistant/words/statuses.ts'
import type { Line, Words } from './preview-types.ts'

/** A value of a record as one line of at most 200 characters: it is data, whatever it says. */
export const clean = (value: unknown): string => toLine(visible(textOf(value)))

const textOf = (value: unknown): string =>
  value === null || value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)

/** `1,170.00 ILS` */
export function money(amount: unknown, currency: unknown): string {
  if (typeof amount !== 'number') return clean(amount)
  const code = clean(currency)
  const decimals = minorDigits(code)
  const number = amount.toLocaleString('en', {
    minimumFractionDigits: decimals,
    maximumFractionDigits: Math.max(decimals, 6),
  })
  return `${number} ${code}`.trim()
}

/** A name from a record within a sentence: between quotes, so that it cannot pose as a part of the question. */
export const quoted = (name: unknown): string => {
  const text = toLine(visible(textOf(name)).replace(/["“”„]/g, "'"), 80)
  return text === '' ? '' : `“${text}”`
}

export const both = (en: string, he: string): Words => ({ en, he })

/** A line, or none if there is no value. */
export const line = (label: Words, value: unknown): Line[] => {
  const text = clean(value)
  if (text === '') return []
  const [en, he] = [worded(text, 'en'), worded(text, 'he')]
  return [{ label, value: en, ...(he !== en && { valueHe: he }) }]
}

/** Code words of a value as people say them: `DRAFT → APPROVED` is `draft → approved`. */
const worded = (text: string, language: Language): string =>
  text
    .split(' → ')
    .map((part) => knownWord(language, part) ?? part)
    .join(' → ')

/** `old → new`, or the new value alone if there was none. */
export const change = (before: unknown, after: unknown): string =>
  clean(before) === '' ? clean(after) : `${clean(before)} → ${clean(after) || '—'}`

/** Whether a value is worth a line. */
export const isGiven = (value: unknown) => value !== undefined && value !== null && clean(value) !== ''

/** `1 payslip`, `2 payslips` */
export const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`
