import { expect, test } from 'vitest'
import { readMasRates } from './mas.ts'

const day = '2025-12-24'
const element = (more: Record<string, unknown> = {}) => ({
  end_of_day: day,
  preliminary: '0',
  usd_sgd: '1.2860',
  eur_sgd: '1.5151',
  jpy_sgd_100: '0.8240',
  krw_sgd_100: '',
  vnd_sgd_100: '-',
  ...more,
})
/** As the authority answers. */
const response = (...elements: unknown[]) =>
  JSON.stringify({ name: 'exchange_rates_end_of_period_daily', elements, totalCount: elements.length })

const read = (text: string) => {
  const published = readMasRates(text, day)
  return published && [published.date, Object.fromEntries(published.rates)]
}

test('the rates are prices of one unit in Singapore dollars, without those that are missing', () => {
  expect(read(response(element()))).toEqual([day, { USD: '1.286', EUR: '1.5151', JPY: '0.00824' }])
})

test('a day without rates, or with preliminary ones, has none', () => {
  expect(read(response())).toBeUndefined()
  expect(read(response(element({ preliminary: '1' })))).toBeUndefined()
  expect(read(response({ end_of_day: day, preliminary: '0', usd_sgd: '' }))).toBeUndefined()
  expect(read(response(element({ end_of_day: '2025-12-23' })))).toBeUndefined()
})

test.each([
  ['a page', '<html>Maintenance</html>'],
  ['an error', '{"message":"Unauthorized"}'],
  ['the retired form', '{"success":true,"result":{"records":[]}}'],
  ['a day twice', response(element(), element())],
  ['a day that has not come yet', response(element({ end_of_day: '2025-12-25' }))],
  ['no day', response(element({ end_of_day: null }))],
  ['a rate in letters', response(element({ usd_sgd: 'N/A' }))],
  ['a negative rate', response(element({ usd_sgd: '-1.2860' }))],
  ['a rate of zero', response(element({ usd_sgd: '0.0000' }))],
  ['an unknown flag', response(element({ preliminary: 'maybe' }))],
])('FLT-18: %s is refused as a whole', (_, text) => {
  expect(read(response(element()))).toBeDefined()
  expect(() => readMasRates(text, day)).toThrow(expect.objectContaining({ status: 400 }))
})
