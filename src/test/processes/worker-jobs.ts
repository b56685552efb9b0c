import { setTimeout as sleep } from 'node:timers/promises'
import { job } from '../../core/define/job.ts'
import { Type } from '../../core/define/schema.ts'
import { clearDocument } from '../../features/books/tax-authorities/clearance/job.ts'
import { receiveEInvoices } from '../../features/books/tax-authorities/receive/receive.ts'
import { pollMailbox } from '../../features/buying/mailboxes/poll/poll-mailbox.ts'
import { sendMail } from '../../features/platform/mail/send-mail.ts'
import { runAutomation } from '../../features/work/automations/engine/run-automation.ts'
import { runTurn } from '../../features/work/companion/run-turn.ts'

/** Inserts a row, which shows how often it really ran. */
const mark = job('test-mark', Type.Object({ mark: Type.String() }), async ({ once }, { mark }) => {
  await sleep(Math.random() * 30)
  await once(async ({ connection }) => {
    await connection.query('insert into test_marks (mark) values ($1)', [mark])
    await sleep(Math.random() * 10)
  })
})

/** The jobs of a worker in fault tests. */
export const jobs = [mark, sendMail, runAutomation, pollMailbox, clearDocument, receiveEInvoices, runTurn]

/** A worker that is silent for so long counts as dead. */
export const heartbeatTimes = { intervalMs: 300, timeoutMs: 1_500 }
