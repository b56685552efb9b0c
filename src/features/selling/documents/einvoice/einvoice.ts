import type { Decimal } from 'decimal.js'
import type { Participant, TaxId } from '../../../../countries/einvoices.ts'
import type { PostalAddress } from './address.ts'

/** The specification that a file follows. */
export type Profile = {
  /** BT-24 and BT-23; a process is a matter of the Peppol network. */
  customization: string
  process: string | null
  /** The identifier of the tax: VAT or, in Singapore, GST. */
  taxScheme: string
}

/**
 * An invoice or a credit note in the terms of EN 16931, from which each syntax is written. Amounts are exact and in the major
 * unit; they have two decimals at most. Amounts of a credit note are positive.
 */
export type EInvoice = {
  profile: Profile
  isCreditNote: boolean
  /** UNTDID 1001. */
  typeCode: string
  number: string
  uuid: string
  issueDate: string
  dueDate: string | null
  note: string | null
  currency: string
  /** The networks want this or the number of an order; NA if the customer gave neither. */
  buyerReference: string | null
  orderNumber: string | null
  /** The invoice that a memo corrects. */
  preceding: { number: string; issueDate: string | null } | null
  seller: Party
  buyer: Party
  delivery: PostalAddress | null
  payment: Payment | null
  terms: string | null
  /** On the whole invoice. */
  adjustments: (Adjustment & { category: Category })[]
  taxes: TaxGroup[]
  /** The amounts in the currency of the tax authority, if the invoice is in another one. */
  accounting: { currency: string; net: Decimal; tax: Decimal; gross: Decimal } | null
  totals: Totals
  lines: Line[]
}

export type Party = {
  name: string
  endpoint: Participant | null
  address: PostalAddress
  legalId: string | null
  taxId: TaxId | null
  phone: string | null
  email: string | null
}

/** Money transfer to an account, or another means. */
export type Payment = {
  /** UNTDID 4461, or Z02 for PayNow in Singapore. */
  code: string
  account: { id: string; isIban: boolean; name: string | null; bic: string | null } | null
}

/** A tax category; a rate of null means that there is none (category O). */
export type Category = { code: string; rate: Decimal | null; reason: string | null }

/** An allowance, or a charge. The percentage and what it is of are given together. */
export type Adjustment = {
  isCharge: boolean
  amount: Decimal
  reason: string
  share: { percent: Decimal; base: Decimal } | null
}

export type TaxGroup = { category: Category; taxable: Decimal; tax: Decimal }

export type Totals = {
  lines: Decimal
  allowances: Decimal
  charges: Decimal
  net: Decimal
  tax: Decimal
  gross: Decimal
  prepaid: Decimal
  rounding: Decimal
  payable: Decimal
}

export type Line = {
  name: string
  quantity: Decimal
  /** The price of one, before discounts. */
  price: Decimal
  adjustments: Adjustment[]
  net: Decimal
  category: Category
}

/** A value that the format requires and that is missing or does not fit, and what to do about it. */
export type Problem = {
  field: string
  message: string
  /** What can be done about it once the document is issued, if that is something else. */
  afterIssue?: string
}

/** The problem of an issued document, and what to do about it. */
export const sentenceOf = ({ message, afterIssue }: Problem): string => [message, afterIssue].filter(Boolean).join(' ')
