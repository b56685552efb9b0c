import type { BorrowedConnection } from '../../db/pool.ts'
import type { Operation } from '../define/operation.ts'
import { traced } from '../observe/tracing.ts'
import { createHolders } from '../share/connection-holder.ts'
import { type Authorization, authorizeStatement, checkAuthorization, organizationLookup } from './authorize.ts'
import { type Answer, type Call, subjectOf } from './call.ts'
import { withConnection } from './connection.ts'
import { readContext, writeContext } from './context.ts'
import { isRetryable, toFailure } from './errors.ts'
import { checkInput, isLargeList } from './input.ts'
import { runAccount } from './run-account.ts'
import { knownCallerOf, runAtOnce } from './run-at-once.ts'
import { runOutside } from './run-outside.ts'
import { startExecution } from './start-early.ts'
import {
  authorize,
  claimKey,
  consumeRateLimits,
  insideLeaseS,
  noteChange,
  ownBucket,
  recallAnswer,
  record,
  rememberRefusal,
  requireValidInput,
  toAnswer,
  toAnswerInSlices,
  withRetries,
} from './steps.ts'
import { type InsideRun, newTask, type RunnerDependencies, type Task } from './task.ts'
import { readAcrossOrganizations } from './transaction-context.ts'

export type Runner = {
  run(operation: Operation, call: Call): Promise<Answer>
  /**
   * Checks the caller before a large body is read: 401, 403 for scope and source, 429. The organization is checked later,
   * by `run`. The call counts as in flight until the returned function is called.
   */
  preauthorize(operation: Operation, caller: Call['caller']): Promise<() => void>
}

/**
 * Runs operations: HTTP, MCP, automations and the companion all call this. Every call takes the same steps in the same
 * order: authorize, rate-limit, validate, claim the Idempotency-Key, execute, record, answer. `runRead` and `runWrite`
 * below and `runOutside` show them; steps.ts has one function for each.
 */
export function createRunner(dependencies: RunnerDependencies): Runner {
  const { pool, limiter, inFlight, tracer } = dependencies
  const holders = createHolders()
  return {
    async run(operation, call) {
      const subject = subjectOf(call.caller)
      limiter.refuseKnown(ownBucket(operation, call.input), subject)
      const onEnd = [inFlight.enter('perCredential', subject)]
      try {
        const holder = holders.holderOf(operation, call, subject)
        const checked = checkInput(operation, call)
        const task = newTask(dependencies, { operation, call, subject, holder, onEnd, checked })
        return await traced(
          tracer,
          () => spanOf(operation, call),
          (span) => {
            if (span) task.traceparent ??= span.traceparent
            return runTask(task)
          },
        )
      } finally {
        for (const leave of onEnd) leave()
      }
    },

    async preauthorize(operation, caller) {
      const subject = subjectOf(caller)
      limiter.refuseKnown(ownBucket(operation, {}), subject)
      const asPerson = { ...operation, within: 'caller' } as const
      const call: Call = { caller, input: {}, trace: {} }
      const leave = inFlight.enter('perCredential', subject)
      try {
        const check = async ({ connection }: BorrowedConnection) => {
          const { rows } = await connection.query(...authorizeStatement(asPerson, call))
          checkAuthorization(asPerson, call, rows[0] as Authorization)
        }
        await withConnection(pool, false, check, { holder: holders.holderOf(asPerson, call, subject) })
        return leave
      } catch (error) {
        leave()
        throw toFailure(error)
      }
    },
  }
}

const spanOf = ({ name }: Operation, { caller }: Call) => ({
  name: `run ${name}`,
  kind: 'part' as const,
  parent: caller.traceparent,
  facts: { 'kontor.operation': name, 'kontor.source': caller.source, 'kontor.request_id': caller.requestId },
})

function runTask(task: Task): Promise<Answer> {
  const { run, reads } = task.operation
  if (task.operation.pool === 'system') return runAccount(task, run)
  if (run.outside) return runOutside(task, run)
  if (isHeavy(task)) return runHeavy(task, run)
  return withRetries(task, () => (reads ? runRead(task, run) : runAnyWrite(task, run)))
}

const isHeavy = ({ operation, call }: Task): boolean => operation.heavy || isLargeList(operation, call.input)

/**
 * A read: authorize → rate-limit → validate → execute → answer. It needs no transaction of its own, because a flush is an
 * implicit one; only a read across organizations has one, for the role that it takes.
 */
function runRead(task: Task, run: InsideRun): Promise<Answer> {
  const { operation, call, checked, usage } = task
  const acrossOrganizations = organizationLookup(operation, call.input) === 'ALL'
  const steps = async (borrowed: BorrowedConnection): Promise<Answer> => {
    if (acrossOrganizations) readAcrossOrganizations(borrowed.connection)
    const authorizing = authorize(task, borrowed.connection, { confineLaterFlushes: !acrossOrganizations })
    const execution = startExecution(task, () => run.do(readContext(task, borrowed, authorizing), checked.input))
    try {
      const authorization = await authorizing
      await consumeRateLimits(task, authorization)
      requireValidInput(task)
      if (operation.flushesUsage) await usage.flush()
      const result = await execution.result()
      return isHeavy(task) ? await toAnswerInSlices(operation, result) : toAnswer(operation, result)
    } catch (error) {
      await execution.ended()
      throw error
    }
  }
  return withConnection(task.pool, acrossOrganizations, steps, { until: task.deadline, holder: task.holder })
}

/**
 * A heavy read: authorize → rate-limit → validate, then all of it again in the pool for heavy reads. An organization may
 * have only two of them there at the same time, so it must be certain which one it is before the call waits for its turn.
 */
async function runHeavy(task: Task, run: InsideRun): Promise<Answer> {
  const { pool, heavy, deadline, holder } = task
  const acrossOrganizations = organizationLookup(task.operation, task.call.input) === 'ALL'
  const check = ({ connection }: BorrowedConnection) => {
    if (acrossOrganizations) readAcrossOrganizations(connection)
    return authorize(task, connection)
  }
  const authorization = await withRetries(task, () =>
    withConnection(pool, acrossOrganizations, check, { until: deadline, holder }),
  )
  await consumeRateLimits(task, authorization)
  requireValidInput(task)
  return withRetries(task, () => runRead({ ...task, pool: heavy }, run))
}

/** A write in one flush if it can be sent like that, otherwise in two. Both write the same rows. */
async function runAnyWrite(task: Task, run: InsideRun): Promise<Answer> {
  const known = knownCallerOf(task)
  return (known && (await runAtOnce(task, run, known))) ?? runWrite(task, run)
}

/**
 * A write: authorize → rate-limit → validate → claim the key → execute → record → answer, in one transaction, so that the
 * work, its audit row and the remembered answer commit together or not at all.
 */
async function runWrite(task: Task, run: InsideRun): Promise<Answer> {
  const { operation, call, checked } = task
  const steps = async (borrowed: BorrowedConnection): Promise<Answer> => {
    const { connection } = borrowed
    const authorizing = authorize(task, connection)
    const claiming = claimKey(task, connection, insideLeaseS)
    const execution = startExecution(task, () => run.do(writeContext(task, borrowed, authorizing), checked.input))
    try {
      const authorization = await authorizing
      await consumeRateLimits(task, authorization)
      requireValidInput(task)
      const remembered = recallAnswer(task, authorization, await claiming)
      if (remembered) return remembered
      const result = await execution.result()
      const answer = toAnswer(operation, result)
      record(task, connection, { authorization, result, answer })
      return answer
    } catch (error) {
      await execution.ended()
      throw error
    }
  }
  try {
    const answer = await withConnection(task.pool, true, steps, { until: task.deadline, holder: task.holder })
    noteChange(task)
    return answer
  } catch (error) {
    if (call.once && !isRetryable(error)) await rememberRefusal(task, toFailure(error))
    throw error
  }
}
