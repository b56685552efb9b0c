import { Readable } from 'node:stream'
import { byteOrderMark, csvRow } from '../../../../core/files/csv.ts'
import { type FileProblem, rejected, toCheck } from '../../../../features/books/statutory/file-problem.ts'
import type { StatutoryFile } from '../../../../features/books/statutory/statutory-file.ts'
import { il } from '../../il.ts'
import { nineDigits } from '../text.ts'
import { readWithholding, type WithheldRow } from './read-withholding.ts'

export const withholdingSummary: StatutoryFile = {
  id: 'il-withholding-summary',
  name: { en: 'Tax withheld from suppliers (forms 102 and 856)', he: 'ניכוי מס במקור מספקים (טפסים 102 ו-856)' },
  does: 'What was paid to each supplier in each month and what of it was withheld as tax: the figures of the monthly form 102 and the yearly form 856.',
  fileType: 'text/csv',
  period: 'any',
  async build({ db, from, to }) {
    const rows = await readWithholding(db, { from, to })
    const text = byteOrderMark + csvRow(columns) + rows.map((row) => csvRow(cellsOf(row))).join('')
    const bytes = Buffer.from(text)
    return {
      file: {
        ...{ fileName: `withholding-${from}-${to}.csv`, fileType: 'text/csv', fileSize: bytes.length },
        open: async () => Readable.from([bytes]),
      },
      problems: rows.flatMap((row) => [...problemsOf(row), ...doubtsOf(row)]),
      totals: totalsOf(rows),
    }
  },
}

const columns = [
  'month', 'supplierId', 'supplierName', 'taxNumber', 'payments', 'paid', 'withheld', 'paidOut', 'percentWithheld', 'certificateRate',
  'certificateValidUntil', 'currency',
] // biome-ignore format: a list of words

const major = (agorot: number) => agorot / 100

function cellsOf(row: WithheldRow) {
  const { month, supplierId, name, taxNumber, payments, paidMinor, withheldMinor, certificateRate, certificateUntil } =
    row
  const percent = paidMinor === 0 ? 0 : Math.round((withheldMinor * 10_000) / paidMinor) / 100
  return [
    ...[month, supplierId, name, nineDigits(taxNumber) ?? taxNumber, payments, major(paidMinor), major(withheldMinor)],
    ...[major(paidMinor - withheldMinor), percent, certificateRate, certificateUntil, 'ILS'],
  ]
}

function totalsOf(rows: readonly WithheldRow[]) {
  const of = (some: readonly WithheldRow[], key: 'paidMinor' | 'withheldMinor') =>
    major(some.reduce((sum, row) => sum + row[key], 0))
  const months = [...new Set(rows.map(({ month }) => month))].toSorted()
  return [
    {
      code: 'PAID',
      name: 'Paid to suppliers, withheld tax included',
      count: rows.length,
      amount: of(rows, 'paidMinor'),
    },
    {
      code: 'WITHHELD',
      name: 'Withheld from suppliers',
      count: rows.filter(({ withheldMinor }) => withheldMinor !== 0).length,
      amount: of(rows, 'withheldMinor'),
    },
    ...months.map((month) => {
      const own = rows.filter((row) => row.month === month)
      return {
        code: month,
        name: `Withheld in ${month} (form 102)`,
        count: own.length,
        amount: of(own, 'withheldMinor'),
      }
    }),
  ]
}

/** Suppliers whose line of form 856 would be rejected. Those from whom nothing was withheld need no number. */
function problemsOf({
  month,
  supplierId,
  name,
  taxNumber,
  country,
  withheldMinor,
  faceValues,
}: WithheldRow): FileProblem[] {
  const found = (code: string, field: string, message: string) =>
    rejected(code, `${name ?? supplierId ?? 'Payments without a supplier'}, ${month}: ${message}`, {
      field,
      supplierId,
    })
  if (withheldMinor === 0) return []
  const isHere = country === null || country === 'IL'
  const wrong = taxNumber && isHere ? il.identifiers.taxProblem(taxNumber) : undefined
  return [
    ...(supplierId === null
      ? [found('SUPPLIER_MISSING', 'supplierId', 'tax was withheld from a payment that names no supplier.')]
      : []),
    ...(supplierId !== null && !taxNumber
      ? [found('SUPPLIER_TAX_NUMBER_MISSING', 'taxNumber', 'the number of the supplier is missing.')]
      : []),
    ...(wrong ? [found('SUPPLIER_TAX_NUMBER', 'taxNumber', wrong)] : []),
    ...(withheldMinor < 0
      ? [
          found(
            'NEGATIVE_MONTH',
            'withheld',
            'more was taken back than withheld; the form of the month before must be corrected.',
          ),
        ]
      : []),
    ...(faceValues.length > 0
      ? [
          found(
            'EXCHANGE_RATE_MISSING',
            'currency',
            `no rate of ${faceValues.join(', ')} to the shekel is booked; the face value counts.`,
          ),
        ]
      : []),
  ]
}

/** Suppliers who were paid without a valid certificate, or from whom less was withheld than it says. */
function doubtsOf({ month, supplierId, name, paidMinor, withheldMinor, certificateRate, ...row }: WithheldRow) {
  if (row.lastPaidOn === null || paidMinor <= 0) return []
  const warnings = il.withholdingWarnings({
    ...{ day: row.lastPaidOn, amountMinor: BigInt(paidMinor), withheldMinor: BigInt(withheldMinor) },
    ...{ rate: certificateRate, validUntil: row.certificateUntil },
  })
  return warnings.map(({ code, path, message }) =>
    toCheck(code, `${name ?? supplierId ?? ''}, ${month}: ${message}`, {
      field: path.replace('supplier.', ''),
      supplierId,
    }),
  )
}
