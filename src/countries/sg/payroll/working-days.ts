import { convertBy } from '../../../core/values/money.ts'
import type { PayFacts } from '../../payroll/facts.ts'
import type { MonthlyWage, WageForDays } from '../../payroll/payroll.ts'

// Days are computed with Date in UTC: a payroll run asks for them thousands of times, and Temporal takes much longer.

/** Days of one month. */
export type Days = { first: string; last: string }
/** A part of a whole, such as 11 of 22 days. */
export type Part = { days: number; of: number }

/**
 * The wage for a part of a month is the monthly wage × days worked ÷ days required to work in the month. Public holidays
 * are paid, so they count like the day of the week that they fall on.
 */
export function prorate({ wageMinor, first, last, facts }: MonthlyWage): WageForDays {
  const { days, of } = partOf({ first, last }, monthAround(first), facts)
  const isWhole = days === of
  const amountMinor = isWhole ? wageMinor : shareOf(wageMinor, { days, of })
  const rule = isWhole ? 'Contract of employment' : 'Employment Act 1968, s 20A: salary for an incomplete month'
  const description = isWhole ? 'Monthly wage' : `Monthly wage for ${days} of ${of} working days`
  const rate = isWhole ? null : `${days} / ${of}`
  return { amountMinor, step: { description, baseMinor: wageMinor, rate, amountMinor, rule } }
}

/** How many of the working days of `whole` are in `days`. */
export const partOf = (days: Days, whole: Days, facts: PayFacts): Part => ({
  days: workingDays(days, facts),
  of: workingDays(whole, facts),
})

/** Nothing of a whole without working days. */
export const shareOf = (amountMinor: bigint, { days, of }: Part): bigint =>
  of === 0 ? 0n : convertBy(amountMinor, { rate: hundredths(days), per: hundredths(of) })

export function monthAround(day: string): Days {
  const month = day.slice(0, 7)
  const lastDay = new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0)).getUTCDate()
  return { first: `${month}-01`, last: `${month}-${lastDay}` }
}

export const calendarDays = ({ first, last }: Days): number => dayOfMonth(last) - dayOfMonth(first) + 1

/** Months since the year 0, to compare and subtract. */
export const monthNumber = (day: string): number => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1

export const daysPerWeek = ({ workDaysPerWeek = 5 }: PayFacts): number =>
  workDaysPerWeek > 0 && workDaysPerWeek <= 7 ? workDaysPerWeek : 5

/** The week begins on Monday: 5 days a week are Monday to Friday, and with 5.5 Saturday is half a day. */
function workingDays(days: Days, facts: PayFacts): number {
  const perWeek = daysPerWeek(facts)
  const weekday = (new Date(`${days.first}T00:00:00Z`).getUTCDay() + 6) % 7
  let sum = 0
  for (let at = 0; at < calendarDays(days); at++) {
    const part = Math.min(1, Math.max(0, perWeek - ((weekday + at) % 7)))
    sum += Math.round(part * 100)
  }
  return sum / 100
}

const hundredths = (days: number) => BigInt(Math.round(days * 100))
const dayOfMonth = (day: string) => Number(day.slice(8))
