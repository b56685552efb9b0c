import { type RawBuilder, sql } from 'kysely'
import type { Part } from './read-journal.ts'

/** Documents, payments, allocations and entries per statement of a report on income, expenses or tax. */
export const eventsPerResultPart = 16_000

/**
 * The id of the expense that the document `d` is or corrects. Written with case, because PostgreSQL uses no index on coalesce() under row
 * security.
 */
export const expenseOfDocument = sql`case when d.source_document_id is null then d.id else d.source_document_id end`

/**
 * The lines of `journal_lines()` that income, expenses and their tax are in: those of documents, of their cancellations and conversions, and
 * of allocations to receipts, if there are any. Payments, other allocations, stock and entries book nothing there, and computing them
 * takes most of the time. A kind of documents that books income or expenses by a function of its own is added here.
 */
export function resultLines({ first, last }: Part): RawBuilder<unknown> {
  const place = sql`(${first.day}, ${first.id}, ${last.day}, ${last.id})`
  const sources = [
    sql`select * from journal_of_closed${place}`,
    sql`select * from journal_of_expenses${place}`,
    sql`select * from journal_of_documents${place}`,
    sql`select * from journal_of_allocations${place}
      where exists (select from document_counts c where c.kind = 'SALES' and c.document_type = 'RECEIPT')`,
  ]
  return sql`(with signed as materialized (
      select l.*, case l.direction when 'OUTGOING' then l.times else -l.times end as sign from (${sql.join(sources, sql` union all `)}) l
    )
    select b.day, b.event, b.document_id, b.direction, b.account, b.subject as tax_category, b.currency, b.exchange_rate, b.sign * b.minor as minor,
      b.sign * b.home_minor as home_minor, b.home as home_currency
    from signed b where b.minor <> 0
    union all
    select b.day, b.event, b.document_id, b.direction, b.rest, null, b.currency, b.exchange_rate, 0, -sum(b.sign * b.home_minor)::bigint, b.home
    from signed b where b.currency <> b.home
    group by b.day, b.event, b.event_id, b.document_id, b.payment_id, b.direction, b.rest, b.currency, b.home, b.exchange_rate
    having sum(b.sign * b.home_minor) <> 0)`
}
