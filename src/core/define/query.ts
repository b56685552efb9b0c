import { CompiledQuery, type SelectQueryBuilder, sql } from 'kysely'
import { unpreparedMark } from '../../db/batch.ts'
import type { SendStatement } from '../../db/connection.ts'
import type { Database, Tables } from '../../db/database.ts'
import { pipeline } from '../../db/pipeline.ts'
import type { Row } from '../../db/row.ts'
import { isId } from '../values/id.ts'
import { notFound } from './failure.ts'
import { listMax, type Pagination } from './page.ts'

type Found<T> = { executeTakeFirst(): Promise<T | undefined> }

/**
 * A query by id, compiled once: building one costs more than sending it, and this is the one every reader sends.
 * `const customerById = byId((db, id) => customers(db).where('id', '=', id))`
 */
export function byId<T>(build: (db: Database, id: string) => Found<T> & { compile(): CompiledQuery<T> }) {
  let compiled: CompiledQuery<T> | undefined
  return (db: Database, id: string): Found<T> => ({
    async executeTakeFirst() {
      compiled ??= build(db, idMark).compile()
      const parameters = compiled.parameters.map((value) => (value === idMark ? id : value))
      return (await db.executeQuery<T>({ ...compiled, parameters })).rows[0]
    },
  })
}
const idMark = '\u0000id'

/** The row, or 404 in the noun's name. */
export async function one<T>(query: Found<T>, noun: string): Promise<T> {
  const row = await query.executeTakeFirst()
  if (row === undefined) throw notFound(noun)
  return row
}

/** A page of a list and the size of the whole, both in one round trip. The query brings a total order (`..., id`). */
export async function paged<T extends keyof Tables, R>(
  query: SelectQueryBuilder<Tables, T, R>,
  { page, limit }: { page: number; limit: number },
): Promise<{ rows: R[]; pagination: Pagination }> {
  const counting = query.clearSelect().clearOrderBy().select(sql<number>`count(*)`.as('total'))
  const limited = query.limit(inText(limit))
  const { rows, counted } = await pipeline({
    rows: (page === 1 ? limited : limited.offset((page - 1) * limit)).execute(),
    counted: counting.execute(),
  })
  const total = counted[0]?.total ?? 0
  return { rows, pagination: { page, limit, total, totalPages: Math.ceil(total / limit) } }
}

/**
 * PostgreSQL plans a page anew each time while it does not know how long it is, which costs more than reading it. So
 * these stand in the text, and the first page has no offset; they are few, since every text is prepared.
 */
export const inText = (limit: number) => (usualLimits.has(limit) ? sql.lit(limit) : limit)
const usualLimits = new Set([10, 20, 25, 50, 100])

/** A list without pages, which still has an end. The query brings a total order. */
export const bounded = <T extends keyof Tables, R>(query: SelectQueryBuilder<Tables, T, R>) =>
  query.limit(sql.lit(listMax))

/** Text that someone typed into a search box, as a LIKE pattern that means just that text. */
export const containing = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`

/** The id that no row has. */
export const nobody = '00000000-0000-0000-0000-000000000000'

/** What cannot be an id becomes the one that no row has: it is simply not found. */
export const toUuid = (text: string) => (isId(text) ? text : nobody)

/** Waits for anybody else in this organization who is changing the same subject, until the transaction ends. */
export const lockFor = (db: Database, subject: string) => sql`select lock_subject(${subject})`.execute(db)

/** Stands ahead of a statement whose text follows what a caller asked for: there is no end of them, so none is prepared. */
export const unprepared = sql.raw(unpreparedMark)

/** Sends statements through the query builder, for functions that take a `SendStatement`. */
export const sendThrough =
  (db: Database): SendStatement =>
  async (text, values = []) => {
    const { rows, numAffectedRows } = await db.executeQuery(CompiledQuery.raw(text, [...values]))
    return { rows: rows as Row[], affected: Number(numAffectedRows ?? 0) }
  }
