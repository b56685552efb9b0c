import type { BorrowedConnection, Pool } from '../../db/pool.ts'
import type { Operation } from '../define/operation.ts'
import { organizationLookup } from './authorize.ts'
import type { Answer, Call } from './call.ts'
import { mayStartEarly } from './checks.ts'
import { sendWithoutWaiting, withConnection } from './connection.ts'
import { contextOf } from './context.ts'
import { isRetryable, toFailure } from './errors.ts'
import { isLargeList } from './input.ts'
import {
  authorize,
  authorizePerson,
  claimKey,
  consumeRateLimits,
  insideLeaseS,
  noteChange,
  recallAnswer,
  record,
  rememberRefusal,
  requireValidInput,
  toAnswer,
  toAnswerInSlices,
  withRetries,
} from './steps.ts'
import type { InsideRun, Task } from './task.ts'
import { readAcrossOrganizations } from './transaction-context.ts'

/**
 * One connection, tried again after a deadlock: authorize → rate-limit → validate → claim the key → execute → record →
 * answer. A write is one transaction, so that the work, its audit row and the remembered answer commit together or not at
 * all. A read has none, because a flush is an implicit one; only a read across organizations does, for the role that it takes.
 */
export const inside = (task: Task, run: InsideRun): Promise<Answer> => withRetries(task, () => attempt(task, run))

async function attempt(task: Task, run: InsideRun): Promise<Answer> {
  const { operation, call, plan, checked, usage } = task
  const isAcross = readsAcross(operation, call)
  const steps = async (borrowed: BorrowedConnection): Promise<Answer> => {
    const { connection } = borrowed
    if (isAcross) readAcrossOrganizations(connection)
    const authorizing = authorize(task, borrowed, { confineLaterFlushes: !plan.writes && !isAcross })
    const claiming = claimKey(task, connection, insideLeaseS)
    const execution = startExecution(task, () => run.do(contextOf(task, borrowed, authorizing), checked.input))
    try {
      const authorization = await authorizing
      await consumeRateLimits(task, authorization)
      requireValidInput(task)
      const remembered = claiming && recallAnswer(task, authorization, await claiming)
      if (remembered) return remembered
      if (operation.flushesUsage) await usage.flush()
      const result = await execution.result()
      const answer = isHeavy(operation, call) ? await toAnswerInSlices(task, result) : toAnswer(task, result)
      if (plan.writes) record(task, connection, { authorization, result, answer })
      return answer
    } catch (error) {
      await execution.ended()
      throw error
    }
  }
  try {
    const { deadline: until, holder } = task
    const answer = await withConnection(workPool(task), plan.writes || isAcross, steps, { until, holder })
    if (plan.writes) noteChange(task)
    return answer
  } catch (error) {
    if (plan.keyed && call.once && !isRetryable(error)) await rememberRefusal(task, toFailure(error))
    throw error
  }
}

/**
 * Authorize → rate-limit → validate, before the connection for the work is borrowed. Of the connections for heavy reads an
 * organization may have only two, so it must be certain which one it is before the call waits; it is authorized again
 * there, because rights may change meanwhile. In the system pool the limits are counted too, so they are taken while no
 * connection of it is held.
 */
export async function admit(task: Task): Promise<void> {
  const authorization = await (task.plan.ofPerson ? authorizePerson(task) : authorizeAlone(task))
  await consumeRateLimits(task, authorization)
  requireValidInput(task)
  if (task.plan.ofPerson) task.admitted = authorization
}

function authorizeAlone(task: Task) {
  const isAcross = readsAcross(task.operation, task.call)
  const ask = (borrowed: BorrowedConnection) => {
    if (isAcross) readAcrossOrganizations(borrowed.connection)
    return authorize(task, borrowed)
  }
  const { pool, deadline: until, holder } = task
  return withRetries(task, () => withConnection(pool, isAcross, ask, { until, holder }))
}

const readsAcross = (operation: Operation, { input }: Call) =>
  operation.reads && organizationLookup(operation, input) === 'ALL'

/** Whether a call may keep PostgreSQL or the process busy for long. */
export const isHeavy = (operation: Operation, { input }: Call): boolean =>
  operation.heavy || isLargeList(operation, input)

const workPool = ({ operation, call, pool, heavy }: Task): Pool => (isHeavy(operation, call) ? heavy : pool)

/**
 * Executes the operation when its result is asked for, or at once where that is safe: its first statements then leave in
 * the same flush as the authorization.
 */
function startExecution<T>(task: Task, execute: () => Promise<T>) {
  const started = mayStartEarly(task) ? sendWithoutWaiting(execute()) : undefined
  return {
    result: () => started ?? execute(),
    /** After a failure: resolves when an execution that started early no longer uses the connection, however it ends. */
    ended: async () => {
      await started?.catch(() => {})
    },
  }
}
