import { expect, test } from 'vitest'
import { amountsIn } from './amounts.ts'

const values = (text: string) => amountsIn({ text, index: 0 }).map(({ value }) => value)

test.each<[string, string[]]>([
  ['TOTAL 33.90', ['33.90']],
  ['TOTAL RM33.90', ['33.90']],
  ['RM 33.90', ['33.90']],
  ['Total1,234.56', ['1234.56']],
  ['1.234,56 EUR', ['1234.56']],
  ['1 234,56', ['1234.56']],
  ["12'345.00", ['12345.00']],
  ['12.345.678,90', ['12345678.90']],
  ['1.007.50', ['1007.50']],
  ['2 100.00', ['2', '100.00']],
  ['33. 90', ['33.90']],
  ['33 .90', ['33.90']],
  ['33 . 90', ['33.90']],
  ['12 . 04 . 25', []],
  ['-5.00', ['-5.00']],
  ['5.00-', ['-5.00']],
  ['(5.00)', ['-5.00']],
  ['- 0.02', ['-0.02']],
  ['RM-0.02', ['-0.02']],
  ['-RM0.02', ['-0.02']],
  ['0.00', ['0.00']],
  ['.50', ['0.50']],
  ['$12', ['12']],
  ['₪29.51', ['29.51']],
  ['29.51 ש"ח', ['29.51']],
  ['1O.5O', ['10.50']],
  ['l2.50', ['12.50']],
  ['1S.00', ['15.00']],
  ['12.00SR', ['12.00']],
  ['12.00 S', ['12.00']],
  ['12.00*', ['12.00']],
  ['3 x 4.50 13.50', ['3', '4.50', '13.50']],
  ['3x 4.50', ['3', '4.50']],
  ['0.755 kg x 12.00', ['12.00']],
  ['1.5L', []],
  ['500ML', []],
  ['12/03/2018', []],
  ['12-03-2018', []],
  ['12.03.2018', []],
  ['12:30', []],
  ['03-1234567', []],
  ['TEL 03 61234567', []],
  ['9556001234567', []],
  ['A123', []],
  ['A4', []],
  ['#12', []],
])('the amounts of %j are %j', (text, expected) => {
  expect(values(text)).toEqual(expected)
})

test.each<[string, string | null]>([
  ['RM33.90', 'MYR'],
  ['S$ 12.00', 'SGD'],
  ['US$12.00', 'USD'],
  ['$12.00', '$'],
  ['12.00 NIS', 'ILS'],
  ['12.00 ₪', 'ILS'],
  ['12.00', null],
  ['FARM 12.00', null],
])('the currency of %j is %j', (text, currency) => {
  expect(amountsIn({ text, index: 0 })[0]?.currency).toBe(currency)
})

test.each(['18%', '18 %', '%18', 'GST @6%'])('%j is a rate', (text) => {
  expect(amountsIn({ text, index: 0 })[0]?.isPercent).toBe(true)
})

test('the place of an amount is that of its digits', () => {
  const [amount] = amountsIn({ text: 'TOTAL: RM33.90 *', index: 3 })
  expect(amount).toMatchObject({ start: 9, end: 14, row: 3, cents: 3390 })
})

test('a long line of digits and separators takes no more than linear time', () => {
  const text = '1.'.repeat(20_000) + ','.repeat(20_000) + '1 '.repeat(20_000)
  const before = process.cpuUsage()
  amountsIn({ text, index: 0 })
  expect(process.cpuUsage(before).user / 1_000).toBeLessThan(2_000)
})
