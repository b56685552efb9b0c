import { exact } from '../../../core/values/money.ts'

/** The growth of an amount in percent: 0 if both are zero, 100 if only the earlier one is. */
export function growth(now: bigint, before: bigint): number {
  if (before === 0n) return now === 0n ? 0 : 100
  return percent(now - before, before < 0n ? -before : before)
}

/** The net amount in percent of the revenue; 0 without revenue. */
export const margin = (net: bigint, revenue: bigint): number => (revenue > 0n ? percent(net, revenue) : 0)

const percent = (part: bigint, whole: bigint) =>
  exact(part).times(100).div(exact(whole)).toDecimalPlaces(2, halfUp).toNumber()

const halfUp = 4 // a rounding mode of decimal.js
