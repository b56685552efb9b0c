import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from '../../core/define/operation.ts'
import type { DeliverNow, Providers, Services } from '../../core/define/services.ts'
import type { Mail } from '../../core/outside/mail.ts'
import { sendWithoutWaiting } from '../../core/run/connection.ts'
import { enqueueJob } from '../../core/run/record.ts'
import { withTransaction } from '../../core/run/transaction-context.ts'
import type { BorrowedConnection } from '../../db/pool.ts'
import { type AttemptDependencies, attemptDelivery } from './attempt.ts'

/** How long whoever sends waits for the mail server (FLT-10). */
const patienceMs = 15_000

/** When a worker takes up what was to be delivered at once: it was put off, or whoever was at it is gone. */
export const takenUpAfterMs = patienceMs + 5_000

type Ground = { confined: Pool; services: Services; providers: Pick<Providers, 'mail' | 'storage' | 'printDocument'> }

/** How long it waits for what the letters enclose to be printed; the first print of a process takes longest. */
const printingMs = 30_000

/**
 * Makes the first attempt at mail that was just queued and waits for it, though not for ever: what is not done by then goes
 * on by itself and records its own end. Its order is in the queue all along, so whatever happens here, a worker comes.
 */
export const createDeliverNow =
  ({ confined, services, providers }: Ground, limitMs = patienceMs): DeliverNow =>
  async (organizationId, deliveryIds) => {
    const { secrets } = services
    const given = new AbortController()
    const wait = (ms: number) => sleep(ms, undefined, { signal: given.signal }).catch(() => {})
    const { mail, firstLetter } = noticing(providers.mail)
    const tx: AttemptDependencies['tx'] = (work) =>
      withTransaction(confined, { organizationId }, (borrowed) => work(insideOf(borrowed)))
    const means: AttemptDependencies = { ...providers, tx, mail, secrets, attempt: 1 }
    // What cannot be recorded now is found out by the worker.
    const attempts = deliveryIds.map((id) => attemptDelivery(means, { id, organizationId }).catch(() => {}))
    const late = Promise.race([firstLetter, wait(printingMs)]).then(() => wait(limitMs))
    await Promise.race([Promise.all(attempts), late])
    given.abort()
  }

type AttemptInside = Parameters<Parameters<AttemptDependencies['tx']>[0]>[0]

const insideOf = ({ db, connection }: BorrowedConnection): AttemptInside => ({
  db,
  enqueue: (name, payload, when) => void sendWithoutWaiting(enqueueJob(connection, name, payload, when)),
})

/** The same mail, and the moment at which the first letter goes out. */
function noticing(mail: Mail) {
  let begin = () => {}
  const firstLetter = new Promise<void>((resolve) => {
    begin = resolve
  })
  const send: Mail['send'] = (message) => {
    begin()
    return mail.send(message)
  }
  return { mail: { ...mail, send }, firstLetter }
}
