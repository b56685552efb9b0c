import { expect, test } from 'vitest'
import { isCurrency, toCurrencyCode } from './currency.ts'

test.each(['ILS', 'SGD', 'USD', 'EUR', 'JPY', 'KWD', 'CLF', 'XCG'])('%s is a currency', (code) => {
  expect(isCurrency(code)).toBe(true)
})

test.each(['usd', 'US', 'USDT', 'NIS', 'XXX', 'XTS', 'ZZZ', '', ' USD'])('%j is no currency', (code) => {
  expect(isCurrency(code)).toBe(false)
})

test.each([
  ['usd', 'USD'],
  [' Eur ', 'EUR'],
  ['btc', 'btc'],
  ['nis ', 'nis '],
])('%j becomes %j', (written, code) => {
  expect(toCurrencyCode(written)).toBe(code)
})
