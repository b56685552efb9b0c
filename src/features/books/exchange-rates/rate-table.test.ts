import '../../../test/own-world.ts'
import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Database } from '../../../core/define/operation.ts'
import { addDays } from '../../../core/values/day.ts'
import { ratio } from '../../../core/values/money.ts'
import { countries as allCountries } from '../../../countries/countries.ts'
import { theApp } from '../../../test/world.ts'
import type { PublishedRate } from './exchange-rate.ts'
import { type RateSeries, rateTable } from './rate-table.ts'
import { storeRates } from './store.ts'

const currencies = ['AAA', 'BBB', 'CCC', 'DDD']
const countries = ['IL', 'SG', 'US', null]
const start = '2020-01-01'
const [firstDay, lastDay] = [450, 900]

/** The rate of a currency on a day of a source; the base changes now and then. */
const published = fc.record({
  source: fc.constantFrom('ECB' as const, 'ECB' as const, 'BUNDLED' as const, 'BOI' as const, 'MAS' as const),
  day: fc.integer({ min: 0, max: lastDay }),
  currency: fc.constantFrom(...currencies),
  base: fc.constantFrom('XXA', 'XXA', 'XXA', 'XXB'),
  rate: fc.integer({ min: 1, max: 9_000_000 }).map((millionths) => String(millionths / 1_000_000)),
})

const readSeries = async (db: Database, { first, last }: { first: string; last: string }) =>
  (
    await sql<RateSeries>`
      select source, currency, base, array_agg(date order by date)::text as dates, array_agg(rate order by date)::text as rates
      from exchange_rates where date between ${first}::date - 400 and ${last}::date group by 1, 2, 3`.execute(db)
  ).rows

const rateOn = async (db: Database, asked: { from: string; to: string; day: string; country: string | null }[]) => {
  const column = (name: 'from' | 'to' | 'day' | 'country') => asked.map((each) => each[name])
  const { rows } = await sql<{ fromRate: string | null; toRate: string; date: string | null; source: string | null }>`
    select r.from_rate, r.to_rate, r.rate_date as date, r.source
    from unnest(${column('from')}::text[], ${column('to')}::text[], ${column('day')}::date[], ${column('country')}::text[])
      with ordinality a (f, t, day, country, n)
    left join lateral rate_on(a.f, a.t, a.day, a.country) r on true order by n`.execute(db)
  return rows
}

test('the rates of many days are those of rate_on() for each of them', async () => {
  const rates = fc
    .sample(published, { numRuns: 6_000, seed: 3 })
    .map(({ day, ...rate }): PublishedRate => ({ ...rate, date: addDays(start, day) }))
  const currency = fc.constantFrom(...currencies)
  const day = fc.integer({ min: firstDay, max: lastDay + 450 }).map((days) => addDays(start, days))
  const asked = fc
    .sample(fc.record({ from: currency, to: currency, day, country: fc.constantFrom(...countries) }), {
      numRuns: 4_000,
      seed: 4,
    })
    .filter(({ from, to }) => from !== to)
  await theApp().system.use(async (db) => {
    await storeRates(db, uniqueOf(rates))
    await sql`analyze exchange_rates`.execute(db)
    const expected = await rateOn(db, asked)
    const series = await readSeries(db, { first: addDays(start, firstDay), last: addDays(start, lastDay + 450) })
    const tables = new Map(
      currencies.flatMap((to) => countries.map((country) => [`${to} ${country}`, rateTable(series, { to, country })])),
    )
    const found = asked.map(({ from, to, day, country }) => tables.get(`${to} ${country}`)?.ratesOf(from)(day))
    expect(found).toEqual(
      expected.map(({ fromRate, toRate, date, source }, at) => {
        const { from, to } = asked[at] ?? { from: '', to: '' }
        return { ratio: ratio({ from, to, rate: fromRate ? toRate : '1', per: fromRate ?? '1' }), date, source }
      }),
    )
    const sources = expected.map(({ source }) => source)
    for (const source of ['BOI', 'MAS', 'ECB', 'BUNDLED', null])
      expect(sources.filter((each) => each === source).length).toBeGreaterThan(100)
  })
})

test('the database and the code agree on the currency and the source of each country', async () => {
  const { rows } = await theApp().system.use((db) =>
    sql`select c.code, country_currency(c.code) as currency, coalesce(rate_source(c.code), 'ECB') as "rateSource"
      from unnest(${Object.keys(allCountries)}::text[]) c (code) order by 1`.execute(db),
  )
  const expected = Object.values(allCountries).map(({ code, currency, rateSource }) => ({ code, currency, rateSource }))
  expect(rows).toEqual(expected.toSorted((a, b) => (a.code < b.code ? -1 : 1)))
})

/** A source publishes a currency once a day. */
const uniqueOf = (rates: PublishedRate[]) => [
  ...new Map(rates.map((rate) => [`${rate.source} ${rate.currency} ${rate.date}`, rate])).values(),
]
