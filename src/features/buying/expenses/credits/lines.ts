import { sql } from 'kysely'
import { conflict, invalid } from '../../../../core/define/failure.ts'
import type { Database } from '../../../../core/define/operation.ts'
import type { ExpenseRow } from '../reading/read.ts'
import { type CreditedLine, shareOf } from './amounts.ts'

/** The lines of an expense with what valid credits have taken off them: `left` in the order of the lines. */
const linesLeft = (expenseId: string) => sql`select l.*, l.amount_minor - coalesce((select sum(c.amount_minor)
      from documents m join document_lines c on c.organization_id = m.organization_id and c.document_id = m.id and c.id = l.id
      where m.organization_id = l.organization_id and m.source_document_id = l.document_id and m.document_type = 'CREDIT_MEMO'
        and m.cancelled_at is null), 0) as left_minor
    from document_lines l where l.document_id = ${expenseId}::uuid`

/** The split that a credit names. Refuses an unknown one, and one that is credited in full. */
export async function creditedLine(db: Database, { id, splits }: ExpenseRow, lineId: string): Promise<CreditedLine> {
  const split = splits.find((each) => each.id === lineId)
  if (!split) throw invalid('lineId', 'The expense has no split with this id.', 'UNKNOWN_REFERENCE')
  const { rows } = await sql<{ net: number; left: number }>`select l.amount_minor as net, l.left_minor::bigint as left
    from (${linesLeft(id)}) l where l.id = ${lineId}`.execute(db)
  const { net = 0, left = 0 } = rows[0] ?? {}
  const inputTaxMinor = split.amountMinor - net
  const leftMinor = left === net ? split.amountMinor : left + shareOf(inputTaxMinor, Math.max(0, left), net)
  if (leftMinor <= 0) throw conflict('The split is credited in full.', 'CREDITED')
  return { id: lineId, totalMinor: split.amountMinor, inputTaxMinor, leftMinor, netLeftMinor: left }
}

/**
 * Writes the lines of a credit, so that the journal finds their categories: the named line of its expense, or all of them in
 * proportion to what is left of them.
 */
export const insertCreditLines = (
  db: Database,
  { creditId, expenseId, netMinor }: { creditId: string; expenseId: string; netMinor: number },
  line: CreditedLine | null,
) =>
  sql`insert into document_lines (document_id, position, id, description, quantity, unit_price, amount_minor)
    select ${creditId}::uuid, l.position, l.id, l.description, 1, 0,
      case when l.whole = 0 then case when l.is_first then ${netMinor}::bigint else 0 end
        else round(${netMinor}::numeric * l.upto / l.whole) - round(${netMinor}::numeric * (l.upto - l.part) / l.whole) end
    from (select l.*, sum(l.part) over (order by l.position) as upto, sum(l.part) over () as whole,
        row_number() over (order by l.position) = 1 as is_first
      from (select l.*, greatest(l.left_minor, 0) as part from (${linesLeft(expenseId)}) l
        where ${line?.id ?? null}::text is null or l.id = ${line?.id ?? null}::text) l) l`.execute(db)
