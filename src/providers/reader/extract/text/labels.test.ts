import { expect, test } from 'vitest'
import { meaningOf } from '../figures.ts'
import { labelsIn } from './labels.ts'

const kinds = (text: string) => labelsIn(text).map(({ kind }) => kind)

test.each<[string, string[]]>([
  ['TOTAL', ['total']],
  ['T0TAL', ['total']],
  ['Tota1:', ['total']],
  ['TOTALRM', ['total']],
  ['SUB-TOTAL', ['subtotal']],
  ['Sub Total', ['subtotal']],
  ['Grand Total', ['due']],
  ['GRANDTOTAL', ['due']],
  ['Amount Due', ['due']],
  ['ROUNDING ADJUSTMEN', ['rounding']],
  ['CASH', ['cash']],
  ['CASE', []],
  ['CHANGE', ['change']],
  ['GST 6%', ['tax']],
  ['Total Sales (Inclusive GST)', ['total', 'taxIncluded']],
  ['IncludesGST9%', ['taxIncluded']],
  ['Receipt #: 12', ['documentNumber']],
  ['Invoice No.', ['documentNumber']],
  ['GST Reg. No', ['taxNumber']],
  ['Due date', ['dueDate']],
  ['Please pay by', ['dueDate']],
  ['סה"כ לתשלום', ['due']],
  ['סה"כ', ['total']],
  ['מע"מ 18%', ['tax']],
  ['מזומן', ['cash']],
  ['עודף', ['change']],
  ['ח.פ. 51', ['taxNumber']],
  ['תאריך', ['date']],
  ['Fresh bread', []],
])('the labels of %j are %j', (text, expected) => {
  expect(kinds(text)).toEqual(expected)
})

test.each([
  ['TOTAL', 'total'],
  ['TOTAL GST', 'tax'],
  ['TOTAL (EXCL. GST)', 'subtotal'],
  ['TOTAL INCL. GST', 'total'],
  ['TOTAL QTY', 'quantity'],
  ['TOTAL SAVINGS', 'discount'],
  ['TOTAL ROUNDED', 'due'],
  ['TOTAL AFTER ROUNDING', 'due'],
  ['GST included', 'taxIncluded'],
  ['Change due', 'change'],
  ['Amount before tax', 'subtotal'],
  ['סה"כ כולל מע"מ', 'due'],
  ['סה"כ לפני מע"מ', 'subtotal'],
  ['Service charge 10%', 'service'],
])('%j means %j', (text, meaning) => {
  expect(meaningOf(labelsIn(text).map(({ kind }) => kind))).toBe(meaning)
})

test('a long line without labels takes little time', () => {
  const before = process.cpuUsage()
  labelsIn('lorem ipsum '.repeat(3_000))
  expect(process.cpuUsage(before).user / 1_000).toBeLessThan(2_000)
})
