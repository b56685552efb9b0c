import { sql } from 'kysely'
import type { Database } from '../../core/define/operation.ts'

/** Writes the lines of a credit: those of its expense, in proportion, so that the journal finds their categories. */
export const insertCreditLines = (db: Database, creditId: string, expenseId: string, netMinor: number) =>
  sql`insert into document_lines (document_id, position, id, description, quantity, unit_price, amount_minor)
    select ${creditId}::uuid, l.position, l.id, l.description, 1, 0,
      case when l.whole = 0 then case when l.is_first then ${netMinor}::bigint else 0 end
        else round(${netMinor}::numeric * l.upto / l.whole) - round(${netMinor}::numeric * (l.upto - l.amount_minor) / l.whole) end
    from (select l.*, sum(l.amount_minor) over (order by l.position) as upto, sum(l.amount_minor) over () as whole,
        row_number() over (order by l.position) = 1 as is_first
      from document_lines l where l.document_id = ${expenseId}::uuid) l`.execute(db)
