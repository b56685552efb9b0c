import { sql } from 'kysely'
import type { Database } from '../../core/define/operation.ts'
import { type Conversion, convertAt, type PublishedRate, type Rate } from './exchange-rate.ts'

export type RateRequest = { from: string; to: string; day: string }

/** The rate of a day, or of the last earlier day within reach; undefined where none is known. */
export async function findRate(db: Database, wanted: RateRequest): Promise<Rate | undefined> {
  return (await findRates(db, [wanted]))[0]
}

/** An amount in another currency on a day, with how it came about; undefined where no rate is known. */
export async function convertOn(
  db: Database,
  { amountMinor, ...wanted }: RateRequest & { amountMinor: bigint },
): Promise<Conversion | undefined> {
  const rate = await findRate(db, wanted)
  return rate && convertAt(amountMinor, rate)
}

/**
 * As many as are wanted in one query, in their order; undefined where none is known. Statements over many documents join
 * `rate_on` for the currencies and days that differ and convert with `convert_minor`, as the test of it shows.
 */
export async function findRates(db: Database, wanted: readonly RateRequest[]): Promise<(Rate | undefined)[]> {
  const columns = (['from', 'to', 'day'] as const).map((field) => wanted.map((each) => each[field]))
  const { rows } = await sql<Rate & { at: number }>`
    select w.at::integer - 1 as at, w."from", w."to", r.from_rate, r.to_rate, r.base, r.rate_date as date, r.source
    from unnest(${columns[0]}::text[], ${columns[1]}::text[], ${columns[2]}::date[])
      with ordinality w ("from", "to", day, at)
    cross join lateral rate_on(w."from", w."to", w.day) r`.execute(db)
  const found = new Map(rows.map(({ at, ...rate }) => [at, rate]))
  return wanted.map((_, at) => found.get(at))
}

/** The newest snapshot that counts on a day and has the base: published rates before bundled ones, as in `rate_on`. */
export async function findSnapshot(db: Database, { base, day }: { base: string; day: string }) {
  const { rows } = await sql<Pick<PublishedRate, 'source' | 'date' | 'currency' | 'rate'>>`
    select rates.source, rates.date, rates.currency, rates.rate
    from (
      (select 1 as turn, source, date from exchange_rates
       where source = 'ECB' and currency = ${base} and date between ${day}::date - 10 and ${day}::date
       order by date desc limit 1)
      union all
      (select 2, source, date from exchange_rates
       where source = 'BUNDLED' and currency = ${base} and date between ${day}::date - 400 and ${day}::date
       order by date desc limit 1)
      order by turn limit 1
    ) snapshot
    join exchange_rates rates on rates.source = snapshot.source and rates.date = snapshot.date
    order by rates.currency`.execute(db)
  return rows
}

/** The newest day of a source, or undefined before the first one. */
export async function newestDay(db: Database, source: PublishedRate['source']): Promise<string | undefined> {
  const newest = db.selectFrom('exchangeRates').select('date').where('source', '=', source)
  return (await newest.orderBy('date', 'desc').limit(1).executeTakeFirst())?.date
}

/**
 * Keeps what is new and never changes what is there: somebody may have converted with it. Gives back the days for which
 * a source now says something else than it did.
 */
export async function storeRates(db: Database, rates: readonly PublishedRate[]): Promise<string[]> {
  if (rates.length === 0) return []
  const column = (field: keyof PublishedRate) => rates.map((rate) => rate[field])
  const { rows } = await sql<{ date: string }>`
    with given as (
      select * from unnest(${column('source')}::text[], ${column('base')}::text[], ${column('date')}::date[],
        ${column('currency')}::text[], ${column('rate')}::numeric(24, 12)[]) g (source, base, date, currency, rate)
    ), kept as (
      insert into exchange_rates (source, base, date, currency, rate)
      select source, base, date, currency, rate from given
      on conflict do nothing
    )
    select distinct given.date from given
    join exchange_rates known using (source, currency, date)
    where known.rate <> given.rate or known.base <> given.base
    order by given.date`.execute(db)
  return rows.map(({ date }) => date)
}
