import { sql } from 'kysely'
import type { Database } from '../../../core/define/operation.ts'
import type { Opening } from '../payroll/employees/employee.ts'
import type { StoredFacts } from '../payroll/stored-facts.ts'

/** A payslip that is not void, with what forms report. Amounts are minor units. */
export type ReportedPayslip = {
  employeeId: string
  /** A month such as 2026-03. */
  month: string
  isDraft: boolean
  facts: StoredFacts
  grossMinor: number
  netMinor: number
  /** By the names of the bases, with corrections of earlier months. */
  bases: Record<string, number>
  /** By the codes of the lines, with corrections of earlier months. */
  amounts: Record<string, number>
}

/** The person on a form. */
export type ReportedEmployee = {
  employeeId: string
  name: string
  idNumber: string | null
  employeeNumber: string | null
  startDate: string
  endDate: string | null
  opening: Opening | null
  payslips: ReportedPayslip[]
}

/** From the first day of one month to the first day of another, both included. */
export type Months = { from: string; to: string }

/**
 * The employees with a payslip of these months that is not void, or with opening balances of a year, by name; or one employee.
 * A correction is in the month in which it is paid.
 */
export async function readReported(
  db: Database,
  { from, to }: Months,
  { employeeId = null, openingYear = null }: { employeeId?: string | null; openingYear?: number | null } = {},
): Promise<ReportedEmployee[]> {
  const { rows } = await sql<ReportedEmployee>`
    with slips as materialized (
      select s.employee_id, jsonb_agg(jsonb_build_object('employeeId', s.employee_id, 'month', to_char(s.month, 'YYYY-MM'), 'isDraft', d.issued_at is null,
        'facts', s.facts, 'grossMinor', s.gross_minor, 'netMinor', s.net_minor, 'bases', s.bases, 'amounts', coalesce(a.amounts, '{}')) order by s.month) as payslips
      from payslips s
      join documents d on d.organization_id = s.organization_id and d.id = s.id
      left join lateral (select jsonb_object_agg(x.code, x.minor) as amounts from (select l.code, sum(l.amount_minor) as minor from payslip_lines l
        where l.organization_id = s.organization_id and l.payslip_id = s.id group by 1) x) a on true
      where s.voided_at is null and s.month between ${from}::date and ${to}::date
        and (${employeeId}::uuid is null or s.employee_id = ${employeeId}::uuid)
      group by 1
    )
    select e.id as "employeeId", coalesce(c.name, c.email, '') as name, e.id_number as "idNumber", e.employee_number as "employeeNumber",
      e.start_date as "startDate", e.end_date as "endDate",
      case when (e.opening ->> 'year')::int = ${openingYear}::int then e.opening end as opening, coalesce(s.payslips, '[]') as payslips
    from employees e
    join customers c on c.organization_id = e.organization_id and c.id = e.id
    left join slips s on s.employee_id = e.id
    where (${employeeId}::uuid is null or e.id = ${employeeId}::uuid)
      and (${employeeId}::uuid is not null or s.employee_id is not null or (e.opening ->> 'year')::int = ${openingYear}::int)
    order by lower(coalesce(c.name, c.email, '')), e.id`.execute(db)
  return rows
}

/** What a form counts: payslips that were approved or paid. */
export const finalOnes = (payslips: readonly ReportedPayslip[]): ReportedPayslip[] =>
  payslips.filter(({ isDraft }) => !isDraft)
