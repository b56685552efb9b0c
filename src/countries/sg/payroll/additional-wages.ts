import { add } from '../../../core/values/money.ts'
import { rowOn } from '../../dated.ts'
import type { Pay } from '../../payroll/payroll.ts'
import { larger, smaller } from './compare.ts'
import { annualCeilings, ordinaryCeilings } from './tables.ts'
import { type Days, monthAround, monthNumber, partOf, shareOf } from './working-days.ts'

/** What of the additional wages is subject to CPF. */
export type AdditionalWages = {
  /** The annual ceiling less the ordinary wages of the year; not computed in a month that does not need it. */
  ceilingMinor: bigint
  subjectMinor: bigint
  /** In the last month of the year or of employment: what the known ordinary wages of the year change about earlier months. */
  correctionMinor: bigint
}

/** Ordinary wages of a month that are subject to CPF. */
export const cappedOrdinary = (ordinaryMinor: bigint, day: string): bigint => smaller(ordinaryMinor, ceilingOn(day))

/**
 * During the year the ceiling goes by an estimate: the ordinary wages so far, and the present ones for the months to come. In
 * December and in the last month of employment the ordinary wages are known, and earlier months are made up for.
 */
export function additionalWages(pay: Pay, paidMinor: bigint, ordinarySubjectMinor: bigint): AdditionalWages {
  if (paidMinor === 0n && !isLastMonth(pay)) return { ceilingMinor: 0n, subjectMinor: 0n, correctionMinor: 0n }
  const earlier = (name: string) => pay.earlier[name] ?? 0n
  const annual = rowOn(annualCeilings, pay.from)?.ceilingMinor ?? 0n
  const ordinary = earlier('CPF_OW') + ordinarySubjectMinor + projectedOrdinary(pay)
  const ceilingMinor = larger(annual - ordinary, 0n)
  const subjectMinor = smaller(paidMinor, larger(ceilingMinor - earlier('CPF_AW'), 0n))
  if (!isLastMonth(pay)) return { ceilingMinor, subjectMinor, correctionMinor: 0n }
  // Bonuses that were paid before somebody became a permanent resident never become subject.
  const paidEarlier = larger(earlier('AW') - earlier('AW_EXEMPT'), earlier('CPF_AW'))
  const ofYear = smaller(paidEarlier + paidMinor, ceilingMinor)
  return { ceilingMinor, subjectMinor, correctionMinor: ofYear - earlier('CPF_AW') - subjectMinor }
}

/** The wage of a whole month as it is now. Less for absence and leave pay are not expected again, and other pay is. */
export function presentOrdinary(pay: Pay): bigint {
  const wages = add(pay.wages.map(({ amountMinor }) => amountMinor))
  const others = add(pay.adjustments.map(({ kind, amountMinor }) => (kind === 'OTHER' ? amountMinor : 0n)))
  const { days, of } = partOf(employedDays(pay) ?? monthOf(pay), monthOf(pay), pay.facts)
  const whole = days === 0 || days === of ? wages : shareOf(wages, { days: of, of: days })
  return whole + larger(others, 0n)
}

/** The days of the month on which somebody is employed; undefined after the employment. */
export function employedDays({ from, to, employment: { startDate, endDate } }: Pay): Days | undefined {
  const first = startDate > from ? startDate : from
  const last = endDate && endDate < to ? endDate : to
  return first <= last ? { first, last } : undefined
}

function projectedOrdinary(pay: Pay): bigint {
  const present = presentOrdinary(pay)
  const { endDate } = pay.employment
  let sum = 0n
  for (let month = monthNumber(pay.from) + 1; month % 12 !== 0; month++) {
    const days = monthAround(dayIn(month))
    if (endDate && endDate < days.first) break
    const isCut = endDate && endDate < days.last
    const wage = isCut ? shareOf(present, partOf({ ...days, last: endDate }, days, pay.facts)) : present
    sum += cappedOrdinary(wage, days.first)
  }
  return sum
}

const isLastMonth = ({ from, to, employment: { endDate } }: Pay) =>
  from.slice(5, 7) === '12' || (endDate !== null && endDate <= to)

const ceilingOn = (day: string) => rowOn(ordinaryCeilings, day)?.ceilingMinor ?? 0n
const monthOf = ({ from, to }: Pay): Days => ({ first: from, last: to })
const dayIn = (month: number) => `${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}-01`
