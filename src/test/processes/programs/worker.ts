import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { readConfig } from '../../../config/config.ts'
import { event } from '../../../core/define/event.ts'
import { job } from '../../../core/define/job.ts'
import { Type } from '../../../core/define/schema.ts'
import { openQueuePool } from '../../../db/pool.ts'
import { runAutomation } from '../../../features/automations/engine/run-automation.ts'
import { runTurn } from '../../../features/companion/run-turn.ts'
import { sendMail } from '../../../features/mail/send-mail.ts'
import { pollMailbox } from '../../../features/mailboxes/poll/poll-mailbox.ts'
import { clearDocument } from '../../../features/tax-authorities/clearance/job.ts'
import { receiveEInvoices } from '../../../features/tax-authorities/receive/receive.ts'
import { createApp } from '../../../program/app.ts'
import { goOnWithoutReaders, handleUncaughtErrors } from '../../../program/uncaught-errors.ts'
import { startWorker } from '../../../worker/worker.ts'

/** A worker process for fault tests. Its jobs insert a row each, which shows how often they really ran. */

goOnWithoutReaders()
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

const logError = (error: unknown, what: string) =>
  void process.stderr.write(`${what}: ${error instanceof Error ? error.stack : error}\n`)

const worker = await startWorker(openQueuePool(database), {
  ...app,
  jobs: [mark, sendMail, runAutomation, pollMailbox, clearDocument, receiveEInvoices, runTurn],
  subscriberJobs: () => [],
  logError,
  heartbeatTimes: { intervalMs: 300, timeoutMs: 1_500 },
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
