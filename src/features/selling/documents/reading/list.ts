import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Database } from '../../../../core/define/operation.ts'
import type { Pagination } from '../../../../core/define/page.ts'
import { executeUnprepared, inText } from '../../../../core/define/query.ts'
import { idsMax } from '../../../../core/define/views.ts'
import { pipeline } from '../../../../db/pipeline.ts'
import { conditions, type Filter, hasRareFilters, storedCount } from './filter.ts'
import { type Documents, type ListedRow, salesDocuments, selectListed } from './read.ts'
import { canSearchByIndex, indexedResultsMax, searchByIndex, searchByScan } from './search.ts'

type Order = { sortBy: keyof typeof sortExpressions; sortOrder: 'asc' | 'desc' }
type Slice = { offset: number; limit: number }
type ListQuery = {
  filter: Filter
  /** The conditions of the filter. */
  where: RawBuilder<SqlBool>
  text: string
  order: Order
  slice: Slice
  lines: boolean
}
type ListResult = { total: number; rows: ListedRow[] }
type Asked = Filter & Order & { search: string; page: number; limit: number; lines?: boolean; ids?: boolean }

/**
 * A page of documents and the total count, in one round trip; two for deep pages and frequent search words, and one more for the
 * ids of all documents that match.
 */
export async function listDocuments(
  db: Database,
  { page, limit, sortBy, sortOrder, search, lines = true, ids: wantsIds = false, ...filter }: Asked,
): Promise<{ rows: ListedRow[]; pagination: Pagination; ids: string[] | false }> {
  const slice = { offset: (page - 1) * limit, limit }
  const where = conditions(filter) // refuses days and amounts that cannot be read, before anything is sent
  const query = { filter, where, text: search.trim(), order: { sortBy, sortOrder }, slice, lines }
  const found = await listByIndex(db, query)
  const { rows, total } =
    found ?? (slice.offset < deepOffset ? await listShallowPage(db, query) : await listDeepPage(db, query))
  const source = found ? searchByIndex(db, query.text).where(where) : filtered(db, query)
  const ids = wantsIds && (await readIds(db, source, query))
  return { rows, pagination: { page, limit, total, totalPages: Math.ceil(total / limit) }, ids }
}

/** Searches by index; undefined if the text is too short for it or has too many results. */
async function listByIndex(db: Database, query: ListQuery): Promise<ListResult | undefined> {
  const { filter, where, text } = query
  if (!canSearchByIndex(text)) return undefined
  const source = searchByIndex(db, text)
  const counting = source
    .select(sql<number>`count(*)`.as('found'))
    .select(sql<number>`count(*) filter (where ${where})`.as('total'))
  const {
    counts: [counted],
    rows,
  } = await pipeline({
    counts: execute(db, filter, counting),
    rows: readSlice(db, source.where(where), query),
  })
  return !counted || counted.found > indexedResultsMax ? undefined : { total: counted.total, rows }
}

const listShallowPage = (db: Database, query: ListQuery): Promise<ListResult> =>
  pipeline({ total: countOf(db, query), rows: readSlice(db, filtered(db, query), query) })

/** From this offset on it is cheaper to count first and to read the page from the nearer end. */
export const deepOffset = 500

async function listDeepPage(db: Database, query: ListQuery): Promise<ListResult> {
  const { order, slice } = query
  const total = await countOf(db, query)
  const remaining = total - slice.offset
  if (remaining <= 0) return { total, rows: [] }
  if (remaining > slice.offset) return { total, rows: await readSlice(db, filtered(db, query), query) }
  const fromEnd = { offset: Math.max(0, remaining - slice.limit), limit: Math.min(remaining, slice.limit) }
  const backwards = { ...query, order: { ...order, backwards: true as const }, slice: fromEnd }
  const rows = await readSlice(db, filtered(db, query), backwards)
  return { total, rows: rows.reverse() }
}

type Read = Pick<ListQuery, 'filter' | 'slice' | 'lines'> & { order: ReadingOrder }

/** Beyond the first page the ids are selected first, so that lines and payments are read for that page only. */
function readSlice(db: Database, source: Documents<object>, { filter, order, slice, lines }: Read) {
  const { offset, limit } = slice
  if (offset === 0) return execute(db, filter, inOrder(selectListed(source, lines), order).limit(inText(limit)))
  const ids = inOrder(source.select('id'), order).limit(inText(limit)).offset(offset)
  const page = selectListed(salesDocuments(db), lines).where('id', 'in', ids)
  return execute(db, filter, inOrder(page, order))
}

async function readIds(db: Database, source: Documents<object>, { filter, order }: ListQuery): Promise<string[]> {
  const rows = await execute(db, filter, inOrder(source.select('id'), order).limit(sql.lit(idsMax)))
  return rows.map(({ id }) => id)
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

const filtered = (db: Database, { where, text }: ListQuery) => searchByScan(db, text).where(where)

/** The total count, which the database stores for the usual filters. */
async function countOf(db: Database, query: ListQuery): Promise<number> {
  const stored = query.text ? undefined : storedCount(query.filter)
  if (stored) return (await stored.execute(db)).rows[0]?.total ?? 0
  const [counted] = await execute(db, query.filter, filtered(db, query).select(sql<number>`count(*)`.as('total')))
  return counted?.total ?? 0
}

/** Executes a query, prepared unless too many variants of it are possible. */
const execute = <O>(db: Database, filter: Filter, query: Documents<O>) =>
  hasRareFilters(filter) ? executeUnprepared(db, query) : query.execute()
