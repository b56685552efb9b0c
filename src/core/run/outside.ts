import type { BorrowedConnection } from '../../db/pool.ts'
import { Failure, unavailable } from '../define/failure.ts'
import type { Inside, Operation, Outside } from '../define/operation.ts'
import type { FileInput, Upload } from '../files/file.ts'
import { withUpload } from '../files/upload.ts'
import { faultPoint } from '../observe/fault-point.ts'
import { idFrom, newId, sha256 } from '../values/id.ts'
import type { Authorization } from './authorize.ts'
import type { Answer, Call } from './call.ts'
import { sendWithoutWaiting, withConnection } from './connection.ts'
import { accountContext, callerOf, refuseWrite, writeContext } from './context.ts'
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
import { databaseTimeoutMs, deadlineIn, type OutsideRun, type Task } from './task.ts'

/**
 * How long an operation may talk to the network. After that its caller is told so and the operation can no longer write.
 * The lease on the Idempotency-Key is longer: of two executions of one request at most one writes (IDEM-5).
 */
const outsideMs = 60_000
const outsideLeaseS = 75

/**
 * An operation that talks to the network: authorize → rate-limit → validate → claim the key, in a first transaction;
 * execute, with no transaction open while it talks; record → answer, in a last one. An effect on the network cannot be
 * rolled back, so each transaction is retried by itself and the whole never is.
 */
export async function outside(task: Task, run: OutsideRun): Promise<Answer> {
  const { call, plan, checked } = task
  const timeLimit = startTimeLimit(deadlineIn(task.outsideMs ?? outsideMs))
  const transactions = transactionsOf(task, timeLimit)
  const { authorization, remembered } = await beginning(task, transactions)
  if (remembered) return remembered
  if (plan.writes) task.holder.givesWay = false // what happened outside is recorded, however busy the organization is
  call.progress?.('Started')
  try {
    const context = outsideContext(task, authorization, transactions)
    const execute = (upload: { upload?: Upload }) => run.do({ ...context, ...upload }, checked.input)
    const result = await beforeTimeLimit(timeLimit, withReceivedFile(task, authorization, execute))
    if (!plan.writes) return toAnswer(task, result)
    return transactions.recorded() ?? (await transactions.recordWith(async () => result)).answer
  } catch (error) {
    const failure = toFailure(error)
    if (transactions.lostAccess() && plan.keyed) await recordLostAccess(task, authorization)
    // An execution that is over its time may still be running: its claim is left to expire.
    if (plan.keyed && call.once && !timeLimit.isOver())
      await (isLasting(failure) && !call.recordInSameTransaction
        ? rememberRefusal(task, failure)
        : abandonClaim(task, failure))
    throw failure
  }
}

/** The first transaction: authorize → rate-limit → validate → claim the key. What was admitted before needs none. */
async function beginning(task: Task, { begin }: Transactions) {
  if (task.admitted) return { authorization: task.admitted, remembered: undefined }
  return begin(async (borrowed) => {
    const authorizing = authorize(task, borrowed)
    const claiming = claimKey(task, borrowed.connection, outsideLeaseS)
    const authorization = await authorizing
    await consumeRateLimits(task, authorization)
    requireValidInput(task)
    return { authorization, remembered: claiming && recallAnswer(task, authorization, await claiming) }
  })
}

/** Stays over after the timeout was reported, although timers fire slightly early. */
type TimeLimit = { until: number; isOver: () => boolean }

const startTimeLimit = (until: number): TimeLimit => ({ until, isOver: () => performance.now() >= until })

const tookTooLong = () => unavailable(new Error('The operation did not finish in time.'))

type Transactions = ReturnType<typeof transactionsOf>

/** The transactions of one call. Each is authorized anew, since rights may change while the operation talks. */
function transactionsOf(task: Task, timeLimit: TimeLimit) {
  const { call, plan, holder } = task
  let answered: Answer | undefined
  let lostAccess = false

  const begin = <T>(work: (borrowed: BorrowedConnection) => Promise<T>, pool = task.pool): Promise<T> =>
    withRetries(task, async () => {
      const beforeClaimExpires = timeLimit.until + databaseTimeoutMs
      const until = Math.min(deadlineIn(databaseTimeoutMs), beforeClaimExpires)
      const result = await withConnection(pool, true, work, { until, holder })
      if (plan.writes) noteChange(task)
      return result
    })

  const authorized = async <T>(
    work: (borrowed: BorrowedConnection, authorization: Authorization) => Promise<T>,
    { pool = task.pool, isLast = false } = {},
  ): Promise<T> => {
    if (timeLimit.isOver()) throw tookTooLong()
    return begin(async (borrowed) => {
      const authorization = await authorize(task, borrowed, { isLast }).catch((error: unknown) => {
        lostAccess = error instanceof Failure
        throw error
      })
      return work(borrowed, authorization)
    }, pool)
  }

  const contextIn = (borrowed: BorrowedConnection, authorization: Authorization) =>
    writeContext(task, borrowed, Promise.resolve(authorization))

  return {
    begin,
    step: <T>(work: (inside: Inside) => Promise<T>, pool = task.pool): Promise<T> =>
      authorized((borrowed, authorization) => work(contextIn(borrowed, authorization)), { pool }),
    /** The last transaction: the work in it, its audit row and the remembered answer commit together. */
    async recordWith<T>(work: (inside: Inside) => Promise<T>): Promise<{ result: T; answer: Answer }> {
      faultPoint('after-effect-before-record')
      call.progress?.('Finishing')
      const execute = async (borrowed: BorrowedConnection, authorization: Authorization) => {
        const result = await work(contextIn(borrowed, authorization))
        const answer = toAnswer(task, result)
        record(task, borrowed.connection, { authorization, result, answer })
        return { result, answer }
      }
      const ended = await authorized(execute, { isLast: true })
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
  const { call, plan, services, providers } = task
  const intent = intentOf(call, authorization)
  return {
    now: new Date(),
    who: callerOf(call, Promise.resolve(authorization)),
    intent,
    call: callPart(task, intent),
    tx: (work) => step(work).finally(() => call.progress?.('Recorded a step')),
    heavyTx: (work) => step(work, task.heavy),
    async once(work) {
      if (!plan.writes) refuseWrite()
      return (await recordWith(work)).result
    },
    ...services,
    ...(plan.ofPerson && accountContext(task)),
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

/** Runs operations as parts of a call, for the same caller. `intent` is the id of the whole request. */
const callPart =
  ({ call, providers }: Task, intent: string): Outside['call'] =>
  (operation, input, part) => {
    const once = onceOf(call, operation, `${intent}:${part}`)
    // Its audit row and events name the whole and the part: a request has one audit row.
    const caller = { ...call.caller, requestId: `${call.caller.requestId}/${part}` }
    return providers.run(operation, { caller, input, once, trace: {} })
  }

/** A retry of the whole with its Idempotency-Key repeats no part of it. */
const onceOf = ({ once }: Call, { name, reads }: Operation, key: string): Call['once'] =>
  once && !reads ? { key, fingerprint: sha256(`${name}:${key}`) } : undefined

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
