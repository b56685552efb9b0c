import type { Warning } from '../core/define/schema.ts'
import type { Language } from '../core/values/language.ts'
import type { ChartAccount } from './chart.ts'
import type { EInvoiceRules } from './einvoices.ts'
import type { NamedFacts } from './facts.ts'
import type { Integration } from './integration.ts'
import type { PayrollRules } from './payroll/payroll.ts'
import type { PayslipWords } from './payslip.ts'
import type { Writing } from './writing.ts'

/** The sales tax that an organization collects: a row is valid from its day until the next one of its state begins. */
export type SalesTaxRates = readonly { state: string; rate: number; since: string }[]

export const countryCodes = ['IL', 'SG', 'US'] as const
export type CountryCode = (typeof countryCodes)[number]

/**
 * The rules of a country. Features use `countries[organization.country]` and never test which country it is. Every part is needed, so
 * that a new country answers everything; what it does not have is null or an empty list.
 */
export type Country = {
  code: CountryCode
  /** The defaults of an organization in this country. */
  currency: string
  timezone: string
  /** What people are told of it. */
  facts: NamedFacts
  /** The chart of accounts that an organization starts with; `default_accounts` has the same rows for the database. */
  accounts: readonly ChartAccount[]
  /** Whose exchange rates its organizations use: the Bank of Israel, the Monetary Authority of Singapore, or the ECB. */
  rateSource: 'BOI' | 'MAS' | 'ECB'
  /** How many months a return of the tax on sales covers, where the authority has not said otherwise. */
  taxPeriodMonths: 1 | 2 | 3
  /** The authority to which documents of the country are submitted; null if there is none. */
  integration: Integration | null
  /** Whether tax may be due when money comes in before its tax invoice. */
  taxesAdvances: boolean
  documents: DocumentRules
  einvoices: EInvoiceRules
  payroll: PayrollRules
  payslip: PayslipWords
  writing: Writing
  identifiers: Identifiers
  /** Whether the organization deducts the tax that its suppliers charge. */
  deductsInputTax(issuer: Issuer): boolean
  /** Warnings about a bill of a supplier whose tax the organization deducts. */
  purchaseWarnings(purchase: Purchase): Warning[]
  /** Warnings about a payment to a supplier from whom tax is to be withheld. */
  withholdingWarnings(payment: SupplierPayment): Warning[]
  /** Warnings about the numbers of an account at a bank of this country, in addition to the international rules. */
  bankAccountWarnings(account: BankNumbers): Warning[]
  /** Warnings about cash beyond what the law of the country allows for a deal. */
  cashWarnings(deal: CashDeal): Warning[]
  /** The name and content of the QR code for payments with a banking app, if the country has such a standard. */
  paymentCode(payment: CodedPayment): { name: string; text: string } | undefined
}

/** A bill of a supplier in minor units of the country's currency. */
export type Purchase = {
  date: string
  /** Without the tax. */
  netMinor: bigint
  deductedMinor: bigint
  allocationNumber: string | null
}

/** A payment to a supplier, in minor units, and the supplier's certificate: its rate in percent and its last day. */
export type SupplierPayment = {
  day: string
  amountMinor: bigint
  withheldMinor: bigint
  rate: number | null
  validUntil: string | null
}

export type DocumentRules = {
  /** The languages of documents, the default first. With two, a document can be printed in both. */
  languages: readonly [Language, ...Language[]]
  paper: 'a4' | 'us-letter'
  /** The printed form of a date. Amounts are printed as 1,234.56 in every country. */
  showDay(day: string, language: Language): string
  /** Whether every amount is printed with its currency symbol, and not the total alone. */
  symbolOnAmounts: boolean

  taxName(language: Language): string
  /** The category of a line: the given one, or the one that its rate implies. Lines of one rate and category share a tax row. */
  taxCategoryOf(line: TaxedLine, language: Language): TaxCategory | undefined
  /** The standard rate in percent; undefined if the country has no single one. */
  taxRateOn(day: string): number | undefined
  /** The tax on these lines in minor units, rounded by the rule of the country. */
  taxOn(lines: readonly TaxedLine[]): bigint
  /** The smallest cash amount, in minor units of the country's currency. */
  cashUnitMinor: bigint
  /** Whether a line for the tax is printed. */
  showsTax(sale: Sale): boolean
  /** Whether the organization is registered for the tax. If not, its documents show no tax and are not tax invoices. */
  isRegistered(issuer: Issuer): boolean

  titleOf(asked: { documentType: DocumentType; issuer: Issuer; language: Language }): string
  /** The authority's code for the type of document, such as 305; undefined if there are no codes. */
  officialCode(asked: { documentType: DocumentType; issuer: Issuer }): string | undefined
  /** How documents of this type are numbered; `official_document_types` in the database is the same declaration. */
  numberedAs(asked: { documentType: DocumentType; issuer: Issuer }): NumberedAs
  /** Warnings about documents that this issuer may not issue. */
  issuerWarnings(sale: Sale): Warning[]
  /** How many days before today a document of this type may be dated without a warning. */
  backdatedDays(documentType: DocumentType, today: string): number
  /**
   * Warnings about the turnover of the calendar year, if the country limits it for some issuers. `earlierMinor` is what the
   * other documents of the year add up to, in the country's currency.
   */
  turnoverWarnings: ((sale: Sale, earlierMinor: bigint) => Warning[]) | null
  /** The rate of the organization's own table at an address, if organizations of the country have one. */
  ownRateAt: ((rates: SalesTaxRates, address: string | null, day: string) => number | undefined) | null
  /** Warnings about rates that differ from the organization's own table, if organizations of the country have one. */
  ownRateWarnings: ((sale: Sale, rates: SalesTaxRates) => Warning[]) | null
  /** Warnings about unusual tax rates. */
  taxWarnings(sale: Sale): Warning[]
  /** Warnings about contents that the law requires and that are missing. */
  contentWarnings(sale: Sale): Warning[]
  /** Whether the customer can deduct the tax only with an allocation number of the authority. */
  needsAllocationNumber(sale: Sale): boolean
  /** Further sentences and words to print, in addition to the title. */
  wordings(sale: Sale, printed: { language: Language; copy: Copy }): Wording[]
  issuerNumbers(issuer: Issuer, language: Language): LabelledNumber[]
  /** The numbers of a customer in this country; `customerNumbers` in countries.ts covers all countries. */
  customerNumbers(customer: Customer, language: Language): LabelledNumber[]
  /** Numbers that an authority assigned to this document. */
  officialNumbers(document: SalesDocument, language: Language): LabelledNumber[]
  /** Further facts to print beside the dates, such as the purchase-order number of the customer. */
  references(document: SalesDocument, language: Language): LabelledNumber[]
  /** The lines of the address that goods are sent to, if the document names one. */
  shipTo(document: SalesDocument): string[]
  /** The tax by the authorities that levy it, if the document names them. */
  jurisdictions(document: SalesDocument): Jurisdiction[]
  /**
   * What a memo takes over of the facts of the document that it corrects, where its print shows them too; its tax is in minor units.
   */
  memoFacts: ((source: SalesDocument, taxMinor: bigint) => Record<string, unknown> | null) | null
  /** The amounts of a foreign-currency document in the country's currency, if the law requires them. */
  homeAmounts(sale: Sale): OwnCurrencyAmounts | undefined
}

/** Returns a sentence about what is wrong with a number, or undefined. */
type Problem = (text: string) => string | undefined

export type Identifiers = {
  /** Checks the number of a company: Israeli company number, UEN, EIN. */
  registrationProblem: Problem
  /** Checks the number of the tax registration: dealer number, GST number, EIN. */
  taxProblem: Problem
  /** Checks the number of a person or a sole proprietor. */
  personProblem: Problem
}

/** Every type of sales document. A country gives each its title and says which types are numbered together. */
export const documentTypes = [
  'INVOICE', 'RECEIPT', 'INVOICE_RECEIPT', 'PAYMENT_REQUEST', 'CREDIT_MEMO', 'DEBIT_MEMO',
] as const // biome-ignore format: a list of words
export type DocumentType = (typeof documentTypes)[number]
/** Printed numbers are unique per official type. Types of one official type share the counter of the type `series`. */
export type NumberedAs = { officialType: string; series: DocumentType }
/** An issued document has one original; every further print is a copy. */
export type Copy = 'original' | 'copy' | 'draft'

/** The data of the organization that country rules use. */
export type Issuer = {
  name: string
  registrationNumber: string | null
  /** Present only if the organization is registered for the tax. */
  taxNumber: string | null
  address: string | null
}

export type Customer = {
  name: string | null
  country: string | null
  kind: 'ORGANIZATION' | 'INDIVIDUAL' | null
  registrationNumber: string | null
  address: string | null
}

export type TaxedLine = { amountMinor: bigint; taxRate: number | null; taxCategory?: string | null }

export type TaxCategory = {
  /** The name in the tax rows, such as Zero-rated (ZR). */
  name: string
  /** What a line of this category shows beside its rate, or instead of it; nothing for the usual category. */
  mark?: string
  /** An exempt line has no rate: 0 % would be another category. */
  hasRate: boolean
}

/** A part of the tax; `amountMinor` is null if only the rate is known. */
export type Jurisdiction = { name: string; rate: number | null; amountMinor: bigint | null }

export type SalesDocument = {
  documentType: DocumentType
  issueDate: string
  currency: string
  /** The value of one unit of the document's currency in the country's currency; null if unknown. */
  exchangeRate: number | null
  /** The day of that rate; null if both currencies are the same or the day is not known. */
  exchangeRateDate: string | null
  subtotalMinor: bigint
  taxMinor: bigint
  totalMinor: bigint
  /** The rate of lines without their own rate, in percent. */
  taxRate: number | null
  lines: readonly TaxedLine[]
  /** For a credit memo, its reason. */
  notes: string | null
  paymentMethod: string | null
  /** The field `countrySpecificData`, unchecked. */
  facts: Record<string, unknown> | null
  allocationNumber: string | null
}

export type Sale = { issuer: Issuer; customer: Customer; document: SalesDocument }

export type Wording = { code: string; text: string; language: Language; place: 'title' | 'issuer' | 'totals' | 'foot' }
export type LabelledNumber = { label: string; value: string }

export type OwnCurrencyAmounts = {
  currency: string
  exchangeRate: number
  subtotalMinor: bigint
  taxMinor: bigint
  totalMinor: bigint
}

/** The numbers of a bank account; `bankCountry` is free text. */
export type BankNumbers = {
  bankCountry: string | null
  accountNumber: string | null
  branchCode: string | null
  localBankCode: string | null
  swiftCode: string | null
  iban: string | null
  routingNumber: string | null
}

/** What was paid in cash for a deal, in minor units of the country's currency. */
export type CashDeal = {
  /** The day of the payment. */
  day: string
  cashMinor: bigint
  /** The price with tax; null if it is not known, as for a payment on account. */
  priceMinor: bigint | null
}

export type CodedPayment = {
  /** The payee. */
  issuer: Issuer
  currency: string
  /** If undefined, the payer chooses the amount. */
  amountMinor?: bigint | undefined
  reference?: string | undefined
  /** The last day of validity. */
  until?: string | undefined
}
