import { expect, test } from 'vitest'
import { printed } from '../../../test/printed-page.ts'
import { readRow } from './figures.ts'
import { findDocumentNumber, findTaxNumber, hasIsraeliCheckDigit } from './numbers.ts'
import { rowsOf } from './text/rows.ts'

const rows = (...lines: string[]) => rowsOf([printed(...lines)]).map(readRow)

test.each([
  [['Invoice No: INV-2024-11'], 'INV-2024-11'],
  [['INVOICE INV-2024-11'], 'INV-2024-11'],
  [['Receipt # 0098'], '0098'],
  [['Tax Invoice', 'Bill No.: A/1234  Date: 12/03/2024'], 'A/1234'],
  [['Invoice no.     Date', 'K-77121         12/03/2024'], 'K-77121'],
  [['GST Reg. No: 201403121W', 'Receipt No: 55123'], '55123'],
  [["חשבונית מס' 98680078"], '98680078'],
  [['Receipt', 'Total 12.00'], undefined],
])('the document number of %j is %j', (lines, number) => {
  expect(findDocumentNumber(rows(...lines))?.value).toBe(number)
})

test.each([
  ['IL', ['ח.פ. 515738755'], '515738755'],
  ['IL', ['עוסק מורשה 515738755', 'לכבוד: לקוח', 'ח.פ. 513582837'], '515738755'],
  ['SG', ['GST Reg No: M90364879X'], 'M90364879X'],
  ['SG', ['UEN 201403121W'], '201403121W'],
  ['US', ['EIN 45-6054498'], '45-6054498'],
  ['US', ['Tel 555-0106'], undefined],
])('in %s the tax number of %j is %j', (country, lines, number) => {
  expect(findTaxNumber(rows(...lines), country)?.value).toBe(number)
})

test.each([
  ['515738755', true],
  ['515738756', false],
])('the check digit of %s is right: %j', (number, isRight) => {
  expect(hasIsraeliCheckDigit(number)).toBe(isRight)
})
