import { operation } from '../../../../core/define/operation.ts'
import { Count, Id, nullable, OneOf, type Static, Text, Type } from '../../../../core/define/schema.ts'
import { daysBetween, today } from '../../../../core/values/day.ts'
import { add, toMajor } from '../../../../core/values/money.ts'
import { pipeline } from '../../../../db/pipeline.ts'
import { organizationContext } from '../../../../ledger/organization-context.ts'
import { Month, payMonth } from '../month.ts'
import { rulesOf } from '../rules.ts'
import { type ClaimRow, leaveClaimRows, reimbursementRows, type SummaryRow, summaryRows } from './read.ts'

const EmployeeSummary = Type.Object({
  counterpartyId: Id,
  name: Text,
  payslipId: Type.Optional(Id),
  status: OneOf('DRAFT', 'APPROVED', 'PAID'),
  gross: Type.Number(),
  net: Type.Number(),
  schemeAmounts: Type.Record(Type.String(), Type.Number()),
  openCredit: Type.Number({ description: 'Advances and net pay that are open.' }),
  netOutstanding: Type.Number(),
  statutoryOutstanding: Type.Number(),
  hasAppliedAdvances: Type.Boolean(),
  hasPayments: Type.Boolean(),
  isFinalPayslip: Type.Boolean(),
})

const LeaveOutstanding = Type.Object({
  scheme: Text,
  authorityOrgId: nullable(Id),
  authorityName: nullable(Text),
  claimed: Type.Number(),
  settled: Type.Number(),
  outstanding: Type.Number(),
  oldestUnsettledCovers: nullable(Type.String({ description: 'The last day that the oldest unsettled claim covers.' })),
  ageDays: nullable(Count),
  lineIds: Type.Array(Id, { description: 'The claims that are not settled, for payroll_gpl_settle.' }),
})

export const summary = operation({
  name: 'payroll_summary',
  http: 'GET /api/payroll/summary',
  does: 'Shows a month of payroll. It has each employee with gross, net, schemes and what is outstanding, the totals, leave that authorities owe, and claims to reimburse.',
  scope: 'payroll:read',
  role: 'CONTRIBUTOR',
  within: 'organizationId',
  input: Type.Object({ organizationId: Id, month: Type.Optional(Month) }),
  output: Type.Object({
    month: Type.String(),
    schemes: Type.Array(Text),
    schemeLabels: Type.Record(Type.String(), Type.String()),
    employees: Type.Array(EmployeeSummary),
    totals: Type.Object({
      gross: Type.Number(),
      net: Type.Number(),
      employerCost: Type.Number(),
      openCredits: Type.Number(),
    }),
    gplOutstanding: Type.Array(LeaveOutstanding),
    reimbOutstanding: Type.Array(
      Type.Object({ counterpartyId: Id, amount: Type.Number(), currency: Text, documentIds: Type.Array(Id) }),
    ),
  }),
  async run({ db, now }, { month: text }) {
    const organization = await organizationContext(db)
    const month = payMonth(text, { now, timezone: organization.timezone })
    const { rows, claims, reimbursements } = await pipeline({
      rows: summaryRows(db, month),
      claims: leaveClaimRows(db),
      reimbursements: reimbursementRows(db),
    })
    const { payroll, currency } = rulesOf(organization)
    const sum = (of: (row: SummaryRow) => number) => toMajor(add(rows.map((row) => BigInt(of(row)))), currency)
    return {
      month: month.month,
      schemes: payroll.schemes.map(({ code }) => code),
      schemeLabels: Object.fromEntries(payroll.schemes.map(({ code, label }) => [code, label])),
      employees: rows.map((row) => toEmployeeSummary(row, currency)),
      totals: {
        gross: sum(({ gross }) => gross),
        net: sum(({ net }) => net),
        employerCost: sum(({ gross, contributions }) => gross + contributions),
        openCredits: sum(({ openCredit }) => openCredit),
      },
      gplOutstanding: leaveOutstanding(claims, { currency, day: today(now, organization.timezone) }),
      reimbOutstanding: reimbursements.map(({ open, ...row }) => ({
        ...row,
        amount: toMajor(BigInt(open), row.currency),
      })),
    }
  },
})

function toEmployeeSummary(row: SummaryRow, currency: string): Static<typeof EmployeeSummary> {
  const major = (minor: number) => toMajor(BigInt(minor), currency)
  const { counterpartyId, name, payslipId, status, hasAppliedAdvances, hasPayments, isFinalPayslip } = row
  const schemeAmounts: Record<string, number> = {}
  for (const code in row.schemeAmounts) schemeAmounts[code] = major(row.schemeAmounts[code] ?? 0)
  return {
    counterpartyId,
    name,
    ...(payslipId !== null && { payslipId }),
    status,
    gross: major(row.gross),
    net: major(row.net),
    schemeAmounts,
    openCredit: major(row.openCredit),
    netOutstanding: major(row.netOutstanding),
    statutoryOutstanding: major(row.statutoryOutstanding),
    hasAppliedAdvances,
    hasPayments,
    isFinalPayslip,
  }
}

/** What authorities owe, by scheme and authority; those that owe nothing are left out. */
function leaveOutstanding(claims: readonly ClaimRow[], { currency, day }: { currency: string; day: string }) {
  const groups = new Map<string, ClaimRow[]>()
  for (const claim of claims) {
    const key = `${claim.scheme} ${claim.authorityOrgId}`
    groups.set(key, [...(groups.get(key) ?? []), claim])
  }
  const major = (minors: number[]) => toMajor(add(minors.map(BigInt)), currency)
  return [...groups.values()].flatMap((group) => {
    const unsettled = group.filter(({ claimed, settled }) => claimed > settled)
    const [oldest] = unsettled
    if (!oldest) return []
    return {
      scheme: oldest.scheme,
      authorityOrgId: oldest.authorityOrgId,
      authorityName: oldest.authorityName,
      claimed: major(group.map(({ claimed }) => claimed)),
      settled: major(group.map(({ settled }) => settled)),
      outstanding: major(group.map(({ claimed, settled }) => claimed - settled)),
      oldestUnsettledCovers: oldest.coversUntil,
      ageDays: Math.max(0, daysBetween(oldest.coversUntil, day)),
      lineIds: unsettled.map(({ id }) => id),
    }
  })
}
