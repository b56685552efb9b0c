import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { createApp } from '../../app.ts'
import { readConfig } from '../../config.ts'
import { event } from '../../core/event.ts'
import { job } from '../../core/job.ts'
import { Type } from '../../core/schema.ts'
import { sturdyPool } from '../../db/pool.ts'
import { startWorker } from '../../worker/worker.ts'

/** A worker process for fault tests: its jobs leave a mark that shows how often they really happened. */

const database: pg.PoolConfig = JSON.parse(process.env.DATABASE ?? '{}')
const app = await createApp(readConfig(process.env), database)

export const marked = event('test.marked', Type.Object({ mark: Type.String() }), 'A mark was made')

const mark = job('test-mark', Type.Object({ mark: Type.String() }), async ({ once }, { mark }) => {
  await sleep(Math.random() * 30)
  await once(async ({ connection }) => {
    await connection.query('insert into test_marks (mark) values ($1)', [mark])
    await sleep(Math.random() * 10)
  })
})

const worker = await startWorker(sturdyPool({ ...database, max: 10 }), {
  ...app,
  jobs: [mark],
  tellings: () => [],
  complain: (error) => process.stderr.write(`${error instanceof Error ? error.stack : error}\n`),
  rhythm: { beatMs: 300, silenceMs: 1_500 },
})
process.stdout.write('working\n')
process.on('SIGTERM', async () => {
  await Promise.race([worker.stop(), sleep(5_000)]) // as the product does it: draining has a bound
  process.exit(0)
})
