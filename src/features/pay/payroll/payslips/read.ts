import { sql } from 'kysely'
import type { Database } from '../../../../core/define/operation.ts'
import { byId, one, toUuid } from '../../../../core/define/query.ts'
import type { PayLine } from '../../../../countries/payroll/payroll.ts'
import type { AttachmentRow } from '../../../selling/documents/attachments/attachment.ts'
import { netLine, type PayslipStatus } from '../kind.ts'
import type { LineKind, StoredStep } from './payslip.ts'

/** Payslips `p` with their documents `d`. */
const payslips = (db: Database) =>
  db
    .selectFrom('payslips as p')
    .innerJoin('documents as d', (join) =>
      join.onRef('d.organizationId', '=', 'p.organizationId').onRef('d.id', '=', 'p.id'),
    )
    .select(sql<PayslipStatus>`d.status`.as('status'))

/** The same with their employees `e`. */
const withEmployees = (db: Database) =>
  payslips(db).innerJoin('employees as e', (join) =>
    join.onRef('e.organizationId', '=', 'p.organizationId').onRef('e.id', '=', 'p.employeeId'),
  )

/** What operations decide by. */
const decidedBy = (db: Database) =>
  payslips(db)
    .select([
      'p.id', 'p.organizationId', 'p.employeeId', 'p.month', 'p.periodStart', 'p.periodEnd', 'p.isFinal', 'p.grossMinor',
      'p.reimbursementsMinor', 'p.netMinor', 'p.contributionsMinor', 'p.wageMinor', 'p.facts', 'p.inputs', 'd.currency', 'd.totalMinor',
      'd.paidMinor', 'd.counterpartyName as employeeName',
    ]) // biome-ignore format: a list of words
    .select(
      sql<number>`coalesce((select l.paid_minor from document_lines l where l.organization_id = d.organization_id and l.document_id = d.id
        and l.id = ${sql.lit(netLine)}), 0)`.as('netPaidMinor'),
    )
export type PayslipRow = Awaited<ReturnType<ReturnType<typeof decidedBy>['executeTakeFirstOrThrow']>>

export const payslipById = (db: Database, id: string) => one(decidedBy(db).where('p.id', '=', toUuid(id)), 'payslip')

export const payslipsById = (db: Database, ids: readonly string[]) =>
  decidedBy(db)
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

/** The payslips of a person that they may see themselves, the latest first. */
export function payslipsOfUser(db: Database, userId: string, year: number | undefined) {
  const query = withEmployees(db)
    .select(['p.id', 'd.currency', 'p.netMinor', 'p.periodStart', 'p.periodEnd', 'd.issueDate'])
    .where('e.userId', '=', userId)
    .where('d.status', 'in', ['APPROVED', 'PAID'])
    .orderBy('p.month', 'desc')
    .orderBy('p.id')
  return (year === undefined ? query : query.where(sql<number>`extract(year from p.month)`, '=', year)).execute()
}

export const listed = (db: Database) =>
  withEmployees(db).select([
    'p.id', 'p.organizationId', 'p.employeeId', 'p.month', 'p.periodStart', 'p.periodEnd', 'p.isFinal', 'p.grossMinor', 'p.netMinor',
    'p.contributionsMinor', 'd.currency', 'd.issueDate', 'd.createdAt', 'd.updatedAt', 'd.counterpartyName as employeeName',
  ]) // biome-ignore format: a list of words
export type ListedRow = Awaited<ReturnType<ReturnType<typeof listed>['executeTakeFirstOrThrow']>>

export type OwedRow = { code: string; amountMinor: number; paidMinor: number }
export type PaidRow = { paymentId: string; source: string; paidAt: string; method: string | null; amountMinor: number }
export type SummedRow = { kind: LineKind; code: string; description: string; minor: number }
type LeaveSums = { vacationAccrued: number; vacationUsed: number; sickAccrued: number; sickUsed: number }

const whole = (db: Database) =>
  listed(db)
    .select([
      'p.reimbursementsMinor', 'p.deductionsMinor', 'p.wageMinor', 'p.tables', 'p.facts', 'p.bases', 'p.corrections', 'p.work', 'p.warnings',
      'p.computedAt', 'p.voidedAt', 'd.issuedAt', 'e.employeeNumber', 'e.jobTitle', 'e.startDate', 'e.endDate', 'e.payslipLanguage', 'e.opening',
    ]) // biome-ignore format: a list of words
    .select([
      sql<
        LineRow[]
      >`(select coalesce(jsonb_agg(jsonb_build_object('kind', l.kind, 'code', l.code, 'description', l.description,
          'amountMinor', l.amount_minor, 'corrects', l.corrects, 'steps', l.steps) order by l.position), '[]')
        from payslip_lines l where l.organization_id = p.organization_id and l.payslip_id = p.id)`.as('lines'),
      sql<
        OwedRow[]
      >`(select coalesce(jsonb_agg(jsonb_build_object('code', l.id, 'amountMinor', l.amount_minor, 'paidMinor', l.paid_minor)
          order by l.position), '[]') from document_lines l where l.organization_id = p.organization_id and l.document_id = p.id)`.as(
        'owed',
      ),
      sql<
        PaidRow[]
      >`(select coalesce(jsonb_agg(jsonb_build_object('paymentId', y.id, 'source', y.source, 'paidAt', y.paid_at, 'method', y.method,
          'amountMinor', a.minor) order by y.paid_at, y.id), '[]')
        from (select a.payment_id, sum(a.amount_minor) as minor from allocations a
          where a.organization_id = p.organization_id and a.document_id = p.id and a.voided_at is null group by 1) a
        join payments y on y.organization_id = p.organization_id and y.id = a.payment_id)`.as('paid'),
      sql<
        ConsentRow[]
      >`(select coalesce(jsonb_agg(jsonb_build_object('affirmed', k.affirmed, 'at', k.consented_at, 'attachmentId', k.attachment_id,
          'authorizeFinalPaySetoff', k.final_authorized, 'appliedMinor', k.applied_minor, 'rule', k.rule, 'createdAt', k.created_at) order by k.id), '[]')
        from payslip_consents k where k.organization_id = p.organization_id and k.payslip_id = p.id)`.as('consents'),
      sql<
        AttachmentRow[]
      >`(select coalesce(jsonb_agg(jsonb_build_object('id', a.id, 'fileId', f.id, 'fileName', f.file_name, 'fileType', f.file_type,
          'fileSize', f.file_size) order by a.position), '[]')
        from document_attachments a join files f on f.organization_id = a.organization_id and f.id = a.file_id
        where a.organization_id = p.organization_id and a.document_id = p.id)`.as('attached'),
      sql<
        SummedRow[]
      >`(select coalesce(jsonb_agg(to_jsonb(s) order by s.first, s.kind, s.code, s.description), '[]') from (
          select l.kind, l.code, case when l.code in ('ADJUSTMENT', 'LEAVE_PAY', 'REIMBURSEMENT') and l.corrects is null then l.description else '' end as description,
            sum(l.amount_minor) as minor, min(l.position) as first
          from payslips q join payslip_lines l on l.organization_id = q.organization_id and l.payslip_id = q.id
          where q.organization_id = p.organization_id and q.employee_id = p.employee_id and q.month between date_trunc('year', p.month)::date and p.month
            and (q.id = p.id or q.voided_at is null and q.month < p.month)
          group by 1, 2, 3) s)`.as('summed'),
      sql<LeaveSums>`(select jsonb_build_object('vacationAccrued', coalesce(sum((q.work ->> 'vacationAccrued')::numeric), 0),
          'vacationUsed', coalesce(sum((q.work ->> 'vacationUsed')::numeric), 0), 'sickAccrued', coalesce(sum((q.work ->> 'sickAccrued')::numeric), 0),
          'sickUsed', coalesce(sum((q.work ->> 'sickUsed')::numeric), 0))
        from payslips q where q.organization_id = p.organization_id and q.employee_id = p.employee_id and q.month < p.month and q.voided_at is null
          and extract(year from q.month) >= coalesce((e.opening ->> 'year')::integer, 0))`.as('leaveBefore'),
    ])

type LineRow = Omit<PayLine, 'amountMinor' | 'steps'> & {
  amountMinor: number
  corrects: string | null
  steps: StoredStep[]
}
type ConsentRow = {
  affirmed: boolean
  at: string | null
  attachmentId: string | null
  authorizeFinalPaySetoff: boolean
  appliedMinor: number
  rule: string
  createdAt: string
}

export const wholePayslipById = byId((db, id) => whole(db).where('p.id', '=', id))
export type WholePayslip = Awaited<ReturnType<ReturnType<typeof whole>['executeTakeFirstOrThrow']>>

/** The document line of the net pay; there is none if the net pay is zero. */
export const netOwed = ({ owed }: Pick<WholePayslip, 'owed'>) => owed.find(({ code }) => code === netLine)
