import type { Warning } from '../../../core/define/schema.ts'
import { convert } from '../../../core/values/money.ts'
import type { Copy, DocumentRules, DocumentType, Sale, Wording } from '../../country.ts'
import { rowOn, usualBackdatedDays } from '../../dated.ts'
import { missingContents } from '../../missing.ts'
import { ownSeries } from '../../own-series.ts'
import { amountsIn, rateSentence, taxByRate, unusualRates } from '../../tax.ts'
import { gstRates, simplifiedLimits } from '../rates.ts'
import { customerNumbers, isRegistered, issuerNumbers } from './numbers.ts'
import { categoryWarnings, taxCategoryOf } from './tax-categories.ts'

const taxRateOn = (day: string) => rowOn(gstRates, day)?.percent

export const documents: DocumentRules = {
  languages: ['en'],
  paper: 'a4',
  showDay: (day) => day.split('-').reverse().join('/'),
  symbolOnAmounts: false,
  taxName: () => 'GST',
  taxCategoryOf,
  taxRateOn,
  taxOn: taxByRate, // IRAS takes the total as well as each line; e-invoicing (BR-CO-17) wants the total of each category
  cashUnitMinor: 1n,
  showsTax: ({ issuer, document }) => isRegistered(issuer) || document.taxMinor > 0n,
  isRegistered,
  titleOf: ({ documentType, issuer }) => (isRegistered(issuer) ? titles : { ...titles, ...unregistered })[documentType],
  officialCode: ({ documentType }) => invoiceNowTypes[documentType],
  numberedAs: ownSeries,
  issuerWarnings,
  backdatedDays: () => usualBackdatedDays,
  taxWarnings: ({ document }) => unusualRates(document, { name: 'GST', standard: taxRateOn(document.issueDate) }),
  turnoverWarnings: null,
  ownRateAt: null,
  ownRateWarnings: null,
  memoFacts: null,
  contentWarnings,
  needsAllocationNumber: () => false, // what is sent to IRAS is reported, not cleared
  wordings,
  issuerNumbers,
  customerNumbers,
  officialNumbers: () => [],
  references: () => [],
  shipTo: () => [],
  jurisdictions: () => [],
  homeAmounts: ({ issuer, document }) =>
    isRegistered(issuer) && document.taxMinor > 0n ? amountsIn('SGD', document) : undefined,
}

const titles: Record<DocumentType, string> = {
  INVOICE: 'Tax Invoice',
  INVOICE_RECEIPT: 'Tax Invoice / Receipt',
  RECEIPT: 'Receipt',
  PAYMENT_REQUEST: 'Payment Request',
  CREDIT_MEMO: 'Credit Note',
  DEBIT_MEMO: 'Debit Note',
}
/** An unregistered business must not print the words "Tax Invoice". */
const unregistered: Partial<typeof titles> = { INVOICE: 'Invoice', INVOICE_RECEIPT: 'Invoice / Receipt' }

/** Invoice and credit note are the only types of InvoiceNow (PINT-SG). */
const invoiceNowTypes: Partial<Record<DocumentType, string>> = {
  INVOICE: '380',
  INVOICE_RECEIPT: '380',
  DEBIT_MEMO: '380',
  CREDIT_MEMO: '381',
}

function issuerWarnings({ issuer, document }: Sale): Warning[] {
  if (isRegistered(issuer) || document.taxMinor <= 0n) return []
  const message =
    'The document charges GST, but the organization has no GST number (taxNumber): only registered businesses may charge GST and issue tax invoices.'
  return [{ code: 'ISSUER_NOT_REGISTERED', path: 'taxAmount', message }]
}

/** IRAS, invoicing customers: the required contents of a tax invoice and of a credit note. */
function contentWarnings(sale: Sale): Warning[] {
  const { issuer, customer, document } = sale
  const { documentType, currency, exchangeRate } = document
  const isCredit = documentType === 'CREDIT_MEMO'
  const isTaxDocument = isCredit || ['INVOICE', 'INVOICE_RECEIPT', 'DEBIT_MEMO'].includes(documentType)
  if (!isTaxDocument || !isRegistered(issuer)) return []
  const ofCategories = isCredit ? [] : categoryWarnings(document)
  if (document.taxMinor <= 0n) return ofCategories
  const namesCustomer = isCredit || (!isSimplified(sale) && customer.kind !== 'INDIVIDUAL')
  return [
    missingContents(!issuer.address, 'issuerAddress'),
    missingContents(namesCustomer && !customer.address, 'customerAddress'),
    missingContents(isCredit && !document.notes, 'reason'),
    missingContents(currency !== 'SGD' && exchangeRate === null, 'exchangeRate'),
    ...ofCategories,
  ].filter((warning) => warning !== undefined)
}

function isSimplified({ document }: Sale): boolean {
  const { currency, exchangeRate, totalMinor, issueDate } = document
  const limit = rowOn(simplifiedLimits, issueDate)?.totalMinor ?? 0n
  if (currency === 'SGD') return totalMinor <= limit
  return exchangeRate !== null && convert(totalMinor, { from: currency, to: 'SGD', rate: exchangeRate }) <= limit
}

function wordings(sale: Sale, { copy }: { copy: Copy }): Wording[] {
  const { issuer, document } = sale
  const { currency, exchangeRate } = document
  const words: Wording[] = []
  const say = (code: string, text: string, place: Wording['place']) => words.push({ code, text, language: 'en', place })
  if (copy === 'draft') say('COPY', 'Draft', 'title')
  if (!isRegistered(issuer) || document.taxMinor <= 0n) return words
  if (currency !== 'SGD' && exchangeRate !== null)
    say('EXCHANGE_RATE', `Exchange rate: ${rateSentence('SGD', document)}`, 'totals')
  if (isSimplified(sale) && document.documentType !== 'CREDIT_MEMO')
    say('INCLUDES_TAX', 'Price payable includes GST.', 'totals')
  return words
}
