import { type SqlBool, sql } from 'kysely'

/**
 * Whether a sales document is owed: issued, with an open balance, and no receipt. `table` is its name in the statement. The
 * conditions before the last two are those of the partial indexes.
 */
export const isOwed = (table: string) => {
  const row = sql.raw(table) // a name in our own statement, never of a caller
  return sql<SqlBool>`(${row}.kind = 'SALES' and ${row}.direction = 'OUTGOING' and ${row}.status in ('UNSENT', 'SENT')
    and ${row}.document_type <> 'RECEIPT' and open_minor(${row}) > 0)`
}

/** Today in the time zone of an organization, given as SQL; without one, of the organization that the transaction is confined to. */
export const todayOf = (now: Date, organizationId = sql`current_organization()`) =>
  sql`(select (${now.toISOString()}::timestamptz at time zone o.timezone)::date from organizations o where o.id = ${organizationId})`
