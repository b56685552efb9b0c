import { sql } from 'kysely'
import type { Database } from '../../../../core/define/operation.ts'
import { pipeline } from '../../../../db/pipeline.ts'
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
  const payslipOf = new Map(payslips.map((payslip) => [payslip.employeeId, payslip]))
  const paidOn = new Map(paid.map((each) => [each.id, each]))
  const creditOf = new Map(credits.map(({ id, open }) => [id, open]))
  return people.map(({ counterpartyId, name, leaves }) => {
    const payslip = payslipOf.get(counterpartyId)
    const { payslipId, gross, net, contributions, isFinalPayslip } = payslip ?? { ...noPayslip, isFinalPayslip: leaves }
    const { status, schemeAmounts, netOutstanding, statutoryOutstanding } = owed.get(payslipId ?? '') ?? nothingOwed
    const { hasAppliedAdvances, hasPayments } = paidOn.get(payslipId ?? '') ?? nothingPaid
    const openCredit = creditOf.get(counterpartyId) ?? 0
    return {
      counterpartyId,
      name,
      payslipId,
      status,
      gross,
      net,
      contributions,
      schemeAmounts,
      openCredit,
      netOutstanding,
      statutoryOutstanding,
      hasAppliedAdvances,
      hasPayments,
      isFinalPayslip,
    }
  })
}

const noPayslip = { payslipId: null, gross: 0, net: 0, contributions: 0 } as const
const nothingOwed: Owed = { status: 'DRAFT', schemeAmounts: {}, netOutstanding: 0, statutoryOutstanding: 0 }
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

type Payslip = Pick<SummaryRow, 'gross' | 'net' | 'contributions' | 'isFinalPayslip'> & {
  payslipId: string
  employeeId: string
}

async function payslipsOf(db: Database, { from }: PayMonth): Promise<Payslip[]> {
  const { rows } = await sql<Payslip>`
    select p.id as "payslipId", p.employee_id as "employeeId", p.gross_minor as gross, p.net_minor as net,
      p.contributions_minor as contributions, p.is_final as "isFinalPayslip"
    from payslips p where p.month = ${from}::date and p.voided_at is null`.execute(db)
  return rows
}

type Owed = Pick<SummaryRow, 'status' | 'schemeAmounts' | 'netOutstanding' | 'statutoryOutstanding'>

/**
 * Status, net pay and schemes of each payslip, by its id. The documents and lines are found by an array of ids in one pass through
 * their index, where a join descends into it once for each payslip; and they come as two texts, because thousands of rows take
 * longer to decode than to read.
 */
async function owedOf(db: Database, { from }: PayMonth): Promise<Map<string, Owed>> {
  const { rows } = await sql<{ statuses: string; lines: string }>`
    with slips as materialized (select array_agg(p.id) as ids from payslips p where p.month = ${from}::date and p.voided_at is null)
    select coalesce((select string_agg(d.id || ' ' || d.status, ' ') from documents d where d.id = any ((select ids from slips)::uuid[])), '') as statuses,
      coalesce((select string_agg(l.document_id || ' ' || l.id || ' ' || l.amount_minor || ' ' || l.paid_minor, ' ')
        from document_lines l where l.document_id = any ((select ids from slips)::uuid[])), '') as lines`.execute(db)
  const [statuses = [], lines = []] = [rows[0]?.statuses.split(' '), rows[0]?.lines.split(' ')]
  const owed = new Map<string, Owed>()
  for (let at = 0; at + 1 < statuses.length; at += 2) {
    const status = statuses[at + 1] as Owed['status']
    owed.set(statuses[at] ?? '', { status, schemeAmounts: {}, netOutstanding: 0, statutoryOutstanding: 0 })
  }
  for (let at = 0; at + 3 < lines.length; at += 4) {
    const [of, line, amountMinor] = [owed.get(lines[at] ?? ''), lines[at + 1] ?? '', Number(lines[at + 2])]
    if (of) addLine(of, line, amountMinor, amountMinor - Number(lines[at + 3]))
  }
  return owed
}

function addLine(owed: Owed, line: string, amountMinor: number, openMinor: number) {
  if (line === netLine) owed.netOutstanding += openMinor
  else {
    owed.schemeAmounts[line] = amountMinor
    owed.statutoryOutstanding += openMinor
  }
}

type Paid = { id: string } & Pick<SummaryRow, 'hasAppliedAdvances' | 'hasPayments'>

async function paidOf(db: Database, { from }: PayMonth): Promise<Paid[]> {
  const { rows } = await sql<Paid>`
    select a.document_id as id, bool_or(m.source = 'ADVANCE') as "hasAppliedAdvances", bool_or(m.source <> 'ADVANCE') as "hasPayments"
    from allocations a join payments m on m.organization_id = a.organization_id and m.id = a.payment_id
    where a.document_id = any (array(select p.id from payslips p where p.month = ${from}::date and p.voided_at is null))
      and a.voided_at is null group by 1`.execute(db)
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
