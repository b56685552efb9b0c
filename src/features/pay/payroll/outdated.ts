import { sql } from 'kysely'
import type { Database } from '../../../core/define/operation.ts'
import type { PayMonth } from './month.ts'

/** Whether the payslip `p` is for other days than the employment `e` has in its month, or is the last one by mistake. */
export const hasOtherDays = sql`(p.period_start <> greatest(e.start_date, p.month)
  or p.period_end <> least(coalesce(e.end_date, 'infinity'), (p.month + interval '1 month')::date - 1)
  or p.is_final <> coalesce(e.end_date < (p.month + interval '1 month')::date, false))`

/** Whether terms that apply to the payslip `p` were entered or changed after it was computed. */
export const hasNewerTerms = sql`exists (select from employee_terms t where t.organization_id = p.organization_id
  and t.employee_id = p.employee_id and t.since <= p.period_end and t.updated_at > p.terms_at)`

type Outdated = { payslipId: string; counterpartyId: string; name: string }

/** The drafts of a month whose employment or terms changed after they were computed. */
export async function outdatedDrafts(db: Database, { from }: PayMonth): Promise<Outdated[]> {
  const { rows } = await sql<Outdated>`
    select p.id as "payslipId", p.employee_id as "counterpartyId", coalesce(c.name, c.email, '') as name
    from payslips p
    join employees e on e.organization_id = p.organization_id and e.id = p.employee_id
    join customers c on c.organization_id = e.organization_id and c.id = e.id
    where p.month = ${from}::date and p.voided_at is null and (${hasOtherDays} or ${hasNewerTerms})
      and (select d.issued_at is null from documents d where d.organization_id = p.organization_id and d.id = p.id)
    order by 3, 2`.execute(db)
  return rows
}

type Overpaid = { counterpartyId: string; month: string; endDate: string }

/** Payslips of a year that are in the books and pay somebody beyond the last day, or are the last one and do not say so. */
export async function paidBeyondEnd(db: Database, { from }: PayMonth): Promise<Overpaid[]> {
  const { rows } = await sql<Overpaid>`
    select e.id as "counterpartyId", left(p.month::text, 7) as month, e.end_date as "endDate"
    from employees e
    join payslips p on p.organization_id = e.organization_id and p.employee_id = e.id and p.voided_at is null
      and p.month between (${from}::date - interval '12 months')::date and ${from}::date
    where e.end_date is not null and (p.period_end > e.end_date or p.period_end = e.end_date and not p.is_final)
      and (select d.issued_at is not null from documents d where d.organization_id = p.organization_id and d.id = p.id)
    order by p.month, e.id`.execute(db)
  return rows
}
