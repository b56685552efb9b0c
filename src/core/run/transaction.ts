import type { Connection } from '../../db/connection.ts'
import type { BorrowedConnection } from '../../db/pool.ts'
import type { Failure } from '../define/failure.ts'
import type { Operation } from '../define/operation.ts'
import { type FileAnswer, isFile } from '../files/file.ts'
import { faultPoint } from '../observe/fault-point.ts'
import { type Authorization, authorizeStatement, checkAuthorization, confineStatement } from './authorize.ts'
import type { Answer, Call } from './call.ts'
import { sendWithoutWaiting, withConnection } from './connection.ts'
import { consumeOwnRateLimit, consumeRateLimits } from './consume-rate-limit.ts'
import { errorBody, isRetryable, toFailure } from './errors.ts'
import {
  type Claim,
  type Claimed,
  claim,
  inProgress,
  isLasting,
  principalOf,
  type RememberedAnswer,
  recall,
  releaseClaim,
  rememberAnswer,
} from './idempotency.ts'
import { objectId } from './input.ts'
import { record } from './record.ts'
import { toJson } from './serialize.ts'
import { deadlineIn, type Task } from './task.ts'

const tries = 3
/** How long a claim on an Idempotency-Key holds while the database works. */
export const insideLeaseS = 30

/** Knocks: the caller as the database knows them, or 401, 403 or 404. A refusal counts against its credential too. */
export async function authorize(task: Task, connection: Connection, { confine = false } = {}): Promise<Authorization> {
  const { operation, call } = task
  const entered = (await connection.query(...authorizeStatement(operation, call))).rows[0] as Authorization
  note(call, entered)
  try {
    checkAuthorization(operation, call, entered)
  } catch (error) {
    if (entered.userId) await consumeOwnRateLimit(task)
    throw error
  }
  // At once: the work may be about to send its next flush.
  if (confine)
    connection.prefix = { text: confineStatement, values: [entered.userId ?? '', entered.organizationId ?? ''] }
  return entered
}

/** Opens a write: the door, then the limits, then the input, then whether this request was carried out before. */
export async function beginWrite(
  task: Task,
  connection: Connection,
  entering: Promise<Authorization>,
  leaseS: number,
): Promise<{ entered: Authorization; remembered?: RememberedAnswer }> {
  const { call, checked, seal } = task
  const claiming = call.once && sendWithoutWaiting(claim(connection, claimOf(call), leaseS))
  const entered = await entering
  await consumeRateLimits(task, entered)
  if (checked.problem) throw checked.problem
  const claimed = claiming && (await claiming)
  if (claimed?.mine) faultPoint('after-idem-insert')
  if (!claimed || claimed.mine) return { entered }
  return { entered, remembered: recall(claimed.row, claimOf(call), { seal, sessionId: entered.sessionId }) }
}

/** Closes a write: the answer through its schema, the audit row and the remembered answer, in the work's transaction. */
export async function completeWrite(
  task: Task,
  connection: Connection,
  entered: Authorization,
  result: unknown,
): Promise<Answer> {
  const { operation, call, seal } = task
  const answer = toAnswer(operation, result)
  const deed = { objectId: objectId(call.input, result), detail: task.detail.of }
  sendWithoutWaiting(record.audit(connection, { operation, caller: call.caller, entered, ...deed }))
  if (call.once) {
    const body = operation.secret ? seal.close(answer.body, `idempotency:${entered.sessionId}`) : answer.body
    sendWithoutWaiting(
      rememberAnswer(connection, claimedBy(call, entered), { status: answer.status, body }, operation.secret),
    )
  }
  call.beside?.(connection, answer)
  return answer
}

export async function rememberRefusal(task: Task, failure: Failure) {
  const { call, pool } = task
  if (!isLasting(failure) || call.beside) return
  const remembering = async ({ connection }: BorrowedConnection) => {
    const entered = await authorize(task, connection)
    await claim(connection, claimOf(call), insideLeaseS)
    const body = JSON.stringify(errorBody(failure, call.caller.requestId))
    await rememberAnswer(connection, claimedBy(call, entered), { status: failure.status, body }, false)
  }
  // The refusal itself is what the caller is told, remembered or not.
  await withConnection(pool, true, remembering, deadlineIn(afterwardsMs)).catch(() => {})
}

/** A word about what is over, that the caller waits for but does not depend on. */
const afterwardsMs = 3_000

export async function abandonClaim(task: Task, failure: Failure) {
  const releasing = async ({ connection }: BorrowedConnection) => {
    const entered = await authorize(task, connection)
    await releaseClaim(connection, claimedBy(task.call, entered), failure)
  }
  await withConnection(task.pool, true, releasing, deadlineIn(afterwardsMs)).catch(() => {}) // then the lease runs out by itself
}

const claimedBy = (call: Call, { organizationId }: Authorization): Claimed => ({ ...claimOf(call), organizationId })

const claimOf = ({ once, caller }: Call): Claim => ({
  key: once?.key ?? '',
  fingerprint: once?.fingerprint ?? Buffer.alloc(0),
  principal: principalOf(caller),
})

/** The answer through its schema; of a file it says what it is, and the surface sends the bytes. */
export function toAnswer({ status, output }: Operation, result: unknown): Answer {
  if (!isFile(output)) return { status, body: toJson(output, result) }
  const file = result as FileAnswer // what `run` returns is typed by the output
  const { fileName, fileType, fileSize, link } = file
  return { status, body: JSON.stringify({ fileName, fileType, fileSize, link }), file }
}

/** Deadlocks and lock timeouts are tried again: nothing outside the database has happened. */
export async function withRetries<T>(task: Task, work: () => Promise<T>): Promise<T> {
  for (let left = tries - 1; ; left--) {
    try {
      return await work()
    } catch (error) {
      if (left === 0 || !isRetryable(error))
        throw task.call.once && isLockTimeout(error) ? inProgress() : toFailure(error)
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 30 * (tries - left)))
    }
  }
}

const isLockTimeout = (error: unknown) => error instanceof Error && 'code' in error && error.code === '55P03'

/** Who it was, for the log and the usage record, whether or not the door opens. */
function note({ trace }: Call, { userId, keyId, sessionId, organizationId, appId, clientId }: Authorization) {
  if (userId) trace.userId = userId
  if (keyId) trace.keyId = keyId
  if (sessionId) trace.sessionId = sessionId
  if (organizationId) trace.organizationId = organizationId
  if (appId) trace.appId = appId
  if (clientId) trace.clientId = clientId
}
