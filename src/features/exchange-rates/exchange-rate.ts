import { Currency, nullable, OneOf, type Static, Type, type Warning, Warnings } from '../../core/define/schema.ts'
import { convert, exact } from '../../core/values/money.ts'

/** The rates of one day, as people ask for them. */
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

/** One line of what a source published: on that day one unit of the base was worth so much of the currency. */
export type PublishedRate = {
  source: 'ECB' | 'BUNDLED'
  base: string
  date: string
  currency: string
  /** Decimal text, as published. */
  rate: string
}

/**
 * What turns one currency into another on a day. Both rates are of one snapshot: so much of either currency was worth one
 * unit of the base. `SAME` is a currency into itself, which needs nobody's rate.
 */
export type Rate = {
  from: string
  to: string
  fromRate: string
  toRate: string
  base: string
  /** The day of the snapshot: the day asked for, or the last one before it. */
  date: string
  source: PublishedRate['source'] | 'SAME'
}

/** An amount in another currency, with all it takes to compute it again. */
export type Conversion = {
  amountMinor: bigint
  /** How much of `to` one unit of `from` was worth, to twelve significant digits. */
  rate: string
  date: string
  source: Rate['source']
  rounding: 'half-up'
  /** A sentence for people. */
  explanation: string
}

/** Converts from the two published rates and rounds once, half up; never from a rate that was rounded before. */
export function convertAt(amountMinor: bigint, rate: Rate): Conversion {
  const { from, to, fromRate, toRate, date, source } = rate
  return {
    amountMinor: convert(amountMinor, { from, to, rate: toRate, per: fromRate }),
    rate: rateText(rate),
    date,
    source,
    rounding: 'half-up',
    explanation: explain(rate),
  }
}

/** Enough to print and to fix on a document: twelve significant digits, rounded half up. */
export const rateText = ({ fromRate, toRate }: Pick<Rate, 'fromRate' | 'toRate'>): string =>
  exact(toRate).div(exact(fromRate)).toSignificantDigits(12).toFixed()

/** The rates of a source, for people. */
const sourceNames = {
  ECB: 'European Central Bank',
  BUNDLED: 'the rates that came with Kontor',
} as const satisfies Record<PublishedRate['source'], string>

function explain(rate: Rate): string {
  const { from, to, base, date, source } = rate
  if (source === 'SAME') return `${from} stays ${to}.`
  const legs = [
    ...(from === base ? [] : [`${plain(rate.fromRate)} ${from}`]),
    ...(to === base ? [] : [`${plain(rate.toRate)} ${to}`]),
  ]
  return `1 ${from} = ${rateText(rate)} ${to}, from 1 ${base} = ${legs.join(' = ')} (${sourceNames[source]}, ${date}), rounded half up.`
}

/** Without the zeros that a column of twelve decimals adds. */
const plain = (decimal: string) => exact(decimal).toFixed()

const freshDays = 7

/** What whoever reads the rates should know: that there are none, that they are old, that some are missing. */
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
