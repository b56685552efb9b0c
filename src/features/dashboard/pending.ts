import { sql } from 'kysely'
import type { Database } from '../../core/define/operation.ts'
import { toMajor } from '../../core/values/money.ts'
import { salesKind } from '../documents/kind.ts'
import type { PendingPayment } from './dashboard.ts'
import { type DashboardQuery, organizationYear } from './figures.ts'

const listMax = 50

type Row = Omit<PendingPayment, 'total' | 'openBalance'> & { totalMinor: number; openMinor: number }

/**
 * Open documents that were issued in the year, by due date; those without a due date come last. With `offset 0` PostgreSQL
 * reads the index of open documents by due date until it has enough; otherwise it would read and sort all of the year.
 */
export async function readPending(db: Database, query: DashboardQuery): Promise<PendingPayment[]> {
  const { rows } = await sql<Row>`
    with ${organizationYear(query)}
    select d.id, d.number as invoice_number, d.counterparty_name as customer_name, d.due_date, d.currency, d.total_minor,
      d.total_minor - d.paid_minor as open_minor, coalesce(greatest((select today from organization_year) - d.due_date, 0), 0) as days_overdue
    from (
      select * from documents where kind = ${sql.lit(salesKind.name)} and direction = ${sql.lit(salesKind.direction)} and status in ('UNSENT', 'SENT') order by due_date, id offset 0
    ) d
    where d.total_minor > d.paid_minor
      and d.issue_date between (select make_date(year, 1, 1) from organization_year) and (select make_date(year, 12, 31) from organization_year)
    limit ${sql.lit(listMax)}`.execute(db)
  return rows.map(({ totalMinor, openMinor, ...row }) => ({
    ...row,
    total: toMajor(BigInt(totalMinor), row.currency),
    openBalance: toMajor(BigInt(openMinor), row.currency),
  }))
}
