import type { AccountPurpose } from '../../countries/chart.ts'

/**
 * The words of the accounts in the derived journal: purposes of accounts, and two words for accounts of both directions. TAX is
 * OUTPUT_TAX on sales and INPUT_TAX on purchases. PREPAYMENTS holds payments and credits that are not used yet:
 * CUSTOMER_CREDITS if received, SUPPLIER_ADVANCES if made. WITHHOLDING is what customers withheld; of payments to suppliers it
 * is WITHHOLDING_PAYABLE, which is owed to the authority.
 */
export type Account = AccountPurpose | 'TAX' | 'PREPAYMENTS'

/** The events that are booked. A payment, an allocation, a payment request and the credit of a supplier have a second event that reverses them. */
export type JournalEvent =
  | 'ISSUED'
  | 'CREDITED'
  | 'CANCELLED'
  | 'CONVERTED'
  | 'PAID'
  | 'PAID_VOIDED'
  | 'ALLOCATED'
  | 'ALLOCATED_VOIDED'
  | 'STOCK'
  | 'ORDER_CLOSED'

/** A line of the journal: a debit or a credit, in minor units of its currency. */
export type Entry = {
  day: string
  event: JournalEvent
  /** The id of the document, payment or allocation. The entries of one event add up to zero. */
  eventId: string
  documentId: string | null
  paymentId: string | null
  account: Account
  debitMinor: number
  creditMinor: number
  currency: string
}

/** The balance of an account in a currency: debits are positive, credits negative. */
export type Balance = { account: Account; currency: string; balanceMinor: number }
