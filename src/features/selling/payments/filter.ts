import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Database } from '../../../core/define/operation.ts'
import { toUuid } from '../../../core/define/query.ts'
import { type Static, Type } from '../../../core/define/schema.ts'
import { listViews, readCounts } from '../../../core/define/views.ts'
import { amountFilters, DayFilter, filterAmount } from '../../../ledger/filters.ts'
import { filterDay } from '../../../ledger/organization-context.ts'
import { isOpen } from '../../../ledger/payments/read-payment.ts'
import { salesKind } from '../documents/kind.ts'

export const paymentViews = listViews('all', 'unallocated')
type View = NonNullable<Static<typeof paymentViews.asked.view>>

export const paymentFilters = {
  paidFrom: DayFilter,
  paidTo: DayFilter,
  ...amountFilters,
  method: Type.Optional(Type.String({ maxLength: 200, examples: ['BANK_TRANSFER'] })),
}

type Filter = {
  paymentId?: string
  customerId?: string
  documentId?: string
  source?: string
  open?: 'true' | 'false'
  paidFrom?: string
  paidTo?: string
  minAmount?: string
  maxAmount?: string
  method?: string
  view?: View
}

/** The conditions of the filters that are given. */
export function matches(filter: Filter): RawBuilder<SqlBool> {
  const all = [...named(filter), ...ranges(filter)]
  if (filter.open) all.push(filter.open === 'true' ? isUnallocated : sql`not ${isOpen}`)
  if (filter.view === 'unallocated') all.push(isUnallocated)
  return all.length > 0 ? sql<SqlBool>`${sql.join(all, sql` and `)}` : sql<SqlBool>`true`
}

/** As the index of open payments has it; of a refund nothing is open. */
const isUnallocated = sql<SqlBool>`${isOpen} and refund_of is null`

function* named({ paymentId, customerId, documentId, source, method }: Filter): Generator<RawBuilder<SqlBool>> {
  if (paymentId) yield sql`id = ${toUuid(paymentId)}`
  if (customerId) yield sql`counterparty_id = ${toUuid(customerId)}`
  if (documentId) yield sql`id in (select a.payment_id from allocations a where a.document_id = ${toUuid(documentId)})`
  if (source) yield sql`source = ${source}`
  if (method) yield sql`method = ${method}`
}

function* ranges({ paidFrom, paidTo, minAmount, maxAmount }: Filter): Generator<RawBuilder<SqlBool>> {
  if (paidFrom) yield sql`paid_at >= ${filterDay('paidFrom', paidFrom)}::date`
  if (paidTo) yield sql`paid_at <= ${filterDay('paidTo', paidTo)}::date`
  if (minAmount) yield sql`${amount} >= ${filterAmount('minAmount', minAmount)}::numeric`
  if (maxAmount) yield sql`${amount} <= ${filterAmount('maxAmount', maxAmount)}::numeric`
}
const amount = sql`major_units(amount_minor, minor_digits)`

/** How many payments are in each view. */
export function countViews(db: Database) {
  const payments = sql`select count(*) from payments where kind = ${sql.lit(salesKind.name)}`
  return readCounts<View>(db, { all: payments, unallocated: sql`${payments} and ${isUnallocated}` })
}
