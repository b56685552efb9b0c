import { run } from 'graphile-worker'
import type pg from 'pg'
import { createApp } from '../src/app.ts'
import { readConfig } from '../src/config.ts'
import { tellings } from '../src/core/subscriber.ts'
import { openQueuePool, sturdyPool } from '../src/db/pool.ts'
import { jobs, subscribers } from '../src/jobs.ts'
import { startWorker } from '../src/worker/worker.ts'
import { answer } from './ipc.ts'
import { concurrency } from './worker-setting.ts'

/** A worker as it runs in production, without scheduled jobs; or graphile-worker with a job that does nothing. */
answer({
  async work(database: pg.PoolConfig): Promise<void> {
    const app = await createApp(readConfig(process.env), database)
    const complain = (error: unknown, what: string) => console.error(what, error)
    await startWorker(openQueuePool(database), { ...app, jobs, complain, tellings: tellings(subscribers), concurrency })
  },

  async bare(database: pg.PoolConfig): Promise<void> {
    const pgPool = sturdyPool({ ...database, max: concurrency + 2 })
    await run({ pgPool, concurrency, noHandleSignals: true, taskList: { bare: async () => {} } })
  },
})
