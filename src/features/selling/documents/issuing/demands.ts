import { type Detail, Failure } from '../../../../core/define/failure.ts'
import type { Warning } from '../../../../core/define/schema.ts'
import { type CountryView, countryView } from '../country-view.ts'
import { type Problem, sentenceOf } from '../einvoice/einvoice.ts'
import { isNational } from '../einvoice/parties.ts'
import type { EInvoiceData } from '../einvoice/read-data.ts'
import { toEInvoice } from '../einvoice/to-einvoice.ts'
import type { DocumentRow } from '../reading/read.ts'
import type { IssuingContext } from './issuing-context.ts'

type Demand = Problem & { code: 'EINVOICE_INCOMPLETE' | 'CLEARANCE_INCOMPLETE' }

type Issued = Pick<IssuingContext, 'connections'> & {
  /** Whether its amounts follow from another document, so that nobody can give others. */
  isDerived?: boolean
}

/**
 * What the national e-invoice of a document that was just written, or its allocation number, will demand and has not got. Refuses
 * to issue it if the organization is connected to the authority. Otherwise these are warnings: of what cannot be entered once the
 * document is issued, and of the rest if the organization is registered for the tax. A draft has those about its amounts, and so
 * has a payment request, whose invoice will have the same.
 */
export function demandWarnings(row: DocumentRow, { connections, isDerived = false }: Issued): Warning[] {
  const view = countryView(row)
  if (!view) return []
  const isPlanned = row.status === 'DRAFT' || row.documentType === 'PAYMENT_REQUEST'
  if (isPlanned) return warningsOf(ofEInvoice(row, view, false).filter(isOfAmounts), messageOf)
  const { integration, documents } = view.country
  const isConnected = integration !== null && connections.includes(integration.integrationId)
  const demands = oncePerField([...ofEInvoice(row, view, isConnected), ...(isConnected ? ofNumber(view) : [])])
  const refused = demands.filter(({ field }) => isConnected && (!isDerived || canBeGiven(field)))
  if (refused.length > 0) throw refusal(refused)
  const isRegistered = documents.isRegistered(view.sale.issuer)
  return warningsOf(
    demands.filter(({ field }) => isRegistered || !canBeEnteredLater(field)),
    sentenceOf,
  )
}

const warningsOf = (demands: readonly Demand[], say: (demand: Demand) => string): Warning[] =>
  demands.map((demand) => ({ code: demand.code, path: pathOf(demand), message: say(demand) }))

/** What to do after the issue is not said before. */
const messageOf = ({ message }: Demand) => message

/** The tax, the categories and the decimals; a draft need not have lines, a rate or a number yet. */
const isOfAmounts = ({ field }: Demand) => /^(taxAmount|items\.|currency)/.test(field)

function ofEInvoice(row: DocumentRow, { country, sale }: CountryView, isConnected: boolean): Demand[] {
  const documentType = sale.document.documentType === 'PAYMENT_REQUEST' ? 'INVOICE' : sale.document.documentType
  if (!country.einvoices.national || !country.documents.officialCode({ documentType, issuer: sale.issuer })) return []
  const data = dataOf(row, { country, sale })
  const written = isNational(data) ? toEInvoice(data, 'national') : undefined
  if (!written || 'invoice' in written) return []
  // who is connected has entered the own address in the network with the credentials
  const problems = written.problems.filter(
    ({ field }) => !isConnected || field !== 'countrySpecificData.sellerPeppolId',
  )
  return problems.map((problem) => ({ ...problem, code: 'EINVOICE_INCOMPLETE' }))
}

/** What is printed and what is stored now are the same at the issue. */
function dataOf(row: DocumentRow, { country, sale }: Pick<CountryView, 'country' | 'sale'>): EInvoiceData {
  const { issuer, customer } = sale
  const { email = null, phone = null } = row.organization ?? {}
  return {
    ...{ row, country, sale, account: row.bankAccount },
    source: { number: null, issueDate: null, documentType: null, countrySpecificData: null },
    now: { organization: { ...issuer, email, phone }, customer },
  }
}

function ofNumber({ country, sale }: CountryView): Demand[] {
  if (!country.documents.needsAllocationNumber(sale) || sale.customer.registrationNumber) return []
  const message =
    'The tax authority gives an allocation number only with the dealer number of the customer (registrationNumber). Enter it, or set the kind of the customer to INDIVIDUAL if it deducts no VAT.'
  return [{ code: 'CLEARANCE_INCOMPLETE', field: 'customer.registrationNumber', message }]
}

const oncePerField = (demands: readonly Demand[]) =>
  demands.filter(({ field }, at) => demands.findIndex((other) => other.field === field) === at)

/** Both parties and the addresses in the network can be entered after the issue too. */
const canBeEnteredLater = (field: string) => /^(organization|customer|countrySpecificData)\./.test(field)

/** What a caller can give who issues a memo or converts a request. */
const canBeGiven = (field: string) => /^(organization|customer)\./.test(field) || field === 'notes'

/** The reason of a memo is stored as its notes. */
const pathOf = ({ field }: Demand) => (field === 'notes' ? 'reason' : field)

function refusal(demands: readonly Demand[]): Failure {
  const details = demands.map((demand): Detail => {
    return { path: pathOf(demand), message: demand.message, code: demand.code }
  })
  const sentence = `The organization submits its documents to the tax authority, which would refuse this one. ${demands.map(({ message }) => message).join(' ')}`
  return new Failure('VALIDATION', sentence, { details })
}
