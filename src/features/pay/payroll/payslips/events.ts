import { event } from '../../../../core/define/event.ts'
import { Id, Type } from '../../../../core/define/schema.ts'
import { toMajor } from '../../../../core/values/money.ts'
import type { PayslipRow } from './read.ts'

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

/** The payload of the events of a payslip. */
export const payslipPayload = (row: PayslipRow) => ({
  id: row.id,
  organizationId: row.organizationId,
  counterpartyId: row.employeeId,
  employeeName: row.employeeName,
  month: row.month.slice(0, 7),
  status: row.status,
  currency: row.currency,
  gross: toMajor(BigInt(row.grossMinor), row.currency),
  net: toMajor(BigInt(row.netMinor), row.currency),
  isFinalPayslip: row.isFinal,
})
