/** A demo company: who it is, whom it sells to and how, and what is going on there just now. */
export type Company = {
  organization: { name: string; country: 'IL' | 'SG' | 'US' } & Record<string, string>
  currency: string
  bankAccounts: readonly BankAccount[]
  customers: readonly Customer[]
  /** What is sold, by a short name that customers' habits use. */
  goods: Readonly<Record<string, Good>>
  /** How much is sold from January to December, where 1 is an ordinary month. */
  season: readonly number[]
  /** The tax on sales at home, in percent, on a day. */
  taxOn: (day: string) => number
  /** Days on which nobody writes documents; 0 is Sunday. */
  weekend: readonly number[]
  stories: readonly Story[]
}

type BankAccount = { accountName: string; currencies: readonly string[] } & Record<string, unknown>

export type Customer = {
  name: string
  recipients?: readonly string[]
  buys: Habit
} & Record<string, unknown>

/** `says` stands on the line; a price is in the currency of whoever buys it, a count from few to many. */
export type Good = { says: string; price: number; count: readonly [number, number]; untaxed?: true }

export type DocumentType = 'INVOICE' | 'INVOICE_RECEIPT' | 'PAYMENT_REQUEST'

export type Habit = {
  goods: readonly string[]
  perMonth: number
  /** Days until a document is due, and after how many days from issue it is paid in fact. */
  terms: number
  pays: readonly [number, number]
  method: string
  /** That of the company unless given. */
  currency?: string
  /** How much more, or less, than others. */
  size?: number
  /** In months since the beginning: the first ones bought in, and the first ones no more. */
  joined?: number
  left?: number
  /** Exports, and whoever is exempt. */
  taxFree?: true
  documentType?: DocumentType
  /** Each order is a project: a deposit, a milestone and the balance, a month and more apart. */
  projects?: true
  /** Pays so many invoices with one transfer. */
  together?: number
}

/** A sale of these days that is not like the others, and what became of it. */
export type Story = {
  customer: string
  daysAgo: number
  status: 'DRAFT' | 'UNSENT' | 'SENT' | 'PAID'
  documentType?: DocumentType
  notes?: string
  sequel?: FollowUp
}

export type FollowUp =
  | { kind: 'PART_PAID'; share: number; daysAgo: number }
  | { kind: 'OVERPAID'; by: number; daysAgo: number }
  | { kind: 'RECEIPTED'; daysAgo: number }
  | { kind: 'CREDITED'; says: string; share: number; reason: string }
  | { kind: 'DISPUTED'; thread: readonly Comment[] }

export type Comment = {
  type: 'DISPUTED' | 'DISPUTE_COUNTERED' | 'DISPUTE_RESOLVED' | 'COMMENTED'
  message: string
}
