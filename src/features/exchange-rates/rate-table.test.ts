import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Database } from '../../core/define/operation.ts'
import { addDays } from '../../core/values/day.ts'
import { ratio } from '../../core/values/money.ts'
import { theApp } from '../../test/world.ts'
import type { PublishedRate } from './exchange-rate.ts'
import { type RateSeries, rateTable } from './rate-table.ts'
import { storeRates } from './store.ts'

const currencies = ['AAA', 'BBB', 'CCC', 'DDD']
const start = '2020-01-01'
const [firstDay, lastDay] = [450, 900]

/** The rate of a currency on a day of a source; the base changes now and then. */
const published = fc.record({
  source: fc.constantFrom('ECB' as const, 'ECB' as const, 'BUNDLED' as const),
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

const rateOn = async (db: Database, asked: { from: string; to: string; day: string }[]) => {
  const column = (name: 'from' | 'to' | 'day') => asked.map((each) => each[name])
  const { rows } = await sql<{ fromRate: string | null; toRate: string; date: string | null; source: string | null }>`
    select r.from_rate, r.to_rate, r.rate_date as date, r.source
    from unnest(${column('from')}::text[], ${column('to')}::text[], ${column('day')}::date[]) with ordinality a (f, t, day, n)
    left join lateral rate_on(a.f, a.t, a.day) r on true order by n`.execute(db)
  return rows
}

test('the rates of many days are those of rate_on() for each of them', async () => {
  const rates = fc
    .sample(published, { numRuns: 2_500, seed: 3 })
    .map(({ day, ...rate }): PublishedRate => ({ ...rate, date: addDays(start, day) }))
  const currency = fc.constantFrom(...currencies)
  const day = fc.integer({ min: firstDay, max: lastDay + 450 }).map((days) => addDays(start, days))
  const asked = fc
    .sample(fc.record({ from: currency, to: currency, day }), { numRuns: 4_000, seed: 4 })
    .filter(({ from, to }) => from !== to)
  await theApp().system.use(async (db) => {
    await storeRates(db, uniqueOf(rates))
    await sql`analyze exchange_rates`.execute(db)
    const expected = await rateOn(db, asked)
    const series = await readSeries(db, { first: addDays(start, firstDay), last: addDays(start, lastDay + 450) })
    const tables = new Map(currencies.map((to) => [to, rateTable(series, to)]))
    const found = asked.map(({ from, to, day }) => tables.get(to)?.ratesOf(from)(day))
    expect(found).toEqual(
      expected.map(({ fromRate, toRate, date, source }, at) => {
        const { from, to } = asked[at] ?? { from: '', to: '' }
        return { ratio: ratio({ from, to, rate: fromRate ? toRate : '1', per: fromRate ?? '1' }), date, source }
      }),
    )
    const sources = expected.map(({ source }) => source)
    for (const source of ['ECB', 'BUNDLED', null])
      expect(sources.filter((each) => each === source).length).toBeGreaterThan(100)
  })
})

/** A source publishes a currency once a day. */
const uniqueOf = (rates: PublishedRate[]) => [
  ...new Map(rates.map((rate) => [`${rate.source} ${rate.currency} ${rate.date}`, rate])).values(),
]
