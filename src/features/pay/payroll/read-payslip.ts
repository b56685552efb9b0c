import { sql } from 'kysely'
import type { Database } from '../../../core/define/operation.ts'
import { one, toUuid } from '../../../core/define/query.ts'
import { toMajor } from '../../../core/values/money.ts'
import { netLine, type PayslipStatus } from './kind.ts'

/** The columns of a payslip that its operations decide by. */
const columns = [
  'p.id', 'p.organizationId', 'p.employeeId', 'p.month', 'p.periodStart', 'p.periodEnd', 'p.isFinal', 'p.grossMinor',
  'p.reimbursementsMinor', 'p.netMinor', 'p.contributionsMinor', 'p.wageMinor', 'p.facts', 'p.inputs', 'd.currency', 'd.totalMinor',
  'd.paidMinor', 'd.counterpartyName as employeeName',
] as const // biome-ignore format: a list of words

const payslips = (db: Database) =>
  db
    .selectFrom('payslips as p')
    .innerJoin('documents as d', (join) =>
      join.onRef('d.organizationId', '=', 'p.organizationId').onRef('d.id', '=', 'p.id'),
    )
    .select(columns)
    .select([
      sql<PayslipStatus>`d.status`.as('status'),
      sql<number>`coalesce((select l.paid_minor from document_lines l where l.organization_id = d.organization_id and l.document_id = d.id
        and l.id = ${sql.lit(netLine)}), 0)`.as('netPaidMinor'),
    ])

export type PayslipRow = Awaited<ReturnType<ReturnType<typeof payslips>['executeTakeFirstOrThrow']>>

export const payslipById = (db: Database, id: string) => one(payslips(db).where('p.id', '=', toUuid(id)), 'payslip')

export const payslipsById = (db: Database, ids: readonly string[]) =>
  payslips(db)
    .where('p.id', 'in', [...ids])
    .orderBy('p.id')
    .execute()

/** Locks a payslip, then reads it (reliability, lock order). */
export async function lockPayslip(db: Database, id: string): Promise<PayslipRow> {
  await db
    .selectFrom('documents')
    .select('id')
    .where('id', '=', toUuid(id))
    .where('kind', '=', sql.lit('PAYSLIP'))
    .forNoKeyUpdate()
    .execute()
  return payslipById(db, id)
}

/** What is still to be paid of each line of a payslip's document, in the order of the lines. */
export const openLines = (db: Database, payslipId: string) =>
  db
    .selectFrom('documentLines')
    .select(['id', sql<number>`amount_minor - paid_minor`.as('openMinor')])
    .where('documentId', '=', payslipId)
    .whereRef('amountMinor', '>', 'paidMinor')
    .orderBy('position')
    .execute()

/** The payload of the events of a payslip. */
export const payslipPayload = (row: PayslipRow) => ({
  ...{ id: row.id, organizationId: row.organizationId, counterpartyId: row.employeeId, employeeName: row.employeeName },
  ...{ month: row.month.slice(0, 7), status: row.status, currency: row.currency, isFinalPayslip: row.isFinal },
  gross: toMajor(BigInt(row.grossMinor), row.currency),
  net: toMajor(BigInt(row.netMinor), row.currency),
})
