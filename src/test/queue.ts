import { queuedJobs, queueTables } from '../db/queue.ts'
import { theApp } from './world.ts'

/** A job in the queue; `inS` is the time in seconds until it is due. */
export type QueuedJob = {
  id: string
  job: string
  payload: never
  key: string | null
  flags: Record<string, true> | null
  priority: number
  attempts: number
  lockedBy: string | null
  lastError: string | null
  isAvailable: boolean
  runAt: Date
  inS: number
}

const columns = `id, job, payload, key, flags, priority, attempts, locked_by as "lockedBy", last_error as "lastError",
  is_available as "isAvailable", run_at as "runAt", extract(epoch from run_at - now())::float8 as "inS"`

const query = async (text: string, values: readonly unknown[]) =>
  (await theApp().system.raw.query<QueuedJob>(text, [...values])).rows

/** Jobs in the queue, the oldest first. The condition may name the columns of graphile-worker, and `job`, the name of a job. */
export const findJobs = (where = 'true', values: readonly unknown[] = []): Promise<QueuedJob[]> =>
  query(`select ${columns} from ${queuedJobs} where ${where} order by id`, values)

/** Takes jobs from the queue, and returns them. */
export const removeJobs = (where = 'true', values: readonly unknown[] = []): Promise<QueuedJob[]> =>
  query(
    `with found as (select * from ${queuedJobs} where ${where}),
       removed as (delete from ${queueTables.jobs} where id in (select id from found))
     select ${columns} from found order by id`,
    values,
  )

/** Changes columns of jobs, as graphile-worker names them, and returns the jobs as they are then. */
export async function changeJobs(set: string, where = 'true', values: readonly unknown[] = []): Promise<QueuedJob[]> {
  const changed = await query(
    `update ${queueTables.jobs} set ${set} where id in (select id from ${queuedJobs} where ${where}) returning id`,
    values,
  )
  return findJobs('id = any ($1)', [changed.map(({ id }) => id)])
}

/** Locks jobs as the worker `test` does that begins them. */
export const lockJobs = (where = 'true', values: readonly unknown[] = []): Promise<QueuedJob[]> =>
  changeJobs("locked_by = 'test', locked_at = now(), attempts = attempts + 1", where, values)

/** The condition for the jobs of a run of an automation. */
export const ofRun = "payload ->> 'runId' = $1"

/** The condition for the jobs of an organization, and its value. */
export const ofOrganization = (organizationId: string | undefined): [string, string[]] => [
  'flags ? $1',
  [`organization:${organizationId}`],
]
