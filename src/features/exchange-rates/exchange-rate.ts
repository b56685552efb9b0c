import { Currency, nullable, OneOf, type Static, Type, type Warning, Warnings } from '../../core/define/schema.ts'
import { exact } from '../../core/values/money.ts'

/** The rates of one day, as the API returns them. */
export const ExchangeRates = Type.Object({
  date: nullable(Type.String({ description: 'The day the rates are of; null where none are known.' })),
  base: Currency,
  source: nullable(OneOf('ECB', 'BUNDLED')),
  ageDays: nullable(Type.Integer({ description: 'How many days before the day asked for they are.' })),
  rates: Type.Record(Type.String(), Type.Number(), {
    description: 'What one unit of the base is worth, by currency, to twelve significant digits.',
  }),
  missing: Type.Array(Currency, { description: 'What was asked for and is not among the rates of that day.' }),
  warnings: Type.Optional(Warnings),
})
export type ExchangeRates = Static<typeof ExchangeRates>

/** A published rate: the value of one unit of the base in the currency, on a day. */
export type PublishedRate = {
  source: 'ECB' | 'BUNDLED'
  base: string
  date: string
  currency: string
  /** Decimal text, as published. */
  rate: string
}

/** The rate with twelve significant digits, rounded half up. */
export const rateText = ({ fromRate, toRate }: { fromRate: string; toRate: string }): string =>
  exact(toRate).div(exact(fromRate)).toSignificantDigits(12).toFixed()

const freshDays = 7

/** Warnings about rates that are missing or old. */
export function snapshotWarnings(
  found: Pick<ExchangeRates, 'base' | 'date' | 'ageDays' | 'missing'> & { day: string },
): Warning[] {
  const { base, day, date, ageDays, missing } = found
  if (date === null || ageDays === null) {
    return [warning('EXCHANGE_RATES_MISSING', 'base', `No exchange rates of ${base} are known for ${day}.`)]
  }
  const old = `The newest exchange rates for ${day} are of ${date}, ${ageDays} days earlier.`
  return [
    ...(ageDays > freshDays ? [warning('EXCHANGE_RATES_OLD', 'date', old)] : []),
    ...(missing.length > 0
      ? [warning('EXCHANGE_RATES_MISSING', 'currencies', `No exchange rates of ${missing.join(', ')} are known.`)]
      : []),
  ]
}

const warning = (code: string, path: string, message: string): Warning => ({ code, message, path })
