import { ibanProblem } from '../../../../core/values/bank-identifiers.ts'
import { compact } from '../../../../core/values/compact.ts'
import {
  type AskedFile,
  type BankFormat,
  type Payee,
  payeeName,
  totalOf,
} from '../../../../features/pay/payroll-forms/bank-files/bank-file.ts'
import {
  accountProblems,
  amountProblems,
  formProblems,
  missingFields,
  oncePerField,
} from '../../../../features/pay/payroll-forms/bank-files/bank-numbers.ts'
import { digits, record, right, shortDay } from '../../../../features/pay/payroll-forms/bank-files/fixed-width.ts'
import { type EmployeeProblem, rejected, toCheck } from '../../../../features/pay/payroll-forms/employee-problem.ts'
import { numberProblem } from '../../documents/numbers.ts'
import { hasLatin, toMasavText } from './masav-text.ts'

const recordLength = 128
const amountMax = 10n ** 13n - 1n

/**
 * The credit file of Masav, the clearing house of the Israeli banks. The institution number names the account that is debited,
 * so the account of the organization is not in the file.
 */
export const masav: BankFormat = {
  id: 'masav',
  fileType: 'text/plain',
  ending: 'txt',
  problems: ({ given, payees }) => [
    ...numberGiven('institutionNumber', given.institutionNumber, 8),
    ...numberGiven('senderNumber', given.senderNumber, 5),
    ...payees.flatMap(payeeProblems),
  ],
  write(asked) {
    const records = [header(asked), ...asked.payees.map((payee) => credit(asked, payee)), total(asked), nines]
    return records.map((each) => `${each}\r\n`).join('')
  },
}

function numberGiven(field: string, number: string | undefined, length: number): EmployeeProblem[] {
  if (number === undefined)
    return [
      rejected(field, 'MISSING', `Give the ${field} that Masav or the bank issued; it has up to ${length} digits.`),
    ]
  const isNumber = /^\d+$/.test(number) && number.length <= length && !/^0+$/.test(number)
  return isNumber ? [] : [rejected(field, 'NUMBER', `${field} has up to ${length} digits.`)]
}

function payeeProblems(payee: Payee): EmployeeProblem[] {
  const account = accountOf(payee)
  return oncePerField([
    ...missingFields(
      payee,
      { bankCode: 'The code of the bank', branchCode: 'The branch of the bank', accountNumber: 'The account number' },
      account,
    ),
    ...formProblems(payee, 'IL'),
    ...accountProblems({ ...payee, accountNumber: account.accountNumber }, { most: 9, letters: false }),
    ...amountProblems(payee, amountMax),
    ...identityProblems(payee),
    ...(hasLatin(payeeName(payee))
      ? [
          toCheck(
            'accountName',
            'LATIN_NAME',
            'Masav reads Latin letters as Hebrew ones. Give the name in Hebrew.',
            payee,
          ),
        ]
      : []),
  ])
}

/** The identity number is not needed to pay somebody, and people from abroad have none. */
function identityProblems(payee: Payee): EmployeeProblem[] {
  const number = compact(payee.idNumber ?? '')
  const problem = number === '' ? 'The identity number is missing; zeros are written.' : numberProblem(number)
  return problem === undefined ? [] : [toCheck('idNumber', 'ID_NUMBER', problem, payee)]
}

/** Bank, branch and account, from the IBAN where they are not given. */
function accountOf(payee: Payee) {
  const iban = compact(payee.iban ?? '')
  const parts =
    ibanProblem(iban) === undefined
      ? /^IL\d\d(?<bank>\d{3})(?<branch>\d{3})(?<account>\d{13})$/.exec(iban)?.groups
      : undefined
  const given = (text: string | null, part: string | undefined) =>
    compact(text ?? '') || (part && String(Number(part))) || null
  return {
    bankCode: given(payee.bankCode, parts?.bank),
    branchCode: given(payee.branchCode, parts?.branch),
    accountNumber: given(payee.accountNumber, parts?.account),
  }
}

const header = ({ given, paidOn, createdOn, payer }: AskedFile) =>
  record(recordLength, [
    ...['K', digits(given.institutionNumber ?? '', 8), '00', shortDay(paidOn), '0', digits(given.serialNumber, 3), '0'],
    ...[
      shortDay(createdOn),
      digits(given.senderNumber ?? '', 5),
      '0'.repeat(6),
      right(toMasavText(payer.name, 30), 30),
    ],
    ...[' '.repeat(56), 'KOT'],
  ])

function credit({ given, month }: AskedFile, payee: Payee): string {
  const { bankCode, branchCode, accountNumber } = accountOf(payee)
  const period = month.month.slice(2).replace('-', '')
  return record(recordLength, [
    ...['1', digits(given.institutionNumber ?? '', 8), '00', '0'.repeat(6)],
    ...[digits(bankCode ?? '', 2), digits(branchCode ?? '', 3), '0000', digits(accountNumber ?? '', 9), '0'],
    ...[identityOf(payee), right(toMasavText(payeeName(payee), 16), 16), digits(payee.amountMinor, 13)],
    ...[referenceOf(payee), period, period, '000', '006', '0'.repeat(18), '  '],
  ])
}

function identityOf({ idNumber }: Payee): string {
  const number = compact(idNumber ?? '')
  return digits(number !== '' && numberProblem(number) === undefined ? number : 0, 9)
}

/** The employee number if it is one, else the identity number, which is how the employee is found in answers of the bank. */
function referenceOf(payee: Payee): string {
  const number = compact(payee.employeeNumber ?? '')
  return /^\d{1,20}$/.test(number) ? digits(number, 20) : identityOf(payee).padStart(20, '0')
}

const total = ({ given, paidOn, payees }: AskedFile) =>
  record(recordLength, [
    ...['5', digits(given.institutionNumber ?? '', 8), '00', shortDay(paidOn), '0', digits(given.serialNumber, 3)],
    ...[digits(totalOf(payees), 15), '0'.repeat(15), digits(payees.length, 7), '0'.repeat(7), ' '.repeat(63)],
  ])

const nines = '9'.repeat(recordLength)
