import { ledgerKind } from '../../../ledger/kind.ts'

const frozen = [
  'document_type', 'counterparty_id', 'currency', 'minor_digits', 'issue_date', 'subtotal_minor', 'tax_minor',
  'total_minor', 'tax_rate', 'source_document_id', 'payment_id', 'lines',
] as const // biome-ignore format: a list of words
const frozenWhenPaid = [
  'counterparty_id', 'currency', 'minor_digits', 'subtotal_minor', 'tax_minor', 'total_minor', 'lines',
] as const // biome-ignore format: a list of words

/**
 * Payslips. What is owed because of one is the net pay (the line NET) and the amount of every scheme (a line each), so its total
 * is what the employee costs. It is booked when it is approved; advances can be set off before.
 */
export const payslipKind = ledgerKind({
  name: 'PAYSLIP',
  direction: 'INCOMING',
  paymentDirection: 'INCOMING',
  documentTypes: ['PAYSLIP'],
  unbilledTypes: [],
  statuses: ['DRAFT', 'APPROVED', 'PAID', 'VOID'],
  draftStatuses: ['DRAFT'],
  payableStatuses: ['DRAFT', 'APPROVED', 'PAID'],
  transitions: { DRAFT: ['APPROVED', 'PAID'], APPROVED: ['PAID', 'VOID'], PAID: ['VOID'], VOID: [] },
  unpaid: { openStatus: 'APPROVED', sentStatus: null },
  numbered: false,
  freezes: { whenFinal: frozen, whenPaid: frozenWhenPaid },
  paysLines: true,
  counterpartyNeeded: true,
  accounts: { balance: 'PAYROLL_PAYABLES', result: 'PAYROLL', advances: 'PAYROLL_PAYABLES' },
  finalEvents: ['payslip.approved'],
})

/** Claims for leave that an authority pays. They are booked when their payslip is approved. */
export const leaveClaimKind = ledgerKind({
  name: 'LEAVE_CLAIM',
  direction: 'OUTGOING',
  paymentDirection: 'OUTGOING',
  documentTypes: ['LEAVE_CLAIM'],
  unbilledTypes: [],
  statuses: ['DRAFT', 'OPEN', 'PAID', 'VOID'],
  draftStatuses: ['DRAFT'],
  payableStatuses: ['DRAFT', 'OPEN', 'PAID'],
  transitions: { DRAFT: ['OPEN'], OPEN: ['PAID', 'VOID'], PAID: [], VOID: [] },
  unpaid: { openStatus: 'OPEN', sentStatus: null },
  numbered: false,
  freezes: { whenFinal: frozen, whenPaid: frozenWhenPaid },
  paysLines: false,
  counterpartyNeeded: true,
  accounts: { balance: 'PAYROLL_PAYABLES', result: 'PAYROLL', advances: 'PAYROLL_PAYABLES' },
  finalEvents: [],
})

export type PayslipStatus = (typeof payslipKind.statuses)[number]

/** The id of the line of a payslip's document that is paid to the employee; the other lines have the codes of schemes. */
export const netLine = 'NET'
