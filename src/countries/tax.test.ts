import { expect, test } from 'vitest'
import { convert } from '../core/values/money.ts'
import { saleOf } from '../test/documents/country-sale.ts'
import { amountsIn, rateSentence, taxByRate } from './tax.ts'

const lines = (...pairs: [bigint, number | null][]) => pairs.map(([amountMinor, taxRate]) => ({ amountMinor, taxRate }))

test.each([
  [
    'IL: 3 × 33.33, 49.99 and 7 × 0.45 at 18 %: 27.56, not 27.57',
    lines([9_999n, 18], [4_999n, 18], [315n, 18]),
    2_756n,
  ],
  ['SG: 1,250.00 and 333.33 at 9 %: 142.50', lines([125_000n, 9], [33_333n, 9]), 14_250n],
  ['SG: three lines of 1.05 at 9 %: 0.28 on their total', lines([105n, 9], [105n, 9], [105n, 9]), 28n],
  ['SG: 1,000 at 9 % and 500 at zero: 90', lines([100_000n, 9], [50_000n, 0]), 9_000n],
  ['US: 1,250.00 at 8.875 % and 400 untaxed: 110.94', lines([125_000n, 8.875], [40_000n, null]), 11_094n],
  ['US: 99.99 at 7.25 %: 7.25', lines([9_999n, 7.25]), 725n],
  ['nothing', [], 0n],
  ['a credit mirrors its invoice', lines([-9_999n, 7.25]), -725n],
])('%s', (_, taxed, tax) => {
  expect(taxByRate(taxed)).toBe(tax)
})

const inUsd = { currency: 'USD', subtotalMinor: 100_000n, taxMinor: 9_000n, taxRate: 9 }

test('SG: USD 1,000.00 with 9 % GST at 1.3500 is SGD 1,350.00, GST 121.50, in all 1,471.50', () => {
  const { document } = saleOf({ document: { ...inUsd, exchangeRate: 1.35 } })
  const expected = { subtotalMinor: 135_000n, taxMinor: 12_150n, totalMinor: 147_150n }
  expect(amountsIn('SGD', document)).toMatchObject(expected)
})

test('IL: the tax of USD 79.81, 14.37 at 3.6097, is ILS 51.87 as it is booked, and not 18 % of the converted subtotal', () => {
  const usd = { currency: 'USD', subtotalMinor: 7_981n, taxMinor: 1_437n, taxRate: 18, exchangeRate: 3.6097 }
  expect(amountsIn('ILS', saleOf({ document: usd }).document)).toMatchObject({
    subtotalMinor: 28_809n,
    taxMinor: 5_187n,
    totalMinor: 33_996n,
  })
})

test('the tax is converted as it is if the lines have different rates', () => {
  const mixed = lines([50_000n, 9], [50_000n, 0])
  const { document } = saleOf({ document: { ...inUsd, taxMinor: 4_500n, lines: mixed, exchangeRate: 1.35 } })
  expect(amountsIn('SGD', document)).toMatchObject({ subtotalMinor: 135_000n, taxMinor: 6_075n, totalMinor: 141_075n })
})

test('minor units differ: 1,500 yen at 0.0091 are 13.65 dollars', () => {
  const yen = { currency: 'JPY', subtotalMinor: 1_500n, taxMinor: 0n, exchangeRate: 0.0091 }
  expect(amountsIn('SGD', saleOf({ document: yen }).document)).toMatchObject({ totalMinor: 1_365n })
})

test.each([
  [3.70993783057, '3.70993783057'],
  [0.000061234567891, '0.000061234567891'],
  [0.0000001, '0.0000001'],
  [3.65, '3.65'],
  [4, '4'],
])(
  'the rate %d is printed with the digits that it was used with, so that amounts can be computed again',
  (rate, text) => {
    const { document } = saleOf({ document: { exchangeRate: rate } })
    const sentence = rateSentence('ILS', { ...document, exchangeRate: rate, exchangeRateDate: '2026-06-10' })
    expect(sentence).toBe(`1 USD = ${text} ILS (2026-06-10)`)
    const amount = 99_999_999_999_99n
    const printed = Number(sentence.split(' ')[3])
    expect(convert(amount, { from: 'USD', to: 'ILS', rate: printed })).toBe(
      convert(amount, { from: 'USD', to: 'ILS', rate }),
    )
  },
)
