import { setTimeout as sleep } from 'node:timers/promises'
import type { BorrowedConnection } from '../../db/pool.ts'
import { unavailable } from '../define/failure.ts'
import type { Operation, Outside } from '../define/operation.ts'
import type { FileInput, Upload } from '../files/file.ts'
import { withUpload } from '../files/upload.ts'
import { faultPoint } from '../observe/fault-point.ts'
import { idFrom, newId } from '../values/id.ts'
import type { Authorization } from './authorize.ts'
import type { Answer, Call } from './call.ts'
import { sendWithoutWaiting, withConnection } from './connection.ts'
import { callerOf, insideContext, refuseWrite } from './context.ts'
import { toFailure } from './errors.ts'
import { isLasting, principalOf } from './idempotency.ts'
import { databaseTimeoutMs, deadlineIn, type Task } from './task.ts'
import {
  abandonClaim,
  authorize,
  beginWrite,
  completeWrite,
  rememberRefusal,
  toAnswer,
  withRetries,
} from './transaction.ts'

/**
 * How long an operation may talk to the network. Afterwards its caller is told so and it writes nothing any more, well
 * before a retry may take over its claim: of two that carry out one request, one at most writes (IDEM-5).
 */
const outsideMs = 60_000
const outsideLeaseS = 75

type OutsideRun = Extract<Operation['run'], { outside: true }>

/**
 * An operation that talks to the network keeps no transaction open meanwhile: claim and commit, work, record. What the
 * network saw cannot be taken back, so each transaction is tried again by itself and never the whole.
 */
export async function runOutside(task: Task, run: OutsideRun): Promise<Answer> {
  const { call, checked } = task
  const until = deadlineIn(task.outsideMs ?? outsideMs)
  const time: Time = { until, isOver: () => performance.now() >= until }
  const patience = () => Math.min(deadlineIn(databaseTimeoutMs), until + databaseTimeoutMs) // and so before the claim has run out
  const transaction = <T>(work: (lent: BorrowedConnection) => Promise<T>) =>
    withRetries(task, () => withConnection(task.pool, true, work, patience()))
  const begun = await transaction(({ connection }) =>
    beginWrite(task, connection, authorize(task, connection), outsideLeaseS),
  )
  if (begun.remembered) return { ...begun.remembered, replayed: true }
  call.progress?.('Started')
  const step = async <T>(work: (lent: BorrowedConnection, entered: Authorization) => Promise<T>) => {
    if (time.isOver()) throw tookTooLong()
    return transaction(async (lent) => work(lent, await authorize(task, lent.connection)))
  }
  const end = <T>(work: (lent: BorrowedConnection, entered: Authorization) => Promise<T>) => {
    faultPoint('after-effect-before-record')
    call.progress?.('Finishing')
    return step(async (lent, entered) => {
      const result = await work(lent, entered)
      return { result, answer: await completeWrite(task, lent.connection, entered, result) }
    })
  }
  let ended: Answer | undefined
  const stepping: Pick<Outside, 'tx' | 'once'> = {
    tx: (work) =>
      step((lent, entered) => work(insideContext(task, lent, Promise.resolve(entered)))).finally(() =>
        call.progress?.('Recorded a step'),
      ),
    async once(work) {
      if (task.operation.reads) refuseWrite()
      const { result, answer } = await end((lent, entered) => work(insideContext(task, lent, Promise.resolve(entered))))
      ended = answer
      return result
    },
  }
  try {
    const caller = callerOf(call, Promise.resolve(begun.entered))
    const intent = intentOf(call, begun.entered)
    const context = { ...task.services, ...task.providers, ...stepping, now: new Date(), who: caller, intent }
    const working = received(task, begun.entered, (upload) => run.do({ ...context, ...upload }, checked.input))
    const result = await inTime(time, working)
    if (task.operation.reads) return toAnswer(task.operation, result)
    return ended ?? (await end(async () => result)).answer
  } catch (error) {
    const failure = toFailure(error)
    // Whoever was late may still be at it: the claim is left to run out.
    if (call.once && !time.isOver())
      await (isLasting(failure) && !call.beside ? rememberRefusal(task, failure) : abandonClaim(task, failure))
    throw failure
  }
}

/** Without a key every call is its own. */
function intentOf({ once, caller }: Call, { userId, appId, organizationId }: Authorization): string {
  if (!once) return newId()
  const whose = [
    principalOf(caller) ?? appId ?? userId ?? '',
    organizationId ?? '',
    once.key,
    once.fingerprint.toString('hex'),
  ]
  return idFrom('intent', ...whose)
}

const tookTooLong = () => unavailable(new Error('The operation was not done in time.'))

/** How long an operation has. Once its caller was told that it is over it is, though timers ring a little early. */
type Time = { until: number; isOver: () => boolean }

/** Work that is late is left to itself: it can no longer write. */
async function inTime<T>(time: Time, work: Promise<T>): Promise<T> {
  const given = new AbortController()
  const late = sleep(time.until - performance.now(), undefined, { signal: given.signal }).then(() => {
    time.isOver = () => true
    throw tookTooLong()
  })
  try {
    return await Promise.race([sendWithoutWaiting(work), late])
  } finally {
    sendWithoutWaiting(late)
    given.abort()
  }
}

/** Brings the file that a call came with, if the operation takes one. */
function received<T>(
  { operation, call, checked, providers }: Task,
  { organizationId }: Authorization,
  work: (more: { upload?: Upload }) => Promise<T>,
): Promise<T> {
  if (!operation.upload) return work({})
  const { file } = checked.input as { file: FileInput } // operation() takes `upload` with such an input only
  return withUpload(
    { file, received: call.received },
    { ...providers, organizationId: organizationId ?? '' },
    (upload) => work({ upload }),
  )
}
