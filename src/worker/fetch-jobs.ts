import type { Job } from '../core/define/job.ts'
import type { Pool } from '../db/pool.ts'

/** A job as fetched from the queue; `attempts` is the fencing token. */
export type FetchedJob = {
  id: string
  attempts: number
  locked_by: string | null
  flags: Record<string, true> | null
  /** Somebody may enqueue the key again while the job runs; the job then ends as usual, and the new one runs after it. */
  key?: string | null
}

/** A job that this worker has locked and is about to run, with what was read for it at the time `at`. */
export type ReadyJob = { job: Job; payload: unknown; fetched: FetchedJob; preloaded?: Preloaded }
export type Preloaded = { value: unknown; at: number }

/** The flag of the organization that a job belongs to. */
export const organizationFlag = ({ flags }: FetchedJob): string | undefined =>
  Object.keys(flags ?? {}).find((each) => each.startsWith('organization:'))

/** While the queue is long, so many jobs more are fetched than there are free slots. */
const spareMax = 8
/** After this time a job that no slot has taken is returned to the queue, because another worker may be free. */
const spareMaxMs = 200

/**
 * Fetches the next jobs of the queue for slots that have just become free. graphile-worker fetches the first job of a
 * slot, one at a time and each in a transaction of its own; slots that ask here while a fetch is under way share the next
 * one, and while the queue is long a fetch also brings the jobs that the next slots will take. The order is that of
 * graphile-worker. `skippedFlags` are those of the organizations whose jobs have to wait.
 */
export function createFetchJobs(system: Pool, jobs: readonly Job[], skippedFlags: () => string[]) {
  const fetchBatch = createFetchBatch(system, jobs, skippedFlags)
  let waiting: ((ready: ReadyJob | undefined) => void)[] = []
  let spare: ReadyJob[] = []
  let isFetching = false
  let isLong = false
  let returning: NodeJS.Timeout | undefined

  async function fetchForAll(poolId: string) {
    isFetching = true
    while (waiting.length > 0) {
      const slots = waiting
      waiting = []
      const count = slots.length + (isLong ? Math.max(0, spareMax - spare.length) : 0)
      const ready = await fetchBatch(poolId, count).catch(() => []) // graphile-worker tries again, and reports it
      isLong = ready.length === count
      keep(ready.splice(slots.length))
      for (const [n, take] of slots.entries()) take(ready[n])
    }
    isFetching = false
  }

  function keep(more: readonly ReadyJob[]) {
    if (more.length === 0) return
    spare.push(...more)
    returning ??= setTimeout(() => void returnSpare(isOld), spareMaxMs)
  }

  async function returnSpare(isReturned: (ready: ReadyJob) => boolean) {
    clearTimeout(returning)
    returning = undefined
    const returned = spare.filter(isReturned)
    spare = spare.filter((ready) => !isReturned(ready))
    if (spare.length > 0) returning = setTimeout(() => void returnSpare(isOld), spareMaxMs)
    if (returned.length > 0) await returnJobs(system, returned).catch(() => {}) // the heartbeat unlocks them later
  }

  /** A spare job of an organization that does not have to wait. */
  function takeSpare(): ReadyJob | undefined {
    const skipped = spare.length > 0 ? skippedFlags() : []
    const at = spare.findIndex((ready) => !isOld(ready) && !skipped.includes(organizationFlag(ready.fetched) ?? ''))
    return at < 0 ? undefined : spare.splice(at, 1)[0]
  }

  return {
    /** The next job for a slot; undefined if there is none, or the database cannot be reached. */
    next: (poolId: string): Promise<ReadyJob | undefined> =>
      new Promise((resolve) => {
        const ready = takeSpare()
        if (ready) return resolve(ready)
        waiting.push(resolve)
        if (!isFetching) void fetchForAll(poolId)
      }),

    /** Returns the jobs that no slot has taken to the queue. */
    returnSpare: () => returnSpare(() => true),
  }
}

const isOld = ({ preloaded }: ReadyJob) => !preloaded || performance.now() - preloaded.at > spareMaxMs

/** Returns jobs that were never started to the queue, as if they had not been fetched. */
async function returnJobs(system: Pool, ready: readonly ReadyJob[]) {
  const ids = ready.map(({ fetched }) => fetched.id)
  const attempts = ready.map(({ fetched }) => fetched.attempts)
  await system.use((_, connection) => connection.query(returnText, [ready[0]?.fetched.locked_by, ids, attempts]))
}

const returnText = `update graphile_worker._private_jobs j set attempts = j.attempts - 1, locked_by = null, locked_at = null
  from unnest($2::bigint[], $3::integer[]) r (id, attempts)
  where j.id = r.id and j.attempts = r.attempts and j.locked_by = $1`

function createFetchBatch(system: Pool, jobs: readonly Job[], skippedFlags: () => string[]) {
  const byName = new Map(jobs.map((job) => [job.name, job]))
  const names = [...byName.keys()]
  const texts = new Map<number, string>()
  const textFor = (count: number) => {
    const text = texts.get(count) ?? fetchText(count, jobs)
    texts.set(count, text)
    return text
  }
  return async (poolId: string, count: number): Promise<ReadyJob[]> => {
    const { rows } = await system.use((_, connection) => {
      // A lock that a crash of the database loses is no loss: the job is fetched again, and `finish_job` refuses this worker.
      connection.query("select set_config('synchronous_commit', 'off', true)").catch(() => {})
      return connection.query(textFor(count), [poolId, names, skippedFlags()])
    })
    const at = performance.now()
    return (rows as Row[]).flatMap(({ name, payload, id, attempts, flags, key, preloaded }) => {
      const job = byName.get(name)
      const fetched = { id, attempts, locked_by: poolId, flags, key }
      return job ? [{ job, payload, fetched, preloaded: { value: preloaded, at } }] : []
    })
  }
}

type Row = {
  name: string
  payload: unknown
  id: string
  attempts: number
  flags: FetchedJob['flags']
  key: string | null
  preloaded: unknown
}

/**
 * As graphile-worker does it. Jobs in a named queue are left to graphile-worker. The limit is part of the text: PostgreSQL
 * plans a statement again at each execution if its limit is a parameter, and that takes longer than to execute it.
 */
const fetchText = (count: number, jobs: readonly Job[]) => `with next as (
    select j.id from graphile_worker._private_jobs j
    where j.is_available and j.run_at <= now() and j.job_queue_id is null and (j.flags ?| $3::text[]) is not true
      and j.task_id = any (array(select t.id from graphile_worker._private_tasks t where t.identifier = any ($2::text[])))
    order by j.priority, j.run_at limit ${count} for update skip locked),
  locked as (
    update graphile_worker._private_jobs j set attempts = j.attempts + 1, locked_by = $1, locked_at = now()
    from next, graphile_worker._private_tasks t where j.id = next.id and t.id = j.task_id
    returning t.identifier as name, j.payload, j.id, j.attempts, j.flags, j.key)
  select j.*, ${preloadOf(jobs)} as preloaded from locked j`

function preloadOf(jobs: readonly Job[]): string {
  const cases = jobs.flatMap(({ name, preload }) =>
    preload ? [`when '${name}' then (select to_json(p) from (${preload}) p)`] : [],
  )
  return cases.length > 0 ? `case j.name ${cases.join(' ')} end` : 'null'
}
