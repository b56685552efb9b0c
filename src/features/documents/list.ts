import { sql } from 'kysely'
import type { Database } from '../../core/operation.ts'
import type { Pagination } from '../../core/page.ts'
import { inText, toUuid } from '../../core/query.ts'
import type { DocumentStatus } from './document.ts'
import { type Documents, type ListedRow, listed, sales } from './read.ts'
import { matching } from './search.ts'

type Filter = {
  status?: DocumentStatus | undefined
  documentType?: string | undefined
  customerId?: string | undefined
  disputed?: 'true' | 'false' | '' | undefined
  search: string
}
type Order = { sortBy: keyof typeof sortedBy; sortOrder: 'asc' | 'desc' }
type Slice = { offset: number; limit: number }

/**
 * A page of documents and how many there are in all, in one round trip. A page far down takes two: once it is known how
 * many there are, it is read from the nearer end.
 */
export async function listDocuments(
  db: Database,
  { page, limit, sortBy, sortOrder, ...filter }: Filter & Order & { page: number; limit: number },
): Promise<{ rows: ListedRow[]; pagination: Pagination }> {
  const order = { sortBy, sortOrder }
  const slice = { offset: (page - 1) * limit, limit }
  const [total, rows] =
    slice.offset < farDown
      ? await Promise.all([countOf(db, filter), sliceOf(db, filter, order, slice)])
      : await farSlice(db, filter, order, slice)
  return { rows, pagination: { page, limit, total, totalPages: Math.ceil(total / limit) } }
}

/** From here on it costs less to count first than to read on from the beginning. */
export const farDown = 500

async function farSlice(db: Database, filter: Filter, order: Order, slice: Slice): Promise<[number, ListedRow[]]> {
  const total = await countOf(db, filter)
  const left = total - slice.offset
  if (left <= 0) return [total, []]
  if (left > slice.offset) return [total, await sliceOf(db, filter, order, slice)]
  const fromEnd = { offset: Math.max(0, left - slice.limit), limit: Math.min(left, slice.limit) }
  return [total, (await sliceOf(db, filter, { ...order, backwards: true }, fromEnd)).reverse()]
}

/** The ids of a page further down are found first: what the page shows is read for those alone. */
function sliceOf(db: Database, filter: Filter, order: Sorted, { offset, limit }: Slice) {
  if (offset === 0)
    return inOrder(listed(filtered(db, filter)), order)
      .limit(inText(limit))
      .execute()
  const ids = inOrder(filtered(db, filter).select('id'), order).limit(inText(limit)).offset(offset)
  return inOrder(listed(sales(db)), order)
    .where('id', 'in', ids)
    .execute()
}

/** What people sort by. Nobody sorts by capital and small letters, and a total is compared as it reads. */
const sortedBy = {
  issueDate: [sql.ref('issueDate')],
  dueDate: [sql.ref('dueDate')],
  total: [sql`major_units(total_minor, minor_digits)`],
  status: [sql`status_rank(status)`, sql.ref('issueDate')],
  documentNumber: [sql.ref('sequence')],
  customerName: [sql`lower(counterparty_name)`],
}

/** What may be empty, and then comes last both ways. */
const mayBeEmpty: readonly Order['sortBy'][] = ['dueDate', 'documentNumber']

type Sorted = Order & { backwards?: true }

function inOrder<O>(query: Documents<O>, { sortBy, sortOrder, backwards }: Sorted): Documents<O> {
  const down = (sortOrder === 'desc') !== (backwards ?? false)
  const direction = down ? 'desc' : 'asc'
  let sorted = query
  for (const key of sortedBy[sortBy])
    sorted = sorted.orderBy(key, (order) => {
      const directed = order[direction]()
      if (!mayBeEmpty.includes(sortBy)) return directed
      return backwards ? directed.nullsFirst() : directed.nullsLast()
    })
  return sorted.orderBy('id', direction)
}

function filtered(db: Database, { status, documentType, customerId, disputed, search }: Filter): Documents<object> {
  let found = matching(db, search.trim())
  if (status) found = found.where(sql<boolean>`status_rank(status) = status_rank(${sql.lit(status)})`)
  if (documentType) found = found.where('documentType', '=', documentType)
  if (customerId) found = found.where('counterpartyId', '=', toUuid(customerId))
  if (disputed) found = found.where('inDispute', '=', sql.lit(disputed === 'true'))
  return found
}

/** How many there are in all. Of each type and status the database keeps count (0019_documents_at_size.sql). */
async function countOf(db: Database, filter: Filter): Promise<number> {
  const { status, documentType, customerId, disputed, search } = filter
  if (customerId || disputed || search.trim()) {
    const counting = filtered(db, filter).select(sql<number>`count(*)`.as('total'))
    return (await counting.executeTakeFirstOrThrow()).total
  }
  let kept = db.selectFrom('documentCounts').where('kind', '=', sql.lit('SALES'))
  if (status) kept = kept.where('status', '=', status)
  if (documentType) kept = kept.where('documentType', '=', documentType)
  return (await kept.select(sql<number>`coalesce(sum(change), 0)`.as('total')).executeTakeFirstOrThrow()).total
}
