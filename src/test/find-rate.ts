import { sql } from 'kysely'
import { theApp } from './world.ts'

type Rate = { fromRate: string; toRate: string; source: string; date: string }

/** The rate that the database finds for a day, for an organization of a country if one is given. */
export async function findRate(
  from: string,
  to: string,
  day: string,
  country: string | null = null,
): Promise<Rate | undefined> {
  const query = sql<Rate>`select from_rate, to_rate, source, rate_date as date from rate_on(${from}, ${to}, ${day}, ${country})`
  return (await theApp().system.use((db) => query.execute(db))).rows[0]
}
