import { sql } from 'kysely'
import type { Database } from '../../../../core/define/operation.ts'

type Payload = Record<string, unknown>

/** Only so many of the newest events are looked at, because they are found by their time and not by their type. */
const searchedMax = 5_000

/** The newest events of these types, the newest first. */
export const newestEvents = (db: Database, types: readonly string[], limit: number) =>
  db
    .selectFrom(
      db
        .selectFrom('events')
        .select(['id', 'type', 'createdAt', sql<Payload>`payload`.as('payload')])
        .where('organizationId', '=', sql<string>`current_organization()`)
        .orderBy('id', 'desc')
        .limit(sql.lit(searchedMax))
        .as('e'),
    )
    .select(['id', 'type', 'createdAt', 'payload'])
    .where('type', '=', sql<string>`any(${[...types]}::text[])`)
    .orderBy('id', 'desc')
    .limit(limit)

/** An event as the start of a trial. */
export const eventById = (db: Database, id: string) =>
  db
    .selectFrom('events')
    .select(['type', sql<Payload>`payload`.as('payload'), sql<'EVENT'>`'EVENT'`.as('payloadFrom')])
    .where('organizationId', '=', sql<string>`current_organization()`)
    .where('id', '=', id)
