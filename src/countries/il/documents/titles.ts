import type { Language } from '../../../core/values/language.ts'
import type { Copy, DocumentType, Issuer, NumberedAs, Sale, Wording } from '../../country.ts'
import { rateSentence } from '../../tax.ts'
import { isRegistered, issuerNumbers } from './numbers.ts'

type OfficialType = { code: string | undefined; series: DocumentType; he: string; en: string }

/**
 * Titles for dealers registered for VAT, with the authority's codes (uniform file, appendix 1). There is no code for a debit
 * note: it is a further tax invoice, numbered together with the others.
 */
const registeredTitles: Record<DocumentType, OfficialType> = {
  INVOICE: { code: '305', series: 'INVOICE', he: 'חשבונית מס', en: 'Tax Invoice' },
  INVOICE_RECEIPT: { code: '320', series: 'INVOICE_RECEIPT', he: 'חשבונית מס / קבלה', en: 'Tax Invoice / Receipt' },
  RECEIPT: { code: '400', series: 'RECEIPT', he: 'קבלה', en: 'Receipt' },
  PAYMENT_REQUEST: { code: '300', series: 'PAYMENT_REQUEST', he: 'חשבונית עסקה', en: 'Transaction Invoice' },
  CREDIT_MEMO: { code: '330', series: 'CREDIT_MEMO', he: 'חשבונית מס זיכוי', en: 'Credit Tax Invoice' },
  DEBIT_MEMO: { code: '305', series: 'INVOICE', he: 'חשבונית מס', en: 'Tax Invoice' },
}

/** Titles for all others, who may not issue tax invoices: an invoice that is paid at once is a receipt. */
const otherTitles: Record<DocumentType, OfficialType> = {
  INVOICE: registeredTitles.PAYMENT_REQUEST,
  INVOICE_RECEIPT: registeredTitles.RECEIPT,
  RECEIPT: registeredTitles.RECEIPT,
  PAYMENT_REQUEST: registeredTitles.PAYMENT_REQUEST,
  CREDIT_MEMO: { code: undefined, series: 'CREDIT_MEMO', he: 'הודעת זיכוי', en: 'Credit Notice' },
  DEBIT_MEMO: registeredTitles.PAYMENT_REQUEST,
}

type DocumentKind = { documentType: DocumentType; issuer: Issuer }

const officialTypeOf = ({ documentType, issuer }: DocumentKind): OfficialType =>
  (isRegistered(issuer) ? registeredTitles : otherTitles)[documentType]

export const titleOf = ({ language, ...kind }: DocumentKind & { language: Language }): string =>
  officialTypeOf(kind)[language]

export const officialCode = (kind: DocumentKind): string | undefined => officialTypeOf(kind).code

/** One running number per official type (bookkeeping instructions). */
export function numberedAs(kind: DocumentKind): NumberedAs {
  const { code, series } = officialTypeOf(kind)
  return { officialType: code ?? kind.documentType, series }
}

/**
 * The words that the bookkeeping instructions require: original or copy, that the document is computerised, and, on
 * English documents, the Hebrew title.
 */
export function wordings(
  { issuer, document }: Sale,
  { language, copy }: { language: Language; copy: Copy },
): Wording[] {
  const { documentType } = document
  const words: Wording[] = [{ code: 'COPY', text: copies[copy][language], language, place: 'title' }]
  if (copy !== 'draft') words.push({ code: 'COMPUTERISED', text: 'מסמך ממוחשב', language: 'he', place: 'foot' }) // section 18B
  if (language !== 'he') {
    words.push({
      code: 'TITLE',
      text: titleOf({ documentType, issuer, language: 'he' }),
      language: 'he',
      place: 'title',
    })
    words.push({ code: 'COPY', text: copies[copy].he, language: 'he', place: 'title' })
    for (const { label, value } of issuerNumbers(issuer, 'he'))
      words.push({ code: 'ISSUER_NUMBER', text: `${label} ${value}`, language: 'he', place: 'issuer' })
  }
  if (document.currency !== 'ILS' && document.exchangeRate !== null) {
    const text = `${rateLabels[language]}: ${rateSentence('ILS', document)}`
    words.push({ code: 'EXCHANGE_RATE', text, language, place: 'totals' })
  }
  return words
}

const copies = {
  original: { he: 'מקור', en: 'Original' },
  copy: { he: 'העתק נאמן למקור', en: 'Copy' },
  draft: { he: 'טיוטה', en: 'Draft' },
}

const rateLabels = { he: 'שער חליפין', en: 'Exchange rate' }
