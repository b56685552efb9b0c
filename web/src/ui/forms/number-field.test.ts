import { expect, test } from 'vitest'
import { readNumber } from './number-field.tsx'

test.each([
  ['1,234.5', 1234.5],
  ['1.234,5', 1234.5],
  ['1,000', 1000],
  ['12,345,678', 12345678],
  ['1.234.567', 1234567],
  ['1.234', 1.234],
  ['12,50', 12.5],
  ['₪ 1,000.00', 1000],
  ['-7.5', -7.5],
  ['', 0],
])('%s is %d', (text, number) => {
  expect(readNumber(text)).toBe(number)
})
