import type { Language } from '../../../core/values/format.ts'

/** What each type of document is called. */
const called: Record<string, Record<Language, string>> = {
  INVOICE: { en: 'Invoice', he: 'חשבונית' },
  RECEIPT: { en: 'Receipt', he: 'קבלה' },
  INVOICE_RECEIPT: { en: 'Invoice and receipt', he: 'חשבונית קבלה' },
  PAYMENT_REQUEST: { en: 'Payment request', he: 'דרישת תשלום' },
  CREDIT_MEMO: { en: 'Credit memo', he: 'חשבונית זיכוי' },
  DEBIT_MEMO: { en: 'Debit memo', he: 'חשבונית חיוב' },
}

export const typeName = (language: Language, documentType: string): string =>
  (called[documentType] ?? { en: 'Document', he: 'מסמך' })[language]
