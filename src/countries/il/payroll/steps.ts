import { convertBy } from '../../../core/values/money.ts'
import type { PayPeriod, Step } from '../../payroll/payroll.ts'

/**
 * The same as `percentOf` of money.ts, half up, for rates of up to nine decimals: a payroll computes some thirty shares for
 * each of thousands of employees.
 */
export const percent = (amountMinor: bigint, rate: number): bigint =>
  convertBy(amountMinor, { rate: BigInt(Math.round(rate * 1e9)), per: 100_000_000_000n })

/** A part of a base at a rate in percent, rounded half up to the agora. */
export const share = (description: string, baseMinor: bigint, rate: number, rule: string): Step => ({
  description,
  baseMinor,
  rate: `${rate} %`,
  amountMinor: percent(baseMinor, rate),
  rule,
})

/** The part of an amount that lies between two limits. */
export const between = (amount: bigint, from: bigint, to: bigint | null): bigint => {
  const top = to !== null && amount > to ? to : amount
  return top > from ? top - from : 0n
}

export const atLeastZero = (amount: bigint): bigint => (amount > 0n ? amount : 0n)
export const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b)

/**
 * Monthly amounts of the tables for another pay period: a day is a 25th of a month, which is the custom for people paid by
 * the day; every other period is its part of twelve months.
 */
const periodsOfMonth: Record<PayPeriod, { times: bigint; per: bigint }> = {
  DAILY: { times: 1n, per: 25n },
  WEEKLY: { times: 12n, per: 52n },
  BIWEEKLY: { times: 12n, per: 26n },
  SEMIMONTHLY: { times: 1n, per: 2n },
  MONTHLY: { times: 1n, per: 1n },
  QUARTERLY: { times: 3n, per: 1n },
  SEMIANNUALLY: { times: 6n, per: 1n },
  ANNUALLY: { times: 12n, per: 1n },
}

export function forPeriod(monthlyMinor: bigint, period: PayPeriod): bigint {
  const { times, per } = periodsOfMonth[period]
  return convertBy(monthlyMinor, { rate: times, per })
}
