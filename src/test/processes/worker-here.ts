import { type DatabaseConfig, openQueuePool } from '../../db/pool.ts'
import { createApp } from '../../program/app.ts'
import { startWorker } from '../../worker/worker.ts'
import { testConfig, theDatabase } from '../world.ts'
import { heartbeatTimes, jobs } from './worker-jobs.ts'

/**
 * The worker of programs/worker.ts in this process, for what follows after another one was killed. Answers how to stop it, which
 * may be asked for more than once.
 */
export async function startWorkerHere(
  env: Record<string, string> = {},
  database: DatabaseConfig = theDatabase(),
): Promise<() => Promise<void>> {
  const app = await createApp(testConfig(env), database, { servesRequests: false })
  const queue = openQueuePool(database)
  const worker = await startWorker(queue, {
    ...app,
    jobs,
    subscriberJobs: () => [],
    logError: () => {},
    heartbeatTimes,
  })
  const end = async () => {
    await worker.stop()
    await queue.end()
    await app.close()
  }
  let ended: Promise<void> | undefined
  return () => {
    ended ??= end()
    return ended
  }
}
