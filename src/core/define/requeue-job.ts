import { type Job, job } from './job.ts'
import { Type } from './schema.ts'

const batch = 500

/**
 * A job that enqueues work again whose job was lost, for example because the database failed while an outcome was being
 * recorded. `requeueLost` is a function in the database that enqueues a limited number and returns how many it enqueued.
 */
export const requeueJob = (name: string, requeueLost: `requeue_lost_${string}`): Job =>
  job(name, Type.Object({}, { additionalProperties: true }), async ({ tx, signal }) => {
    let enqueued = batch
    while (enqueued === batch && !signal.aborted) {
      const { rows } = await tx(({ ask }) => ask(`select ${requeueLost}($1) as enqueued`, [batch]))
      enqueued = Number(rows[0]?.enqueued)
    }
  })
