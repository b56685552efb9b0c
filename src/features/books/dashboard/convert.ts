import { convertBy, type Ratio, ratio } from '../../../core/values/money.ts'
import { type DayRate, elements, rateTable } from '../exchange-rates/rate-table.ts'
import type { CashSums, ExpenseSums, OpenSums, SalesSums, Sums } from './sums.ts'

/** How a currency was converted without fixed rates. */
export type RateUse = { currency: string; days: number; missing: number; newest: string | null; source: string | null }

type CustomerYear = { currency: string; fixedRate: string; rateCurrency: string }

type RatedSums = Pick<SalesSums, 'currency' | 'rateCurrency' | 'status' | 'fixedRates'>

/** The place is that of the sum among its days. */
export type Convert = (minor: bigint, day: string, place: number) => bigint

export type Converter = ReturnType<typeof converterOf>

/**
 * Converts sums to the organization's currency. The rate fixed on the documents applies, if it converts to that currency. If it
 * converts to a former currency, the rate at the end of the period applies: of the month for sales, of the year for customers.
 * Otherwise the rate of the day applies, that of today for drafts and days to come, and for a voided payment that of the payment.
 */
export function converterOf({
  currency: own,
  country,
  today,
  year,
  rates,
}: Pick<Sums, 'currency' | 'country' | 'today' | 'year' | 'rates'>) {
  const table = rateTable(rates, { to: own, country })
  const endOfYear = earlier(`${year}-12-31`, today)
  const fixed = fixedRatios(own)

  function byDay(currency: string): Convert {
    const rateOn = table.ratesOf(currency)
    return (minor, day) => convertBy(minor, rateOn(earlier(day, today)).ratio)
  }

  function ofSales({ currency, rateCurrency, status, fixedRates }: RatedSums): Convert {
    if (currency === own) return same
    if (rateCurrency === own) {
      const rate = elements(fixedRates)
      return (minor, _, place) => convertBy(minor, fixed(currency, rate[place] ?? ''))
    }
    const convert = byDay(currency)
    const isMoved = rateCurrency !== ''
    if (isMoved) table.ratesOf(currency)(endOfYear) // for the customers, as one of the rates used
    return (minor, day, place) => {
      if (minor === 0n) return 0n
      return convert(minor, status === 'DRAFT' ? today : isMoved ? endOfMonth(day) : day, place)
    }
  }

  return {
    ofSales,
    /** What waits for approval is converted with the rate of today, like drafts. */
    ofExpenses: ({
      state,
      ...sums
    }: Pick<ExpenseSums, 'state' | 'currency' | 'rateCurrency' | 'fixedRates'>): Convert =>
      ofSales({ ...sums, status: state === 'PENDING' ? 'DRAFT' : 'PAID' }),
    /** What is open is converted with the rate of today, unless its own rate is fixed. */
    ofOpen({ currency, rateCurrency, fixedRates }: OpenSums): Convert {
      if (currency === own || rateCurrency === own)
        return ofSales({ currency, rateCurrency, fixedRates, status: 'SENT' })
      const convert = byDay(currency)
      return (minor, _, place) => convert(minor, today, place)
    },
    ofDays: (currency: string): Convert => (currency === own ? same : byDay(currency)),
    ofCash({ currency, rateDays }: Pick<CashSums, 'currency' | 'rateDays'>): Convert {
      if (currency === own) return same
      const [convert, days] = [byDay(currency), elements(rateDays)]
      return (minor, day, place) => convert(minor, days[place] ?? day, place)
    },
    /** The year of a customer. What has no fixed rate is converted by day. */
    ofYear(minor: bigint, { currency, fixedRate, rateCurrency }: CustomerYear): bigint {
      if (currency === own) return minor
      if (rateCurrency === own) return convertBy(minor, fixed(currency, fixedRate))
      return Number(fixedRate) === 0 ? 0n : byDay(currency)(minor, endOfYear, 0)
    },
    /** The rates of days that were used until now. */
    used: (): RateUse[] =>
      [...table.found]
        .filter(([, days]) => days.size > 0)
        .map(([currency, days]) => useOf(currency, [...days.values()]))
        .toSorted((a, b) => (a.currency < b.currency ? -1 : 1)),
  }
}

function useOf(currency: string, rates: DayRate[]): RateUse {
  const found = rates.flatMap(({ date, source }) => (date && source ? { date, source } : []))
  const sources = [...new Set(found.map(({ source }) => source))].toSorted()
  return {
    currency,
    days: rates.length,
    missing: rates.length - found.length,
    newest: found.reduce<string | null>((newest, { date }) => (newest && newest > date ? newest : date), null),
    source: sources.length > 0 ? sources.join(', ') : null,
  }
}

function fixedRatios(to: string) {
  const known = new Map<string, Ratio>()
  return (from: string, rate: string) => {
    const key = `${from} ${rate}`
    const found = known.get(key) ?? ratio({ from, to, rate, per: '1' })
    known.set(key, found)
    return found
  }
}

const same: Convert = (minor) => minor

const earlier = (day: string, other: string) => (day < other ? day : other)

/** Sums with a fixed rate are of a month, with its first day. */
const endOfMonth = (day: string) =>
  new Date(Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7)), 0)).toISOString().slice(0, 10)
