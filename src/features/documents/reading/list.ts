import { type SqlBool, sql } from 'kysely'
import type { Database } from '../../../core/define/operation.ts'
import type { Pagination } from '../../../core/define/page.ts'
import { inText, toUuid } from '../../../core/define/query.ts'
import { pipeline } from '../../../db/pipeline.ts'
import type { DocumentStatus } from '../document.ts'
import { type Documents, type ListedRow, listed, sales } from './read.ts'
import { canSearchByIndex, foundMax, searchByIndex, searchByScan } from './search.ts'

type Filter = {
  status?: DocumentStatus | undefined
  documentType?: string | undefined
  customerId?: string | undefined
  disputed?: 'true' | 'false' | '' | undefined
}
type Order = { sortBy: keyof typeof sortedBy; sortOrder: 'asc' | 'desc' }
type Slice = { offset: number; limit: number }
type Wish = { filter: Filter; text: string; order: Order; slice: Slice }
type Found = { total: number; rows: ListedRow[] }

/** A page of documents and how many there are in all: one round trip, two for pages far down and for common words. */
export async function listDocuments(
  db: Database,
  {
    page,
    limit,
    sortBy,
    sortOrder,
    search,
    ...filter
  }: Filter & Order & { search: string; page: number; limit: number },
): Promise<{ rows: ListedRow[]; pagination: Pagination }> {
  const slice = { offset: (page - 1) * limit, limit }
  const wish = { filter, text: search.trim(), order: { sortBy, sortOrder }, slice }
  const { rows, total } =
    (await lookUp(db, wish)) ?? (slice.offset < farDown ? await near(db, wish) : await far(db, wish))
  return { rows, pagination: { page, limit, total, totalPages: Math.ceil(total / limit) } }
}

/** What the index finds, unless that is too much for it. */
async function lookUp(db: Database, { filter, text, order, slice }: Wish): Promise<Found | undefined> {
  if (!canSearchByIndex(text)) return undefined
  const source = searchByIndex(db, text)
  const counting = source
    .select(sql<number>`count(*)`.as('found'))
    .select(sql<number>`count(*) filter (where ${conditions(filter)})`.as('total'))
  const {
    counted: { found, total },
    rows,
  } = await pipeline({
    counted: counting.executeTakeFirstOrThrow(),
    rows: sliceOf(db, source.where(conditions(filter)), order, slice),
  })
  return found > foundMax ? undefined : { total, rows }
}

async function near(db: Database, wish: Wish): Promise<Found> {
  const { total, rows } = await pipeline({
    total: countOf(db, wish),
    rows: sliceOf(db, filtered(db, wish), wish.order, wish.slice),
  })
  return { total, rows }
}

/** From here on it costs less to count first: then the page is read from the nearer end. */
export const farDown = 500

async function far(db: Database, wish: Wish): Promise<Found> {
  const { order, slice } = wish
  const total = await countOf(db, wish)
  const left = total - slice.offset
  if (left <= 0) return { total, rows: [] }
  if (left > slice.offset) return { total, rows: await sliceOf(db, filtered(db, wish), order, slice) }
  const fromEnd = { offset: Math.max(0, left - slice.limit), limit: Math.min(left, slice.limit) }
  const rows = await sliceOf(db, filtered(db, wish), { ...order, backwards: true }, fromEnd)
  return { total, rows: rows.reverse() }
}

/** The ids of a page further down are found first: what the page shows is read for those alone. */
function sliceOf(db: Database, source: Documents<object>, order: Sorted, { offset, limit }: Slice) {
  if (offset === 0) return inOrder(listed(source), order).limit(inText(limit)).execute()
  const ids = inOrder(source.select('id'), order).limit(inText(limit)).offset(offset)
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

const filtered = (db: Database, { filter, text }: Wish) => searchByScan(db, text).where(conditions(filter))

function conditions({ status, documentType, customerId, disputed }: Filter) {
  const all = [sql<SqlBool>`kind = 'SALES'`]
  if (status) all.push(sql`status_rank(status) = status_rank(${sql.lit(status)})`)
  if (documentType) all.push(sql`document_type = ${documentType}`)
  if (customerId) all.push(sql`counterparty_id = ${toUuid(customerId)}`)
  if (disputed) all.push(sql`in_dispute = ${sql.lit(disputed === 'true')}`)
  return sql<SqlBool>`${sql.join(all, sql` and `)}`
}

/** How many there are in all. Of each type and status the database keeps count (0019_documents_at_size.sql). */
async function countOf(db: Database, wish: Wish): Promise<number> {
  const { status, documentType, customerId, disputed } = wish.filter
  if (customerId || disputed || wish.text) {
    const counting = filtered(db, wish).select(sql<number>`count(*)`.as('total'))
    return (await counting.executeTakeFirstOrThrow()).total
  }
  let kept = db.selectFrom('documentCounts').where('kind', '=', sql.lit('SALES'))
  if (status) kept = kept.where('status', '=', status)
  if (documentType) kept = kept.where('documentType', '=', documentType)
  return (await kept.select(sql<number>`coalesce(sum(change), 0)`.as('total')).executeTakeFirstOrThrow()).total
}
