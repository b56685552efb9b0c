import type { CountryCode } from '../../../../countries/country.ts'
import type { PayMonth } from '../../payroll/month.ts'
import type { EmployeeProblem } from '../employee-problem.ts'

/** A layout in which banks take payments of net pay. */
export type BankFormat = {
  /** The name in the request. */
  id: string
  fileType: 'text/plain' | 'text/csv'
  /** The ending of the file's name. */
  ending: 'txt' | 'csv'
  /** What the bank would reject, and what somebody has to look at. */
  problems(asked: AskedFile): EmployeeProblem[]
  /** The file, if nothing of it is rejected. One character is one byte. */
  write(asked: AskedFile): string
}

/** The layouts that the banks of each country take; the first one is the default. */
export type BankFormats = Readonly<Record<CountryCode, readonly BankFormat[]>>

/** What a file is made from. */
export type AskedFile = {
  month: PayMonth
  /** The day on which the employees are paid. */
  paidOn: string
  /** The day and the time, such as 2026-03-30 and 0915, when the file is made. */
  createdOn: string
  createdAt: string
  payer: Payer
  payees: readonly Payee[]
  given: GivenNumbers
}

/** Who pays: the organization, and the bank account that is debited. */
export type Payer = {
  name: string
  registrationNumber: string | null
  taxNumber: string | null
  account: PayerAccount | null
}

export type PayerAccount = {
  id: string
  bankName: string
  accountNumber: string | null
  routingNumber: string | null
}

/** An employee and what is outstanding of the net pay. */
export type Payee = {
  employeeId: string
  name: string
  employeeNumber: string | null
  idNumber: string | null
  bankCode: string | null
  branchCode: string | null
  accountNumber: string | null
  accountName: string | null
  accountType: 'CHECKING' | 'SAVINGS' | null
  iban: string | null
  swiftCode: string | null
  routingNumber: string | null
  amountMinor: number
}

/** Numbers that only a bank issues. */
export type GivenNumbers = {
  institutionNumber?: string
  senderNumber?: string
  serialNumber: number
  immediateDestination?: string
  immediateOrigin?: string
  companyNumber?: string
  fileModifier: string
}

/** The name on the account, which may not be the one of the employee. */
export const payeeName = ({ accountName, name }: Pick<Payee, 'accountName' | 'name'>): string => accountName ?? name

export const totalOf = (payees: readonly Payee[]): bigint =>
  payees.reduce((sum, { amountMinor }) => sum + BigInt(amountMinor), 0n)
