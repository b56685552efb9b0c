import type { BorrowedConnection } from '../../db/pool.ts'
import type { Operation } from '../define/operation.ts'
import { type Span, traced } from '../observe/tracing.ts'
import { type Authorization, authorizeStatement, checkAuthorization, organizationLookup } from './authorize.ts'
import { type Answer, type Call, subjectOf } from './call.ts'
import { awaitOrCancel, sendWithoutWaiting, withConnection } from './connection.ts'
import { consumeRateLimits, ownBucket } from './consume-rate-limit.ts'
import { callerOf, insideContext, readOnly } from './context.ts'
import { isRetryable, toFailure } from './errors.ts'
import { checkInput } from './input.ts'
import { runAccount } from './run-account.ts'
import { runOutside } from './run-outside.ts'
import { databaseTimeoutMs, deadlineIn, type RunnerDependencies, type Task } from './task.ts'
import {
  authorize,
  beginWrite,
  completeWrite,
  insideLeaseS,
  rememberRefusal,
  toAnswer,
  withRetries,
} from './transaction.ts'

export type Runner = {
  run(operation: Operation, call: Call): Promise<Answer>
  /**
   * Whether the caller may do such a thing at all, before anything large is read from them: 401, 403 for scope and source,
   * 429. The organization is judged later. Counts as under way until the returned function is called.
   */
  preauthorize(operation: Operation, caller: Call['caller']): Promise<() => void>
}

/** Runs operations: the one path that HTTP, MCP, automations and the companion share. */
export function createRunner(means: RunnerDependencies): Runner {
  return {
    async run(operation, call) {
      const subject = subjectOf(call.caller)
      means.limiter.refuseKnown(ownBucket(operation), subject)
      const onEnd = [means.inFlight.enter('perCredential', subject)]
      try {
        const checked = checkInput(operation, call)
        const work = (span?: Span) => {
          const traceparent = call.caller.traceparent ?? span?.traceparent
          const deadline = deadlineIn(databaseTimeoutMs)
          return carryOut({
            ...means,
            operation,
            call,
            subject,
            checked,
            detail: { of: null },
            onEnd,
            traceparent,
            deadline,
          })
        }
        return await traced(means.tracer, () => spanOf(operation, call), work)
      } finally {
        for (const leave of onEnd) leave()
      }
    },

    async preauthorize(operation, caller) {
      const subject = subjectOf(caller)
      means.limiter.refuseKnown(ownBucket(operation), subject)
      const asPerson = { ...operation, within: 'caller' } as const
      const call: Call = { caller, input: {}, trace: {} }
      const leave = means.inFlight.enter('perCredential', subject)
      try {
        await withConnection(means.pool, false, async ({ connection }) => {
          const { rows } = await connection.query(...authorizeStatement(asPerson, call))
          checkAuthorization(asPerson, call, rows[0] as Authorization)
        })
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
function carryOut(task: Task): Promise<Answer> {
  const { run, reads } = task.operation
  if (task.operation.pool === 'system') return runAccount(task, run)
  if (run.outside) return runOutside(task, run)
  return withRetries(task, () => (reads ? runRead(task, run) : runWrite(task, run)))
}

type InsideRun = Extract<Operation['run'], { outside: false }>

/**
 * Whether the work may start while the door is still answering: both then leave in one flush. A caller whom the door
 * does not know, or whose credential lacks the scope or role, has a transaction that is confined to nothing: row security
 * shows the work no row and lets it write none. What the door does not judge waits for its answer.
 */
const startsEarly = ({ operation, call, checked }: Task) =>
  !checked.problem &&
  !call.once && // it may have been carried out before
  !operation.signedInWithinH &&
  !operation.orSelf &&
  !operation.flushesUsage &&
  call.caller.source !== 'LINK' &&
  call.caller.source !== 'PUBLIC' &&
  operation.sources.includes(call.caller.source)

/**
 * A read needs no transaction of its own (a flush is an implicit one), unless it goes across organizations in the role
 * for that.
 */
function runRead(task: Task, run: InsideRun): Promise<Answer> {
  const { operation, call, checked, usage } = task
  const across = organizationLookup(operation, call.input) === 'ALL'
  const reading = async ({ connection, db }: BorrowedConnection) => {
    if (across) sendWithoutWaiting(connection.query('set local role kontor_across'))
    const entering = authorize(task, connection, { confine: !across })
    const work = () =>
      run.do({ ...task.services, db, now: new Date(), who: callerOf(call, entering), ...readOnly }, checked.input)
    const early = startsEarly(task) ? sendWithoutWaiting(work()) : undefined
    const entered = await awaitOrCancel(entering, early)
    await awaitOrCancel(consumeRateLimits(task, entered), early)
    if (checked.problem) throw checked.problem
    if (operation.flushesUsage) await usage.flush()
    return toAnswer(operation, await (early ?? work()))
  }
  return withConnection(task.pool, across, reading, task.deadline)
}

/** A write is one transaction: door, work, audit row and remembered answer commit together or not at all. */
async function runWrite(task: Task, run: InsideRun): Promise<Answer> {
  const { call, checked } = task
  const writing = async (lent: BorrowedConnection): Promise<Answer> => {
    const entering = authorize(task, lent.connection)
    const work = () => run.do(insideContext(task, lent, entering), checked.input)
    const early = startsEarly(task) ? sendWithoutWaiting(work()) : undefined
    const { entered, remembered } = await awaitOrCancel(
      beginWrite(task, lent.connection, entering, insideLeaseS),
      early,
    )
    if (remembered) return { ...remembered, replayed: true }
    return completeWrite(task, lent.connection, entered, await (early ?? work()))
  }
  try {
    return await withConnection(task.pool, true, writing, task.deadline)
  } catch (error) {
    if (call.once && !isRetryable(error)) await rememberRefusal(task, toFailure(error))
    throw error
  }
}
