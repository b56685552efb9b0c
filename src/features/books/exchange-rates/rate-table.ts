import { type Ratio, ratio } from '../../../core/values/money.ts'
import { findCountry } from '../../../countries/countries.ts'
import { type PublishedRate, quotedInBase } from './exchange-rate.ts'

/** The stored rates of one currency: `{day,…}` and `{rate,…}` as PostgreSQL writes arrays, in the order of the days. */
export type RateSeries = Pick<PublishedRate, 'source' | 'currency' | 'base'> & { dates: string; rates: string }

/** The rate of a day. Without a source no rate is known, and the ratio is that of the face value. */
export type DayRate = { ratio: Ratio; date: string | null; source: Source | null }

/** How many days before a needed day the rates of a source are still valid. */
export const validDays = { BOI: 10, MAS: 10, ECB: 10, BUNDLED: 400 } as const satisfies Record<Source, number>

/** The sources for organizations of a country, the preferred one first. */
const sourcesOf = (country: string | null): Source[] => [
  ...new Set([findCountry(country)?.rateSource ?? 'ECB', 'ECB', 'BUNDLED'] as const),
]

type Source = PublishedRate['source']
type Conversion = { from: string; to: string }
type Pair = { date: string; from: string; to: string }

/**
 * The rates into one currency for many days: `rate_on` for a report that needs hundreds of them, with the same rule, which a
 * test compares. The series must include the target currency, and begin as many days before the first day as rates are valid.
 */
export function rateTable(series: readonly RateSeries[], { to, country }: { to: string; country: string | null }) {
  const sources = sourcesOf(country)
  const found = new Map<string, Map<string, DayRate>>()
  const finders = new Map<string, (day: string) => DayRate>()

  /** Finds the rates of one currency. */
  function ratesOf(currency: string): (day: string) => DayRate {
    const known = finders.get(currency)
    if (known) return known
    const search = searchOf(series, sources, { from: currency, to })
    const days = new Map<string, DayRate>()
    const find = (day: string) => {
      let rate = days.get(day)
      if (!rate) {
        rate = search(day)
        days.set(day, rate)
      }
      return rate
    }
    found.set(currency, days)
    finders.set(currency, find)
    return find
  }

  return { ratesOf, found }
}

function searchOf(series: readonly RateSeries[], sources: readonly Source[], { from, to }: Conversion) {
  const published = sources.map((source) => ({ source, pairs: pairsOf(series, source, { from, to }) }))
  const faceValue: DayRate = { ratio: ratio({ from, to, rate: '1', per: '1' }), date: null, source: null }
  return (day: string): DayRate => {
    for (const { source, pairs } of published) {
      const newest = validOn(day, pairs, source)
      if (newest) return { ratio: ratio({ from, to, rate: newest.to, per: newest.from }), date: newest.date, source }
    }
    return faceValue
  }
}

/** The days on which a source published both currencies against the same base, in order. */
function pairsOf(series: readonly RateSeries[], source: Source, { from, to }: Conversion): Pair[] {
  const own = series.filter((each) => each.source === source && each.currency === to)
  const other = series.filter((each) => each.source === source && each.currency === from)
  const pairs = other.flatMap((one) =>
    own
      .filter(({ base }) => base === one.base)
      .flatMap((two) => (quotedInBase.has(source) ? join(one, two).map(reversed) : join(one, two))),
  )
  return other.length > 1 ? pairs.toSorted((a, b) => (a.date < b.date ? -1 : 1)) : pairs
}

const reversed = ({ date, from, to }: Pair): Pair => ({ date, from: to, to: from })

function join(from: RateSeries, to: RateSeries): Pair[] {
  const [fromRates, toRates] = [elements(from.rates), elements(to.rates)]
  const places = new Map(elements(to.dates).map((date, at) => [date, at]))
  const pairs: Pair[] = []
  for (const [at, date] of elements(from.dates).entries()) {
    const [one, two] = [fromRates[at], toRates[places.get(date) ?? -1]]
    if (one !== undefined && two !== undefined) pairs.push({ date, from: one, to: two })
  }
  return pairs
}

/** The newest pair until the day, found by binary search, unless it is too old. */
function validOn(day: string, pairs: readonly Pair[], source: Source): Pair | undefined {
  let [low, high] = [0, pairs.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((pairs[middle]?.date ?? '') <= day) low = middle + 1
    else high = middle
  }
  const newest = pairs[low - 1]
  if (!newest) return undefined
  const isValid = newest.date === day || dayNumber(day) - dayNumber(newest.date) <= validDays[source]
  return isValid ? newest : undefined
}

const dayNumber = (day: string) => Date.parse(day) / 86_400_000

/** The elements of an array that needs no quotes: days and numbers. */
export const elements = (array: string): string[] => (array === '{}' ? [] : array.slice(1, -1).split(','))
