import type { SimulatedMailbox } from '../core/outside/simulated-mailbox.ts'
import { countries } from '../countries/countries.ts'
import type { CountryCode } from '../countries/country.ts'
import type { Spending } from './expenses/spending.ts'
import type { StaffMember } from './payroll/staff.ts'
import type { Trade } from './trade/trade.ts'

/** The standard rate of a country on a day, as its rules have it. */
export const standardTax = (code: CountryCode) => (day: string) => countries[code].documents.taxRateOn(day) ?? 0

/** A demo company: its master data, its customers and what they buy, its recent special sales, and what it spends. */
export type Company = {
  organization: { name: string; country: CountryCode } & Record<string, string>
  currency: string
  bankAccounts: readonly BankAccount[]
  customers: readonly Customer[]
  /** What is sold, by the short name that buying patterns use. */
  goods: Readonly<Record<string, Good>>
  /** The sales volume from January to December, relative to an average month. */
  season: readonly number[]
  /** The tax on domestic sales, in percent, on a day. */
  taxOn: (day: string) => number
  /** The tax category of sales abroad, where the country asks for one. */
  exportCategory?: string
  /** Days of the week without documents; 0 is Sunday. */
  weekend: readonly number[]
  specialSales: readonly SpecialSale[]
  /** What it spends. */
  spending: Spending
  /** What it buys, keeps in stock and sells by order. */
  trade: Trade
  /** Whom it employs. */
  staff: readonly StaffMember[]
  /** The first month of its payroll, where the country has no earlier tables. */
  firstPayMonth: string | null
  /** The simulated mailbox that its receipts arrive in. */
  mailbox?: SimulatedMailbox
  /** What it entered for the tax authority of its country, which is the simulator. Its documents are submitted when issued. */
  taxAuthority?: { integrationId: string; credentials: Readonly<Record<string, string>> }
}

type BankAccount = { accountName: string; currencies: readonly string[] } & Record<string, unknown>

export type Customer = {
  name: string
  recipients?: readonly string[]
  buys: BuyingPattern
} & Record<string, unknown>

/** The price is in the currency of the customer, the quantity a range. */
export type Good = { description: string; price: number; quantity: readonly [number, number]; untaxed?: true }

export type DocumentType = 'INVOICE' | 'INVOICE_RECEIPT' | 'PAYMENT_REQUEST'

export type BuyingPattern = {
  goods: readonly string[]
  perMonth: number
  /** Days from issue until a document is due, and until it is actually paid. */
  dueDays: number
  paysAfterDays: readonly [number, number]
  method: string
  /** The currency of the company unless given. */
  currency?: string
  /** Factor on the quantities. */
  volume?: number
  /** Months since the beginning of the history: the first month with purchases, and the first month without. */
  firstMonth?: number
  endMonth?: number
  /** For exports and exempt customers. */
  taxFree?: true
  documentType?: DocumentType
  /** Each purchase is a project with three invoices: deposit, milestone and balance, 35 days apart. */
  projects?: true
  /** Pays this many invoices with one transfer. */
  invoicesPerTransfer?: number
}

/** A recent sale that differs from the regular ones, and what followed it. */
export type SpecialSale = {
  customer: string
  daysAgo: number
  /** Factor on the quantities. */
  volume?: number
  status: 'DRAFT' | 'UNSENT' | 'SENT' | 'PAID'
  documentType?: DocumentType
  notes?: string
  followUp?: FollowUp
}

export type FollowUp =
  | { kind: 'PART_PAID'; share: number; daysAgo: number }
  | { kind: 'OVERPAID'; by: number; daysAgo: number }
  | { kind: 'RECEIPTED'; daysAgo: number }
  | { kind: 'CREDITED'; description: string; share: number; reason: string }
  | { kind: 'DISPUTED'; thread: readonly Comment[] }

export type Comment = {
  type: 'DISPUTED' | 'DISPUTE_COUNTERED' | 'DISPUTE_RESOLVED' | 'COMMENTED'
  message: string
}
