import { isTypo } from '../../../../../core/search/words.ts'
import { addDays, addMonths, daysBetween, firstDay, toDay } from '../../../../../core/values/day.ts'
import { countries } from '../../../../../countries/countries.ts'
import type { CountryCode } from '../../../../../countries/country.ts'
import type { Token } from './words.ts'

export type PeriodKind =
  | 'day' | 'week' | 'month' | 'quarter' | 'half' | 'year' | 'season' | 'range' | 'since' | 'until' // biome-ignore format: a list of words

/** Days from one to another, both included. */
export type Span = { kind: PeriodKind; from: string; to: string; month?: string }

export const yearOf = (day: string): number => Number(day.slice(0, 4))

// In numbers, because a month is looked up for every year that it may be of.
export function monthsSpan(kind: PeriodKind, year: number, month: number, count: number): Span {
  const end = new Date(Date.UTC(year, month - 1 + count, 0))
  const from = firstDay(`${year}-${two(month)}`)
  return { kind, from, to: end.toISOString().slice(0, 10), ...(kind === 'month' && { month: from.slice(0, 7) }) }
}

const two = (number: number) => String(number).padStart(2, '0')

export const monthSpan = (year: number, month: number): Span => monthsSpan('month', year, month, 1)
export const quarterSpan = (year: number, quarter: number): Span => monthsSpan('quarter', year, quarter * 3 - 2, 3)
export const halfSpan = (year: number, half: number): Span => monthsSpan('half', year, half * 6 - 5, 6)
export const yearSpan = (year: number): Span => monthsSpan('year', year, 1, 12)
export const daySpan = (day: string): Span => ({ kind: 'day', from: day, to: day })

/** The day of these numbers, if there is such a day. */
export function dateSpan(year: number, month: number, date: number): Span | undefined {
  const day = isYear(year) ? toDay(`${year}-${two(month)}-${two(date)}`) : undefined
  return day === undefined ? undefined : daySpan(day)
}

export const isYear = (year: number): boolean => Number.isInteger(year) && year >= 1900 && year <= 2199

/** 0 is Sunday. */
export const weekdayOf = (day: string): number => ((daysBetween('2023-01-01', day) % 7) + 7) % 7

function weekSpan(day: string, country: CountryCode): Span {
  const first = countries[country].writing.firstWeekday
  const from = addDays(day, -((weekdayOf(day) - first + 7) % 7))
  return { kind: 'week', from, to: addDays(from, 6) }
}

/** The calendar week, month, quarter, half or year that is `steps` after the one of today. */
export function unitSpan(unit: Unit, steps: number, { today, country }: { today: string; country: CountryCode }): Span {
  if (unit === 'day') return daySpan(addDays(today, steps))
  if (unit === 'week') return weekSpan(addDays(today, 7 * steps), country)
  const months = monthsIn[unit]
  const index = Math.floor((yearOf(today) * 12 + Number(today.slice(5, 7)) - 1) / months) + steps
  return monthsSpan(unit, Math.floor((index * months) / 12), ((index * months) % 12) + 1, months)
}

export type Unit = 'day' | 'week' | 'month' | 'quarter' | 'half' | 'year'
const monthsIn = { month: 1, quarter: 3, half: 6, year: 12 }

/** The day that is so many units after this one. */
export function after(day: string, count: number, unit: Unit): string {
  if (unit === 'day' || unit === 'week') return addDays(day, count * (unit === 'week' ? 7 : 1))
  return addMonths(day, count * monthsIn[unit])
}

export const units: ReadonlyMap<string, Unit> = new Map(
  Object.entries({
    day: 'day days יום ימים יומיים',
    week: 'week weeks wk wks שבוע שבועות שבועיים',
    month: 'month months mnth חודש חודשים חודשיים',
    quarter: 'quarter quarters qtr רבעון רבעונים רבעונות',
    year: 'year years yr yrs fy שנה שנים שנתיים',
  }).flatMap(([unit, words]) => words.split(' ').map((word) => [word, unit as Unit] as const)),
)

/** Words that say the number two with their ending. */
export const pairs = new Set(['יומיים', 'שבועיים', 'חודשיים', 'שנתיים'])

const monthWords = [
  'january jan ינואר ינו',
  'february feb פברואר פבר',
  'march mar מרץ מרס מארס',
  'april apr apirl aprl אפריל',
  'may מאי',
  'june jun יוני',
  'july jul jully juli יולי',
  'august aug אוגוסט',
  'september sep sept ספטמבר',
  'october oct אוקטובר',
  'november nov נובמבר',
  'december dec דצמבר',
].map((words) => words.split(' '))
const months = new Map(monthWords.flatMap((words, at) => words.map((word) => [word, at + 1] as const)))
const longMonths = [...months].filter(([word]) => word.length >= (word < 'א' ? 6 : 5))

/** 1 to 12. One wrong letter is allowed in the longer names; Jane and Marc are people. */
export function monthNamed(token: Token | undefined): number | undefined {
  if (token?.kind !== 'word') return undefined
  for (const form of token.forms) {
    const month = months.get(form)
    if (month) return month
  }
  if (token.text.length > 12 || token.text === 'augusta') return undefined
  return longMonths.find(([name]) => token.forms.some((form) => form[0] === name[0] && isTypo(form, name)))?.[1]
}

const seasonStarts: ReadonlyMap<string, number> = new Map([
  ['spring', 3], ['אביב', 3], ['summer', 6], ['קיץ', 6], ['autumn', 9], ['fall', 9], ['סתיו', 9], ['winter', 12], ['חורף', 12],
]) // biome-ignore format: a table

/** The month in which a season begins; of the northern half of the earth, where all three countries are. */
export const seasonNamed = (token: Token | undefined): number | undefined =>
  token?.forms.map((form) => seasonStarts.get(form)).find((month) => month !== undefined)

const weekdayWords = [
  'sunday sun ראשון',
  'monday mon שני',
  'tuesday tue tues שלישי',
  'wednesday wed רביעי',
  'thursday thu thurs חמישי',
  'friday fri שישי',
  'saturday sat שבת',
].map((words) => words.split(' '))
export const weekdays = new Map(weekdayWords.flatMap((words, at) => words.map((word) => [word, at] as const)))
