import type { BorrowedConnection } from '../../db/pool.ts'
import { Failure, unavailable } from '../define/failure.ts'
import type { Inside, Operation, Outside } from '../define/operation.ts'
import type { FileInput, Upload } from '../files/file.ts'
import { withUpload } from '../files/upload.ts'
import { faultPoint } from '../observe/fault-point.ts'
import { idFrom, newId } from '../values/id.ts'
import type { Authorization } from './authorize.ts'
import type { Answer, Call } from './call.ts'
import { callPart } from './call-part.ts'
import { sendWithoutWaiting, withConnection } from './connection.ts'
import { callerOf, refuseWrite, writeContext } from './context.ts'
import { toFailure } from './errors.ts'
import { isLasting, principalOf } from './idempotency.ts'
import {
  abandonClaim,
  authorize,
  claimKey,
  consumeRateLimits,
  noteChange,
  recallAnswer,
  record,
  recordLostAccess,
  rememberRefusal,
  requireValidInput,
  toAnswer,
  withRetries,
} from './steps.ts'
import { databaseTimeoutMs, deadlineIn, type Task } from './task.ts'

/**
 * How long an operation may talk to the network. After that its caller is told so and the operation can no longer write.
 * The lease on the Idempotency-Key is longer: of two executions of one request at most one writes (IDEM-5).
 */
const outsideMs = 60_000
const outsideLeaseS = 75

type OutsideRun = Extract<Operation['run'], { outside: true }>

/**
 * An operation that talks to the network: authorize → rate-limit → validate → claim the key, in a first transaction;
 * execute, with no transaction open while it talks; record → answer, in a last one. An effect on the network cannot be
 * rolled back, so each transaction is retried by itself and the whole never is.
 */
export async function runOutside(task: Task, run: OutsideRun): Promise<Answer> {
  const { operation, call, checked } = task
  const timeLimit = startTimeLimit(deadlineIn(task.outsideMs ?? outsideMs))
  const transactions = transactionsOf(task, timeLimit)
  const { authorization, remembered } = await transactions.begin(async ({ connection }) => {
    const authorizing = authorize(task, connection)
    const claiming = claimKey(task, connection, outsideLeaseS)
    const authorization = await authorizing
    await consumeRateLimits(task, authorization)
    requireValidInput(task)
    return { authorization, remembered: recallAnswer(task, authorization, await claiming) }
  })
  if (remembered) return remembered
  if (!operation.reads) task.holder.givesWay = false // what happened outside is recorded, however busy the organization is
  call.progress?.('Started')
  try {
    const context = outsideContext(task, authorization, transactions)
    const execute = (upload: { upload?: Upload }) => run.do({ ...context, ...upload }, checked.input)
    const result = await beforeTimeLimit(timeLimit, withReceivedFile(task, authorization, execute))
    if (operation.reads) return toAnswer(operation, result)
    return transactions.recorded() ?? (await transactions.recordWith(async () => result)).answer
  } catch (error) {
    const failure = toFailure(error)
    if (transactions.lostAccess() && !operation.reads) await recordLostAccess(task, authorization)
    // An execution that is over its time may still be running: its claim is left to expire.
    if (call.once && !timeLimit.isOver())
      await (isLasting(failure) && !call.recordInSameTransaction
        ? rememberRefusal(task, failure)
        : abandonClaim(task, failure))
    throw failure
  }
}

/** Stays over after the timeout was reported, although timers fire slightly early. */
type TimeLimit = { until: number; isOver: () => boolean }

const startTimeLimit = (until: number): TimeLimit => ({ until, isOver: () => performance.now() >= until })

const tookTooLong = () => unavailable(new Error('The operation did not finish in time.'))

type Transactions = ReturnType<typeof transactionsOf>

/** The transactions of one call. Each is authorized anew, since rights may change while the operation talks. */
function transactionsOf(task: Task, timeLimit: TimeLimit) {
  const { operation, call, holder } = task
  let answered: Answer | undefined
  let lostAccess = false

  const begin = <T>(work: (borrowed: BorrowedConnection) => Promise<T>, pool = task.pool): Promise<T> =>
    withRetries(task, async () => {
      const beforeClaimExpires = timeLimit.until + databaseTimeoutMs
      const until = Math.min(deadlineIn(databaseTimeoutMs), beforeClaimExpires)
      const result = await withConnection(pool, true, work, { until, holder })
      if (!operation.reads) noteChange(task)
      return result
    })

  const authorized = async <T>(
    work: (borrowed: BorrowedConnection, authorization: Authorization) => Promise<T>,
    pool = task.pool,
  ): Promise<T> => {
    if (timeLimit.isOver()) throw tookTooLong()
    return begin(async (borrowed) => {
      const authorization = await authorize(task, borrowed.connection).catch((error: unknown) => {
        lostAccess = error instanceof Failure
        throw error
      })
      return work(borrowed, authorization)
    }, pool)
  }

  const inside = (borrowed: BorrowedConnection, authorization: Authorization) =>
    writeContext(task, borrowed, Promise.resolve(authorization))

  return {
    begin,
    step: <T>(work: (inside: Inside) => Promise<T>, pool = task.pool): Promise<T> =>
      authorized((borrowed, authorization) => work(inside(borrowed, authorization)), pool),
    /** The last transaction: the work in it, its audit row and the remembered answer commit together. */
    async recordWith<T>(work: (inside: Inside) => Promise<T>): Promise<{ result: T; answer: Answer }> {
      faultPoint('after-effect-before-record')
      call.progress?.('Finishing')
      const ended = await authorized(async (borrowed, authorization) => {
        const result = await work(inside(borrowed, authorization))
        const answer = toAnswer(operation, result)
        record(task, borrowed.connection, { authorization, result, answer })
        return { result, answer }
      })
      answered = ended.answer
      return ended
    },
    /** The answer, if the operation has already recorded it. */
    recorded: () => answered,
    /** Whether the caller lost the right to the operation while it talked to the network. */
    lostAccess: () => lostAccess,
  }
}

function outsideContext(task: Task, authorization: Authorization, { step, recordWith }: Transactions): Outside {
  const { operation, call, services, providers } = task
  const intent = intentOf(call, authorization)
  return {
    now: new Date(),
    who: callerOf(call, Promise.resolve(authorization)),
    intent,
    call: callPart(task, intent),
    tx: (work) => step(work).finally(() => call.progress?.('Recorded a step')),
    heavyTx: (work) => step(work, task.heavy),
    async once(work) {
      if (operation.reads) refuseWrite()
      return (await recordWith(work)).result
    },
    ...services,
    ...providers,
  }
}

/** The id of this request, the same for every retry with its key. Without a key every call has its own. */
function intentOf({ once, caller }: Call, { userId, appId, organizationId }: Authorization): string {
  if (!once) return newId()
  const app = caller.source === 'OAUTH' ? appId : null
  const principal = principalOf(caller) ?? app ?? userId ?? ''
  return idFrom('intent', principal, organizationId ?? '', once.key, once.fingerprint.toString('hex'))
}

/** Opens the file that a call came with, if the operation takes one. */
function withReceivedFile<T>(
  { operation, call, checked, providers }: Task,
  { organizationId }: Authorization,
  work: (upload: { upload?: Upload }) => Promise<T>,
): Promise<T> {
  if (!operation.upload) return work({})
  const { file } = checked.input as { file?: FileInput | null } // operation() takes `upload` with such an input only
  if (!file) return work({})
  return withUpload(
    { file, received: call.received },
    { ...providers, organizationId: organizationId ?? '' },
    (upload) => work({ upload }),
  )
}

/** Waits for the work until its time is over. Work that is late continues unobserved: it can no longer write. */
async function beforeTimeLimit<T>(timeLimit: TimeLimit, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      timeLimit.isOver = () => true
      reject(tookTooLong())
    }, timeLimit.until - performance.now())
  })
  try {
    return await Promise.race([sendWithoutWaiting(work), late])
  } finally {
    clearTimeout(timer)
  }
}
