/** Where money stands in double entry. Customers' money that pays nothing yet is a prepayment, and so is ours to others. */
export const accounts = [
  'RECEIVABLES', 'PAYABLES', 'REVENUE', 'UNBILLED', 'EXPENSES', 'TAX', 'CASH', 'PREPAYMENTS',
] as const // biome-ignore format: a list of words
export type Account = (typeof accounts)[number]

/** What is entered; each but the first two has a counterpart that takes it back. */
export type JournalEvent = 'ISSUED' | 'CREDITED' | 'PAID' | 'PAID_VOIDED' | 'ALLOCATED' | 'ALLOCATED_VOIDED'

/** A line of the journal, in minor units of its currency: either a debit or a credit. */
export type Entry = {
  day: string
  event: JournalEvent
  /** The document, payment or allocation that the event is of; its entries add up to zero. */
  eventId: string
  documentId: string | null
  paymentId: string | null
  account: Account
  debitMinor: number
  creditMinor: number
  currency: string
}

/** What an account has gained or lost in a currency: a debit is positive, a credit negative. */
export type Balance = { account: Account; currency: string; balanceMinor: number }
