import { compact } from '../../../../core/values/compact.ts'
import type { Country } from '../../../../countries/country.ts'
import { bankAccountWarnings } from '../../../../countries/warnings.ts'
import { type EmployeeProblem, rejected } from '../employee-problem.ts'
import type { Payee } from './bank-file.ts'

/** Where the numbers of a bank account stand on an employee. */
const fieldOf = (path: string) => (path === 'localBankCode' ? 'bankCode' : path)

/** What is wrong with the form of the bank details of an employee, by the rules for bank accounts of the country. */
export const formProblems = (payee: Payee, country: Country['code']): EmployeeProblem[] =>
  bankAccountWarnings(
    {
      ...{ bankCountry: country, localBankCode: payee.bankCode, branchCode: payee.branchCode, iban: payee.iban },
      ...{ accountNumber: payee.accountNumber, swiftCode: payee.swiftCode, routingNumber: payee.routingNumber },
    },
    country,
  ).map(({ code, message, path }) => rejected(fieldOf(path), code, message, payee))

type Needed = 'bankCode' | 'branchCode' | 'accountNumber' | 'routingNumber'

/** Fields that are needed and empty. */
export const missingFields = (
  payee: Payee,
  needed: Partial<Record<Needed, string>>,
  of: Partial<Record<Needed, string | null>> = payee,
): EmployeeProblem[] =>
  Object.entries(needed).flatMap(([field, name]) =>
    compact(of[field as Needed] ?? '') === '' ? [rejected(field, 'MISSING', `${name} is missing.`, payee)] : [],
  )

/** An account number that cannot be one: zeros only, or other characters than the layout takes. */
export function accountProblems(
  payee: Payee,
  { most, letters }: { most: number; letters: boolean },
): EmployeeProblem[] {
  const number = compact(payee.accountNumber ?? '')
  if (number === '') return []
  const isPossible = (letters ? /^[A-Z0-9]+$/ : /^\d+$/).test(number) && number.length <= most && !/^0+$/.test(number)
  const message = `An account number has up to ${most} ${letters ? 'letters and digits' : 'digits'}, not all of them zero.`
  return isPossible ? [] : [rejected('accountNumber', 'ACCOUNT_NUMBER', message, payee)]
}

/** An amount that has more digits than the layout takes. */
export const amountProblems = (payee: Payee, most: bigint): EmployeeProblem[] =>
  BigInt(payee.amountMinor) > most
    ? [rejected('amount', 'AMOUNT_TOO_LARGE', 'The amount has more digits than the file takes. Pay in parts.', payee)]
    : []

/** One problem for each field of an employee. */
export const oncePerField = (problems: readonly EmployeeProblem[]): EmployeeProblem[] =>
  problems.filter(
    ({ field, employeeId }, at) =>
      problems.findIndex((other) => other.field === field && other.employeeId === employeeId) === at,
  )
