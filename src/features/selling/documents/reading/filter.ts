import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Database } from '../../../../core/define/operation.ts'
import { toUuid } from '../../../../core/define/query.ts'
import { Id, OneOf, type Static, Type } from '../../../../core/define/schema.ts'
import { listViews, readCounts } from '../../../../core/define/views.ts'
import { amountFilters, DayFilter, filterAmount } from '../../../../ledger/filters.ts'
import { filterDay } from '../../../../ledger/organization-context.ts'
import { isOwed, todayOf } from '../../../../ledger/receivables.ts'
import type { DocumentStatus } from '../document.ts'
import { salesKind } from '../kind.ts'

export const documentViews = listViews('all', 'drafts', 'toSend', 'open', 'overdue', 'paid', 'inDispute')
type View = NonNullable<Static<typeof documentViews.asked.view>>

/** Which documents a list shows. */
export const documentFilters = {
  status: Type.Optional(OneOf(...salesKind.statuses)),
  statuses: Type.Optional(
    Type.Array(OneOf(...salesKind.statuses), { maxItems: 10, description: 'One of these; the field may be repeated.' }),
  ),
  documentType: Type.Optional(Type.String({ maxLength: 100, examples: ['INVOICE'] })),
  customerId: Type.Optional(Id),
  disputed: Type.Optional(OneOf('true', 'false', '')),
  overdue: Type.Optional(Type.Boolean({ description: 'Owed and past the due date; false for all others.' })),
  issuedFrom: DayFilter,
  issuedTo: DayFilter,
  dueFrom: DayFilter,
  dueTo: DayFilter,
  ...amountFilters,
  view: documentViews.asked.view,
}

const Filters = Type.Object(documentFilters)
export type Filter = Static<typeof Filters> & { now: Date }

/** The filters of which there are so many combinations that their statements are not kept prepared. */
export const hasRareFilters = (filter: Filter) =>
  [filter.statuses, filter.overdue, filter.issuedFrom, filter.issuedTo, filter.dueFrom, filter.dueTo].some(isGiven) ||
  isGiven(filter.minAmount) ||
  isGiven(filter.maxAmount)

const isGiven = (value: unknown) => value !== undefined && value !== ''

export function conditions(filter: Filter): RawBuilder<SqlBool> {
  const { status, statuses, documentType, customerId, disputed, overdue, now } = filter
  const all = [sql<SqlBool>`kind = ${sql.lit(salesKind.name)}`]
  if (status) all.push(hasStatus([status]))
  if (statuses?.length) all.push(hasStatus(statuses))
  if (documentType) all.push(sql`document_type = ${documentType}`)
  if (customerId) all.push(sql`counterparty_id = ${toUuid(customerId)}`)
  if (disputed) all.push(sql`in_dispute = ${sql.lit(disputed === 'true')}`)
  if (overdue !== undefined) all.push(overdue ? isOverdue(now) : sql`(${isOverdue(now)}) is not true`)
  if (filter.view) all.push(inView[filter.view](now))
  all.push(...ranges(filter))
  return sql<SqlBool>`${sql.join(all, sql` and `)}`
}

/** By rank, as the index has it. */
const hasStatus = (statuses: readonly DocumentStatus[]) =>
  sql<SqlBool>`status_rank(status) in (${sql.join(statuses.map((status) => sql`status_rank(${sql.lit(status)})`))})`

const isOverdue = (now: Date) => sql<SqlBool>`${isOwed('documents')} and documents.due_date < ${todayOf(now)}`

const inView: Record<View, (now: Date) => RawBuilder<SqlBool>> = {
  all: () => sql`true`,
  drafts: () => hasStatus(['DRAFT']),
  toSend: () => sql`${hasStatus(['UNSENT'])} and cancelled_at is null and converted_to_id is null`,
  open: () => isOwed('documents'),
  overdue: isOverdue,
  paid: () => hasStatus(['PAID']),
  inDispute: () => sql`in_dispute`,
}

function* ranges({
  issuedFrom,
  issuedTo,
  dueFrom,
  dueTo,
  minAmount,
  maxAmount,
}: Filter): Generator<RawBuilder<SqlBool>> {
  if (issuedFrom) yield sql`issue_date >= ${filterDay('issuedFrom', issuedFrom)}::date`
  if (issuedTo) yield sql`issue_date <= ${filterDay('issuedTo', issuedTo)}::date`
  if (dueFrom) yield sql`due_date >= ${filterDay('dueFrom', dueFrom)}::date`
  if (dueTo) yield sql`due_date <= ${filterDay('dueTo', dueTo)}::date`
  if (minAmount) yield sql`${total} >= ${filterAmount('minAmount', minAmount)}::numeric`
  if (maxAmount) yield sql`${total} <= ${filterAmount('maxAmount', maxAmount)}::numeric`
}
const total = sql`major_units(total_minor, minor_digits)`

/** The filters by which the database maintains counts (0019_documents_at_size.sql); undefined if there are others. */
export function storedCount({ view, now: _, ...filter }: Filter): RawBuilder<{ total: number }> | undefined {
  const { status, statuses = [], documentType, ...others } = filter
  if (Object.values(others).some(isGiven) || (view && !(view in statusesOfView))) return undefined
  const allowed = [status ? [status] : [], statuses, statusesOfView[view ?? 'all'] ?? []].filter(
    ({ length }) => length > 0,
  )
  const all = [sql`kind = ${sql.lit(salesKind.name)}`]
  for (const one of allowed) all.push(sql`status in (${sql.join(one.map((each) => sql.lit(each)))})`)
  if (documentType) all.push(sql`document_type = ${documentType}`)
  return sql`select coalesce(sum(change), 0) as total from document_counts where ${sql.join(all, sql` and `)}`
}

const statusesOfView: Partial<Record<View, readonly DocumentStatus[]>> = { all: [], drafts: ['DRAFT'], paid: ['PAID'] }

/** How many documents are in each view. */
export function countViews(db: Database, now: Date) {
  const counted = ([view, isIn]: [string, (now: Date) => RawBuilder<SqlBool>]) => [
    view,
    storedCount({ view: view as View, now }) ??
      sql`select count(*) from documents where kind = ${sql.lit(salesKind.name)} and ${isIn(now)}`,
  ]
  return readCounts<View>(db, Object.fromEntries(Object.entries(inView).map(counted)))
}
