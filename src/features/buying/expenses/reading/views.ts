import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Database } from '../../../../core/define/operation.ts'
import type { Static } from '../../../../core/define/schema.ts'
import { listViews, readCounts } from '../../../../core/define/views.ts'
import { expenseKind } from '../kind.ts'

export const expenseViews = listViews('all', 'toReview', 'mine', 'approvedUnpaid', 'rejected', 'duplicates')
export type ExpenseView = NonNullable<Static<typeof expenseViews.asked.view>>

/** Whether the expense `d` is in a view of a person. */
export function isInView(view: ExpenseView, userId: string): RawBuilder<SqlBool> {
  switch (view) {
    case 'all':
      return sql`true`
    case 'toReview':
      return sql`d.status = 'PENDING_REVIEW'`
    case 'mine':
      return sql`d.created_by = ${userId}::uuid`
    case 'approvedUnpaid':
      return sql`d.status = 'APPROVED' and d.issued_at is not null and d.payment_id is null and d.total_minor > d.paid_minor + d.credited_minor`
    case 'rejected':
      return sql`d.status = 'REJECTED'`
    case 'duplicates':
      return sql`d.id = any (array(${duplicates}))`
  }
}

/**
 * Expenses that have the same supplier or vendor, document number and amount as another one, neither of them rejected: those that a
 * warning (POSSIBLE_DUPLICATE) names when they are saved. The numbers that occur twice are found first, by the index alone.
 */
const duplicates = sql`
  select e.id from (
    select n.organization_id, n.document_number from expenses n where n.document_number is not null group by 1, 2 having count(*) > 1
  ) n
  join expenses e on e.organization_id = n.organization_id and e.document_number = n.document_number
  join documents f on f.organization_id = e.organization_id and f.id = e.id and f.status <> 'REJECTED'
  where exists (
    select from expenses o join documents p on p.organization_id = o.organization_id and p.id = o.id and p.status <> 'REJECTED'
    where o.organization_id = e.organization_id and o.document_number = e.document_number and o.id <> e.id
      and p.currency = f.currency and p.total_minor = f.total_minor
      and (o.supplier_id = e.supplier_id or lower(o.vendor) = lower(e.vendor)))`

/** How many expenses are in each view. */
export function countViews(db: Database, userId: string) {
  const of = (view: ExpenseView) =>
    sql`select count(*) from documents d where d.kind = ${sql.lit(expenseKind.name)} and d.document_type = 'EXPENSE' and ${isInView(view, userId)}`
  return readCounts<ExpenseView>(db, {
    all: sql`select coalesce(sum(change), 0) from document_counts
      where kind = ${sql.lit(expenseKind.name)} and document_type = 'EXPENSE'`,
    toReview: of('toReview'),
    mine: of('mine'),
    approvedUnpaid: of('approvedUnpaid'),
    rejected: of('rejected'),
    duplicates: of('duplicates'),
  })
}
