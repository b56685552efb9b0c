import type { Language } from '../../../../core/values/language.ts'

/** The names of the document types, for organizations without country rules. */
const typeNames: Record<string, Record<Language, string>> = {
  INVOICE: { en: 'Invoice', he: 'חשבונית' },
  RECEIPT: { en: 'Receipt', he: 'קבלה' },
  INVOICE_RECEIPT: { en: 'Invoice and receipt', he: 'חשבונית קבלה' },
  PAYMENT_REQUEST: { en: 'Payment request', he: 'דרישת תשלום' },
  CREDIT_MEMO: { en: 'Credit memo', he: 'חשבונית זיכוי' },
  DEBIT_MEMO: { en: 'Debit memo', he: 'חשבונית חיוב' },
}

export const typeName = (language: Language, documentType: string): string =>
  (typeNames[documentType] ?? { en: 'Document', he: 'מסמך' })[language]
