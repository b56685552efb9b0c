import { scanBatchFile } from '../features/buying/scans/batches/scan-file.ts'
import { doJob, type JobOptions } from './job.ts'
import { removeJobs } from './queue.ts'
import type { Someone } from './world.ts'

/** Takes the queued scans of the batches of an organization from the queue, and runs them all at once, as workers do. */
export async function doScans({ organizationId }: Someone, more: JobOptions = {}): Promise<number> {
  const flag = `organization:${organizationId}`
  const queued = await removeJobs('job = $1 and flags ? $2', [scanBatchFile.name, flag])
  await Promise.all(queued.map(({ payload }) => doJob(scanBatchFile, payload, { flags: { [flag]: true }, ...more })))
  return queued.length
}
