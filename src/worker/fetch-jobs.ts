import type { Job } from '../core/define/job.ts'
import type { Pool } from '../db/pool.ts'
import { fetchJobs, returnJobs } from '../db/queue.ts'

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
    if (returned.length > 0) await returnUnstarted(system, returned).catch(() => {}) // the heartbeat unlocks them later
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
async function returnUnstarted(system: Pool, ready: readonly ReadyJob[]) {
  const ids = ready.map(({ fetched }) => fetched.id)
  const attempts = ready.map(({ fetched }) => fetched.attempts)
  await system.use((_, connection) => connection.query(returnJobs, [ready[0]?.fetched.locked_by, ids, attempts]))
}

function createFetchBatch(system: Pool, jobs: readonly Job[], skippedFlags: () => string[]) {
  const byName = new Map(jobs.map((job) => [job.name, job]))
  const names = [...byName.keys()]
  const preloaded = preloadOf(jobs)
  const texts = new Map<number, string>()
  const textFor = (count: number) => {
    const text = texts.get(count) ?? fetchJobs(count, preloaded)
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

function preloadOf(jobs: readonly Job[]): string {
  const cases = jobs.flatMap(({ name, preload }) =>
    preload ? [`when '${name}' then (select to_json(p) from (${preload}) p)`] : [],
  )
  return cases.length > 0 ? `case j.name ${cases.join(' ')} end` : 'null'
}
