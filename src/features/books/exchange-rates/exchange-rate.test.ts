import fc from 'fast-check'
import { expect, test } from 'vitest'
import { convert, minorDigits } from '../../../core/values/money.ts'
import { rateText, snapshotWarnings } from './exchange-rate.ts'

// European Central Bank, 10 October 2024; it publishes no dinar, so that one is made up.
const euro: Record<string, string> = {
  EUR: '1', USD: '1.0932', SGD: '1.43', ILS: '4.1238', JPY: '162.85', KWD: '0.33492', IDR: '17165.59', KRW: '1477.51',
} // biome-ignore format: a table

/** Both rates of a conversion through the euro. */
const rates = (from: string, to: string) => ({ fromRate: euro[from] ?? '', toRate: euro[to] ?? '' })

const converted = (minor: bigint, from: string, to: string, { fromRate, toRate } = rates(from, to)) =>
  convert(minor, { from, to, rate: toRate, per: fromRate })

test.each([
  ['EUR', 'USD', 100_00n, 109_32n, '1.0932'],
  ['USD', 'EUR', 109_32n, 100_00n, '0.914745700695'],
  ['USD', 'SGD', 1_000_00n, 1_308_09n, '1.30808635199'],
  ['SGD', 'ILS', 1_000_00n, 2_883_78n, '2.88377622378'],
  ['USD', 'JPY', 100_00n, 14_897n, '148.966337358'],
  ['JPY', 'USD', 10_000n, 67_13n, '0.00671292600553'],
  ['JPY', 'KRW', 1n, 9n, '9.0728277556'],
  ['KWD', 'USD', 1n, 0n, '3.26406305984'],
  ['KWD', 'USD', 2n, 1n, '3.26406305984'],
  ['KWD', 'JPY', 1_000n, 486n, '486.23551893'],
  ['JPY', 'KWD', 100n, 206n, '0.00205661651827'],
  ['IDR', 'KWD', 1_000_000_00n, 19_511n, '0.0000195111266202'],
  ['USD', 'SGD', -1_000_00n, -1_308_09n, '1.30808635199'],
  ['USD', 'IDR', 999_999_999_999_999n, 15_702_149_652_396_618_034n, '15702.1496524'],
] as const)('from %s to %s %d become %d, at %s', (from, to, amount, expected, rate) => {
  expect(converted(amount, from, to)).toBe(expected)
  expect(rateText(rates(from, to))).toBe(rate)
})

test('half a cent is rounded up, and that of a credit down, so that it mirrors its invoice', () => {
  const half = { fromRate: '2', toRate: '1' }
  expect([1n, 3n, -1n, -3n].map((amount) => converted(amount, 'USD', 'EUR', half))).toEqual([1n, 2n, -1n, -2n])
})

test('a cross rate is not rounded before the conversion', () => {
  const third = { fromRate: '3', toRate: '0.5' }
  expect(converted(3n, 'USD', 'SGD', third)).toBe(1n) // half a cent; by way of 0.166666666667 as well, of 0.1666666666 not
})

test('converting an amount back and forth changes it by at most a minor unit of the coarser currency', () => {
  const currency = fc.constantFrom(...Object.keys(euro))
  const amount = fc.bigInt({ min: -999_999_999_999n, max: 999_999_999_999n })
  fc.assert(
    fc.property(amount, currency, currency, (minor, from, to) => {
      const there = converted(minor, from, to)
      const back = converted(there, to, from)
      const unit = (of: string) => 10 ** -minorDigits(of) / Number(euro[of]) // in euros
      const coarser = Math.max(1, unit(to) / unit(from))
      expect(Number(back > minor ? back - minor : minor - back)).toBeLessThanOrEqual(coarser)
    }),
    { numRuns: 2_000 },
  )
})

const found = { base: 'EUR', day: '2026-11-15', missing: [] as string[] }
test.each([
  [{ date: '2026-11-13', ageDays: 2 }, []],
  [{ date: '2026-11-08', ageDays: 7 }, []],
  [{ date: '2026-11-07', ageDays: 8 }, ['EXCHANGE_RATES_OLD']],
  [{ date: '2026-11-13', ageDays: 2, missing: ['KPW'] }, ['EXCHANGE_RATES_MISSING']],
  [{ date: null, ageDays: null }, ['EXCHANGE_RATES_MISSING']],
])('rates of %j have the warnings %j', (snapshot, codes) => {
  expect(snapshotWarnings({ ...found, ...snapshot }).map(({ code }) => code)).toEqual(codes)
})
