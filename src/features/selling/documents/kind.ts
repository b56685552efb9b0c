import { documentTypes } from '../../../countries/country.ts'
import { ledgerKind } from '../../../ledger/kind.ts'

/** Types that a caller can create directly. Memos are issued from the document that they correct. */
export const writableTypes = ['INVOICE', 'RECEIPT', 'INVOICE_RECEIPT', 'PAYMENT_REQUEST'] as const

/** The type of a document that names none. */
export const defaultType = 'INVOICE'

/**
 * Sales documents with their receipts and memos. They share a list, a numbering and a page, so they are one kind of six
 * types. A receipt for a payment and a credit memo name the payment that they document (`paymentId`) and are not owed.
 */
export const salesKind = ledgerKind({
  name: 'SALES',
  direction: 'OUTGOING',
  paymentDirection: 'OUTGOING',
  documentTypes,
  unbilledTypes: ['RECEIPT', 'PAYMENT_REQUEST'],
  statuses: ['DRAFT', 'UNSENT', 'SENT', 'PAID'],
  draftStatuses: ['DRAFT'],
  payableStatuses: ['UNSENT', 'SENT', 'PAID'],
  transitions: {
    DRAFT: ['UNSENT', 'SENT', 'PAID'],
    UNSENT: ['SENT', 'PAID'],
    SENT: ['PAID'],
    PAID: [],
  },
  unpaid: { openStatus: 'UNSENT', sentStatus: 'SENT' },
  numbered: true,
  freezes: {
    whenFinal: [
      'document_type', 'counterparty_id', 'counterparty_name', 'currency', 'minor_digits', 'exchange_rate', 'rate_currency',
      'rate_date', 'issue_date', 'subtotal_minor', 'tax_minor', 'total_minor', 'tax_rate', 'source_document_id',
      'payment_id', 'lines',
    ], // biome-ignore format: a list of words
    whenPaid: [],
  },
  paysLines: false,
  counterpartyNeeded: true,
  accounts: { balance: 'RECEIVABLES', result: 'REVENUE' },
  finalEvents: ['invoice.issued', 'receipt.issued'],
})
