import type { TaxedLine } from './country.ts'

/** What the formats of e-invoices need to know of a country. */
export type EInvoiceRules = {
  /** The category of EN 16931 (UNTDID 5305) that a line of a registered issuer has. */
  categoryOf(line: TaxedLine): EuropeanCategory
  /** Why an issuer charges no tax if it is not registered for it. */
  unregisteredReason: string
  /** The number under which the issuer pays the tax on sales. */
  taxId(numbers: Numbers): TaxId | undefined
  /** The address in the Peppol network that follows from the numbers of a business. */
  participant(numbers: Numbers): Participant | undefined
  /** How postal codes of the country look. */
  postcode: RegExp
  /** The national format, or null where the country has none beside Peppol BIS Billing. */
  national: NationalFormat | null
}

/** Standard rate, zero rate, exempt, or tax that the customer accounts for; all but the first two have a reason. */
export type EuropeanCategory = { code: 'S' | 'Z' } | { code: 'E' | 'AE'; reason: string }

type Numbers = { registrationNumber: string | null; taxNumber: string | null }

/** `VAT` begins with the code of the country (BT-31); `OTHER` is a number of another tax (BT-32). */
export type TaxId = { kind: 'VAT' | 'OTHER'; number: string }

/** A scheme of the code list EAS, and the number in it. */
export type Participant = { scheme: string; id: string }

/** A specialization of PINT. */
export type NationalFormat = {
  customization: string
  profile: string
  /** The identifier of the tax: GST. */
  taxScheme: string
  currency: string
  /** The category for lines of issuers that are not registered. */
  unregistered: string
  /** The code of a line, or a sentence that says why it has none. */
  categoryOf(line: TaxedLine): { code: string } | { problem: string }
}
