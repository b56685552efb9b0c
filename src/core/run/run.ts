import type { Lent } from '../../db/pool.ts'
import type { Operation } from '../define/operation.ts'
import { type Span, traced } from '../observe/tracing.ts'
import { admit, type Entered, enterStatement, placeOf } from './authorize.ts'
import { type Answer, type Call, subjectOf } from './call.ts'
import { lending, unless, watch } from './connection.ts'
import { ownBucket, pay } from './consume-rate-limit.ts'
import { inside, readOnly, who } from './context.ts'
import { isRetryable, toFailure } from './errors.ts'
import { checkInput } from './input.ts'
import { runOutside } from './run-outside.ts'
import { type Means, patienceMs, type Task, within } from './task.ts'
import { answerOf, enter, finish, insideLeaseS, open, rememberRefusal, retried } from './transaction.ts'

export type Runner = {
  run(operation: Operation, call: Call): Promise<Answer>
  /**
   * Whether the caller may do such a thing at all, before anything large is read from them: 401, 403 for scope and source,
   * 429. The organization is judged later. Counts as under way until the returned function is called.
   */
  knock(operation: Operation, caller: Call['caller']): Promise<() => void>
}

/** Runs operations: the one path that HTTP, MCP, automations and the companion share. */
export function createRunner(means: Means): Runner {
  return {
    async run(operation, call) {
      const subject = subjectOf(call.caller)
      means.limiter.refuseKnown(ownBucket(operation), subject)
      const leaving = [means.inFlight.enter('perCredential', subject)]
      try {
        const checked = checkInput(operation, call)
        const work = (span?: Span) => {
          const traceparent = call.caller.traceparent ?? span?.traceparent
          const until = within(patienceMs)
          return carryOut({
            ...means,
            operation,
            call,
            subject,
            checked,
            detail: { of: null },
            leaving,
            traceparent,
            until,
          })
        }
        return await traced(means.tracer, () => spanOf(operation, call), work)
      } finally {
        for (const leave of leaving) leave()
      }
    },

    async knock(operation, caller) {
      const subject = subjectOf(caller)
      means.limiter.refuseKnown(ownBucket(operation), subject)
      const asPerson = { ...operation, within: 'caller' } as const
      const call: Call = { caller, input: {}, trace: {} }
      const leave = means.inFlight.enter('perCredential', subject)
      try {
        await lending(means.pool, false, async ({ connection }) => {
          const { rows } = await connection.query(...enterStatement(asPerson, call))
          admit(asPerson, call, rows[0] as Entered)
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
  if (run.outside) return runOutside(task, run)
  return retried(task, () => (reads ? runRead(task, run) : runWrite(task, run)))
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
  operation.sources.includes(call.caller.source)

/**
 * A read needs no transaction of its own (a flush is an implicit one), unless it goes across organizations in the role
 * for that.
 */
function runRead(task: Task, run: InsideRun): Promise<Answer> {
  const { operation, call, checked, usage } = task
  const across = placeOf(operation, call.input) === 'ALL'
  const reading = async ({ connection, db }: Lent) => {
    if (across) watch(connection.query('set local role kontor_across'))
    const entering = enter(task, connection, { confine: !across })
    const work = () =>
      run.do({ ...task.kept, db, now: new Date(), who: who(call, entering), ...readOnly }, checked.input)
    const early = startsEarly(task) ? watch(work()) : undefined
    const entered = await unless(entering, early)
    await unless(pay(task, entered), early)
    if (checked.problem) throw checked.problem
    if (operation.flushesUsage) await usage.flush()
    return answerOf(operation, await (early ?? work()))
  }
  return lending(task.pool, across, reading, task.until)
}

/** A write is one transaction: door, work, audit row and remembered answer commit together or not at all. */
async function runWrite(task: Task, run: InsideRun): Promise<Answer> {
  const { call, checked } = task
  const writing = async (lent: Lent): Promise<Answer> => {
    const entering = enter(task, lent.connection)
    const work = () => run.do(inside(task, lent, entering), checked.input)
    const early = startsEarly(task) ? watch(work()) : undefined
    const { entered, remembered } = await unless(open(task, lent.connection, entering, insideLeaseS), early)
    if (remembered) return { ...remembered, replayed: true }
    return finish(task, lent.connection, entered, await (early ?? work()))
  }
  try {
    return await lending(task.pool, true, writing, task.until)
  } catch (error) {
    if (call.once && !isRetryable(error)) await rememberRefusal(task, toFailure(error))
    throw error
  }
}
