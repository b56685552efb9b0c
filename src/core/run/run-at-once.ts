import type { Connection } from '../../db/connection.ts'
import { TakenBack } from '../../db/connection.ts'
import type { BorrowedConnection } from '../../db/pool.ts'
import type { CallerSource } from '../define/access.ts'
import { Failure } from '../define/failure.ts'
import { faultPoint } from '../observe/fault-point.ts'
import type { Authorization, KnownCaller } from './authorize.ts'
import type { Answer } from './call.ts'
import { sendWithoutWaiting, withConnection } from './connection.ts'
import { writeContext } from './context.ts'
import { mayStartEarly } from './start-early.ts'
import { authorize, consumeRateLimits, noteChange, recordAudit, toAnswer } from './steps.ts'
import type { InsideRun, Task } from './task.ts'

// A write of an operation with `atOnce`: authorization, work, events and audit row leave in one flush, which is an implicit
// transaction of PostgreSQL (docs/decisions/0100-create-in-one-flush.md).

/**
 * The caller as their last call has shown them, if this call may be sent at once. It may if the database itself refuses
 * what the authorization refuses, and if everything the process checks is checked before: the rate limits and the input.
 */
export function knownCallerOf(task: Task): KnownCaller | undefined {
  const { operation, call, holder } = task
  if (!operation.atOnce || call.once || call.recordInSameTransaction || !mayStartEarly(task)) return undefined
  return ownCredentials.has(call.caller.source) ? holder.known() : undefined
}

/** Callers whose rights are those of their credential; a run or a turn names more in its rows than the credential tells. */
const ownCredentials = new Set<CallerSource>(['SESSION', 'API_KEY', 'OAUTH'])

/**
 * Rate-limit → authorize, execute, record → answer. Undefined if the operation failed before anything was sent: the usual
 * path then finds out whether the caller may be told why.
 */
export async function runAtOnce(task: Task, run: InsideRun, known: KnownCaller): Promise<Answer | undefined> {
  const steps = async (borrowed: BorrowedConnection) => {
    await consumeBefore(task, borrowed.connection, known)
    return answerOf(task, sendAll(task, run, borrowed, known))
  }
  const answer = await withConnection(task.pool, false, steps, { until: task.deadline, holder: task.holder })
  if (answer) noteChange(task)
  return answer
}

/** The organization may be counted: the credential was authorized in it last time. A refused caller is not told of limits. */
async function consumeBefore(task: Task, connection: Connection, known: KnownCaller) {
  try {
    await consumeRateLimits(task, known)
  } catch (tooMany) {
    await authorize(task, connection)
    throw tooMany
  }
}

type Sent = { authorizing: Promise<Authorization>; executing: Promise<unknown>; recording: Promise<unknown> }

/**
 * Sends everything. The audit row is the last statement, and names the organization: if the authorization has not confined
 * the transaction to it, the database refuses the row, and with it all that was sent.
 */
function sendAll(task: Task, run: InsideRun, borrowed: BorrowedConnection, known: KnownCaller): Sent {
  const { connection } = borrowed
  const authorizing = sendWithoutWaiting(authorize(task, connection))
  const execute = async () => run.do(writeContext(task, borrowed, authorizing, known), task.checked.input)
  const executing = execute()
  const { organizationId, userId } = known
  const recording = recordAudit(task, connection, { caller: known, organizationId, userId })
  connection.isComplete = true
  executing.catch(() => connection.takeBack()) // before anything leaves, if the operation has failed by then
  faultPoint('before-commit')
  return { authorizing, executing, recording }
}

async function answerOf(task: Task, { authorizing, executing, recording }: Sent) {
  const { operation, call } = task
  try {
    await authorizing // its refusal is what the caller is told, not the error of row security that follows from it
    const result = await executing
    await recording // the last statement is answered after the commit
    faultPoint('after-commit-before-reply')
    return toAnswer(operation, result)
  } catch (error) {
    await executing.catch(() => {})
    if (error instanceof TakenBack) return undefined
    if (await succeeds(recording)) {
      noteChange(task)
      throw failedAfterwards(error)
    }
    if (error instanceof Failure && error.status === 401) delete call.trace.allowance // it is told to known callers only
    throw error
  }
}

const succeeds = (promise: Promise<unknown>) =>
  promise.then(
    () => true,
    () => false,
  )

/** A mistake in the product: nothing may be refused after the commit. */
const failedAfterwards = (cause: unknown) =>
  new Failure(
    'INTERNAL',
    'Something went wrong on our side after the change was made. It has been recorded; read the result before you try again.',
    { cause },
  )
