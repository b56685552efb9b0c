import { sql } from 'kysely'
import type { Database } from '../../../core/define/operation.ts'
import { Type } from '../../../core/define/schema.ts'
import type { PayLine } from '../../../countries/payroll/payroll.ts'
import type { Opening } from '../payroll/employees/employee.ts'
import type { StoredFacts } from '../payroll/stored-facts.ts'
import { type FormProblem, toCheck } from './form-problem.ts'

/** A payslip that counts for a form: approved or paid, not void. Amounts are minor units. */
export type PaidPayslip = {
  id: string
  employeeId: string
  /** The first day of its month. */
  month: string
  facts: StoredFacts
  bases: Record<string, number>
  /** The sums of its lines, corrections of earlier months among them, by kind and code: `DEDUCTION FIT`. */
  amounts: Record<string, number>
  hasCorrections: boolean
}

/** An employee with the payslips of a period, the earliest first. */
export type PaidEmployee = {
  id: string
  name: string
  address: string | null
  idNumber: string | null
  employeeNumber: string | null
  jobTitle: string | null
  startDate: string
  endDate: string | null
  opening: Opening | null
  payslips: readonly PaidPayslip[]
}

/**
 * The employees who have payslips in the months from `from` to `to`, or opening balances of the year `openingOf`. Drafts and void
 * payslips do not count.
 */
export async function paidEmployees(
  db: Database,
  {
    from,
    to,
    employeeId,
    openingOf,
  }: { from: string; to: string; employeeId?: string | undefined; openingOf?: number },
): Promise<PaidEmployee[]> {
  const ofEmployee = employeeId === undefined ? sql`` : sql`and p.employee_id = ${employeeId}::uuid`
  const withOpening =
    openingOf === undefined
      ? sql``
      : sql`or (e.opening ->> 'year' = ${String(openingOf)} ${employeeId === undefined ? sql`` : sql`and e.id = ${employeeId}::uuid`})`
  const { rows } = await sql<PaidEmployee>`
    with slips as materialized (
      select p.id, p.employee_id, p.month, p.facts, p.bases, p.corrections from payslips p
      join documents d on d.organization_id = p.organization_id and d.id = p.id
      where p.month between ${from}::date and ${to}::date and p.voided_at is null and d.status in ('APPROVED', 'PAID') ${ofEmployee}
    ), sums as materialized (
      select l.payslip_id, l.kind || ' ' || l.code as code, sum(l.amount_minor) as minor from payslip_lines l
      where l.payslip_id in (select s.id from slips s) group by 1, 2
    ), amounts as materialized (
      select s.payslip_id, jsonb_object_agg(s.code, s.minor) as amounts from sums s group by 1
    ), paid as materialized (
      select s.employee_id, jsonb_agg(jsonb_build_object('id', s.id, 'employeeId', s.employee_id, 'month', s.month, 'facts', s.facts,
        'bases', s.bases, 'amounts', coalesce(a.amounts, '{}'), 'hasCorrections', s.corrections <> '{}') order by s.month) as payslips
      from slips s left join amounts a on a.payslip_id = s.id group by 1
    )
    select e.id, coalesce(c.name, c.email, '') as name, e.address, e.id_number as "idNumber", e.employee_number as "employeeNumber",
      e.job_title as "jobTitle", e.start_date as "startDate", e.end_date as "endDate",
      ${openingOf === undefined ? sql`null` : sql`case when e.opening ->> 'year' = ${String(openingOf)} then e.opening end`} as opening,
      coalesce(p.payslips, '[]') as payslips
    from employees e
    join customers c on c.organization_id = e.organization_id and c.id = e.id
    left join paid p on p.employee_id = e.id
    where p.employee_id is not null ${withOpening}
    order by lower(c.name), e.id`.execute(db)
  return rows
}

/** The sum of lines, by kind and code. */
export const amountOf = (payslips: readonly PaidPayslip[], kind: PayLine['kind'], ...codes: string[]): bigint =>
  sumOf(payslips, ({ amounts }) => codes.map((code) => amounts[`${kind} ${code}`]))

/** The sum of a base. */
export const baseOf = (payslips: readonly PaidPayslip[], ...names: string[]): bigint =>
  sumOf(payslips, ({ bases }) => names.map((name) => bases[name]))

function sumOf(payslips: readonly PaidPayslip[], of: (payslip: PaidPayslip) => (number | undefined)[]): bigint {
  let sum = 0n
  for (const payslip of payslips) for (const minor of of(payslip)) sum += BigInt(minor ?? 0)
  return sum
}

/** An amount of the opening balances of a year, of which the first that is given counts; none if none is. */
export function openingOf(
  { opening }: Pick<PaidEmployee, 'opening'>,
  field: 'bases' | 'amounts',
  ...names: string[]
): bigint {
  const given = names.map((name) => opening?.[field]?.[name]).find((minor) => minor !== undefined)
  return BigInt(given ?? 0)
}

export const Year = Type.Integer({ minimum: 2000, maximum: 2100, description: 'A calendar year.', examples: [2026] })

/** The first day of the first and of the last month of a year. */
export const monthsOf = (year: number) => ({ from: `${year}-01-01`, to: `${year}-12-01` })

/** A warning for payslips of the months that are drafts: a form does not have them. */
export async function draftProblems(db: Database, { from, to }: { from: string; to: string }): Promise<FormProblem[]> {
  const { rows } = await sql<{ drafts: number }>`select count(*)::integer as drafts from payslips p
    join documents d on d.organization_id = p.organization_id and d.id = p.id
    where p.month between ${from}::date and ${to}::date and d.status = 'DRAFT'`.execute(db)
  const drafts = rows[0]?.drafts ?? 0
  return drafts === 0 ? [] : [toCheck('DRAFTS', `${drafts} payslips of the period are drafts, and do not count.`)]
}
