import { routingNumberProblem } from '../../../core/values/bank-identifiers.ts'
import { compact } from '../../../core/values/compact.ts'
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
import {
  digits,
  left,
  plainText,
  record,
  right,
  shortDay,
} from '../../../features/pay/payroll-forms/bank-files/fixed-width.ts'
import { type EmployeeProblem, rejected } from '../../../features/pay/payroll-forms/employee-problem.ts'

const recordLength = 94
const recordsPerBlock = 10
const amountMax = 10n ** 10n - 1n
const totalMax = 10n ** 12n - 1n
/** Credits only. */
const serviceClass = '220'
const batchNumber = 1

/**
 * A file of the ACH network by the rules of Nacha: one batch of PPD credits. It has no entry that debits the organization; the
 * bank does that when it sends the file.
 */
export const nacha: BankFormat = {
  id: 'nacha',
  fileType: 'text/plain',
  ending: 'txt',
  problems: (asked) => [...originatorProblems(asked), ...asked.payees.flatMap(payeeProblems)],
  write(asked) {
    const records = [
      ...[fileHeader(asked), batchHeader(asked)],
      ...asked.payees.map((payee, at) => entry(asked, payee, at)),
      ...[batchControl(asked), fileControl(asked)],
    ]
    const missing = blocksOf(asked) * recordsPerBlock - records.length
    return [...records, ...Array<string>(missing).fill('9'.repeat(recordLength))].map((each) => `${each}\r\n`).join('')
  },
}

function originatorProblems({ payer, payees, given }: AskedFile): EmployeeProblem[] {
  const routing = compact(payer.account?.routingNumber ?? '')
  const wrong = (field: string, number: string | undefined) => {
    const problem = number === undefined ? undefined : routingNumberProblem(number)
    return problem === undefined ? [] : [rejected(field, 'ROUTING_NUMBER', problem)]
  }
  const needsEin = given.companyNumber === undefined || given.immediateOrigin === undefined
  return [
    ...(payer.account === null
      ? [rejected('bankAccountId', 'NO_BANK_ACCOUNT', 'The organization has no default bank account. Name one.')]
      : []),
    ...(payer.account !== null && routing === ''
      ? [rejected('bankAccountId', 'MISSING', 'The bank account of the organization has no routing number.')]
      : wrong('bankAccountId', routing || undefined)),
    ...wrong('immediateDestination', given.immediateDestination),
    ...(needsEin && einOf(payer) === undefined
      ? [
          rejected(
            'companyNumber',
            'MISSING',
            'The organization has no EIN. Give companyNumber and immediateOrigin as the bank issued them.',
          ),
        ]
      : []),
    ...((given.companyNumber ?? '').length > 10
      ? [rejected('companyNumber', 'NUMBER', 'companyNumber has up to 10 characters.')]
      : []),
    ...(totalOf(payees) > totalMax
      ? [rejected('amount', 'AMOUNT_TOO_LARGE', 'The total has more digits than the file takes.')]
      : []),
  ]
}

function payeeProblems(payee: Payee): EmployeeProblem[] {
  return oncePerField([
    ...missingFields(payee, { routingNumber: 'The routing number', accountNumber: 'The account number' }),
    ...formProblems(payee, 'US'),
    ...accountProblems(payee, { most: 17, letters: true }),
    ...amountProblems(payee, amountMax),
    ...(plainText(payeeName(payee)) === ''
      ? [rejected('accountName', 'NAME', 'The name has no Latin letters. Give it as accountName.', payee)]
      : []),
  ])
}

/** The nine digits of the EIN. */
function einOf({ taxNumber, registrationNumber }: AskedFile['payer']): string | undefined {
  return [taxNumber, registrationNumber].map((text) => compact(text ?? '')).find((text) => /^\d{9}$/.test(text))
}

/** As banks issue it for most companies: 1 and the EIN. */
const ownId = ({ payer }: AskedFile): string => `1${einOf(payer) ?? ''}`
const companyNumber = (asked: AskedFile): string => left(asked.given.companyNumber ?? ownId(asked), 10)
const routingOf = ({ payer }: AskedFile): string => compact(payer.account?.routingNumber ?? '')
/** The bank that sends the file, without its check digit. */
const senderOf = (asked: AskedFile): string => routingOf(asked).slice(0, 8)
const nameOf = (text: string, length: number): string => left(plainText(text).toUpperCase(), length)

const fileHeader = (asked: AskedFile) =>
  record(recordLength, [
    ...['1', '01', ` ${compact(asked.given.immediateDestination ?? routingOf(asked))}`],
    ...[right(asked.given.immediateOrigin ?? ownId(asked), 10), shortDay(asked.createdOn), asked.createdAt],
    ...[asked.given.fileModifier, '094', '10', '1', nameOf(asked.payer.account?.bankName ?? '', 23)],
    ...[nameOf(asked.payer.name, 23), ' '.repeat(8)],
  ])

const batchHeader = (asked: AskedFile) =>
  record(recordLength, [
    ...[
      '5',
      serviceClass,
      nameOf(asked.payer.name, 16),
      ' '.repeat(20),
      companyNumber(asked),
      'PPD',
      left('PAYROLL', 10),
    ],
    ...[shortDay(asked.paidOn), shortDay(asked.paidOn), '   ', '1', senderOf(asked), digits(batchNumber, 7)],
  ])

function entry(asked: AskedFile, payee: Payee, at: number): string {
  const routing = compact(payee.routingNumber ?? '')
  return record(recordLength, [
    ...['6', payee.accountType === 'SAVINGS' ? '32' : '22', routing, left(compact(payee.accountNumber ?? ''), 17)],
    ...[digits(payee.amountMinor, 10), left(idOf(payee), 15), nameOf(payeeName(payee), 22), '  ', '0'],
    ...[senderOf(asked), digits(at + 1, 7)],
  ])
}

/** The employee number, or the end of the employee's id; never the social security number. */
const idOf = ({ employeeNumber, employeeId }: Payee): string =>
  plainText(employeeNumber ?? '').toUpperCase() || employeeId.replaceAll('-', '').slice(-15).toUpperCase()

/** The sum of the banks' numbers without their check digits, of which the last ten digits count. */
const entryHash = ({ payees }: AskedFile): string => {
  const sum = payees.reduce((all, { routingNumber }) => all + BigInt(compact(routingNumber ?? '').slice(0, 8)), 0n)
  return digits(sum % 10n ** 10n, 10)
}

const batchControl = (asked: AskedFile) =>
  record(recordLength, [
    ...['8', serviceClass, digits(asked.payees.length, 6), entryHash(asked), digits(0, 12)],
    ...[
      digits(totalOf(asked.payees), 12),
      companyNumber(asked),
      ' '.repeat(25),
      senderOf(asked),
      digits(batchNumber, 7),
    ],
  ])

const fileControl = (asked: AskedFile) =>
  record(recordLength, [
    ...['9', digits(1, 6), digits(blocksOf(asked), 6), digits(asked.payees.length, 8), entryHash(asked)],
    ...[digits(0, 12), digits(totalOf(asked.payees), 12), ' '.repeat(39)],
  ])

/** Blocks of ten records: the headers, the entries and the controls. */
const blocksOf = ({ payees }: AskedFile): number => Math.ceil((payees.length + 4) / recordsPerBlock)
