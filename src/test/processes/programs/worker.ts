import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { readConfig } from '../../../config/config.ts'
import { openQueuePool } from '../../../db/pool.ts'
import { createApp } from '../../../program/app.ts'
import { goOnWithoutReaders, handleUncaughtErrors } from '../../../program/start/uncaught-errors.ts'
import { startWorker } from '../../../worker/worker.ts'
import { heartbeatTimes, jobs } from '../worker-jobs.ts'

/** A worker process for fault tests. */

goOnWithoutReaders()
const database: pg.PoolConfig = JSON.parse(process.env.DATABASE ?? '{}')
const app = await createApp(readConfig(process.env), database)

const logError = (error: unknown, what: string) =>
  void process.stderr.write(`${what}: ${error instanceof Error ? error.stack : error}\n`)

const worker = await startWorker(openQueuePool(database), {
  ...app,
  jobs,
  subscriberJobs: () => [],
  logError,
  heartbeatTimes,
})
process.stdout.write('working\n')
const stop = () => Promise.race([worker.stop(), sleep(5_000)]) // like the product: draining has a time limit
handleUncaughtErrors(
  { error: ({ err }, what) => logError(err, what), fatal: ({ err }, what) => logError(err, what) },
  stop,
)
process.on('SIGTERM', async () => {
  await stop()
  process.exit(0)
})
