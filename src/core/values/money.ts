import { data } from 'currency-codes'
import { Decimal } from 'decimal.js'

// An amount is a bigint of minor units: the compiler then refuses to mix it with a rate, a quantity or a number in major
// units, and JSON.stringify refuses one that was not converted with toMajor.

// The largest amount in minor units, positive or negative. A JSON number carries fifteen digits exactly; with sixteen, two
// amounts that differ by a cent can be the same number.
export const amountMax = 999_999_999_999_999n

// Half up is away from zero, so that a credit mirrors its invoice; up is away from zero, down towards it.
export type Rounding = 'half-up' | 'up' | 'down'

// `finer` has more decimals than the currency: the amount is rounded half up, for drafts only.
export type Parsed = { kind: 'exact' | 'finer'; minor: bigint } | { kind: 'too-large' }

export const minorDigits = (currency: string): number => digits.get(currency) ?? 2

// Reads the number as its shortest decimal text: 4.35 is 4.35, not the 4.3499999999999996447 a double stores.
export function toMinor(major: number, currency: string): Parsed {
  if (!Number.isFinite(major)) return { kind: 'too-large' }
  const value = exact(major).times(exact(10).pow(minorDigits(currency)))
  const minor = round(value, 'half-up')
  if (minor > amountMax || minor < -amountMax) return { kind: 'too-large' }
  const isNoise = value.minus(exact(minor)).abs().lt(noiseMax)
  return { kind: isNoise ? 'exact' : 'finer', minor }
}

export const toMajor = (minor: bigint, currency: string): number => Number(`${minor}e-${minorDigits(currency)}`)

export function add(amounts: Iterable<bigint>): bigint {
  let sum = 0n
  for (const amount of amounts) sum += amount
  return sum
}

// Splits an amount in proportion to weights. Each share is rounded towards zero, and the rest is distributed one minor unit
// each to the largest remainders, the earlier of equals first. If all weights are zero, the shares are equal.
export function split(amount: bigint, weights: readonly (bigint | number)[]): bigint[] {
  if (weights.length === 0) throw new RangeError('An amount cannot be split without weights.')
  if (amount < 0n) return split(-amount, weights).map((share) => -share)
  const parts = whole(weights)
  const total = add(parts)
  const shares = parts.map((part, at) => ({ at, share: (amount * part) / total, remainder: (amount * part) % total }))
  const left = Number(amount - add(shares.map(({ share }) => share)))
  const favoured = new Set(
    shares
      .toSorted((a, b) => (a.remainder === b.remainder ? a.at - b.at : a.remainder > b.remainder ? -1 : 1))
      .slice(0, left)
      .map(({ at }) => at),
  )
  return shares.map(({ at, share }) => (favoured.has(at) ? share + 1n : share))
}

// A rate of 17 means 17 %.
export const percentOf = (amount: bigint, ratePercent: Decimal.Value, rounding: Rounding): bigint =>
  round(exact(amount).times(exact(ratePercent)).div(100), rounding)

// The rate is the price of one major unit of `from` in major units of `to`, or of `per` units: a cross rate is a ratio that
// often has no finite decimal form. The result is rounded half up, once.
export function convert(
  amount: bigint,
  { from, to, rate, per = 1 }: { from: string; to: string; rate: Decimal.Value; per?: Decimal.Value },
): bigint {
  const scale = exact(10).pow(minorDigits(to) - minorDigits(from))
  return round(exact(amount).times(exact(rate)).times(scale).div(exact(per)), 'half-up')
}

// An exchange rate in whole numbers: `per` minor units of one currency are `rate` minor units of another.
export type Ratio = { rate: bigint; per: bigint }

// Of rates as decimal text.
export function ratio({ from, to, rate, per }: { from: string; to: string; rate: string; per: string }): Ratio {
  const more = decimalsOf(per) + minorDigits(to) - decimalsOf(rate) - minorDigits(from)
  return {
    rate: BigInt(rate.replace('.', '')) * (more > 0 ? 10n ** BigInt(more) : 1n),
    per: BigInt(per.replace('.', '')) * (more < 0 ? 10n ** BigInt(-more) : 1n),
  }
}

// The same as `convert`, for thousands of amounts, and as `convert_units` in PostgreSQL.
export function convertBy(amount: bigint, { rate, per }: Ratio): bigint {
  const doubled = 2n * amount * rate
  return (amount < 0n ? doubled - per : doubled + per) / (2n * per)
}

// Precise enough for the product of an amount and several rates.
export const exact = (value: Decimal.Value): Decimal => new Exact(value)

// Rounds an exact count of minor units once, to a multiple of `unit`: 100n is whole dollars.
export function round(value: Decimal, rounding: Rounding, unit = 1n): bigint {
  return BigInt(value.div(exact(unit)).toFixed(0, modes[rounding])) * unit
}

const Exact = Decimal.clone({ precision: 60, defaults: true })
const noiseMax = exact('1e-6') // A millionth of the minor unit.
const digits = new Map(data.map((currency) => [currency.code, currency.digits]))
const modes = { 'half-up': Decimal.ROUND_HALF_UP, up: Decimal.ROUND_UP, down: Decimal.ROUND_DOWN } as const

const decimalsOf = (text: string) => (text.includes('.') ? text.length - text.indexOf('.') - 1 : 0)

// The weights multiplied by the power of ten that makes them all integers.
function whole(weights: readonly (bigint | number)[]): bigint[] {
  const values = weights.map(exact)
  if (values.some((value) => value.isNegative() && !value.isZero())) throw new RangeError('A weight is negative.')
  if (values.every((value) => value.isZero())) return values.map(() => 1n)
  const scale = exact(10).pow(Math.max(...values.map((value) => value.decimalPlaces())))
  return values.map((value) => BigInt(value.times(scale).toFixed(0)))
}
