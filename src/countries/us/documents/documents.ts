import type { Warning } from '../../../core/define/schema.ts'
import type { DocumentRules, DocumentType, Sale, SalesDocument, Wording } from '../../country.ts'
import { usualBackdatedDays } from '../../dated.ts'
import { ownSeries } from '../../own-series.ts'
import { taxByRate } from '../../tax.ts'
import { stateOfSale } from '../reporting.ts'
import { customerNumbers, issuerNumbers } from './numbers.ts'
import { jurisdictions, memoFacts, references, shipTo, taxCategoryOf, textIn } from './order.ts'
import { ownRateAt, ownRateWarnings } from './own-rates.ts'

/** No federal law defines the form of an invoice, and sales tax depends on state, county and city. */
export const documents: DocumentRules = {
  languages: ['en'],
  paper: 'us-letter',
  showDay: (day) => day.replace(/^(\d+)-(\d+)-(\d+)$/, '$2/$3/$1'),
  symbolOnAmounts: true, // $1,234.56
  taxName: () => 'Sales tax',
  taxCategoryOf,
  taxRateOn: () => undefined,
  taxOn: taxByRate, // Streamlined Sales Tax: half up to the cent, of each line or of the invoice
  cashUnitMinor: 1n,
  showsTax: ({ document }) => document.taxMinor > 0n || document.taxRate !== null,
  isRegistered: () => true, // sales tax permits are issued by states and not printed on documents
  titleOf: ({ documentType }) => titles[documentType],
  officialCode: () => undefined,
  numberedAs: ownSeries,
  issuerWarnings: () => [],
  backdatedDays: () => usualBackdatedDays,
  turnoverWarnings: null,
  ownRateAt,
  ownRateWarnings,
  taxWarnings: (sale) => [...untaxedState(sale), ...certificateMissing(sale.document)],
  contentWarnings: () => [],
  needsAllocationNumber: () => false,
  wordings: ({ document }, { copy }) => [
    ...(copy === 'draft' ? [{ code: 'COPY', text: 'Draft', language: 'en', place: 'title' } as const] : []),
    ...exemption(document),
  ],
  issuerNumbers,
  customerNumbers,
  officialNumbers: () => [],
  references,
  shipTo,
  jurisdictions,
  memoFacts,
  homeAmounts: () => undefined,
}

const titles: Record<DocumentType, string> = {
  INVOICE: 'Invoice',
  INVOICE_RECEIPT: 'Invoice / Receipt',
  RECEIPT: 'Receipt',
  PAYMENT_REQUEST: 'Payment Request',
  CREDIT_MEMO: 'Credit Memo',
  DEBIT_MEMO: 'Debit Memo',
}

/** States without any sales tax (Tax Foundation). Alaska has none either, but its cities do. */
const untaxed = new Set(['DE', 'MT', 'NH', 'OR'])

/** Sales tax depends on the destination: the place that the sale is shipped to, or else the address of the customer. */
function untaxedState({ customer, document: { facts, taxMinor } }: Sale): Warning[] {
  const state = stateOfSale({ facts, address: customer.address, country: customer.country })
  if (taxMinor <= 0n || state === null || !untaxed.has(state)) return []
  const message = `${state} has no sales tax, but the document charges it.`
  return [{ code: 'TAX_RATE', path: 'taxRate', message }]
}

/** An exempt sale, such as one for resale, needs a certificate that the seller keeps. */
function certificateMissing({ facts, taxMinor }: SalesDocument): Warning[] {
  const reason = textIn(facts?.exemption, 'reason')
  if (taxMinor > 0n || !reason || textIn(facts?.exemption, 'certificateNumber')) return []
  const message = 'An exempt sale needs the number of its exemption certificate.'
  return [{ code: 'EXEMPTION_CERTIFICATE_MISSING', path: 'countrySpecificData.exemption.certificateNumber', message }]
}

/** Why no tax is charged, with the certificate of the customer. */
function exemption({ facts }: SalesDocument): Wording[] {
  const reason = textIn(facts?.exemption, 'reason')
  const certificate = textIn(facts?.exemption, 'certificateNumber')
  if (!reason && !certificate) return []
  const parts = [reason, certificate && `certificate ${certificate}`].filter(Boolean).join(', ')
  return [{ code: 'EXEMPTION', text: `Exempt from sales tax: ${parts}`, language: 'en', place: 'totals' }]
}
