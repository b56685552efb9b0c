import type { Someone } from '../world.ts'
import { hire } from './company.ts'

/** Rows of payroll in the organization of a person with full access, each with an employee of its own. */

const month = '2026-03'
const inside = ({ organizationId = 'none' }: Someone) => ({ organizationId })

export const newHire = (someone: Someone) =>
  hire(someone, someone.organizationId === undefined ? {} : { organizationId: someone.organizationId })

/** A draft of somebody who was just hired, or of a given employee. */
export async function draftPayslip(someone: Someone, runInputs: object | null = null, of?: string) {
  const employeeId = of ?? (await newHire(someone)).id
  await someone.call('payroll_generate', { ...inside(someone), month, employeeIds: [employeeId], runInputs } as never)
  const { employees } = await someone.call('payroll_summary', { ...inside(someone), month })
  const payslipId = employees.find(({ counterpartyId }) => counterpartyId === employeeId)?.payslipId
  return { id: payslipId ?? 'none', employeeId }
}

export async function approvedPayslip(someone: Someone, of?: string) {
  const payslip = await draftPayslip(someone, null, of)
  await someone.call('payroll_approve', { ...inside(someone), month, payslipIds: [payslip.id] })
  return payslip
}

/** The id of a signed consent that is attached to a payslip. */
export async function consentFile(someone: Someone, payslipId: string): Promise<string> {
  const file = { fileName: 'consent.txt', base64: 'SGVsbG8=' }
  return (await someone.call('payroll_consent_upload', { ...inside(someone), payslipId, file })).id
}

/** The id of an approved claim of an employee. */
export async function approvedClaim(someone: Someone, claimantId: string): Promise<string> {
  const given = { ...inside(someone), amount: 20, currency: 'SGD', date: '2026-03-12', claimantId }
  const { id } = await someone.call('expenses_create', given)
  await someone.call('expenses_status', { id, status: 'APPROVED' })
  return id
}

/** A claim for government-paid leave, as payroll_gpl_settle takes it. */
export async function leaveClaim(someone: Someone) {
  const { id } = await draftPayslip(someone, { adjustments: [{ description: 'GPCL', amount: 10, kind: 'LEAVE_PAY' }] })
  await someone.call('payroll_approve', { ...inside(someone), month, payslipIds: [id] })
  const [claimed] = (await someone.call('payroll_summary', { ...inside(someone), month })).gplOutstanding
  return { authorityOrgId: claimed?.authorityOrgId ?? 'none', lineIds: claimed?.lineIds.slice(-1) ?? [], amount: 1 }
}
