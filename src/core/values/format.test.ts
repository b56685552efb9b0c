import { expect, test } from 'vitest'
import { formatAmount, formatDay } from './format.ts'

const plain = (text: string) => text.replace(/[\u00a0\u200e\u200f]/g, ' ').trim()

test.each([
  ['en-US', 1_234.5, 'USD', '$1,234.50', 'March 2, 2026'],
  ['en-US', -1_234.5, 'USD', '-$1,234.50', 'March 2, 2026'],
  ['en-US', 5, 'EUR', '€5.00', 'March 2, 2026'],
  ['en-GB', 1_234.5, 'SGD', 'SGD 1,234.50', '2 March 2026'],
  [undefined, 1_234.5, 'USD', 'US$1,234.50', '2 March 2026'],
] as const)('in the English %s %d %s is %s, and a day %s', (english, amount, currency, text, day) => {
  expect(plain(formatAmount('en', amount, currency, english))).toBe(text)
  expect(formatDay('en', '2026-03-02', english)).toBe(day)
})

test('Hebrew is the same for every country', () => {
  expect(formatDay('he', '2026-03-02', 'en-US')).toBe(formatDay('he', '2026-03-02'))
  expect(formatAmount('he', 5, 'USD', 'en-US')).toBe(formatAmount('he', 5, 'USD'))
})
