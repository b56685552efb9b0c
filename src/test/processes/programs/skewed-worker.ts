import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { readConfig } from '../../../config/config.ts'
import { job } from '../../../core/define/job.ts'
import { Type } from '../../../core/define/schema.ts'
import { type Subscriber, subscriberJob, subscriberJobs } from '../../../core/define/subscriber.ts'
import { resilientPool } from '../../../db/pool.ts'
import { createApp } from '../../../program/app.ts'
import { tickClock } from '../../../worker/clock.ts'
import { startWorker } from '../../../worker/worker.ts'

/** A worker process for tests of wrong clocks: it runs slow jobs, and the clock job when there is one. */

const database: pg.PoolConfig = JSON.parse(process.env.DATABASE ?? '{}')
const app = await createApp(readConfig(process.env), database)

const slow = job('test-mark', Type.Object({ mark: Type.String() }), async ({ once }, { mark }) => {
  await sleep(50)
  await once(async ({ connection }) => {
    await connection.query('insert into test_marks (mark) values ($1)', [mark])
  })
})

const listener: Subscriber = {
  name: 'listener',
  on: ['schedule.hourly', 'schedule.daily'],
  run: async ({ db }, { id }) =>
    void (await db
      .insertInto('testMarks' as never)
      .values({ mark: id } as never)
      .execute()),
}

const worker = await startWorker(resilientPool({ ...database, max: 10 }), {
  ...app,
  jobs: [slow, tickClock([listener]), subscriberJob(listener)],
  subscriberJobs: subscriberJobs([listener]),
  logError: (error) => process.stderr.write(`${error instanceof Error ? error.stack : error}\n`),
  heartbeatTimes: { intervalMs: 200, timeoutMs: 2_000 },
})
process.stdout.write(`working at ${new Date().toISOString()}\n`)
process.on('SIGTERM', async () => {
  await Promise.race([worker.stop(), sleep(5_000)])
  process.exit(0)
})
