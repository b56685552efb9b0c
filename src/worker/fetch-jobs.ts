import type { Job } from '../core/define/job.ts'
import type { Pool } from '../db/pool.ts'

/** A job as fetched from the queue; `attempts` is the fencing token. */
export type FetchedJob = { id: string; attempts: number; locked_by: string | null; flags: Record<string, true> | null }

/** A job that this worker has locked and is about to run. */
export type ReadyJob = { job: Job; payload: unknown; fetched: FetchedJob }

/**
 * Fetches the next jobs of the queue for slots that have just become free. graphile-worker fetches the first job of a
 * slot, one at a time and each in a transaction of its own; slots that ask here while a fetch is under way share the next
 * one. The order is that of graphile-worker.
 */
export function createFetchJobs(system: Pool, jobs: readonly Job[], skippedFlags: () => string[]) {
  const byName = new Map(jobs.map((job) => [job.name, job]))
  const names = [...byName.keys()]
  let waiting: ((ready: ReadyJob | undefined) => void)[] = []
  let isFetching = false

  async function fetchBatch(poolId: string, count: number): Promise<ReadyJob[]> {
    const { rows } = await system.use((_, connection) => {
      // A lock that a crash of the database loses is no loss: the job is fetched again, and `finish_job` refuses this worker.
      connection.query("select set_config('synchronous_commit', 'off', true)").catch(() => {})
      return connection.query(fetchText(count), [poolId, names, skippedFlags()])
    })
    return (rows as Row[]).flatMap(({ name, payload, id, attempts, flags }) => {
      const job = byName.get(name)
      return job ? [{ job, payload, fetched: { id, attempts, locked_by: poolId, flags } }] : []
    })
  }

  async function fetchForAll(poolId: string) {
    isFetching = true
    while (waiting.length > 0) {
      const slots = waiting
      waiting = []
      const ready = await fetchBatch(poolId, slots.length).catch(() => []) // graphile-worker tries again, and reports it
      for (const [n, take] of slots.entries()) take(ready[n])
    }
    isFetching = false
  }

  /** The next job for a slot; undefined if there is none, or the database cannot be reached. */
  return (poolId: string): Promise<ReadyJob | undefined> =>
    new Promise((resolve) => {
      waiting.push(resolve)
      if (!isFetching) void fetchForAll(poolId)
    })
}

type Row = { name: string; payload: unknown; id: string; attempts: number; flags: FetchedJob['flags'] }

/**
 * As graphile-worker does it. Jobs in a named queue are left to graphile-worker. The limit is part of the text: PostgreSQL
 * plans a statement again at each execution if its limit is a parameter, and that takes longer than to execute it.
 */
const fetchText = (count: number) => `with next as (
    select j.id from graphile_worker._private_jobs j
    where j.is_available and j.run_at <= now() and j.job_queue_id is null and (j.flags ?| $3::text[]) is not true
      and j.task_id = any (array(select t.id from graphile_worker._private_tasks t where t.identifier = any ($2::text[])))
    order by j.priority, j.run_at limit ${count} for update skip locked)
  update graphile_worker._private_jobs j set attempts = j.attempts + 1, locked_by = $1, locked_at = now()
  from next, graphile_worker._private_tasks t where j.id = next.id and t.id = j.task_id
  returning t.identifier as name, j.payload, j.id, j.attempts, j.flags`
