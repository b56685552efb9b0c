import fc from 'fast-check'
import { expect, test } from 'vitest'
import { inProof } from '../../test/prove.ts'
import {
  add,
  amountMax,
  convert,
  convertBy,
  exact,
  minorDigits,
  percentOf,
  type Rounding,
  ratio,
  round,
  split,
  toMajor,
  toMinor,
} from './money.ts'

const amount = fc.bigInt({ min: -amountMax, max: amountMax })
const currency = fc.constantFrom('ILS', 'SGD', 'USD', 'JPY', 'KWD', 'CLF')

test.each([
  ['USD', 2],
  ['ILS', 2],
  ['JPY', 0],
  ['KRW', 0],
  ['KWD', 3],
  ['CLF', 4],
  ['QQQ', 2],
])('%s has %i minor digits', (code, expected) => {
  expect(minorDigits(code)).toBe(expected)
})

test.each([
  [0, 'USD', 0n],
  [-0, 'USD', 0n],
  [0.1 + 0.2, 'USD', 30n],
  [4.35, 'USD', 435n],
  [4.35 * 100, 'USD', 43500n],
  [1.15 * 3, 'USD', 345n],
  [-19.99, 'USD', -1999n],
  [1.005, 'KWD', 1005n],
  [1234, 'JPY', 1234n],
  [0.0001, 'CLF', 1n],
  [1e-9, 'USD', 0n],
  [9_999_999_999_999.99, 'USD', amountMax],
  [-999_999_999_999_999, 'JPY', -amountMax],
])('%d %s is exactly %d minor units', (major, code, minor) => {
  expect(toMinor(major, code)).toEqual({ kind: 'exact', minor })
})

test.each([
  [1.005, 'USD', 101n],
  [-1.005, 'USD', -101n],
  [1.004, 'USD', 100n],
  [0.5, 'JPY', 1n],
  [2.00001, 'CLF', 20000n],
  [10.00000002, 'USD', 1000n],
])('%d has more decimals than %s and rounds to %d', (major, code, minor) => {
  expect(toMinor(major, code)).toEqual({ kind: 'finer', minor })
})

test.each([
  [Number('9007199254740993'), 'JPY'],
  [Number('9007199254740993'), 'USD'],
  [10_000_000_000_000, 'USD'],
  [-1e15, 'JPY'],
  [1e300, 'USD'],
  [Number.POSITIVE_INFINITY, 'USD'], // What JSON.parse makes of 1e999.
  [Number.NaN, 'USD'],
])('%d %s is too large to be exact', (major, code) => {
  expect(toMinor(major, code)).toEqual({ kind: 'too-large' })
})

test('every amount is the same after a round trip through JSON', () => {
  fc.assert(
    fc.property(amount, currency, (minor, code) => {
      const read: number = JSON.parse(JSON.stringify(toMajor(minor, code)))
      const parsed = toMinor(read, code)
      return parsed.kind === 'exact' && parsed.minor === minor // `expect` would take most of the time
    }),
    { numRuns: inProof(20_000, 100_000) },
  )
})

test('every amount written with the digits of its currency is read as written', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 9_999_999_999 }), fc.integer({ min: 0, max: 99 }), (dollars, cents) => {
      const text = `${dollars}.${String(cents).padStart(2, '0')}`
      expect(toMinor(Number(text), 'USD')).toEqual({ kind: 'exact', minor: BigInt(text.replace('.', '')) })
    }),
  )
})

test('the noise of adding cents in binary is rounded away', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -1_000_000, max: 1_000_000 }), { maxLength: 50 }), (cents) => {
      const sum = cents.reduce((total, cent) => total + cent / 100, 0)
      expect(toMinor(sum, 'USD')).toEqual({ kind: 'exact', minor: add(cents.map(BigInt)) })
    }),
  )
})

test.each([
  [1999n, 'USD', 19.99],
  [-5n, 'USD', -0.05],
  [1234n, 'JPY', 1234],
  [1n, 'KWD', 0.001],
  [0n, 'USD', 0],
])('%d minor units are %s %d', (minor, code, major) => {
  expect(toMajor(minor, code)).toBe(major)
})

test.each([
  [100n, [1, 1, 1], [34n, 33n, 33n]],
  [-100n, [1, 1, 1], [-34n, -33n, -33n]],
  [5n, [0.5, 0.3, 0.2], [3n, 1n, 1n]],
  [10n, [0, 1, 0], [0n, 10n, 0n]],
  [3n, [0, 0], [2n, 1n]],
  [0n, [7, 3], [0n, 0n]],
  [1n, [1, 2, 1], [0n, 1n, 0n]],
  [100_00n, [333n, 333n, 334n], [3330n, 3330n, 3340n]],
])('%d split by %s is %s', (whole, weights, shares) => {
  expect(split(whole, weights)).toEqual(shares)
})

const weights = fc.array(
  fc.oneof(fc.nat(), fc.double({ min: 0, max: 1e9, noNaN: true }), fc.bigInt({ min: 0n, max: amountMax })),
  { minLength: 1, maxLength: 20 },
)

test('the shares of a split sum to the whole, and a credit is split like its invoice', () => {
  fc.assert(
    fc.property(amount, weights, (whole, parts) => {
      const shares = split(whole, parts)
      expect(add(shares)).toBe(whole)
      expect(split(-whole, parts)).toEqual(shares.map((share) => -share))
    }),
  )
})

test('a share is less than a minor unit away from its exact part', () => {
  fc.assert(
    fc.property(
      amount,
      fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: 1, maxLength: 20 }),
      (whole, parts) => {
        const total = parts.reduce((sum, part) => sum + part)
        for (const [at, share] of split(whole, parts).entries()) {
          const off = share * BigInt(total) - whole * BigInt(parts[at] ?? 0)
          expect(off < BigInt(total) && -off < BigInt(total)).toBe(true)
        }
      },
    ),
  )
})

test('a split without weights, or with a negative weight, is refused', () => {
  expect(() => split(1n, [])).toThrow(RangeError)
  expect(() => split(1n, [2, -1])).toThrow(RangeError)
})

test.each<[bigint, number | string, Rounding, bigint]>([
  [100_00n, 17, 'half-up', 17_00n],
  [10n, 5, 'half-up', 1n],
  [-10n, 5, 'half-up', -1n],
  [9n, 5, 'half-up', 0n],
  [99_99n, 8.875, 'half-up', 887n],
  [1_00n, 100.5, 'half-up', 101n],
  [1_01n, 50, 'down', 50n],
  [-1_01n, 50, 'down', -50n],
  [1_01n, 0.01, 'up', 1n],
  [-1_01n, 0.01, 'up', -1n],
  [amountMax, '99.999999', 'half-up', 999_999_989_999_999n],
])('of %d, %s percent rounded %s is %d', (whole, rate, rounding, part) => {
  expect(percentOf(whole, rate, rounding)).toBe(part)
})

test('a percentage of a credit mirrors that of its invoice', () => {
  const rate = fc.integer({ min: 0, max: 100_000_000 }).map((millionths) => millionths / 1e6)
  fc.assert(
    fc.property(amount, rate, fc.constantFrom<Rounding[]>('half-up', 'up', 'down'), (whole, percent, rounding) => {
      expect(percentOf(-whole, percent, rounding)).toBe(-percentOf(whole, percent, rounding))
    }),
  )
})

test('rounding to whole dollars happens once, not by way of cents', () => {
  expect(round(exact('149.6'), 'half-up', 100n)).toBe(1_00n) // By way of 150 cents it would be two dollars.
  expect(round(exact('150'), 'half-up', 100n)).toBe(2_00n)
  expect(round(exact('-199.99'), 'down', 100n)).toBe(-1_00n)
})

// European Central Bank, 8 December 2023: one euro is 1.0777 USD, 3.9982 ILS, 155.53 JPY.
test.each([
  [1_000_00n, { from: 'USD', to: 'ILS', rate: exact('3.9982').div('1.0777') }, 3_709_94n],
  [100_00n, { from: 'USD', to: 'JPY', rate: exact('155.53').div('1.0777') }, 14_432n],
  [10_000n, { from: 'JPY', to: 'USD', rate: exact('1.0777').div('155.53') }, 69_29n],
  [-100_00n, { from: 'USD', to: 'KWD', rate: 0.30755 }, -30_755n],
  [1n, { from: 'USD', to: 'JPY', rate: '50' }, 1n],
  [5_00n, { from: 'SGD', to: 'SGD', rate: 1 }, 5_00n],
  [3n, { from: 'USD', to: 'EUR', rate: 1, per: 6 }, 1n], // Half a cent; a sixth cut off anywhere would make it less.
])('%d converted by %o is %d', (from, rate, to) => {
  expect(convert(from, rate)).toBe(to)
})

test('an amount converted by a ratio is the same as by its rates, ties and credits included', () => {
  const decimal = fc.oneof(
    fc.integer({ min: 1, max: 20 }).map(String),
    fc.integer({ min: 1, max: 2_000_000_000 }).map((millionths) => (millionths / 1_000_000).toFixed(12)),
  )
  fc.assert(
    fc.property(
      fc.oneof(amount, fc.bigInt({ min: -50n, max: 50n })),
      currency,
      currency,
      decimal,
      decimal,
      (minor, from, to, rate, per) => {
        expect(convertBy(minor, ratio({ from, to, rate, per }))).toBe(convert(minor, { from, to, rate, per }))
      },
    ),
  )
  expect(convertBy(-5n, ratio({ from: 'USD', to: 'SGD', rate: '0.5', per: '1' }))).toBe(-3n)
})
