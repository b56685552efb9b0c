import { sql } from 'kysely'
import type { Database, Pool } from '../db/pool.ts'
import type { Static, TSchema } from './schema.ts'

export type { Pool } from '../db/pool.ts'

/** Work ordered for later. `C` is what it needs to be given: the pool outside any organization, and providers. */
export type Job<P extends TSchema = TSchema, C = never> = {
  name: string
  payload: P
  run(payload: Static<P>, context: C): Promise<void>
}

/** Declares a job once, like an event: `job('send-mail', Payload, (payload, { system, mail }) => ...)`. */
export const job = <P extends TSchema, C>(
  name: string,
  payload: P,
  run: (payload: Static<P>, context: C) => Promise<void>,
): Job<P, C> => ({ name, payload, run })

/** One short transaction of a job; nothing outside the database happens in it. */
export const inTransaction = <T>(system: Pool, work: (db: Database) => Promise<T>): Promise<T> =>
  system.use(async (db, connection) => {
    await connection.query('begin')
    const result = await work(db)
    const { command } = await connection.query('commit')
    if (command !== 'COMMIT') throw new Error('The transaction could not be committed.')
    return result
  }) // when it fails its connection is ended, and with it the transaction

type Order = { name: string; payload: object; inS: number; key: string }

/** Orders a job from within another one, by the database's clock. The key makes the order replace an earlier one. */
export const orderJob = (db: Database, { name, payload, inS, key }: Order) =>
  sql`select graphile_worker.add_job(${name}, ${JSON.stringify(payload)}::json,
      run_at => now() + make_interval(secs => ${inS}), job_key => ${key})`.execute(db)

const delaysS = [1, 5, 25, 120]
export const attemptsMax = delaysS.length + 1

/**
 * How long to wait after so many attempts of something that may yet succeed; undefined when it is given up. Up to a fifth
 * more or less, so that what failed together does not come back together.
 */
export function retryInS(attempts: number, random: () => number = Math.random): number | undefined {
  const delayS = delaysS[attempts - 1]
  return delayS && delayS * (0.8 + 0.4 * random())
}
