import type { ExpenseSeed } from '../seed/seed-expenses.ts'
import type { Measure } from './measures.ts'

/** Measures that need a hundred thousand orders. */
export const needsOrders = ['order-list', 'order-list-status', 'order-list-search']

/** Lists of orders: 25 of 100,000 against 25 of 1,000. */
export function orderMeasures({ small, large }: ExpenseSeed, key: Record<string, string>): Measure[] {
  const list = (organizationId: string, more = '') => [
    { path: `/api/orders?organizationId=${organizationId}&limit=25${more}`, headers: key },
  ]
  const compared = (name: string, does: string, more: string): Measure => ({
    name,
    does,
    raw: list(small, more),
    ours: list(large, more),
    besideOurs: true,
    slowestP95: 2,
  })
  return [
    compared('order-list', 'List of 25 of 100,000 orders, against 1,000', ''),
    compared(
      'order-list-status',
      'List of 25 open purchase orders of 100,000, against 1,000',
      '&kind=PURCHASE&status=OPEN',
    ),
    {
      name: 'order-list-search',
      does: 'Search in 100,000 orders, against the list of 1,000',
      raw: list(small),
      ours: ['SO-4711', 'lim & daughters 31', 'דפוס השרון 250', 'nobody'].flatMap((text) =>
        list(large, `&search=${encodeURIComponent(text)}`),
      ),
      besideOurs: true,
      mayBeFaster: true, // a search may find fewer than 25
      slowestP95: 4,
    },
  ]
}
