import type { Job } from '../core/define/job.ts'
import { createExecutor, type WorkerDependencies } from '../worker/execute.ts'
import type { FetchedJob } from '../worker/fetch-jobs.ts'
import { changeJobs } from './queue.ts'
import { theApp } from './world.ts'

export type JobOptions = Partial<Pick<WorkerDependencies, 'providers' | 'services' | 'subscriberJobs' | 'logError'>> & {
  flags?: FetchedJob['flags']
  /** How often the job was fetched, with this time. */
  attempts?: number
}

/** Adds a job and runs it at once, as a worker does: it is locked, executed and ended. */
export async function doJob(
  job: Job,
  payload: object = {},
  { flags = null, attempts = 1, ...more }: JobOptions = {},
): Promise<void> {
  const ask = async (text: string, values: unknown[]) => (await theApp().system.raw.query(text, values)).rows
  const [{ id }] = await ask('select id from graphile_worker.add_job($1, $2::json)', [
    job.name,
    JSON.stringify(payload),
  ])
  await changeJobs("locked_by = 'test', attempts = $2", 'id = $1', [id, attempts])
  const dependencies = { ...theApp(), jobs: [], subscriberJobs: () => [], logError: () => {}, ...more }
  await createExecutor(dependencies, 8).execute(job, payload, { id, attempts, locked_by: 'test', flags })
}
