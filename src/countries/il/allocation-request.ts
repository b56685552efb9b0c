import type { AllocationRequest } from '../../core/outside/tax-authority.ts'
import { compact } from '../../core/values/compact.ts'
import { toMajor } from '../../core/values/money.ts'
import type { Sale } from '../country.ts'
import { amountsIn } from '../tax.ts'
import { officialCode } from './documents/titles.ts'

/** What a request needs beyond the document, and what the organization entered for the authority. */
type AllocationDetails = {
  documentId: string
  number: string
  /** The day on which the document was issued, which may be after its date. */
  issuedOn: string
  credentials: Readonly<Record<string, string>>
}

/** The request for an allocation number, or a sentence about what is missing for it. */
export function allocationRequest(sale: Sale, details: AllocationDetails): AllocationRequest | { problem: string } {
  const { issuer, customer, document } = sale
  const { credentials } = details
  const vatNumber = nineDigits(issuer.taxNumber || issuer.registrationNumber)
  const customerNumber = nineDigits(customer.registrationNumber)
  const softwareNumber = nineDigits(credentials.softwareNumber)
  const userId = nineDigits(credentials.userId)
  const type = officialCode({ documentType: document.documentType, issuer })
  const amounts = document.currency === 'ILS' ? document : amountsIn('ILS', document)
  if (vatNumber === undefined) return problem('The organization has no VAT number (taxNumber).')
  if (customerNumber === undefined)
    return problem('The customer has no dealer number (registrationNumber), which the authority needs.')
  if (softwareNumber === undefined)
    return problem('The registration number of the software is missing in the credentials.')
  if (userId === undefined) return problem('The ID number of the person is missing in the credentials.')
  if (type === undefined) return problem('This type of document gets no allocation number.')
  if (!amounts) return problem(`No exchange rate of ${document.currency} is known, so the amounts in ILS are not.`)
  const net = shekels(amounts.subtotalMinor)
  return {
    invoice_id: details.documentId,
    invoice_type: Number(type),
    vat_number: vatNumber,
    union_vat_number: nineDigits(credentials.unionVatNumber) ?? 0,
    user_id: userId,
    invoice_reference_number: [...details.number].slice(-20).join(''),
    customer_vat_number: customerNumber,
    customer_name: [...(customer.name ?? '')].slice(0, 25).join(''),
    invoice_date: document.issueDate,
    invoice_issuance_date: details.issuedOn,
    accounting_software_number: softwareNumber,
    amount_before_discount: net,
    discount: 0, // discounts are of lines, and the amounts of lines are without them
    payment_amount: net,
    vat_amount: shekels(amounts.taxMinor),
    payment_amount_including_vat: shekels(amounts.subtotalMinor + amounts.taxMinor),
    action: 0,
  }
}

const problem = (text: string) => ({ problem: text })

const shekels = (minor: bigint) => toMajor(minor, 'ILS')

/** A number of up to nine digits as a JSON number, which the authority wants; it checks the check digit itself. */
function nineDigits(text: string | null | undefined): number | undefined {
  const digits = compact(text ?? '')
  return /^\d{1,9}$/.test(digits) && Number(digits) > 0 ? Number(digits) : undefined
}
