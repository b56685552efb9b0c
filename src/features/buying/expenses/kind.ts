import { ledgerKind } from '../../../ledger/kind.ts'

/** Expenses and the credits of suppliers. They are paid in any status but REJECTED, and booked when they are approved. */
export const expenseKind = ledgerKind({
  name: 'EXPENSE',
  direction: 'INCOMING',
  paymentDirection: 'INCOMING',
  documentTypes: ['EXPENSE', 'CREDIT_MEMO'],
  unbilledTypes: [],
  statuses: ['DRAFT', 'PENDING_REVIEW', 'APPROVED', 'REJECTED'],
  draftStatuses: ['DRAFT', 'PENDING_REVIEW', 'REJECTED'],
  payableStatuses: ['DRAFT', 'PENDING_REVIEW', 'APPROVED'],
  transitions: {
    DRAFT: ['PENDING_REVIEW', 'APPROVED', 'REJECTED'],
    PENDING_REVIEW: ['DRAFT', 'APPROVED', 'REJECTED'],
    APPROVED: ['PENDING_REVIEW'],
    REJECTED: ['DRAFT'],
  },
  unpaid: null,
  numbered: false,
  freezes: {
    whenFinal: [
      'document_type', 'counterparty_id', 'currency', 'minor_digits', 'issue_date', 'subtotal_minor', 'tax_minor',
      'total_minor', 'tax_rate', 'source_document_id', 'payment_id', 'lines',
    ], // biome-ignore format: a list of words
    whenPaid: ['counterparty_id', 'currency', 'minor_digits'],
  },
  paysLines: false,
  counterpartyNeeded: false,
  accounts: { balance: 'PAYABLES', result: 'EXPENSES' },
  finalEvents: ['expense.approved', 'expense.credited'],
})

export type ExpenseStatus = (typeof expenseKind.statuses)[number]
