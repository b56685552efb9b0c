import { type SqlBool, sql } from 'kysely'
import type { Database } from '../../../core/define/operation.ts'
import type { Pagination } from '../../../core/define/page.ts'
import { inText, toUuid } from '../../../core/define/query.ts'
import { pipeline } from '../../../db/pipeline.ts'
import type { DocumentStatus } from '../document.ts'
import { salesKind } from '../kind.ts'
import { type Documents, type ListedRow, salesDocuments, selectListed } from './read.ts'
import { canSearchByIndex, indexedResultsMax, searchByIndex, searchByScan } from './search.ts'

type Filter = {
  status?: DocumentStatus | undefined
  documentType?: string | undefined
  customerId?: string | undefined
  disputed?: 'true' | 'false' | '' | undefined
}
type Order = { sortBy: keyof typeof sortExpressions; sortOrder: 'asc' | 'desc' }
type Slice = { offset: number; limit: number }
type ListQuery = { filter: Filter; text: string; order: Order; slice: Slice }
type ListResult = { total: number; rows: ListedRow[] }

/** A page of documents and the total count, in one round trip; two for deep pages and frequent search words. */
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
  const query = { filter, text: search.trim(), order: { sortBy, sortOrder }, slice }
  const { rows, total } =
    (await listByIndex(db, query)) ??
    (slice.offset < deepOffset ? await listShallowPage(db, query) : await listDeepPage(db, query))
  return { rows, pagination: { page, limit, total, totalPages: Math.ceil(total / limit) } }
}

/** Searches by index; undefined if the text is too short for it or has too many results. */
async function listByIndex(db: Database, { filter, text, order, slice }: ListQuery): Promise<ListResult | undefined> {
  if (!canSearchByIndex(text)) return undefined
  const source = searchByIndex(db, text)
  const counting = source
    .select(sql<number>`count(*)`.as('found'))
    .select(sql<number>`count(*) filter (where ${conditions(filter)})`.as('total'))
  const {
    counts: { found, total },
    rows,
  } = await pipeline({
    counts: counting.executeTakeFirstOrThrow(),
    rows: readSlice(db, source.where(conditions(filter)), order, slice),
  })
  return found > indexedResultsMax ? undefined : { total, rows }
}

const listShallowPage = (db: Database, query: ListQuery): Promise<ListResult> =>
  pipeline({ total: countOf(db, query), rows: readSlice(db, filtered(db, query), query.order, query.slice) })

/** From this offset on it is cheaper to count first and to read the page from the nearer end. */
export const deepOffset = 500

async function listDeepPage(db: Database, query: ListQuery): Promise<ListResult> {
  const { order, slice } = query
  const total = await countOf(db, query)
  const remaining = total - slice.offset
  if (remaining <= 0) return { total, rows: [] }
  if (remaining > slice.offset) return { total, rows: await readSlice(db, filtered(db, query), order, slice) }
  const fromEnd = { offset: Math.max(0, remaining - slice.limit), limit: Math.min(remaining, slice.limit) }
  const rows = await readSlice(db, filtered(db, query), { ...order, backwards: true }, fromEnd)
  return { total, rows: rows.reverse() }
}

/** Beyond the first page the ids are selected first, so that lines and payments are read for that page only. */
function readSlice(db: Database, source: Documents<object>, order: ReadingOrder, { offset, limit }: Slice) {
  if (offset === 0) return inOrder(selectListed(source), order).limit(inText(limit)).execute()
  const ids = inOrder(source.select('id'), order).limit(inText(limit)).offset(offset)
  return inOrder(selectListed(salesDocuments(db)), order)
    .where('id', 'in', ids)
    .execute()
}

/** Names sort without regard to case, and totals by their amount in major units. */
const sortExpressions = {
  issueDate: [sql.ref('issueDate')],
  dueDate: [sql.ref('dueDate')],
  total: [sql`major_units(total_minor, minor_digits)`],
  status: [sql`status_rank(status)`, sql.ref('issueDate')],
  documentNumber: [sql.ref('sequence')],
  customerName: [sql`lower(counterparty_name)`],
}

/** Nullable sort keys; documents without a value come last in both directions. */
const nullableKeys: readonly Order['sortBy'][] = ['dueDate', 'documentNumber']

type ReadingOrder = Order & { backwards?: true }

function inOrder<O>(query: Documents<O>, { sortBy, sortOrder, backwards }: ReadingOrder): Documents<O> {
  const isDescending = (sortOrder === 'desc') !== (backwards ?? false)
  const direction = isDescending ? 'desc' : 'asc'
  let sorted = query
  for (const key of sortExpressions[sortBy])
    sorted = sorted.orderBy(key, (order) => {
      const directed = order[direction]()
      if (!nullableKeys.includes(sortBy)) return directed
      return backwards ? directed.nullsFirst() : directed.nullsLast()
    })
  return sorted.orderBy('id', direction)
}

const filtered = (db: Database, { filter, text }: ListQuery) => searchByScan(db, text).where(conditions(filter))

function conditions({ status, documentType, customerId, disputed }: Filter) {
  const all = [sql<SqlBool>`kind = ${sql.lit(salesKind.name)}`]
  if (status) all.push(sql`status_rank(status) = status_rank(${sql.lit(status)})`)
  if (documentType) all.push(sql`document_type = ${documentType}`)
  if (customerId) all.push(sql`counterparty_id = ${toUuid(customerId)}`)
  if (disputed) all.push(sql`in_dispute = ${sql.lit(disputed === 'true')}`)
  return sql<SqlBool>`${sql.join(all, sql` and `)}`
}

/** The total count. The database maintains counts by type and status (0019_documents_at_size.sql). */
async function countOf(db: Database, query: ListQuery): Promise<number> {
  const { status, documentType, customerId, disputed } = query.filter
  if (customerId || disputed || query.text) {
    const counting = filtered(db, query).select(sql<number>`count(*)`.as('total'))
    return (await counting.executeTakeFirstOrThrow()).total
  }
  let counts = db.selectFrom('documentCounts').where('kind', '=', sql.lit(salesKind.name))
  if (status) counts = counts.where('status', '=', status)
  if (documentType) counts = counts.where('documentType', '=', documentType)
  return (await counts.select(sql<number>`coalesce(sum(change), 0)`.as('total')).executeTakeFirstOrThrow()).total
}
