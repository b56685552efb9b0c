import { toDay } from '../values/day.ts'
import type { DateOrder } from './field.ts'
import type { Cell } from './table.ts'

type Parts = { first: number; second: number; year: number }

/** A date of three numbers whose order is not given by a year of four digits at its beginning. */
function partsOf(text: string): Parts | undefined {
  const found = /^(\d{1,2})\s*[/.\-\s]\s*(\d{1,2})\s*[/.\-\s]\s*(\d{4}|\d{2})$/.exec(dayText(text))
  if (!found) return undefined
  return { first: Number(found[1]), second: Number(found[2]), year: fullYear(found[3] ?? '') }
}

/** Without a time of day and direction marks. */
const dayText = (text: string) =>
  text
    .normalize('NFKC')
    .replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    .trim()
    .replace(/[T\s,]+\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?\s*([ap]\.?m\.?|Z|[+-]\d{2}:?\d{2})?$/i, '')

const fullYear = (digits: string) => {
  const year = Number(digits)
  return digits.length === 4 ? year : year + (year < 70 ? 2000 : 1900)
}

/** Whether a date can only be read with its day first, or only with its month first. */
export function clearOrderOf(cell: Cell): 'DMY' | 'MDY' | undefined {
  const parts = typeof cell === 'string' ? partsOf(cell) : undefined
  if (!parts || parts.first > 31 || parts.second > 31) return undefined
  if (parts.first > 12 && parts.second <= 12) return 'DMY'
  return parts.second > 12 && parts.first <= 12 ? 'MDY' : undefined
}

/** Whether a date is another day if it is read in the other order. */
export function isAmbiguous(cell: Cell): boolean {
  const parts = typeof cell === 'string' ? partsOf(cell) : undefined
  return parts !== undefined && parts.first <= 12 && parts.second <= 12 && parts.first !== parts.second
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const hebrewMonths = ['ינואר', 'פברואר', 'מרץ', 'אפריל', 'מאי', 'יוני', 'יולי', 'אוגוסט', 'ספטמבר', 'אוקטובר', 'נובמבר', 'דצמבר'] // biome-ignore format: a list of words

/** The day as 2026-01-31; undefined if the cell is no date. */
export function toCalendarDay(cell: Cell, order: DateOrder): string | undefined {
  if (typeof cell === 'object' && cell !== null && 'day' in cell) return toDay(cell.day)
  if (typeof cell !== 'string') return undefined
  const text = dayText(cell)
  const iso = /^(\d{4})\s*[/.-]\s*(\d{1,2})\s*[/.-]\s*(\d{1,2})$/.exec(text) ?? /^(\d{4})(\d{2})(\d{2})$/.exec(text)
  if (iso) return day(Number(iso[1]), Number(iso[2]), Number(iso[3]))
  return withMonthName(text) ?? fromParts(text, order)
}

function fromParts(text: string, order: DateOrder): string | undefined {
  if (order === 'YMD') {
    const found = /^(\d{2})[/.-](\d{1,2})[/.-](\d{1,2})$/.exec(text)
    return found ? day(fullYear(found[1] ?? ''), Number(found[2]), Number(found[3])) : undefined
  }
  const parts = partsOf(text)
  if (!parts) return undefined
  return order === 'DMY' ? day(parts.year, parts.second, parts.first) : day(parts.year, parts.first, parts.second)
}

/** 31 Jan 2026, Jan 31, 2026 and 31 בינואר 2026. */
function withMonthName(text: string): string | undefined {
  const found = /^(\d{1,2})(?:st|nd|rd|th)?[\s.-]+(\p{L}+)\.?[\s,.-]+(\d{4}|\d{2})$/u.exec(text)
  const american = /^(\p{L}+)\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})$/u.exec(text)
  const [name = '', date = '', year = ''] = found
    ? [found[2], found[1], found[3]]
    : [american?.[1], american?.[2], american?.[3]]
  if (name === '') return undefined
  const english = months.indexOf(name.slice(0, 3).toLowerCase())
  const month = english >= 0 ? english : hebrewMonths.indexOf(name.replace(/^ב(?=.{3})/, ''))
  return month < 0 ? undefined : day(fullYear(year), month + 1, Number(date))
}

const day = (year: number, month: number, date: number) =>
  toDay(`${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(date).padStart(2, '0')}`)
