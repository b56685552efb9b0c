import type { BorrowedConnection, Pool } from '../../db/pool.ts'
import type { Operation } from '../define/operation.ts'
import type { Runner } from '../define/services.ts'
import { traced } from '../observe/tracing.ts'
import { type CallHolder, createHolders } from '../share/connection-holder.ts'
import { memoize } from '../values/memoize.ts'
import { type Authorization, authorizeStatement, checkAuthorization, inNamedOrganization } from './authorize.ts'
import { type Answer, type Call, subjectOf } from './call.ts'
import { withConnection } from './connection.ts'
import { toFailure } from './errors.ts'
import { checkInput } from './input.ts'
import { admit, inside, isHeavy } from './inside.ts'
import { outside } from './outside.ts'
import { ownBucket } from './steps.ts'
import { newTask, type RunnerDependencies, type Task } from './task.ts'

/**
 * Runs operations: HTTP, MCP, automations and the companion all call this. Every call takes the same steps in the same
 * order: authorize, rate-limit, validate, claim the Idempotency-Key, execute, record, answer; steps.ts has one function for
 * each. There are two ways to take them: `inside` one connection, or `outside` with several transactions, for operations
 * that talk to the network. What differs between operations otherwise is data (`Plan` in task.ts).
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
            return runTask(task).catch((error) => refuseBeforeNotFound(task, error))
          },
        )
      } finally {
        for (const leave of onEnd) leave()
      }
    },

    async preauthorize(operation, caller) {
      const subject = subjectOf(caller)
      limiter.refuseKnown(ownBucket(operation, {}), subject)
      const asPerson = byItsCaller(operation)
      const call: Call = { caller, input: {}, trace: {} }
      const leave = inFlight.enter('perCredential', subject)
      try {
        const authorization = await authorizationOf(pool, asPerson, call, holders.holderOf(asPerson, call, subject))
        checkAuthorization(asPerson, call, authorization)
        return leave
      } catch (error) {
        leave()
        throw toFailure(error)
      }
    },
  }
}

/** The same operation, authorized without its organization. */
const byItsCaller = memoize((operation: Operation): Operation => ({ ...operation, within: 'caller' }))

const spanOf = ({ name }: Operation, { caller }: Call) => ({
  name: `run ${name}`,
  kind: 'part' as const,
  parent: caller.traceparent,
  facts: { 'kontor.operation': name, 'kontor.source': caller.source, 'kontor.request_id': caller.requestId },
})

async function runTask(task: Task): Promise<Answer> {
  const { operation, call, plan } = task
  const { run } = operation
  if (plan.ofPerson || (!run.outside && isHeavy(operation, call))) await admit(task)
  return run.outside ? outside(task, run) : inside(task, run)
}

/**
 * Rights come before existence: a member of the organization that the call names, who may not do this there, is told that and not
 * whether there is such a row. To others there is neither.
 */
async function refuseBeforeNotFound({ operation, call, pool, holder }: Task, error: unknown): Promise<never> {
  const named = inNamedOrganization(operation, call)
  if (!named || toFailure(error).code !== 'NOT_FOUND') throw error
  const there = await authorizationOf(pool, named, call, holder)
  if (there.organizationId) checkAuthorization(named, call, there)
  throw error
}

/** The authorization by itself: what it sets in the connection ends with its only flush. */
function authorizationOf(pool: Pool, operation: Operation, call: Call, holder: CallHolder): Promise<Authorization> {
  const ask = async ({ connection }: BorrowedConnection) =>
    (await connection.query(...authorizeStatement(operation, call))).rows[0] as Authorization
  return withConnection(pool, false, ask, { holder })
}
