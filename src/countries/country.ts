import type { Warning } from '../core/define/schema.ts'
import type { Language } from '../core/values/language.ts'

export const countryCodes = ['IL', 'SG', 'US'] as const

/** What a country answers. Features ask `countries[organization.country]` and never which country it is. */
export type Country = {
  code: (typeof countryCodes)[number]
  /** Where an organization of this country starts, unless it says otherwise. */
  currency: string
  timezone: string
  documents: DocumentRules
  identifiers: Identifiers
  /** What is odd about the numbers of an account at a bank of this country, beside what holds everywhere. */
  bankAccountDoubts(account: BankNumbers): Warning[]
  /** What the QR code says that a banking app of this country pays a document with, and its name, if there is such a thing. */
  paymentCode(payment: CodedPayment): { name: string; text: string } | undefined
}

export type DocumentRules = {
  /** Which its documents are written in; the first unless somebody chooses. Where there are two, both may stand together. */
  languages: readonly [Language, ...Language[]]
  paper: 'a4' | 'us-letter'
  /** How a calendar day reads on paper. Amounts read 1,234.56 in all of them. */
  showDay(day: string, language: Language): string

  taxName(language: Language): string
  /** The standard rate in percent; undefined where no single one exists. */
  taxRateOn(day: string): number | undefined
  /** What these lines are taxed with, in minor units, rounded as the country rounds. */
  taxOn(lines: readonly TaxedLine[]): bigint
  /** The smallest amount that can be paid in cash, in minor units of the country's currency. */
  cashUnitMinor: bigint
  /** Whether a line for the tax is printed. */
  showsTax(sale: Sale): boolean
  /** Whether the organization is registered for the tax: whoever is not shows none and issues no tax invoice. */
  isRegistered(issuer: Issuer): boolean

  titleOf(asked: { documentType: DocumentType; issuer: Issuer; language: Language }): string
  /** What the authority calls the kind of document, such as 305; undefined where it has no codes. */
  officialCode(asked: { documentType: DocumentType; issuer: Issuer }): string | undefined
  /** Doubts about whether this issuer may issue this at all. */
  mayIssue(sale: Sale): Warning[]
  /** Doubts about its rates of tax. */
  taxDoubts(sale: Sale): Warning[]
  /** What the law wants on it and is not there. */
  requiredContents(sale: Sale): Warning[]
  /** Whether the authority has to give a number for it before the customer can deduct the tax. */
  needsAllocationNumber(sale: Sale): boolean
  /** Sentences and words to print, beside the title in its language. */
  wordings(sale: Sale, printed: { language: Language; copy: Copy }): Wording[]
  issuerNumbers(issuer: Issuer, language: Language): LabelledNumber[]
  /** Of a customer of this country; `customerNumbers` of countries.ts knows the others too. */
  customerNumbers(customer: Customer, language: Language): LabelledNumber[]
  /** Numbers that an authority gave this very document. */
  officialNumbers(document: SalesDocument, language: Language): LabelledNumber[]
  /** The amounts of a document in a foreign currency in the country's own, where the law wants them beside. */
  homeAmounts(sale: Sale): OwnCurrencyAmounts | undefined
}

/** What is wrong with a number, in a sentence for the person who typed it, or undefined. */
type Problem = (text: string) => string | undefined

export type Identifiers = {
  /** Of a company: Israeli company number, UEN, EIN. */
  registrationProblem: Problem
  /** Under which it is registered for the tax: dealer number, GST number, EIN. */
  taxProblem: Problem
  /** Of a person, or of the business of one. */
  personProblem: Problem
}

export type DocumentType = 'INVOICE' | 'RECEIPT' | 'INVOICE_RECEIPT' | 'PAYMENT_REQUEST' | 'CREDIT_MEMO' | 'DEBIT_MEMO'
/** Of what was issued there is one original; whatever is printed again is a copy. */
export type Copy = 'original' | 'copy' | 'draft'

/** The organization, as far as its country asks. */
export type Issuer = {
  name: string
  registrationNumber: string | null
  /** Only whoever is registered for the tax has one. */
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

export type TaxedLine = { amountMinor: bigint; taxRate: number | null }

export type SalesDocument = {
  documentType: DocumentType
  issueDate: string
  currency: string
  /** How much of the country's currency one unit of the document's is worth; null while unknown. */
  exchangeRate: number | null
  subtotalMinor: bigint
  taxMinor: bigint
  totalMinor: bigint
  /** Of lines that have none of their own, in percent. */
  taxRate: number | null
  lines: readonly TaxedLine[]
  /** Of a credit, its reason. */
  notes: string | null
  paymentMethod: string | null
  /** `countrySpecificData`, as somebody sent it. */
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

export type CodedPayment = {
  /** Whom it pays. */
  issuer: Issuer
  currency: string
  /** Open for the payer to say if undefined. */
  amountMinor?: bigint | undefined
  reference?: string | undefined
  /** The last day on which it pays. */
  until?: string | undefined
}
