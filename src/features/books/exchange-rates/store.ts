import { sql } from 'kysely'
import type { Database } from '../../../core/define/operation.ts'
import type { PublishedRate } from './exchange-rate.ts'

type Snapshot = Pick<PublishedRate, 'source' | 'date'> & { rates: Map<string, string> }

/**
 * The newest rates that are valid on a day and include the base: those of the source of the country, if it has one, and the
 * published ones of the European Central Bank or else the bundled ones, as in `rate_on`. The first of them comes first.
 */
export async function findSnapshots(
  db: Database,
  { base, day, country }: { base: string; day: string; country: string | null },
): Promise<Snapshot[]> {
  const { rows } = await sql<Pick<PublishedRate, 'source' | 'date' | 'currency' | 'rate'>>`
    select rates.source, rates.date, rates.currency, rates.rate
    from (
      (select 1 as turn, source, date from exchange_rates
       where source = rate_source(${country}) and currency = ${base} and date between ${day}::date - 10 and ${day}::date
       order by date desc limit 1)
      union all
      (select general.* from (
        (select 2 as turn, source, date from exchange_rates
         where source = 'ECB' and currency = ${base} and date between ${day}::date - 10 and ${day}::date
         order by date desc limit 1)
        union all
        (select 3, source, date from exchange_rates
         where source = 'BUNDLED' and currency = ${base} and date between ${day}::date - 400 and ${day}::date
         order by date desc limit 1)
        order by turn limit 1
      ) general)
    ) snapshot
    join exchange_rates rates on rates.source = snapshot.source and rates.date = snapshot.date
    order by snapshot.turn, rates.currency`.execute(db)
  const snapshots: Snapshot[] = []
  for (const { source, date, currency, rate } of rows) {
    if (snapshots.at(-1)?.source !== source) snapshots.push({ source, date, rates: new Map() })
    snapshots.at(-1)?.rates.set(currency, rate)
  }
  return snapshots
}

/** The days of a source with rates, from a day on. */
export async function storedDays(
  db: Database,
  { source, since }: { source: PublishedRate['source']; since: string },
): Promise<string[]> {
  const days = db.selectFrom('exchangeRates').select('date').distinct().where('source', '=', source)
  return (await days.where('date', '>=', since).execute()).map(({ date }) => date)
}

/** The newest stored day of a source, if any. */
export async function newestDay(db: Database, source: PublishedRate['source']): Promise<string | undefined> {
  const newest = db.selectFrom('exchangeRates').select('date').where('source', '=', source)
  return (await newest.orderBy('date', 'desc').limit(1).executeTakeFirst())?.date
}

/**
 * Stores new rates. Existing ones are never changed, because amounts may have been converted with them. Returns the days
 * for which the source now has other rates than stored.
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
