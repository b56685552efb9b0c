import { exact } from '../../core/values/money.ts'

/** Percent by which an amount grew: nothing from nothing is 0, something from nothing 100. */
export function growth(now: bigint, before: bigint): number {
  if (before === 0n) return now === 0n ? 0 : 100
  return percent(now - before, before < 0n ? -before : before)
}

/** What is left of the revenue, in percent of it; 0 without revenue. */
export const margin = (net: bigint, revenue: bigint): number => (revenue > 0n ? percent(net, revenue) : 0)

const percent = (part: bigint, whole: bigint) =>
  exact(part).times(100).div(exact(whole)).toDecimalPlaces(2, halfUp).toNumber()

const halfUp = 4
