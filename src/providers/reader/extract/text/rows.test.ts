import { expect, test } from 'vitest'
import { printed } from '../../../../test/printed-page.ts'
import { boxOf, plain, rowsOf } from './rows.ts'

test.each([
  ['סה״כ', 'סה"כ'],
  ['צ׳ק', "צ'ק"],
  ['ＴＯＴＡＬ：１２．００', 'TOTAL:12.00'],
  ['12–03−2024', '12-03-2024'],
  ['\u200fמע"מ\u200e 18%', 'מע"מ 18%'],
  ['  a \u00a0 b ', 'a b'],
])('%j is %j in plain characters', (text, expected) => {
  expect(plain(text)).toBe(expected)
})

test('a row has segments between wide gaps, and boxes of its parts', () => {
  const [row] = rowsOf([printed('Bill to:          Date: 12/03/2024')])
  expect(row?.segments.map(({ text }) => text)).toEqual(['Bill to:', 'Date: 12/03/2024'])
  const box = row && boxOf(row, row.text.indexOf('12'), row.text.length)
  expect(box?.x).toBeCloseTo(24 / 48)
  expect(box?.width).toBeCloseTo(10 / 48)
})
