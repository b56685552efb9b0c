import { type FileProblem, rejected } from '../../../../features/books/statutory/file-problem.ts'
import { payrollProblems } from '../../../../features/books/statutory/payroll-problems.ts'
import { il } from '../../il.ts'
import { nineDigits, toHebrewSet } from '../text.ts'
import { isCovered, isReceipt, meansOf, statedPayments } from './means.ts'
import type { UniformDocument } from './read-documents.ts'
import { amountFieldMax } from './record.ts'
import type { Uniform } from './uniform.ts'

/** What the authority would reject in a uniform file, and why. */
export const uniformProblems = (uniform: Uniform): FileProblem[] => [
  ...issuerProblems(uniform),
  ...bookProblems(uniform),
  ...payrollProblems(uniform.books.lines),
  ...uniform.documents.flatMap(documentProblems),
]

const problem = (code: string, field: string | number, message: string, documentId: string | null = null) =>
  rejected(code, message, { field: String(field), documentId })

function issuerProblems({ issuer, dealer }: Pick<Uniform, 'issuer' | 'dealer'>): FileProblem[] {
  const { address } = issuer
  const isGiven = /[1-9]/.test(dealer)
  const wrong = isGiven ? il.identifiers.taxProblem(dealer) : undefined
  return [
    problem(
      'SOFTWARE_NOT_REGISTERED',
      1006,
      'The authority accepts files of registered software. This installation has no registration number, so the field is zero.',
    ),
    ...(isGiven
      ? []
      : [
          problem(
            'ISSUER_NUMBER_MISSING',
            1003,
            'The organization has no dealer or company number (taxNumber, registrationNumber).',
          ),
        ]),
    ...(wrong ? [problem('ISSUER_NUMBER', 1003, wrong)] : []),
    ...(address?.trim() ? [] : [problem('ISSUER_ADDRESS_MISSING', 1019, 'The organization has no address.')]),
  ]
}

function bookProblems({ books, home }: Uniform): FileProblem[] {
  const sum = books.lines.reduce((all, { homeMinor }) => all + BigInt(homeMinor), 0n)
  const without = books.lines.filter(({ accountId }) => accountId === null).length
  const large = books.lines.find(({ homeMinor }) => BigInt(Math.abs(homeMinor)) > amountFieldMax)
  return [
    ...(home === 'ILS'
      ? []
      : [
          problem(
            'BOOKS_NOT_IN_SHEKELS',
            1032,
            `The books are kept in ${home}. The authority expects books in shekels (ILS).`,
          ),
        ]),
    ...(sum === 0n ? [] : [problem('JOURNAL_NOT_BALANCED', 1368, 'Debits and credits of the period are not equal.')]),
    ...(without === 0 ? [] : [problem('ACCOUNT_MISSING', 1364, `${without} lines of the journal have no account.`)]),
    ...(large
      ? [
          problem(
            'AMOUNT_TOO_LARGE',
            1368,
            'An amount of the journal has more digits than the field.',
            large.documentId,
          ),
        ]
      : []),
    ...(books.faceValues.length === 0
      ? []
      : [
          problem(
            'EXCHANGE_RATE_MISSING',
            1368,
            `No exchange rate was known for ${books.faceValues.join(', ')}; the face value is booked.`,
          ),
        ]),
    ...(books.otherHomes.length === 0
      ? []
      : [
          problem(
            'EARLIER_CURRENCY',
            1368,
            `Lines booked in ${books.otherHomes.join(', ')}, an earlier main currency, are not in the file.`,
          ),
        ]),
  ]
}

function documentProblems(document: UniformDocument): FileProblem[] {
  const { id, number, customer, officialType } = document
  const found = (code: string, field: number, message: string) =>
    problem(code, field, `Document ${number}: ${message}`, id)
  const name = customer?.name?.trim() ?? ''
  const dealer = customer?.country === null || customer?.country === 'IL' ? customer.registrationNumber : null
  return [
    ...(/^\d{3}$/.test(officialType)
      ? []
      : [
          found(
            'DOCUMENT_TYPE_WITHOUT_CODE',
            1203,
            'the authority has no code for this type of document; it is shown as 330, a credit invoice.',
          ),
        ]),
    ...(number.length <= 20 && toHebrewSet(number) === number
      ? []
      : [
          found(
            'DOCUMENT_NUMBER',
            1204,
            'the number is longer than 20 characters, or has characters that the file lacks.',
          ),
        ]),
    ...(/[A-Za-z0-9\u05d0-\u05ea]/.test(toHebrewSet(name))
      ? []
      : [
          found(
            'CUSTOMER_NAME',
            1207,
            name
              ? 'the name of the customer has no letters that the file can show.'
              : 'the name of the customer is missing.',
          ),
        ]),
    ...(dealer && (!nineDigits(dealer) || il.identifiers.taxProblem(dealer))
      ? [found('CUSTOMER_NUMBER', 1215, 'the number of the customer is not a valid Israeli number.')]
      : []),
    ...(document.rateKnown
      ? []
      : [found('EXCHANGE_RATE_MISSING', 1223, `no rate of ${document.currency} was known; the face value counts.`)]),
    ...(BigInt(document.totalIls) <= amountFieldMax
      ? []
      : [found('AMOUNT_TOO_LARGE', 1223, 'the total has more digits than the field.')]),
    ...receiptProblems(document, found),
  ]
}

function receiptProblems(
  document: UniformDocument,
  found: (code: string, field: number, message: string) => FileProblem,
): FileProblem[] {
  if (!isReceipt(document) || document.isCancelled) return []
  const cheque = document.payments.find(
    (payment) => meansOf(payment) === 2 && !(payment.details?.cheque?.bank && payment.details.cheque.number),
  )
  return [
    ...(isCovered(document)
      ? []
      : [
          found(
            'RECEIPT_WITHOUT_PAYMENT',
            1312,
            'it is a receipt, and the recorded payments do not add up to its total.',
          ),
        ]),
    ...(statedPayments(document).some((payment) => meansOf(payment) === 9)
      ? [
          found(
            'PAYMENT_METHOD',
            1306,
            'a payment names no means of payment that the authority knows; it is shown as other.',
          ),
        ]
      : []),
    ...(cheque ? [found('CHEQUE_DETAILS', 1307, 'the bank or the number of a cheque is missing.')] : []),
  ]
}
