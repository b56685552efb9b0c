import { addDays, addMonths, firstDay, monthOf } from '../../core/values/day.ts'
import type { CallOperation } from '../call-operation.ts'
import { everyPage, type Page } from '../call-operation.ts'
import type { Company } from '../company.ts'
import { inOrder, inParallel } from '../in-parallel.ts'
import type { StaffMember } from './staff.ts'

type Target = {
  organizationId: string
  /** Counterparties by name: somebody who makes claims is one before. */
  counterparties: ReadonlyMap<string, string>
  company: Company
  day: string
}

const monthsOfPayroll = 24

/**
 * Records what is missing of the payroll: two years of months that are paid, the month before with the authorities still to be
 * paid, and the current one as drafts. Employees are recognized by their number; everything else can be repeated.
 */
export async function recordPayroll(call: CallOperation, target: Target) {
  const ids = await completeStaff(call, target)
  const current = monthOf(target.day)
  const months = Array.from({ length: monthsOfPayroll + 1 }, (_, at) => monthsBefore(target.day, monthsOfPayroll - at))
  const wanted = months.filter((month) => month >= (target.company.firstPayMonth ?? ''))
  await inOrder(wanted, (month) => recordMonth(call, { ...target, ids, isCurrent: month === current }, month))
  await recordAdvances(call, { ...target, ids })
}

const monthsBefore = (day: string, months: number): string => monthOf(addMonths(firstDay(monthOf(day)), -months))

type Ids = ReadonlyMap<string, string>

async function completeStaff(
  call: CallOperation,
  { organizationId, company, counterparties, day }: Target,
): Promise<Ids> {
  const ids = new Map<string, string>()
  const pages = everyPage((page) =>
    call<Page & { employees: { id: string; name: string }[] }>('payroll_employees_list', { organizationId, ...page }),
  )
  for await (const { employees } of pages) for (const { name, id } of employees) ids.set(name, id)
  await inOrder(company.staff, async (member) => {
    if (ids.has(member.name)) return
    const { id } = await call<{ id: string }>('payroll_employees_create', {
      ...{ organizationId, name: member.name, monthlyWage: member.monthlyWage, ...member.facts },
      startDate: firstDay(monthsBefore(day, member.monthsAgo)),
      ...(member.leftMonthsAgo !== undefined && { endDate: `${monthsBefore(day, member.leftMonthsAgo)}-20` }),
      ...(counterparties.has(member.name) && { counterpartyId: counterparties.get(member.name) }),
    })
    ids.set(member.name, id)
    if (member.raise)
      await call('payroll_employees_update', {
        ...{ id, monthlyWage: member.raise.monthlyWage },
        effectiveFrom: firstDay(monthsBefore(day, member.raise.monthsAgo)),
      })
  })
  return ids
}

type Row = {
  counterpartyId: string
  payslipId?: string
  netOutstanding: number
  statutoryOutstanding: number
  openCredit: number
  hasAppliedAdvances: boolean
}
type Summary = { employees: Row[] }

/** Generates a month, people with a bonus or leave first; a month that is over is approved and paid. */
async function recordMonth(call: CallOperation, target: Target & { ids: Ids; isCurrent: boolean }, month: string) {
  const { organizationId, company, ids, isCurrent, day } = target
  await inOrder(company.staff, async (member) => {
    const runInputs = extrasOf(member, month, day)
    if (runInputs)
      await call('payroll_generate', { organizationId, month, employeeIds: [ids.get(member.name)], runInputs })
  })
  await call('payroll_generate', { organizationId, month })
  if (isCurrent) return
  await call('payroll_approve', { organizationId, month })
  const { employees } = await call<Summary>('payroll_summary', { organizationId, month })
  const after = firstDay(monthOf(addMonths(firstDay(month), 1)))
  const isLast = monthOf(day) === monthOf(after)
  await inParallel(employees, async ({ payslipId, netOutstanding, statutoryOutstanding }) => {
    if (!payslipId) return
    const payment = { organizationId, payslipId, method: 'BANK_TRANSFER' }
    if (netOutstanding > 0) await call('payroll_pay', { ...payment, kind: 'NET', paidAt: addDays(after, -1) })
    if (statutoryOutstanding > 0 && !isLast)
      await call('payroll_pay', { ...payment, kind: 'STATUTORY', paidAt: addDays(after, 13) })
  })
}

/** What is added to somebody's wage in a month. */
function extrasOf({ bonus, leave }: StaffMember, month: string, day: string) {
  const additionalWage = bonus && month.endsWith(`-${String(bonus.month).padStart(2, '0')}`) ? bonus.amount : 0
  const onLeave = leave && monthsBefore(day, leave.monthsAgo) === month
  if (additionalWage === 0 && !onLeave) return
  const { description, amount } = leave ?? { description: '', amount: 0 }
  return { additionalWage, adjustments: onLeave ? [{ description, amount, kind: 'LEAVE_PAY' }] : [] }
}

/** Advances of this month, set off against the drafts. */
async function recordAdvances(call: CallOperation, { organizationId, company, ids, day }: Target & { ids: Ids }) {
  const month = monthOf(day)
  const { employees } = await call<Summary>('payroll_summary', { organizationId, month })
  await inOrder(company.staff, async ({ name, advance }) => {
    const row = employees.find(({ counterpartyId }) => counterpartyId === ids.get(name))
    if (!advance || !row?.payslipId || row.hasAppliedAdvances) return
    const paidAt = addDays(day, -advance.daysAgo)
    if (row.openCredit === 0)
      await call('payroll_advance', {
        organizationId,
        counterpartyId: row.counterpartyId,
        amount: advance.amount,
        paidAt,
      })
    await call('payroll_apply', { organizationId, payslipId: row.payslipId })
  })
}
