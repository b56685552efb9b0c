import { Count, type Static, Text, Type } from '../../../../core/define/schema.ts'
import { toMajor } from '../../../../core/values/money.ts'
import type { ReportColumn } from '../../../../features/books/reports/report-file.ts'
import type { TaxedDocument } from '../../../../features/books/reports/tax/read-taxed-documents.ts'
import { FileProblems } from '../../../../features/books/statutory/file-problem.ts'
import { boxesOf, gstCode } from './gst-codes.ts'

const Box = Type.Object({
  box: Type.Integer(),
  name: Text,
  amount: Type.Number({ description: 'To the cent. Credits are deducted.' }),
  declared: Type.Number({ description: 'As the form takes it: values in whole dollars, tax in cents.' }),
  count: Count,
})
export type Box = Static<typeof Box>

export const GstF5 = Type.Object({
  from: Text,
  to: Text,
  currency: Text,
  gstNumber: Type.Union([Text, Type.Null()]),
  boxes: Type.Array(Box),
  notInAnyBox: Type.Object(
    { supplies: Type.Number(), purchases: Type.Number() },
    {
      description:
        'Amounts before tax that belong to no box, such as supplies that are out of scope, or that have no category.',
    },
  ),
  problems: FileProblems,
  problemsIncomplete: Type.Boolean(),
})

const names: Record<number, string> = {
  1: 'Total value of standard-rated supplies',
  2: 'Total value of zero-rated supplies',
  3: 'Total value of exempt supplies',
  4: 'Total value of boxes 1, 2 and 3',
  5: 'Total value of taxable purchases',
  6: 'Output tax due',
  7: 'Input tax and refunds claimed',
  8: 'Net GST to be paid to IRAS (negative: to be claimed)',
  9: 'Goods imported under MES, A3PL or other approved schemes',
  10: 'GST refunded to tourists',
  11: 'Bad-debt relief claims',
  12: 'Pre-registration claims',
  13: 'Revenue for the accounting period',
  14: 'Imported services and low-value goods subject to reverse charge',
  15: 'Remote services supplied by an electronic marketplace',
  16: 'Low-value goods supplied by a redeliverer or an electronic marketplace',
  17: 'Own supplies of imported low-value goods',
  18: 'Net GST per box 8',
  19: 'Deferred import GST payable',
  20: 'Total tax to be paid to IRAS',
  21: 'Goods imported under the deferment scheme',
}

/** Boxes of tax; the others are values. */
const taxBoxes = [6, 7, 8, 10, 11, 12, 18, 19, 20]
/** Boxes that the books have nothing about: schemes, refunds to tourists and relief that somebody claims. */
export const boxesByHand = [9, 10, 11, 12, 19, 21]

export type Sums = {
  minor: Map<number, number>
  documents: Map<number, Set<string>>
  outside: { OUTPUT: number; INPUT: number }
}

/** The boxes in cents, and the documents in each. */
export function sumsOf(documents: readonly TaxedDocument[]): Sums {
  const sums: Sums = { minor: new Map(), documents: new Map(), outside: { OUTPUT: 0, INPUT: 0 } }
  const put = (box: number, minor: number, documentId: string) => {
    sums.minor.set(box, (sums.minor.get(box) ?? 0) + minor)
    sums.documents.set(box, (sums.documents.get(box) ?? new Set()).add(documentId))
  }
  for (const document of documents) {
    const { side, baseMinor, taxMinor, documentId } = document
    const value = boxesOf(gstCode(document) ?? '', side)?.value ?? []
    for (const box of value) put(box, baseMinor, documentId)
    if (value.length === 0) sums.outside[side] += baseMinor
    if (taxMinor !== 0) put(side === 'OUTPUT' ? 6 : 7, taxMinor, documentId)
    if (side === 'OUTPUT') put(13, baseMinor, documentId)
  }
  const of = (box: number) => sums.minor.get(box) ?? 0
  sums.minor.set(4, of(1) + of(2) + of(3))
  sums.minor.set(8, of(6) - of(7))
  sums.minor.set(18, of(8))
  sums.minor.set(20, of(18) + of(19))
  return sums
}

/** The boxes as the form has them: box 4 is the sum of the whole dollars above it. */
export function toBoxes({ minor, documents }: Sums, currency: string): Box[] {
  const of = (box: number) => minor.get(box) ?? 0
  const whole = (box: number) => Math.sign(of(box)) * Math.round(Math.abs(of(box)) / 100)
  return Object.entries(names).map(([key, name]) => {
    const box = Number(key)
    const amount = toMajor(BigInt(of(box)), currency)
    const declared = taxBoxes.includes(box) ? amount : box === 4 ? whole(1) + whole(2) + whole(3) : whole(box)
    return { box, name, amount, declared: declared + 0, count: documents.get(box)?.size ?? 0 }
  })
}

export const boxColumns: readonly ReportColumn[] = [
  { key: 'box', title: 'Box', titleHe: 'שורה', type: 'number' },
  { key: 'name', title: 'Name', titleHe: 'תיאור', type: 'text' },
  { key: 'amount', title: 'Amount', titleHe: 'סכום', type: 'money' },
  { key: 'declared', title: 'Declared', titleHe: 'סכום לדיווח', type: 'money' },
  { key: 'count', title: 'Documents', titleHe: 'מסמכים', type: 'number' },
]
