import { sql } from 'kysely'
import type { Database } from '../../../core/define/operation.ts'
import { pipeline } from '../../../db/pipeline.ts'
import { netLine } from '../kind.ts'
import type { PayMonth } from '../month.ts'

/** One employee of a month: the payslip that is not void, or zeros. Amounts are minor units. */
export type SummaryRow = {
  counterpartyId: string
  name: string
  payslipId: string | null
  status: 'DRAFT' | 'APPROVED' | 'PAID'
  gross: number
  net: number
  contributions: number
  schemeAmounts: Record<string, number>
  openCredit: number
  netOutstanding: number
  statutoryOutstanding: number
  hasAppliedAdvances: boolean
  hasPayments: boolean
  isFinalPayslip: boolean
}

/**
 * The employees of a month: everybody who is employed in it or has a payslip for it. A fixed number of reads for any number of
 * them; they are joined here, because how PostgreSQL joins them depends on statistics that may be old.
 */
export async function summaryRows(db: Database, month: PayMonth): Promise<SummaryRow[]> {
  const { people, payslips, owed, paid, credits } = await pipeline({
    people: peopleOf(db, month),
    payslips: payslipsOf(db, month),
    owed: owedOf(db, month),
    paid: paidOf(db, month),
    credits: openCredits(db),
  })
  const payslipOf = new Map(payslips.map(({ employeeId, ...payslip }) => [employeeId, payslip]))
  const [owedOn, paidOn] = [byId(owed), byId(paid)]
  const creditOf = byId(credits)
  return people.map(({ leaves, ...person }) => {
    const payslip = payslipOf.get(person.counterpartyId)
    const { id: _, ...due } = (payslip && owedOn.get(payslip.payslipId)) ?? { id: '', ...nothingOwed }
    const { id: __, ...has } = (payslip && paidOn.get(payslip.payslipId)) ?? { id: '', ...nothingPaid }
    const openCredit = creditOf.get(person.counterpartyId)?.open ?? 0
    return { ...person, ...(payslip ?? { ...noPayslip, isFinalPayslip: leaves }), ...due, ...has, openCredit }
  })
}

const byId = <Row extends { id: string }>(rows: readonly Row[]) => new Map(rows.map((row) => [row.id, row]))

const noPayslip = { payslipId: null, status: 'DRAFT', gross: 0, net: 0, contributions: 0 } as const
const nothingOwed = { schemeAmounts: {}, netOutstanding: 0, statutoryOutstanding: 0 }
const nothingPaid = { hasAppliedAdvances: false, hasPayments: false }

type Person = { counterpartyId: string; name: string; leaves: boolean }

async function peopleOf(db: Database, { from, to }: PayMonth): Promise<Person[]> {
  const { rows } = await sql<Person>`
    select e.id as "counterpartyId", coalesce(c.name, c.email, '') as name,
      coalesce(e.end_date between ${from}::date and ${to}::date, false) as leaves
    from employees e join customers c on c.organization_id = e.organization_id and c.id = e.id
    where e.start_date <= ${to}::date and coalesce(e.end_date >= ${from}::date, true) or exists (select from payslips p
      where p.organization_id = e.organization_id and p.employee_id = e.id and p.month = ${from}::date and p.voided_at is null)
    order by lower(c.name), e.id`.execute(db)
  return rows
}

type Payslip = Pick<SummaryRow, 'status' | 'gross' | 'net' | 'contributions' | 'isFinalPayslip'> & {
  payslipId: string
  employeeId: string
}

async function payslipsOf(db: Database, { from }: PayMonth): Promise<Payslip[]> {
  const { rows } = await sql<Payslip>`
    select p.id as "payslipId", p.employee_id as "employeeId", d.status, p.gross_minor as gross, p.net_minor as net,
      p.contributions_minor as contributions, p.is_final as "isFinalPayslip"
    from payslips p
    -- with offset 0 each document is looked up by its id, whatever number of them PostgreSQL expects
    cross join lateral (select d.status from documents d where d.organization_id = p.organization_id and d.id = p.id offset 0) d
    where p.month = ${from}::date and p.voided_at is null`.execute(db)
  return rows
}

type Owed = { id: string } & Pick<SummaryRow, 'schemeAmounts' | 'netOutstanding' | 'statutoryOutstanding'>

async function owedOf(db: Database, { from }: PayMonth): Promise<Owed[]> {
  const { rows } = await sql<Owed>`
    select p.id, l.* from payslips p
    cross join lateral (select coalesce(json_object_agg(l.id, l.amount_minor) filter (where l.id <> ${sql.lit(netLine)}), '{}') as "schemeAmounts",
      coalesce(sum(l.amount_minor - l.paid_minor) filter (where l.id = ${sql.lit(netLine)}), 0)::bigint as "netOutstanding",
      coalesce(sum(l.amount_minor - l.paid_minor) filter (where l.id <> ${sql.lit(netLine)}), 0)::bigint as "statutoryOutstanding"
      from document_lines l where l.organization_id = p.organization_id and l.document_id = p.id) l
    where p.month = ${from}::date and p.voided_at is null`.execute(db)
  return rows
}

type Paid = { id: string } & Pick<SummaryRow, 'hasAppliedAdvances' | 'hasPayments'>

async function paidOf(db: Database, { from }: PayMonth): Promise<Paid[]> {
  const { rows } = await sql<Paid>`
    select p.id, bool_or(m.source = 'ADVANCE') as "hasAppliedAdvances", bool_or(m.source <> 'ADVANCE') as "hasPayments"
    from payslips p
    cross join lateral (select a.organization_id, a.payment_id from allocations a
      where a.organization_id = p.organization_id and a.document_id = p.id and a.voided_at is null offset 0) a
    cross join lateral (select m.source from payments m where m.organization_id = a.organization_id and m.id = a.payment_id offset 0) m
    where p.month = ${from}::date and p.voided_at is null group by p.id`.execute(db)
  return rows
}

/** Advances and net pay that are open, by employee. */
async function openCredits(db: Database): Promise<{ id: string; open: number }[]> {
  const { rows } = await sql<{ id: string; open: number }>`
    select p.counterparty_id as id, sum(p.amount_minor - p.allocated_minor - p.refunded_minor)::bigint as open
    from payments p where p.kind = 'PAYSLIP' and p.counterparty_id is not null and p.voided_at is null
      and p.refund_of is null and p.amount_minor > p.allocated_minor + p.refunded_minor group by 1`.execute(db)
  return rows
}

export type ClaimRow = {
  id: string
  scheme: string
  authorityOrgId: string
  authorityName: string
  claimed: number
  settled: number
  coversUntil: string
}

/** Every claim for government-paid leave that is not void, the oldest first. */
export async function leaveClaimRows(db: Database): Promise<ClaimRow[]> {
  const { rows } = await sql<ClaimRow>`
    select c.id, c.scheme, d.counterparty_id as "authorityOrgId", d.counterparty_name as "authorityName", d.total_minor as claimed,
      d.paid_minor as settled, c.covers_until as "coversUntil"
    from leave_claims c join documents d on d.organization_id = c.organization_id and d.id = c.id
    where d.status <> 'VOID' order by c.covers_until, c.id`.execute(db)
  return rows
}

export type ReimbursementRow = { counterpartyId: string; currency: string; open: number; documentIds: string[] }

/** Approved claims of people that are not reimbursed yet. */
export async function reimbursementRows(db: Database): Promise<ReimbursementRow[]> {
  const { rows } = await sql<ReimbursementRow>`
    select e.claimant_id as "counterpartyId", d.currency, sum(open_minor(d))::bigint as open, array_agg(d.id order by d.id) as "documentIds"
    from expenses e join documents d on d.organization_id = e.organization_id and d.id = e.id
    where e.claimant_id is not null and d.kind = 'EXPENSE' and d.document_type = 'EXPENSE' and d.status = 'APPROVED' and open_minor(d) > 0
    group by 1, 2 order by 1, 2`.execute(db)
  return rows
}
