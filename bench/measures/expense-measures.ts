import type { ExpenseSeed } from '../seed/seed-expenses.ts'
import { exportMeasure } from './expense-export.ts'
import type { Measure } from './measures.ts'
import { needsOrders } from './order-measures.ts'
import { needsExpenseReports } from './report-measures.ts'

/** Measures that need a hundred thousand expenses; orders are seeded with them. */
export const needsExpenses = [
  ...['date', 'amount', 'vendor', 'createdAt'].map((sortBy) => `expense-list-${sortBy}`),
  'expense-list-last',
  'expense-list-search',
  exportMeasure,
  ...needsOrders,
  ...needsExpenseReports,
]

/** Lists of expenses: 25 of 100,000 against 25 of 1,000. */
export function expenseMeasures({ small, large }: ExpenseSeed, key: Record<string, string>): Measure[] {
  const list = (organizationId: string, more = '') => [
    { path: `/api/expenses?organizationId=${organizationId}&limit=25${more}`, headers: key },
  ]
  const besideOurs = true
  const sorted = (sortBy: string): Measure => ({
    name: `expense-list-${sortBy}`,
    does: `List of 25 of 100,000 expenses by ${sortBy}, against 1,000`,
    raw: list(small, `&sortBy=${sortBy}`),
    ours: list(large, `&sortBy=${sortBy}`),
    besideOurs,
    slowestP95: 2,
  })
  return [
    ...['date', 'amount', 'vendor', 'createdAt'].map(sorted),
    {
      name: 'expense-list-last',
      does: 'Last page of 100,000 expenses, against the first of 1,000',
      raw: list(small),
      ours: list(large, '&page=4000'),
      besideOurs,
      slowestP95: 10,
    },
    {
      name: 'expense-list-search',
      does: 'Search in 100,000 expenses, against the list of 1,000',
      raw: list(small),
      ours: searches.flatMap((text) => list(large, `&search=${encodeURIComponent(text)}`)),
      besideOurs,
      mayBeFaster: true, // a search may find fewer than 25
      slowestP95: 4,
    },
  ]
}

/** A vendor, a document number, a title; in both scripts, and one without a match. */
const searches = ['Globex 421', 'B-77123', 'lim & daughters 31', 'הזמנה 4711', 'דפוס השרון 250', 'order 4f7', 'nobody']
