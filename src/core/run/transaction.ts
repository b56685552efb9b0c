import type { Connection } from '../../db/connection.ts'
import type { Lent } from '../../db/pool.ts'
import type { Failure } from '../define/failure.ts'
import type { Operation } from '../define/operation.ts'
import { type FileAnswer, isFile } from '../files/file.ts'
import { faultPoint } from '../observe/fault-point.ts'
import { admit, confineText, type Entered, enterStatement } from './authorize.ts'
import type { Answer, Call } from './call.ts'
import { lending, watch } from './connection.ts'
import { pay, payOnce } from './consume-rate-limit.ts'
import { errorBody, isRetryable, toFailure } from './errors.ts'
import {
  type Claim,
  type Claimed,
  claim,
  inProgress,
  isLasting,
  keep,
  principalOf,
  type Remembered,
  recall,
  release,
} from './idempotency.ts'
import { objectId } from './input.ts'
import { record } from './record.ts'
import { toJson } from './serialize.ts'
import { type Task, within } from './task.ts'

const tries = 3
/** How long a claim on an Idempotency-Key holds while the database works. */
export const insideLeaseS = 30

/** Knocks: the caller as the database knows them, or 401, 403 or 404. A refusal counts against its credential too. */
export async function enter(task: Task, connection: Connection, { confine = false } = {}): Promise<Entered> {
  const { operation, call } = task
  const entered = (await connection.query(...enterStatement(operation, call))).rows[0] as Entered
  note(call, entered)
  try {
    admit(operation, call, entered)
  } catch (error) {
    if (entered.userId) await payOnce(task)
    throw error
  }
  // At once: the work may be about to send its next flush.
  if (confine) connection.prefix = { text: confineText, values: [entered.userId ?? '', entered.organizationId ?? ''] }
  return entered
}

/** Opens a write: the door, then the limits, then the input, then whether this request was carried out before. */
export async function open(
  task: Task,
  connection: Connection,
  entering: Promise<Entered>,
  leaseS: number,
): Promise<{ entered: Entered; remembered?: Remembered }> {
  const { call, checked, seal } = task
  const claiming = call.once && watch(claim(connection, claimOf(call), leaseS))
  const entered = await entering
  await pay(task, entered)
  if (checked.problem) throw checked.problem
  const claimed = claiming && (await claiming)
  if (claimed?.mine) faultPoint('after-idem-insert')
  if (!claimed || claimed.mine) return { entered }
  return { entered, remembered: recall(claimed.row, claimOf(call), { seal, sessionId: entered.sessionId }) }
}

/** Closes a write: the answer through its schema, the audit row and the remembered answer, in the work's transaction. */
export async function finish(task: Task, connection: Connection, entered: Entered, result: unknown): Promise<Answer> {
  const { operation, call, seal } = task
  const answer = answerOf(operation, result)
  const deed = { objectId: objectId(call.input, result), detail: task.detail.of }
  watch(record.audit(connection, { operation, caller: call.caller, entered, ...deed }))
  if (call.once) {
    const body = operation.secret ? seal.close(answer.body, `idempotency:${entered.sessionId}`) : answer.body
    watch(keep(connection, claimedBy(call, entered), { status: answer.status, body }, operation.secret))
  }
  call.beside?.(connection, answer)
  return answer
}

export async function rememberRefusal(task: Task, failure: Failure) {
  const { call, pool } = task
  if (!isLasting(failure) || call.beside) return
  const remembering = async ({ connection }: Lent) => {
    const entered = await enter(task, connection)
    await claim(connection, claimOf(call), insideLeaseS)
    const body = JSON.stringify(errorBody(failure, call.caller.requestId))
    await keep(connection, claimedBy(call, entered), { status: failure.status, body }, false)
  }
  // The refusal itself is what the caller is told, remembered or not.
  await lending(pool, true, remembering, within(afterwardsMs)).catch(() => {})
}

/** A word about what is over, that the caller waits for but does not depend on. */
const afterwardsMs = 3_000

export async function giveUpClaim(task: Task, failure: Failure) {
  const releasing = async ({ connection }: Lent) => {
    const entered = await enter(task, connection)
    await release(connection, claimedBy(task.call, entered), failure)
  }
  await lending(task.pool, true, releasing, within(afterwardsMs)).catch(() => {}) // then the lease runs out by itself
}

const claimedBy = (call: Call, { organizationId }: Entered): Claimed => ({ ...claimOf(call), organizationId })

const claimOf = ({ once, caller }: Call): Claim => ({
  key: once?.key ?? '',
  fingerprint: once?.fingerprint ?? Buffer.alloc(0),
  principal: principalOf(caller),
})

/** The answer through its schema; of a file it says what it is, and the surface sends the bytes. */
export function answerOf({ status, output }: Operation, result: unknown): Answer {
  if (!isFile(output)) return { status, body: toJson(output, result) }
  const file = result as FileAnswer // what `run` returns is typed by the output
  const { fileName, fileType, fileSize, link } = file
  return { status, body: JSON.stringify({ fileName, fileType, fileSize, link }), file }
}

/** Deadlocks and lock timeouts are tried again: nothing outside the database has happened. */
export async function retried<T>(task: Task, work: () => Promise<T>): Promise<T> {
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
function note({ trace }: Call, { userId, keyId, sessionId, organizationId, appId, clientId }: Entered) {
  if (userId) trace.userId = userId
  if (keyId) trace.keyId = keyId
  if (sessionId) trace.sessionId = sessionId
  if (organizationId) trace.organizationId = organizationId
  if (appId) trace.appId = appId
  if (clientId) trace.clientId = clientId
}
