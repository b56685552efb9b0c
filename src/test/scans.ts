import { scanBatchFile } from '../features/buying/scans/batches/scan-file.ts'
import { doJob, type JobOptions } from './job.ts'
import { type Someone, theApp } from './world.ts'

/** Takes the queued scans of the batches of an organization from the queue, and runs them all at once, as workers do. */
export async function doScans({ organizationId }: Someone, more: JobOptions = {}): Promise<number> {
  const flag = `organization:${organizationId}`
  const { rows } = await theApp().system.raw.query<{ payload: object }>(
    `delete from graphile_worker._private_jobs j using graphile_worker._private_tasks t
      where t.id = j.task_id and t.identifier = $1 and j.flags ? $2 returning j.payload`,
    [scanBatchFile.name, flag],
  )
  await Promise.all(rows.map(({ payload }) => doJob(scanBatchFile, payload, { flags: { [flag]: true }, ...more })))
  return rows.length
}
