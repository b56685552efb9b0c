import { event } from '../../../core/define/event.ts'
import { Id, nullable, Type } from '../../../core/define/schema.ts'
import type { PayLine, Step } from '../../../countries/payroll/payroll.ts'

const PayslipEventPayload = Type.Object({
  id: Id,
  organizationId: Id,
  counterpartyId: Id,
  employeeName: Type.String(),
  month: Type.String(),
  status: Type.String(),
  currency: Type.String(),
  gross: Type.Number(),
  net: Type.Number(),
  isFinalPayslip: Type.Boolean(),
})
export const payslipGenerated = event('payslip.generated', PayslipEventPayload, 'A payslip was generated')
export const payslipApproved = event('payslip.approved', PayslipEventPayload, 'A payslip was approved')
export const payslipPaid = event('payslip.paid', PayslipEventPayload, 'A payslip was paid in full')

/** A payslip in the list of its employee. */
export const OwnPayslip = Type.Object({
  id: Id,
  status: Type.String(),
  currency: Type.String(),
  total: Type.Number({ description: 'The net pay.' }),
  periodStart: nullable(Type.String()),
  periodEnd: nullable(Type.String()),
  issueDate: Type.String(),
})

export type LineKind = PayLine['kind']
/** A step as it is stored: amounts are numbers of minor units. */
export type StoredStep = Omit<Step, 'baseMinor' | 'amountMinor'> & { baseMinor: number | null; amountMinor: number }
