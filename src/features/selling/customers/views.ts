import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Database } from '../../../core/define/operation.ts'
import type { Static } from '../../../core/define/schema.ts'
import { listViews, readCounts } from '../../../core/define/views.ts'
import { isOwed } from '../../../ledger/receivables.ts'
import { lastDocument, ofCustomer, today } from './balances.ts'

export const customerViews = listViews('all', 'openBalance', 'late', 'inactive')
type View = NonNullable<Static<typeof customerViews.asked.view>>

const isInView: Record<View, (now: Date) => RawBuilder<SqlBool>> = {
  all: () => sql`true`,
  openBalance: () => sql`exists (select from documents d where ${ofCustomer} and ${isOwed('d')})`,
  late: (now) =>
    sql`exists (select from documents d where ${ofCustomer} and ${isOwed('d')} and d.due_date < ${today(now)})`,
  // One who was added lately and has no document yet is not inactive.
  inactive: (now) => sql`coalesce(${lastDocument}, customers.created_at::date) < ${today(now)} - interval '12 months'`,
}

/** Whether a customer is in a view. */
export const inView = (view: View, now: Date) => isInView[view](now)

/** How many customers are in each view. */
export function countViews(db: Database, now: Date) {
  const of = (view: View) => sql`select count(*) from customers where is_customer and ${isInView[view](now)}`
  return readCounts<View>(db, {
    all: of('all'),
    openBalance: of('openBalance'),
    late: of('late'),
    inactive: of('inactive'),
  })
}
