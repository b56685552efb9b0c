import { compact } from '../../../core/values/compact.ts'
import { toMajor } from '../../../core/values/money.ts'
import {
  type AskedFile,
  type BankFormat,
  type Payee,
  payeeName,
  totalOf,
} from '../../../features/pay/payroll-forms/bank-files/bank-file.ts'
import {
  accountProblems,
  amountProblems,
  formProblems,
  missingFields,
  oncePerField,
} from '../../../features/pay/payroll-forms/bank-files/bank-numbers.ts'
import { digits, plainText } from '../../../features/pay/payroll-forms/bank-files/fixed-width.ts'
import { type EmployeeProblem, rejected } from '../../../features/pay/payroll-forms/employee-problem.ts'

const nameMax = 35
const amountMax = 10n ** 11n - 1n

/** Banks by their code in the clearing house, with the BIC that FAST names them by. */
const banks: Record<string, string> = {
  7171: 'DBSSSGSG',
  7339: 'OCBCSGSG',
  7375: 'UOVBSGSG',
  9496: 'SCBLSG22',
  7232: 'HSBCSGSG',
  7302: 'MBBESGSG',
  7214: 'CITISGSG',
}

/** The columns that bulk uploads of salaries by GIRO or FAST ask for, one row for each employee. It is no bank's own layout. */
export const giro: BankFormat = {
  id: 'giro',
  fileType: 'text/csv',
  ending: 'csv',
  problems: (asked) => [...payerProblems(asked), ...asked.payees.flatMap(payeeProblems)],
  write: (asked) => [columns, ...asked.payees.map((payee) => cellsOf(asked, payee))].map(line).join(''),
}

const columns = [
  'Payee Name', 'Bank Code', 'BIC', 'Branch Code', 'Account Number', 'Currency', 'Amount', 'Value Date', 'Purpose Code',
  'Reference', 'Debit Account Number',
] // biome-ignore format: a list of words

const cellsOf = (asked: AskedFile, payee: Payee) => {
  const { bankCode, bic } = bankOf(payee)
  return [
    ...[nameOf(payee), bankCode, bic, compact(payee.branchCode ?? ''), compact(payee.accountNumber ?? ''), 'SGD'],
    ...[amountOf(payee.amountMinor), asked.paidOn, 'SALA', referenceOf(asked), debitAccount(asked)],
  ]
}

/** The Universal File Format of DBS IDEAL (version 1.9.3): bulk payments by GIRO, transaction code 22 for salaries. */
export const dbsUff: BankFormat = {
  id: 'dbs-uff',
  fileType: 'text/plain',
  ending: 'txt',
  problems: (asked) => [
    ...payerProblems(asked),
    ...(asked.given.companyNumber === undefined
      ? [rejected('companyNumber', 'MISSING', 'Give the organization id that DBS IDEAL issued as companyNumber.')]
      : []),
    ...asked.payees.flatMap(payeeProblems),
  ],
  write(asked) {
    const head = ['HEADER', dayOf(asked.createdOn), asked.given.companyNumber ?? '', senderOf(asked)]
    const foot = ['TRAILER', digits(asked.payees.length, 8), amountOf(totalOf(asked.payees))]
    return [head, ...asked.payees.map((payee) => paymentOf(asked, payee)), foot].map(line).join('')
  },
}

function paymentOf(asked: AskedFile, payee: Payee): string[] {
  const empty = (count: number) => Array<string>(count).fill('')
  return [
    ...[
      'PAYMENT',
      'BPY',
      debitAccount(asked),
      'SGD',
      referenceOf(asked),
      'SGD',
      '00001',
      dayOf(asked.paidOn),
      'OUR',
      '',
    ],
    ...[nameOf(payee), ...empty(4), compact(payee.accountNumber ?? ''), '', bankOf(payee).bankCode],
    ...[
      compact(payee.branchCode ?? ''),
      ...empty(8),
      amountOf(payee.amountMinor),
      ...empty(4),
      '22',
      referenceOf(asked),
    ],
  ]
}

const line = (cells: readonly string[]): string => `${cells.join(',')}\r\n`
const nameOf = (payee: Payee): string => plainText(payeeName(payee)).slice(0, nameMax).trim()
const senderOf = ({ payer }: AskedFile): string => plainText(payer.name).slice(0, nameMax).trim()
const referenceOf = ({ month }: AskedFile): string => `SALARY${month.month.replace('-', '')}`
const debitAccount = ({ payer }: AskedFile): string => compact(payer.account?.accountNumber ?? '')
const amountOf = (minor: number | bigint): string => toMajor(BigInt(minor), 'SGD').toFixed(2)
const dayOf = (day: string): string => day.split('-').reverse().join('')

/** The code of the bank and its BIC; each is found by the other where the bank is known. */
function bankOf({ bankCode, swiftCode }: Payee) {
  const code = compact(bankCode ?? '')
  const bic = compact(swiftCode ?? '')
  const found = Object.entries(banks).find(([, known]) => known === bic.slice(0, 8))?.[0]
  return { bankCode: code || (found ?? ''), bic: bic || (banks[code] ?? '') }
}

function payerProblems({ payer: { account } }: AskedFile): EmployeeProblem[] {
  if (account === null)
    return [rejected('bankAccountId', 'NO_BANK_ACCOUNT', 'The organization has no default bank account. Name one.')]
  return /^\d{1,34}$/.test(compact(account.accountNumber ?? ''))
    ? []
    : [rejected('bankAccountId', 'ACCOUNT_NUMBER', 'The bank account of the organization has no account number.')]
}

function payeeProblems(payee: Payee): EmployeeProblem[] {
  const { bankCode } = bankOf(payee)
  return oncePerField([
    ...missingFields(
      payee,
      { bankCode: 'The code of the bank', accountNumber: 'The account number' },
      { bankCode, accountNumber: payee.accountNumber },
    ),
    ...formProblems(payee, 'SG'),
    ...accountProblems(payee, { most: 34, letters: false }),
    ...amountProblems(payee, amountMax),
    ...(nameOf(payee) === ''
      ? [rejected('accountName', 'NAME', 'The name has no Latin letters. Give it as accountName.', payee)]
      : []),
  ])
}
