import {
  Currency,
  nullable,
  OneOf,
  type Static,
  Text,
  Type,
  type Warning,
  Warnings,
} from '../../../core/define/schema.ts'
import { exact } from '../../../core/values/money.ts'

/** The rates of one day, as the API returns them. */
export const ExchangeRates = Type.Object({
  date: nullable(Type.String({ description: 'The day the rates are of; null where none are known.' })),
  base: Currency,
  source: nullable({
    ...OneOf('BOI', 'MAS', 'ECB', 'BUNDLED'),
    description:
      'Who published them: the Bank of Israel, the Monetary Authority of Singapore, the European Central Bank, or the table that comes with Kontor.',
  }),
  ageDays: nullable(Type.Integer({ description: 'How many days before the day asked for they are.' })),
  rates: Type.Record(Type.String(), Type.Number(), {
    description: 'What one unit of the base is worth, by currency, to twelve significant digits.',
  }),
  others: Type.Optional(
    Type.Array(Type.Object({ source: Text, date: Text, currencies: Type.Array(Currency) }), {
      description: 'Currencies whose rates are of another source, because the first one does not publish them.',
    }),
  ),
  missing: Type.Array(Currency, { description: 'What was asked for and is not among the rates of that day.' }),
  warnings: Type.Optional(Warnings),
})
export type ExchangeRates = Static<typeof ExchangeRates>

/**
 * A published rate of a day: the value of one unit of the base in the currency. The sources in `quotedInBase` publish the
 * opposite, the price of one unit of the currency in the base.
 */
export type PublishedRate = {
  source: 'ECB' | 'BOI' | 'MAS' | 'BUNDLED'
  base: string
  date: string
  currency: string
  /** Decimal text, as published. */
  rate: string
}

/** Sources whose rates are prices in their own currency, stored as published because a reciprocal is not exact. */
export const quotedInBase: ReadonlySet<PublishedRate['source']> = new Set(['BOI', 'MAS'])

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
