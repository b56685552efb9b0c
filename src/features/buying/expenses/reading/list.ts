import { type SqlBool, sql } from 'kysely'
import type { Database } from '../../../../core/define/operation.ts'
import type { Pagination } from '../../../../core/define/page.ts'
import { containing, inText, missingId, toUuid } from '../../../../core/define/query.ts'
import { readIds } from '../../../../core/define/views.ts'
import { pipeline } from '../../../../db/pipeline.ts'
import { DayFilter, filterAmount } from '../../../../ledger/filters.ts'
import { filterDay } from '../../../../ledger/organization-context.ts'
import type { ExpenseSource } from '../expense.ts'
import { type ExpenseStatus, expenseKind } from '../kind.ts'
import { type Expenses, expenses, type ListedRow, selectListed } from './read.ts'
import { type ExpenseView, isInView } from './views.ts'

/** The query fields for a range of days; both days are included. */
export const dayFilters = { dateFrom: DayFilter, dateTo: DayFilter }

/** Which expenses a list or an export shows. Days are calendar days, amounts are in major units. */
export type Filter = {
  status?: ExpenseStatus | '' | undefined
  source?: ExpenseSource | '' | undefined
  categoryId?: string | undefined
  customerId?: string | undefined
  dateFrom?: string | undefined
  dateTo?: string | undefined
  minAmount?: string | undefined
  maxAmount?: string | undefined
  search?: string | undefined
  view?: ExpenseView | undefined
  /** Whose expenses are `mine`; needed with a view only. */
  userId?: string | undefined
}
type Order = { sortBy: keyof typeof sortExpressions; sortOrder: 'asc' | 'desc' }

type Page = { page: number; limit: number }
type Asked = Filter & Order & Page & { organizationId?: string; ids?: boolean }

/**
 * A page of expenses and the total count, in one round trip; two for a search, and one more for the ids of all that match.
 * `organizationId` is undefined for a list over all organizations of the caller, which cannot use the index for searching.
 */
export async function listExpenses(
  db: Database,
  { organizationId, page, limit, sortBy, sortOrder, ids: wantsIds = false, ...filter }: Asked,
): Promise<{ rows: ListedRow[]; pagination: Pagination; ids: string[] | false }> {
  const order = { sortBy, sortOrder }
  const slice = { offset: (page - 1) * limit, limit }
  const found = organizationId !== undefined && (await listByIndex(db, filter, order, slice))
  const { rows, total } = found || (await listByScan(db, filter, order, slice))
  const ids = wantsIds && (await readIds(inOrder(idsOf(db, filter, order), order)))
  return { rows, pagination: { page, limit, total, totalPages: Math.ceil(total / limit) }, ids }
}

async function listByScan(db: Database, filter: Filter, order: Order, slice: Slice) {
  if (slice.offset < deepOffset)
    return pipeline({ rows: readSlice(db, filter, order, slice), total: countOf(db, filter) })
  return listDeepPage(db, filter, order, slice)
}

/** From this offset on it is cheaper to count first and to read the page from the nearer end. */
export const deepOffset = 500

async function listDeepPage(db: Database, filter: Filter, order: Order, slice: Slice) {
  const total = await countOf(db, filter)
  const remaining = total - slice.offset
  if (remaining <= 0) return { total, rows: [] }
  if (remaining > slice.offset) return { total, rows: await readSlice(db, filter, order, slice) }
  const fromEnd = { offset: Math.max(0, remaining - slice.limit), limit: Math.min(remaining, slice.limit) }
  const rows = await readSlice(db, filter, { ...order, backwards: true }, fromEnd)
  return { total, rows: rows.reverse() }
}

/** The index consists of three-character sequences (search_grams), so it cannot find shorter texts. */
const indexedLengthMin = 3

/** With more results than this, a scan is as fast as the index. */
const indexedResultsMax = 2_000

/** Searches by index; undefined if the text is too short for it or has too many results. */
async function listByIndex(db: Database, { search = '', ...filter }: Filter, order: Order, slice: Slice) {
  const text = search.trim()
  if ([...text].length < indexedLengthMin) return undefined
  const { rows: found } = await sql<{ id: string }>`select x.id
    from search_expenses(${text}, ${containing(text)}, ${sql.lit(indexedResultsMax + 1)}) x (id)`.execute(db)
  if (found.length > indexedResultsMax) return undefined
  const ids = found.map(({ id }) => id)
  const matching = expenses(db).where(conditions(filter)).where(sql<SqlBool>`d.id = any (${ids}::uuid[])`)
  return pipeline({
    rows: inOrder(selectListed(matching), order).limit(inText(slice.limit)).offset(slice.offset).execute(),
    total: isEmpty(filter) ? Promise.resolve(ids.length) : countRows(matching),
  })
}

const countRows = async (query: Expenses<object>): Promise<number> =>
  (await query.select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow()).total

type Slice = { offset: number; limit: number }

/**
 * Beyond the first page the ids are selected first, so that payments and attachments are read for that page only. They are
 * an array, which PostgreSQL computes once: it could compute a subquery for each row if it took the tables for small.
 */
function readSlice(db: Database, filter: Filter, order: ReadingOrder, slice: Slice) {
  const { offset, limit } = slice
  if (order.sortBy === 'vendor' && isEmpty(filter)) return readByVendor(db, order, slice)
  if (offset === 0)
    return inOrder(selectListed(filtered(db, filter)), order)
      .limit(inText(limit))
      .execute()
  const ids = inOrder(idsOf(db, filter, order), order)
    .limit(inText(limit))
    .offset(offset)
  return inOrder(selectListed(expenses(db)), order)
    .where(sql<SqlBool>`d.id = any (array(${ids}))`)
    .execute()
}

/**
 * The page is chosen in the table of expenses alone, by its index. PostgreSQL takes an organization with very many documents for
 * one like the others: it would read all its documents first and sort them.
 */
function readByVendor(db: Database, order: ReadingOrder, { offset, limit }: Slice) {
  const page = inOrder(onlyOwnColumns(db), order)
    .select(['e.organizationId', 'e.id', 'e.title', 'e.vendor', 'e.source', 'e.categoryId'])
    .limit(inText(limit))
    .offset(offset)
  const joined = db
    .selectFrom(page.as('e'))
    .innerJoin('documents as d', (join) =>
      join.onRef('d.organizationId', '=', 'e.organizationId').onRef('d.id', '=', 'e.id'),
    ) as unknown as Expenses<object>
  return inOrder(selectListed(joined), order).execute()
}

/** The ids of the expenses that match, from one of the two tables if that is enough: joining every row that is skipped takes long. */
function idsOf(db: Database, filter: Filter, { sortBy }: Order): Expenses<{ id: string }> {
  if (sortBy === 'vendor' && isEmpty(filter)) return onlyOwnColumns(db).select('e.id')
  if (sortBy !== 'vendor') return narrowest(db, filter).select('d.id')
  return filtered(db, filter).select('d.id')
}

/** The ledger's rows alone, unless the filter needs a column that only expenses have. */
const narrowest = (db: Database, filter: Filter): Expenses<object> =>
  filter.source || filter.search?.trim() ? filtered(db, filter) : onlyLedger(db).where(conditions(filter))

const onlyLedger = (db: Database) =>
  db.selectFrom('documents as d').where('d.kind', '=', sql.lit(expenseKind.name)) as unknown as Expenses<object>

/** Credits of suppliers have no row here, so these are the expenses. */
const onlyOwnColumns = (db: Database) => db.selectFrom('expenses as e') as unknown as Expenses<object>

const isEmpty = ({ userId: _, ...filter }: Filter) => !Object.values(filter).some((value) => value?.trim())

/** Names sort without regard to case, and amounts in major units. */
const sortExpressions = {
  date: sql.ref('d.issueDate'),
  amount: sql`major_units(d.total_minor, d.minor_digits)`,
  vendor: sql`lower(e.vendor)`,
  createdAt: sql.ref('d.createdAt'),
}
export const sortKeys = Object.keys(sortExpressions) as (keyof typeof sortExpressions)[]

type ReadingOrder = Order & { backwards?: true }

/** Expenses without a vendor come last in both directions. */
function inOrder<O>(query: Expenses<O>, { sortBy, sortOrder, backwards }: ReadingOrder): Expenses<O> {
  const direction = (sortOrder === 'desc') !== (backwards ?? false) ? 'desc' : 'asc'
  const sorted = query.orderBy(sortExpressions[sortBy], (order) => {
    const directed = order[direction]()
    if (sortBy !== 'vendor') return directed
    return backwards ? directed.nullsFirst() : directed.nullsLast()
  })
  return sorted.orderBy(sortBy === 'vendor' ? 'e.id' : 'd.id', direction)
}

/** The expenses that match a filter. */
export const filtered = (db: Database, filter: Filter): Expenses<object> => expenses(db).where(conditions(filter))

function conditions(filter: Filter) {
  const { status, source, categoryId, customerId, dateFrom, dateTo, minAmount, maxAmount } = filter
  const all = [sql<SqlBool>`d.document_type = 'EXPENSE'`]
  if (status) all.push(sql`d.status = ${sql.lit(status)}`)
  if (source) all.push(sql`e.source = ${sql.lit(source)}`)
  if (categoryId)
    all.push(sql`d.id = any (array(select c.id from expenses c where c.category_id = ${toUuid(categoryId)}
      union select s.expense_id from expense_splits s where s.category_id = ${toUuid(categoryId)}))`)
  if (customerId)
    all.push(sql`exists (select from expense_customers x
      where x.organization_id = d.organization_id and x.expense_id = d.id and x.customer_id = ${toUuid(customerId)})`)
  if (dateFrom) all.push(sql`d.issue_date >= ${filterDay('dateFrom', dateFrom)}::date`)
  if (dateTo) all.push(sql`d.issue_date <= ${filterDay('dateTo', dateTo)}::date`)
  if (minAmount) all.push(sql`${amount} >= ${filterAmount('minAmount', minAmount)}::numeric`)
  if (maxAmount) all.push(sql`${amount} <= ${filterAmount('maxAmount', maxAmount)}::numeric`)
  if (filter.view) all.push(isInView(filter.view, filter.userId ?? missingId))
  const text = filter.search?.trim()
  if (text) all.push(containsText(text))
  return sql<SqlBool>`${sql.join(all, sql` and `)}`
}
const amount = sql`major_units(d.total_minor, d.minor_digits)`

function containsText(text: string) {
  const pattern = containing(text)
  return sql<SqlBool>`(e.title ilike ${pattern} or e.vendor ilike ${pattern} or e.notes ilike ${pattern} or e.document_number ilike ${pattern})`
}

/** The total count. The database maintains counts by status (0019_documents_at_size.sql). */
async function countOf(db: Database, filter: Filter): Promise<number> {
  const { status, ...others } = filter
  if (!isEmpty(others)) return countRows(narrowest(db, filter))
  let counts = db
    .selectFrom('documentCounts')
    .where('kind', '=', sql.lit(expenseKind.name))
    .where('documentType', '=', sql.lit('EXPENSE'))
  if (status) counts = counts.where('status', '=', status)
  return (await counts.select(sql<number>`coalesce(sum(change), 0)`.as('total')).executeTakeFirstOrThrow()).total
}
