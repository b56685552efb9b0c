import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from '../../../core/define/operation.ts'
import type { DeliverNow, Providers, Services } from '../../../core/define/services.ts'
import type { Mail } from '../../../core/outside/mail.ts'
import { sendWithoutWaiting } from '../../../core/run/connection.ts'
import { enqueueJob } from '../../../core/run/record.ts'
import { withTransaction } from '../../../core/run/transaction-context.ts'
import type { BorrowedConnection } from '../../../db/pool.ts'
import { type AttemptDependencies, attemptDelivery } from './attempt.ts'

/** How long the sender waits for the mail server (FLT-10). */
const serverWaitMs = 15_000

/** When a worker takes over a delivery that was not completed at once. */
export const takeOverAfterMs = serverWaitMs + 5_000

type DeliverNowDependencies = {
  confined: Pool
  services: Services
  providers: Pick<Providers, 'mail' | 'storage' | 'printDocument' | 'printOrder' | 'printPayslip'>
}

/** How long the sender waits until the attachments are printed; the first print of a process takes longest. */
const printWaitMs = 30_000

/**
 * Makes the first attempt to send mail that was just queued, and waits for it up to a limit: later attempts continue in the
 * background and record their outcome. The job stays in the queue, so a worker takes over if anything fails here.
 */
export const createDeliverNow =
  ({ confined, services, providers }: DeliverNowDependencies, limitMs = serverWaitMs): DeliverNow =>
  async (organizationId, deliveryIds) => {
    const { secrets } = services
    const waiting = new AbortController()
    const wait = (ms: number) => sleep(ms, undefined, { signal: waiting.signal }).catch(() => {})
    const { mail, firstSend } = withFirstSend(providers.mail)
    const tx: AttemptDependencies['tx'] = (work) =>
      withTransaction(confined, { organizationId }, (borrowed) => work(insideOf(borrowed)))
    const dependencies: AttemptDependencies = { ...providers, tx, mail, secrets, attempt: 1 }
    // If the outcome cannot be recorded now, the worker does so later.
    const attempts = deliveryIds.map((id) => attemptDelivery(dependencies, { id, organizationId }).catch(() => {}))
    const timeLimit = Promise.race([firstSend, wait(printWaitMs)]).then(() => wait(limitMs))
    await Promise.race([Promise.all(attempts), timeLimit])
    waiting.abort()
  }

type AttemptInside = Parameters<Parameters<AttemptDependencies['tx']>[0]>[0]

const insideOf = ({ db, connection }: BorrowedConnection): AttemptInside => ({
  db,
  enqueue: (name, payload, when) => void sendWithoutWaiting(enqueueJob(connection, name, payload, when)),
})

/** The mail provider, and a promise for the moment when the first message is sent. */
function withFirstSend(mail: Mail) {
  let begin = () => {}
  const firstSend = new Promise<void>((resolve) => {
    begin = resolve
  })
  const send: Mail['send'] = (message) => {
    begin()
    return mail.send(message)
  }
  return { mail: { ...mail, send }, firstSend }
}
