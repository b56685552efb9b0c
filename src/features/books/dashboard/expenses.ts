import { add } from '../../../core/values/money.ts'
import { monthsOf } from './dashboard.ts'
import type { Figures } from './figures.ts'

/** The expenses of the year and the year before, in minor units of the organization's currency. */
export type Expenses = {
  totalMinor: bigint
  beforeMinor: bigint
  approvedCount: number
  byMonth: Map<string, bigint>
  byVendor: { name: string; totalMinor: bigint; count: number }[]
  pendingMinor: bigint
  pendingBeforeMinor: bigint
  pendingCount: number
}
const vendorsShown = 10

/** What the dashboard shows of approved expenses and of those that wait for approval. */
export function toExpenses({ expenses, year }: Pick<Figures, 'expenses' | 'year'>): Expenses {
  const approved = expenses.filter(({ state }) => state === 'APPROVED')
  const pending = expenses.filter(({ state }) => state === 'PENDING')
  const months = monthsOf(year)
  const before = monthsOf(year - 1)
  const sumIn = (sums: Figures['expenses'], of: readonly string[]) =>
    add(sums.flatMap((each) => of.map((month) => each.months.get(month) ?? 0n)))
  const countOf = (sums: Figures['expenses']) => sums.reduce((total, { count }) => total + count, 0)
  return {
    totalMinor: sumIn(approved, months),
    beforeMinor: sumIn(approved, before),
    approvedCount: countOf(approved),
    byMonth: new Map(months.map((month) => [month, sumIn(approved, [month])])),
    byVendor: byVendor(approved, (sums) => ({ totalMinor: sumIn(sums, months), count: countOf(sums) })),
    pendingMinor: sumIn(pending, months),
    pendingBeforeMinor: sumIn(pending, before),
    pendingCount: countOf(pending),
  }
}

type VendorSum = { totalMinor: bigint; count: number }

/** The vendors with the highest totals of the year; those with the same total stay in the order of their names. */
function byVendor(approved: Figures['expenses'], sumUp: (sums: Figures['expenses']) => VendorSum) {
  const vendors = new Map<string, Figures['expenses']>()
  for (const each of approved) vendors.set(each.vendor, [...(vendors.get(each.vendor) ?? []), each])
  return [...vendors]
    .map(([vendor, sums]) => ({ name: vendor === '' ? 'Unknown vendor' : vendor, ...sumUp(sums) }))
    .filter(({ totalMinor, count }) => totalMinor !== 0n || count > 0)
    .toSorted((a, b) => (a.totalMinor === b.totalMinor ? b.count - a.count : a.totalMinor > b.totalMinor ? -1 : 1))
    .slice(0, vendorsShown)
}
