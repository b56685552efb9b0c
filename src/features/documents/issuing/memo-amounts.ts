import { invalid } from '../../../core/define/failure.ts'
import { add, percentOf, toMajor, toMinor } from '../../../core/values/money.ts'
import type { NewLine } from '../document.ts'
import type { DocumentRow } from '../reading/read.ts'

/**
 * The amounts of a memo follow from its lines: each with its own tax rate, or the document's, and the tax of each rate
 * rounded once. If rounding lifts a credit above `creditable`, by at most a minor unit for each line, its tax is reduced.
 */
export function memoTotals(
  items: readonly NewLine[],
  { currency, taxRate }: DocumentRow,
  creditable: bigint | undefined,
) {
  const amounts = items.map(({ amount }, at) => BigInt(toMemoMinor(amount, currency, `items.${at}.amount`)))
  const subtotal = add(amounts)
  const netByRate = new Map<string, bigint>()
  for (const [at, amount] of amounts.entries()) {
    const rate = String(items[at]?.taxRate ?? taxRate ?? 0)
    netByRate.set(rate, (netByRate.get(rate) ?? 0n) + amount)
  }
  const tax = add([...netByRate].map(([rate, net]) => percentOf(net, rate, 'half-up')))
  const excess = creditable === undefined ? 0n : subtotal + tax - creditable
  const rounding = excess > 0n && excess <= BigInt(items.length) && excess <= tax ? excess : 0n
  const major = (minor: bigint) => toMajor(minor, currency)
  return { subtotal: major(subtotal), taxAmount: major(tax - rounding), total: major(subtotal + tax - rounding) }
}

/** An amount of a memo in minor units. A line may be negative, the total (without a path) may not. */
export function toMemoMinor(amount: number, currency: string, linePath?: string): number {
  const parsed = toMinor(amount, currency)
  if (parsed.kind !== 'exact' || (linePath === undefined && parsed.minor <= 0n))
    throw invalid(linePath ?? 'items', `The amount is not valid for a memo in ${currency}.`, 'AMOUNT')
  return Number(parsed.minor)
}
