import { sql } from 'kysely'
import type { Database } from '../../../../core/define/operation.ts'
import type { Opening } from '../employees/employee.ts'
import type { TermsRow } from '../employees/read.ts'
import type { PayMonth } from '../month.ts'
import { hasNewerTerms, hasOtherDays } from '../outdated.ts'
import type { RunInputs } from '../run-inputs.ts'

/** An employee with all that a payslip is computed from. */
export type PayableEmployee = {
  id: string
  name: string
  startDate: string
  endDate: string | null
  currency: string
  opening: Opening | null
  terms: TermsRow[]
  termsAt: string
  /** The payslip of the month, if there is one that is not void. */
  payslipId: string | null
  earlier: StoredPayslip[]
}

/** An earlier payslip that is not void, since the beginning of the year in which the twelve months before began. */
export type StoredPayslip = {
  month: string
  isDraft: boolean
  inputs: RunInputs
  tables: string
  /** Whether the employment or terms that apply to it were entered or changed after it was computed. */
  isStale: boolean
  /** The bases of the payslip as a whole, with corrections of other months. */
  allBases: Record<string, number>
  /** The part of them that corrects other months, by month. */
  corrections: Record<string, Record<string, number>>
}

/**
 * The employees of an organization who are employed in a month, or the given ones, with their terms and their earlier payslips.
 * The bases of a calendar year are complete, also of the year before, because earlier months may be computed again.
 */
export async function loadEmployees(db: Database, month: PayMonth, ids: readonly string[] | null) {
  const { rows } = await sql<PayableEmployee>`
    select e.id, coalesce(c.name, c.email, '') as name, e.start_date as "startDate", e.end_date as "endDate", e.currency, e.opening, t.terms,
      t.at as "termsAt", own.id as "payslipId", coalesce(earlier.payslips, '[]') as earlier
    from employees e
    join customers c on c.organization_id = e.organization_id and c.id = e.id
    left join payslips own on own.organization_id = e.organization_id and own.employee_id = e.id and own.month = ${month.from}::date and own.voided_at is null
    cross join lateral (select coalesce(jsonb_agg(jsonb_build_object('since', t.since, 'wageMinor', t.wage_minor, 'facts', t.facts) order by t.since), '[]') as terms,
      to_jsonb(max(t.updated_at) filter (where t.since <= ${month.to}::date)) #>> '{}' as at
      from employee_terms t where t.organization_id = e.organization_id and t.employee_id = e.id) t
    left join lateral (select jsonb_agg(jsonb_build_object('month', p.month, 'isDraft', d.issued_at is null, 'inputs', p.inputs, 'tables', p.tables,
        'allBases', p.bases, 'corrections', p.corrections, 'isStale', ${hasOtherDays} or ${hasNewerTerms}) order by p.month) as payslips
      from payslips p
      cross join lateral (select d.issued_at from documents d where d.organization_id = p.organization_id and d.id = p.id offset 0) d
      where p.organization_id = e.organization_id and p.employee_id = e.id and p.voided_at is null
        and p.month < ${month.from}::date and p.month >= date_trunc('year', ${month.from}::date - interval '12 months')::date) earlier on true
    where ${
      ids === null
        ? sql`e.start_date <= ${month.to}::date and coalesce(e.end_date >= ${month.from}::date, true)`
        : sql`e.id = any (${ids as string[]}::uuid[])`
    }
    order by e.id`.execute(db)
  return rows
}

/** What was paid for earlier months: amounts in minor units by employee, by month, and by `kind code`. */
export type PaidAmounts = ReadonlyMap<string, ReadonlyMap<string, Readonly<Record<string, number>>>>

/** Reads what the payslips of employees have paid for each month before this one, with later corrections of the month. */
export async function loadPaid(db: Database, month: PayMonth, ids: readonly string[]): Promise<PaidAmounts> {
  const paid = new Map<string, Map<string, Record<string, number>>>()
  if (ids.length === 0) return paid
  const { rows } = await sql<{ id: string; month: string; amounts: Record<string, number> }>`
    select a.id, a.month, jsonb_object_agg(a.key, a.minor) as amounts from (
      select p.employee_id as id, coalesce(l.corrects, p.month) as month, l.kind || ' ' || l.code as key, sum(l.amount_minor) as minor
      from payslips p
      cross join lateral (select l.* from payslip_lines l where l.organization_id = p.organization_id and l.payslip_id = p.id offset 0) l
      where p.employee_id = any (${ids as string[]}::uuid[]) and p.voided_at is null and p.month < ${month.from}::date
        and p.month >= (${month.from}::date - interval '24 months')::date
      group by 1, 2, 3) a
    group by 1, 2`.execute(db)
  for (const row of rows) paid.set(row.id, (paid.get(row.id) ?? new Map()).set(row.month, row.amounts))
  return paid
}

/** The bases of the calendar year before a month: opening balances and earlier payslips. */
export function basesBefore({ earlier, opening }: Pick<PayableEmployee, 'earlier' | 'opening'>, month: string) {
  const year = month.slice(0, 4)
  const sums: Record<string, bigint> = {}
  const add = (bases: Record<string, number> | undefined) => {
    for (const [name, minor] of Object.entries(bases ?? {})) sums[name] = (sums[name] ?? 0n) + BigInt(minor)
  }
  if (opening && String(opening.year) === year) add(opening.bases)
  for (const payslip of earlier) if (payslip.month.startsWith(year) && payslip.month < month) add(payslip.allBases)
  return sums
}

/** The bases of one earlier payslip without what it corrects, and with what later payslips corrected of it. */
export function ownBases(
  { earlier }: Pick<PayableEmployee, 'earlier'>,
  payslip: StoredPayslip,
): Record<string, number> {
  const sums: Record<string, number> = { ...payslip.allBases }
  const add = (bases: Record<string, number>, sign: 1 | -1) => {
    for (const [name, minor] of Object.entries(bases)) sums[name] = (sums[name] ?? 0) + sign * minor
  }
  for (const bases of Object.values(payslip.corrections)) add(bases, -1)
  for (const later of earlier) add(later.corrections[payslip.month] ?? {}, 1)
  return sums
}
