import { expect, test } from 'vitest'
import { linesOf } from './sheet.ts'

const brief = (text: string) =>
  linesOf(text)?.map(({ description, quantity, unitPrice, discountPercent }) => [
    description,
    quantity,
    unitPrice,
    ...(discountPercent === null ? [] : [discountPercent]),
  ])

test.each([
  ['Design\t2\t950.00\nPrint\t1\t1,200.50', [['Design', 2, 950], ['Print', 1, 1200.5]]],
  ['Description\tQty\tPrice\nDesign\t2\t950', [['Design', 2, 950]]],
  ['Design\t950\r\nPrint\t€ 12,50', [['Design', 1, 950], ['Print', 1, 12.5]]],
  ['Design\t2\t100\t10%', [['Design', 2, 100, 10]]],
  ['עיצוב\t3\t₪1,000', [['עיצוב', 3, 1000]]],
  ['First\nSecond', [['First', 1, 0], ['Second', 1, 0]]],
])('%j becomes lines', (text, lines) => {
  expect(brief(text)).toEqual(lines)
}) // biome-ignore format: a table

test.each(['Design', 'Design and print', ' '])('%j is one text', (text) => {
  expect(linesOf(text)).toBeUndefined()
})
