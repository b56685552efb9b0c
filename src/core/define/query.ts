import { type CompiledQuery, type SelectQueryBuilder, type Simplify, sql } from 'kysely'
import type { Database, Tables } from '../../db/database.ts'
import { pipeline } from '../../db/pipeline.ts'
import { unpreparedMark } from '../../db/wire/batch.ts'
import { isId } from '../values/id.ts'
import { notFound } from './failure.ts'
import { listMax, type Pagination } from './page.ts'

type Found<T> = { executeTakeFirst(): Promise<T | undefined> }

/**
 * A query by id, compiled once, because compiling it costs more than sending it and most reads use it.
 * `const customerById = byId((db, id) => customers(db).where('id', '=', id))`
 */
export function byId<T>(build: (db: Database, id: string) => Found<T> & { compile(): CompiledQuery<T> }) {
  let compiled: CompiledQuery<T> | undefined
  return (db: Database, id: string): Found<T> => ({
    async executeTakeFirst() {
      compiled ??= build(db, idMark).compile()
      const parameters = compiled.parameters.map((value) => (value === idMark ? id : value))
      return (await db.executeQuery(withParameters(compiled, parameters))).rows[0]
    },
  })
}
const idMark = '\u0000id'

const withParameters = <T>(
  { sql, query, queryId }: CompiledQuery<T>,
  parameters: readonly unknown[],
): CompiledQuery<T> => ({ sql, query, queryId, parameters })

/** A statement with the values of a row, compiled once for every set of columns. The schema of the input limits how many there are. */
function byColumns<R extends object, T>(build: (db: Database, row: R) => { compile(): CompiledQuery<T> }) {
  const compiled = new Map<string, CompiledQuery<T>>()
  const compile = (db: Database, columns: string[]) =>
    build(db, Object.fromEntries(columns.map((column) => [column, columnMark + column])) as R).compile()
  return async (db: Database, row: R): Promise<T | undefined> => {
    const columns = Object.keys(row).filter((column) => row[column as keyof R] !== undefined)
    const key = columns.join()
    const found = compiled.get(key) ?? compile(db, columns)
    compiled.set(key, found)
    const parameters = found.parameters.map((value) =>
      typeof value === 'string' && value.startsWith(columnMark)
        ? row[value.slice(columnMark.length) as keyof R]
        : value,
    )
    return (await db.executeQuery(withParameters(found, parameters))).rows[0]
  }
}
const columnMark = '\u0000column '

/**
 * An insert of one row, compiled once for every set of columns, because compiling it costs more than sending it.
 * `const insertCustomer = inserting((db, row: NewRow) => db.insertInto('customers').values(row).returningAll())`
 */
export function inserting<R extends object, T>(build: (db: Database, row: R) => { compile(): CompiledQuery<T> }) {
  const insert = byColumns(build)
  return async (db: Database, row: R): Promise<T> => {
    const inserted = await insert(db, row)
    if (inserted === undefined) throw new Error('The insert returned no row.')
    return inserted
  }
}

/**
 * An update of one row, compiled in the same way. `row` has its id and the columns to change.
 * `const updateCustomer = updating((db, row: Row) => db.updateTable('customers').set(row).where('id', '=', row.id)…)`
 */
export function updating<R extends object, T>(build: (db: Database, row: R) => { compile(): CompiledQuery<T> }) {
  const update = byColumns(build)
  return (db: Database, row: R): Found<T> => ({ executeTakeFirst: () => update(db, row) })
}

/** The row, or 404 with the noun in its message. */
export async function one<T>(query: Found<T>, noun: string): Promise<T> {
  const row = await query.executeTakeFirst()
  if (row === undefined) throw notFound(noun)
  return row
}

/** A page of a list and the size of the whole list, in one round trip. The query must have a total order (`..., id`). */
export async function paged<D, T extends keyof D, R>(
  query: SelectQueryBuilder<D, T, R>,
  { page, limit }: { page: number; limit: number },
  /** The size of the whole list, if it is stored: counting many rows takes longer than reading a page. */
  stored?: Promise<number>,
): Promise<{ rows: R[]; pagination: Pagination }> {
  const counting = query.clearSelect().clearOrderBy().select(sql<number>`count(*)`.as('total'))
  const limited = query.limit(inText(limit))
  const { rows, counted } = await pipeline({
    rows: (page === 1 ? limited : limited.offset((page - 1) * limit)).execute(),
    counted: stored ?? counting.execute(),
  })
  const total = typeof counted === 'number' ? counted : ((counted[0] as { total: number } | undefined)?.total ?? 0)
  return { rows, pagination: { page, limit, total, totalPages: Math.ceil(total / limit) } }
}

/**
 * Writes a usual limit into the text of the statement: with a parameter PostgreSQL would plan each page anew, which costs
 * more than reading it. For the same reason the first page has no offset. The limits are few, since every text is prepared.
 */
export const inText = (limit: number) => (usualLimits.has(limit) ? sql.lit(limit) : limit)
const usualLimits = new Set([10, 20, 25, 50, 100])

/** Limits a list without pages. The query must have a total order. */
export const bounded = <T extends keyof Tables, R>(query: SelectQueryBuilder<Tables, T, R>) =>
  query.limit(sql.lit(listMax))

/** A LIKE pattern that matches text containing the searched text literally. */
export const containing = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`

/** An id that no row has. */
export const missingId = '00000000-0000-0000-0000-000000000000'

/** Replaces text that is not an id with one that no row has, so that it is not found. */
export const toUuid = (text: string) => (isId(text) ? text : missingId)

/** Locks a subject within the organization until the transaction ends: others that lock it wait. */
export const lockFor = (db: Database, subject: string) => sql`select lock_subject(${subject})`.execute(db)

/** Marks a statement that is not prepared, because its text depends on the request and there are too many variants. */
export const unprepared = sql.raw(unpreparedMark)

/** Executes such a statement. */
export const executeUnprepared = async <D, T extends keyof D, R>(
  db: Database,
  query: SelectQueryBuilder<D, T, R>,
): Promise<Simplify<R>[]> => (await sql<Simplify<R>>`${unprepared}${query}`.execute(db)).rows

type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

/** The columns that a caller gave a value for; undefined means none. */
export const givenColumns = <T extends object>(columns: T): Given<T> =>
  Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined)) as Given<T>

/** Text without spaces around it; null if it is empty, and undefined if it was not given. */
export const textOrNull = (text: string | null | undefined) => (text === undefined ? undefined : text?.trim() || null)
