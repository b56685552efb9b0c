import { run } from 'graphile-worker'
import type pg from 'pg'
import { jobs, subscribers } from '../src/catalog/jobs.ts'
import { readConfig } from '../src/config/config.ts'
import { subscriberJobs } from '../src/core/define/subscriber.ts'
import { openQueuePool, resilientPool } from '../src/db/pool.ts'
import { createApp } from '../src/program/app.ts'
import { startWorker } from '../src/worker/worker.ts'
import { answer } from './ipc.ts'
import { concurrency } from './worker-setting.ts'

/** A worker as it runs in production, without scheduled jobs; or graphile-worker with a job that does nothing. */
answer({
  async work(database: pg.PoolConfig): Promise<void> {
    const app = await createApp(readConfig(process.env), database, { servesRequests: false })
    const logError = (error: unknown, what: string) => console.error(what, error)
    await startWorker(openQueuePool(database), {
      ...app,
      jobs,
      logError,
      subscriberJobs: subscriberJobs(subscribers),
      concurrency,
    })
  },

  cpu: () => process.cpuUsage(),

  async bare(database: pg.PoolConfig): Promise<void> {
    const pgPool = resilientPool({ ...database, max: concurrency + 2 })
    await run({ pgPool, concurrency, noHandleSignals: true, taskList: { bare: async () => {} } })
  },
})
