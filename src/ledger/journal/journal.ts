/** The accounts of the journal. PREPAYMENTS holds payments that are not allocated yet, received or made. */
export const accounts = [
  'RECEIVABLES', 'PAYABLES', 'REVENUE', 'UNBILLED', 'EXPENSES', 'TAX', 'CASH', 'PREPAYMENTS',
] as const // biome-ignore format: a list of words
export type Account = (typeof accounts)[number]

/** The events that are booked. Payments and allocations have a second event that reverses them. */
export type JournalEvent =
  | 'ISSUED'
  | 'CREDITED'
  | 'CANCELLED'
  | 'CONVERTED'
  | 'PAID'
  | 'PAID_VOIDED'
  | 'ALLOCATED'
  | 'ALLOCATED_VOIDED'

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
