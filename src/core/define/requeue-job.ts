import { type Job, job } from './job.ts'
import { Type } from './schema.ts'

const batch = 500

/**
 * A job that orders again what waits and whose order was lost, as when the database fails while an outcome is recorded.
 * `orderLost` is a function of the database: it orders at most so many and says how many there were.
 */
export const requeueJob = (name: string, orderLost: `order_lost_${string}`): Job =>
  job(name, Type.Object({}, { additionalProperties: true }), async ({ tx, signal }) => {
    let ordered = batch
    while (ordered === batch && !signal.aborted) {
      const { rows } = await tx(({ ask }) => ask(`select ${orderLost}($1) as ordered`, [batch]))
      ordered = Number(rows[0]?.ordered)
    }
  })
