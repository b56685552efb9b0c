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
export type Stock = { lowCount: number; activeCount: number }

/** Zeros: expenses are not built yet. */
export const noExpenses: Expenses = {
  totalMinor: 0n,
  beforeMinor: 0n,
  approvedCount: 0,
  byMonth: new Map(),
  byVendor: [],
  pendingMinor: 0n,
  pendingBeforeMinor: 0n,
  pendingCount: 0,
}

/** Zeros: stock items are not built yet. */
export const noStock: Stock = { lowCount: 0, activeCount: 0 }
