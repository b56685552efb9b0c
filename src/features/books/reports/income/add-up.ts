import type { IncomeSum } from './read-income.ts'

/** The figures of one group, or of all of them, in minor units. */
export type IncomeTotals = Record<'net' | 'tax' | 'goods' | 'rounding' | 'total', bigint> & { count: number }

/** Adds groups of one currency up. */
export const addUp = (sums: readonly IncomeSum[]): IncomeTotals => {
  const sum = (field: 'netMinor' | 'taxMinor' | 'goodsMinor' | 'roundingMinor') =>
    sums.reduce((all, each) => all + BigInt(each[field]), 0n)
  const [net, tax, goods, rounding] = [sum('netMinor'), sum('taxMinor'), sum('goodsMinor'), sum('roundingMinor')]
  const count = sums.reduce((all, each) => all + each.count, 0)
  return { net, tax, goods, rounding, total: net + tax + goods + rounding, count }
}
