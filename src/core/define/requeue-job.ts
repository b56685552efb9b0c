import { type Job, job } from './job.ts'
import { Type } from './schema.ts'

const batch = 500

/** `job` is the name of the job that may be lost. */
type LostJobs = { job: string; requeueLost: `requeue_lost_${string}` }

/**
 * A job that enqueues work again whose job was lost, for example because the database failed while an outcome was being
 * recorded, or because its worker died more often than the queue tries a job. `requeueLost` is a function in the database that
 * enqueues a limited number and returns how many it enqueued.
 */
export const requeueJob = (name: string, { job: lost, requeueLost }: LostJobs): Job =>
  job(name, Type.Object({}, { additionalProperties: true }), async ({ tx, signal }) => {
    await tx(({ ask }) => ask('select allow_more_attempts($1)', [lost]))
    let enqueued = batch
    while (enqueued === batch && !signal.aborted) {
      const { rows } = await tx(({ ask }) => ask(`select ${requeueLost}($1) as enqueued`, [batch]))
      enqueued = Number(rows[0]?.enqueued)
    }
  })
