import { sql } from 'kysely'
import type { Database } from '../../../core/define/operation.ts'
import { toMajor } from '../../../core/values/money.ts'
import { salesKind } from '../../selling/documents/kind.ts'
import type { PendingPayment } from './dashboard.ts'
import { type DashboardQuery, organizationYear } from './sums.ts'

const listMax = 50

/** How many open documents are read first. */
const firstLook = 250

type Row = Omit<PendingPayment, 'total' | 'openBalance'> & { totalMinor: number; openMinor: number }

/**
 * Open documents that were issued in the year, by due date; those without a due date come last. The first open documents by
 * due date contain enough of the year as a rule. PostgreSQL cannot know that: without a limit it reads and sorts all open
 * documents in some plans, so only if the first ones are not enough, it reads all of them.
 */
export async function readPending(db: Database, query: DashboardQuery): Promise<PendingPayment[]> {
  const { rows } = await sql<Row>`
    with ${organizationYear(query)}, first as materialized (
      select ${columns} from documents d where ${isOpen} order by d.due_date, d.id limit ${sql.lit(firstLook)}
    ), enough as materialized (
      select count(*) < ${sql.lit(firstLook)} or count(*) filter (where ${isOfYear}) >= ${sql.lit(listMax)} as is_enough from first d
    )
    select d.id, d.number as invoice_number, d.counterparty_name as customer_name, d.due_date, d.currency, d.total_minor,
      d.open_minor, coalesce(greatest((select today from organization_year) - d.due_date, 0), 0) as days_overdue
    from (
      select * from first d where ${isOfYear} and (select is_enough from enough)
      union all
      select ${columns} from documents d where ${isOpen} and open_minor(d) > 0 and ${isInYear} and not (select is_enough from enough)
    ) d
    order by d.due_date, d.id limit ${sql.lit(listMax)}`.execute(db)
  return rows.map(({ totalMinor, openMinor, ...row }) => ({
    ...row,
    total: toMajor(BigInt(totalMinor), row.currency),
    openBalance: toMajor(BigInt(openMinor), row.currency),
  }))
}

const columns = sql.raw(
  'd.id, d.number, d.counterparty_name, d.issue_date, d.due_date, d.currency, d.total_minor, open_minor(d) as open_minor',
)

const isOpen = sql`d.kind = ${sql.lit(salesKind.name)} and d.direction = ${sql.lit(salesKind.direction)} and d.status in ('UNSENT', 'SENT')
  and d.document_type <> 'RECEIPT'`

const isInYear = sql`d.issue_date between (select make_date(year, 1, 1) from organization_year)
  and (select make_date(year, 12, 31) from organization_year)`

/** Of the documents that were read first. */
const isOfYear = sql`d.open_minor > 0 and ${isInYear}`
