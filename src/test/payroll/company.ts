import { member, type Someone } from '../world.ts'

/** A company with payroll: its owner, and short forms of the calls of a month. */

export type Payroll = Awaited<ReturnType<typeof payrollOf>>

export async function payrollOf(country: 'SG' | 'IL' | 'US' = 'SG') {
  const amy = await member('OWNER', { country })
  const organizationId = String(amy.organizationId)
  const inside = { organizationId }
  return {
    amy,
    organizationId,
    hire: (more: Record<string, unknown> = {}) => hire(amy, more),
    generate: (month: string, more: Record<string, unknown> = {}) =>
      amy.call('payroll_generate', { ...inside, month, ...more }),
    approve: (month: string, more: Record<string, unknown> = {}) =>
      amy.call('payroll_approve', { ...inside, month, ...more }),
    summary: (month: string) => amy.call('payroll_summary', { ...inside, month }),
    payments: (month: string) => amy.call('payroll_payments', { ...inside, month }),
    advance: (counterpartyId: string, amount: number, paidAt = '2026-03-10') =>
      amy.call('payroll_advance', { ...inside, counterpartyId, amount, paidAt }),
    apply: (payslipId: string, more: Record<string, unknown> = {}) =>
      amy.call('payroll_apply', { ...inside, payslipId, ...more }),
    unapply: (payslipId: string) => amy.call('payroll_unapply', { ...inside, payslipId }),
    pay: (payslipId: string, kind: 'NET' | 'STATUTORY', more: Record<string, unknown> = {}) =>
      amy.call('payroll_pay', { ...inside, payslipId, kind, paidAt: '2026-03-31', ...more }),
    voidPayslip: (payslipId: string) => amy.call('payroll_void', { ...inside, payslipId }),
    regenerate: (payslipId: string, more: Record<string, unknown> = {}) =>
      amy.call('payroll_regenerate', { ...inside, payslipId, ...more }),
    remove: (payslipId: string) => amy.call('payroll_payslip_delete', { ...inside, payslipId }),
  }
}

/** Hires somebody in the country of the organization, with facts that need no warning. */
export const hire = (amy: Someone, more: Record<string, unknown> = {}) =>
  amy.call('payroll_employees_create', {
    ...{ name: 'Dana', startDate: '2025-01-01', monthlyWage: 5_000, birthDate: '1990-05-17' },
    ...more,
  })

/** The row of one employee in the summary of a month. */
export async function rowOf({ summary }: Payroll, month: string, counterpartyId: string) {
  const { employees } = await summary(month)
  const row = employees.find((each) => each.counterpartyId === counterpartyId)
  if (!row) throw new Error('The employee is not in the summary.')
  return row
}

/** The id of somebody's payslip of a month. */
export async function payslipIdOf(payroll: Payroll, month: string, counterpartyId: string): Promise<string> {
  const { payslipId } = await rowOf(payroll, month, counterpartyId)
  if (!payslipId) throw new Error('There is no payslip.')
  return payslipId
}
