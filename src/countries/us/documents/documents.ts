import type { Warning } from '../../../core/define/schema.ts'
import type { DocumentRules, DocumentType, SalesDocument } from '../../country.ts'
import { taxByRate } from '../../tax.ts'
import { customerNumbers, issuerNumbers } from './numbers.ts'

/** No federal law says what an invoice looks like, and sales tax is a matter of states, counties and cities. */
export const documents: DocumentRules = {
  languages: ['en'],
  paper: 'us-letter',
  showDay: (day) => day.replace(/^(\d+)-(\d+)-(\d+)$/, '$2/$3/$1'),
  taxName: () => 'Sales tax',
  taxRateOn: () => undefined,
  taxOn: taxByRate, // Streamlined Sales Tax: half up to the cent, of each line or of the invoice
  cashUnitMinor: 1n,
  showsTax: ({ document }) => document.taxMinor > 0n || document.taxRate !== null,
  isRegistered: () => true, // permits are the states' and nobody prints them
  titleOf: ({ documentType }) => titles[documentType],
  officialCode: () => undefined,
  mayIssue: () => [],
  taxDoubts: ({ document }) => [...untaxedState(document), ...certificateMissing(document)],
  requiredContents: () => [],
  needsAllocationNumber: () => false,
  wordings: (_, { copy }) =>
    copy === 'draft' ? [{ code: 'COPY', text: 'Draft', language: 'en', place: 'title' }] : [],
  issuerNumbers,
  customerNumbers,
  officialNumbers: () => [],
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

/** Tax goes by where things are sent, which a document says in `countrySpecificData.shipTo.state` if at all. */
function untaxedState({ facts, taxMinor }: SalesDocument): Warning[] {
  const state = textIn(facts?.shipTo, 'state')?.trim().toUpperCase()
  if (taxMinor <= 0n || state === undefined || !untaxed.has(state)) return []
  const message = `${state} has no sales tax, and the document charges some.`
  return [{ code: 'TAX_RATE', path: 'taxRate', message }]
}

/** A sale that is exempt, such as one for resale, is so by a certificate that the seller keeps. */
function certificateMissing({ facts, taxMinor }: SalesDocument): Warning[] {
  const reason = textIn(facts?.exemption, 'reason')
  if (taxMinor > 0n || !reason || textIn(facts?.exemption, 'certificateNumber')) return []
  const message = 'An exempt sale needs the number of the certificate that makes it so.'
  return [{ code: 'EXEMPTION_CERTIFICATE_MISSING', path: 'countrySpecificData.exemption.certificateNumber', message }]
}

/** Text under a name in something that somebody sent, if it is there. */
function textIn(something: unknown, name: string): string | undefined {
  if (typeof something !== 'object' || something === null) return undefined
  const value: unknown = Reflect.get(something, name)
  return typeof value === 'string' && value !== '' ? value : undefined
}
