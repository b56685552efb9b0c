import { customerNumbers, findCountry } from '../../../../countries/countries.ts'
import type { Country } from '../../../../countries/country.ts'
import type { Participant } from '../../../../countries/einvoices.ts'
import { type PostalAddress, toPostalAddress } from './address.ts'
import type { EInvoice, Party, Problem } from './einvoice.ts'
import { givenParticipant, isPeppolAddress } from './participant.ts'
import type { EInvoiceData } from './read-data.ts'
import { oneLine, textOrNull } from './text.ts'

/** What a format demands of both parties. */
export type PartyRules = {
  /** An electronic address: one in the Peppol network, any, or none. */
  endpoint: 'peppol' | 'any' | 'none'
  /** A street, a postal code and the number of the company, as the tax authority of Singapore does. */
  needsWholeAddress: boolean
}

type Parties = Pick<EInvoice, 'seller' | 'buyer'> & { problems: Problem[] }

/** Both parties as they were when the document was issued; what nobody had entered by then is taken from now. */
export function partiesOf(data: EInvoiceData, rules: PartyRules): Parties {
  const seller = toSeller(data, rules)
  const buyer = toBuyer(data, rules)
  return {
    seller,
    buyer,
    problems: [
      ...missing('organization', seller, rules),
      ...missing('customer', buyer, rules),
      ...(seller.legalId || seller.taxId || rules.needsWholeAddress
        ? []
        : [
            problem(
              'organization.registrationNumber',
              'Enter the registration number or the tax number of the organization.',
            ),
          ]),
    ],
  }
}

function toSeller({ country, sale: { issuer }, row, now }: EInvoiceData, rules: PartyRules): Party {
  const registrationNumber = issuer.registrationNumber || now.organization.registrationNumber
  const taxNumber = issuer.taxNumber || (country.documents.isRegistered(issuer) ? now.organization.taxNumber : null)
  const email = textOrNull(row.organization?.email) ?? textOrNull(now.organization.email)
  const numbers = { registrationNumber, taxNumber }
  const legalId = textOrNull(registrationNumber)
  return {
    name: oneLine(issuer.name),
    endpoint:
      givenParticipant(row.countrySpecificData, 'sellerPeppolId') ??
      country.einvoices.participant(numbers) ??
      byMail(email),
    address: addressOf([issuer.address, now.organization.address], country.code, rules),
    legalId: legalId && /^\d{3}-\d{2}-\d{4}$/.test(legalId) ? null : legalId,
    taxId: country.einvoices.taxId(numbers) ?? null,
    phone: textOrNull(row.organization?.phone) ?? textOrNull(now.organization.phone),
    email,
  }
}

function toBuyer({ country: home, sale: { customer }, row, now }: EInvoiceData, rules: PartyRules): Party {
  const country = customer.country || now.customer?.country || ''
  const registrationNumber = customer.registrationNumber || now.customer?.registrationNumber || null
  const email = textOrNull(row.customerEmail)
  const legalId = shownNumber({ ...customer, country: country || null, registrationNumber }, home)
  const numbers = { registrationNumber: legalId, taxNumber: null }
  return {
    name: oneLine(row.counterpartyName || customer.name),
    endpoint:
      givenParticipant(row.countrySpecificData, 'peppolId') ??
      (customer.kind === 'INDIVIDUAL' ? undefined : findCountry(country)?.einvoices.participant(numbers)) ??
      byMail(email),
    address: addressOf([customer.address, now.customer?.address ?? null], country, rules),
    legalId,
    taxId: null,
    phone: null,
    email,
  }
}

/** The number of a customer as it is printed. That of a person is masked there, and left out here. */
function shownNumber(customer: EInvoiceData['sale']['customer'], home: Country): string | null {
  const [number] = customerNumbers(customer, 'en', home)
  return !number || number.value.includes('*') ? null : textOrNull(number.value)
}

/** The first address that has what the format demands, otherwise the first there is. */
function addressOf(texts: readonly (string | null)[], country: string, rules: PartyRules): PostalAddress {
  const addresses = texts.filter((text) => text?.trim()).map((text) => toPostalAddress(text, country))
  const isEnough = ({ lines, postcode }: PostalAddress) => !rules.needsWholeAddress || (lines.length > 0 && postcode)
  return addresses.find(isEnough) ?? addresses[0] ?? toPostalAddress(null, country)
}

/** Whether Peppol delivers to the address of a party. */
export const isInPeppol = ({ endpoint }: Party): boolean => endpoint !== null && isPeppolAddress(endpoint)

/**
 * Whether a document is written in the national format: for organizations of the country, and for others with an address in
 * Peppol. Private customers are not in the network, and the tax authority wants no report of each sale to them.
 */
export function isNational(data: EInvoiceData): boolean {
  const { country, sale, now } = data
  if (!country.einvoices.national || sale.customer.kind === 'INDIVIDUAL') return false
  const customerCountry = sale.customer.country || now.customer?.country || country.code
  return customerCountry === country.code || isInPeppol(toBuyer(data, { endpoint: 'peppol', needsWholeAddress: true }))
}

/** An e-mail address is an electronic address of EN 16931, but none of the Peppol network. */
const byMail = (email: string | null): Participant | null => (email ? { scheme: 'EM', id: email } : null)

const problem = (field: string, message: string): Problem => ({ field, message })

function missing(who: 'organization' | 'customer', party: Party, rules: PartyRules): Problem[] {
  const { name, endpoint, address, legalId } = party
  const example =
    who === 'customer'
      ? 'or its address in the Peppol network as countrySpecificData.peppolId'
      : 'or its registration number'
  const checks: [isMissing: boolean, field: string, message: string][] = [
    [!name, 'name', `Enter the name of the ${who}.`],
    [!/^[A-Z]{2}$/.test(address.country), 'country', `Enter the country of the ${who}.`],
    [rules.endpoint === 'any' && !endpoint, 'email', `Enter the e-mail address of the ${who}, ${example}.`],
    [
      rules.needsWholeAddress && address.lines.length === 0,
      'address',
      `Enter the address of the ${who} with its street.`,
    ],
    [rules.needsWholeAddress && !address.postcode, 'address', `Enter the address of the ${who} with its postal code.`],
    [rules.needsWholeAddress && !legalId, 'registrationNumber', `Enter the registration number (UEN) of the ${who}.`],
  ]
  const found = checks.flatMap(([isMissing, field, message]) =>
    isMissing ? [problem(`${who}.${field}`, message)] : [],
  )
  return rules.endpoint === 'peppol' && !isInPeppol(party) ? [...found, notInPeppol(who)] : found
}

/** The number of a company in Singapore or the United States is its address; others are given with the document. */
const notInPeppol = (who: 'organization' | 'customer') =>
  problem(
    `countrySpecificData.${who === 'customer' ? 'peppolId' : 'sellerPeppolId'}`,
    `Enter the registration number of the ${who}, if it gives an address in the Peppol network, or that address with the document. An e-mail address is none.`,
  )
