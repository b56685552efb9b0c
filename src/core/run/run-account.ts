import type { Connection } from '../../db/connection.ts'
import type { BorrowedConnection } from '../../db/pool.ts'
import type { AccountContext, SessionEffect } from '../define/account.ts'
import { unauthenticated } from '../define/failure.ts'
import { requireLiveSession } from '../define/live-session.ts'
import type { Inside, Operation, Outside } from '../define/operation.ts'
import { newId } from '../values/id.ts'
import { type AuditEntry, insertAudit } from './audit.ts'
import { type Authorization, authorizeStatement, checkAuthorization } from './authorize.ts'
import type { Answer } from './call.ts'
import { callPart } from './call-part.ts'
import { sendWithoutWaiting, withConnection } from './connection.ts'
import { callerOf, readContext, writeContext } from './context.ts'
import { objectId } from './input.ts'
import { consumeRateLimits, requireValidInput, toAnswer, withRetries } from './steps.ts'
import { databaseTimeoutMs, deadlineIn, type Task } from './task.ts'
import { setContext } from './transaction-context.ts'

/** Side results of an operation: the session, the person, and the name in the audit log. */
type Outcome = { session?: SessionEffect; userId?: string; recordedAs: string | null }

/**
 * Runs an operation with `pool: 'system'`: authorize, rate limits, input, work, audit row, answer. The limits are counted
 * in the same pool, so they are taken while no connection is held. Row security does not confine this pool, so no work
 * starts before the caller is known. There is no Idempotency-Key: a session secret is never stored to be sent again.
 */
export async function runAccount(task: Task, run: Operation['run']): Promise<Answer> {
  const { operation } = task
  const authorization = await authorizeAlone(task)
  await consumeRateLimits(task, authorization)
  requireValidInput(task)
  const outcome: Outcome = { recordedAs: operation.recordedAs }
  const account = accountContext(task, outcome)
  const result = await execute(task, run, { authorization, account, outcome })
  return { ...toAnswer(operation, result), ...(outcome.session && { session: outcome.session }) }
}

/** The caller as the database knows them, or 401 or 403. */
async function authorizeAlone(task: Task): Promise<Authorization> {
  const { operation, call, system, deadline: until, holder } = task
  if (call.caller.source === 'PUBLIC' && operation.open) return unknownPerson
  const ask = async ({ connection }: BorrowedConnection) => {
    const { rows } = await connection.query(...authorizeStatement(operation, call))
    return rows[0] as Authorization
  }
  const authorization = await withRetries(task, () => withConnection(system, false, ask, { until, holder }))
  holder.authorized(authorization)
  const { userId, sessionId } = authorization
  if (userId === null) throw unauthenticated('You are not signed in.')
  Object.assign(call.trace, { userId, ...(sessionId && { sessionId }) })
  checkAuthorization(operation, call, authorization)
  return authorization
}

type Parts = { authorization: Authorization; account: AccountContext; outcome: Outcome }

/** Calls `run` with the context that `operation()` declares for `pool: 'system'`. */
function execute(task: Task, run: Operation['run'], { authorization, account, outcome }: Parts): Promise<unknown> {
  const { operation, call, checked, services, providers, system, holder } = task
  const authorized = Promise.resolve(authorization)
  const transactions = transactionsOf(task, authorization, outcome)
  if (run.outside) {
    const common = { ...services, ...account, ...providers, now: new Date(), who: callerOf(call, authorized) }
    const intent = newId()
    return run.do({ ...common, ...transactions, intent, call: callPart(task, intent) }, checked.input)
  }
  if (!operation.reads) return transactions.once((inside) => run.do({ ...inside, ...account }, checked.input))
  const read = (borrowed: BorrowedConnection) =>
    run.do({ ...readContext(task, borrowed, authorized), ...account }, checked.input)
  return withRetries(task, () => withConnection(system, false, read, { until: deadlineIn(databaseTimeoutMs), holder }))
}

const unknownPerson: Authorization = {
  userId: null, keyId: null, sessionId: null, scopes: null, signedInAgoH: null, organizationId: null, role: null,
  reachable: null, appId: null, clientId: null,
} // biome-ignore format: a list of words

function accountContext({ operation, call }: Task, outcome: Outcome): AccountContext {
  const { origin, credential, requestId } = call.caller
  if (!origin) throw new Error(`${operation.name} was called without the origin of the request.`)
  return {
    origin,
    requestId,
    sessionHash: credential,
    session(effect) {
      outcome.session = effect
    },
    actAs(userId) {
      outcome.userId = userId
    },
    recordAs(name) {
      outcome.recordedAs = name
    },
  }
}

/** The transactions of one call: `once` ends it, with the audit row of the write, if the session still exists then. */
function transactionsOf(
  task: Task,
  authorization: Authorization,
  outcome: Outcome,
): Pick<Outside, 'tx' | 'heavyTx' | 'once'> {
  const { userId, sessionId } = authorization
  const transaction = <T>(work: (inside: Inside, borrowed: BorrowedConnection) => Promise<T>) => {
    const steps = (borrowed: BorrowedConnection) => {
      setContext(borrowed.connection, { userId })
      return work(writeContext(task, borrowed, Promise.resolve(authorization)), borrowed)
    }
    const { system, holder } = task
    return withRetries(task, () =>
      withConnection(system, true, steps, { until: deadlineIn(databaseTimeoutMs), holder }),
    )
  }
  return {
    tx: (work) => transaction(work),
    heavyTx: (work) => transaction(work),
    once: (work) =>
      transaction(async (inside, { connection }) => {
        if (userId && sessionId) await requireLiveSession(inside.db, { userId, sessionId })
        const result = await work(inside)
        recordOutcome(task, connection, { authorization, outcome, result })
        return result
      }),
  }
}

type Recorded = { authorization: Authorization; outcome: Outcome; result: unknown }

/** Writes the audit row, if the operation leaves one. */
function recordOutcome(
  { operation, call, auditDetail }: Task,
  connection: Connection,
  { authorization, outcome, result }: Recorded,
) {
  if (outcome.recordedAs === null) return
  const { source, requestId } = call.caller
  const entry: AuditEntry = {
    operation: outcome.recordedAs,
    source: source === 'PUBLIC' ? 'LINK' : source, // they proved who they are with a link sent by e-mail
    requestId,
    userId: outcome.userId,
    sessionId: authorization.sessionId,
    objectId: objectId(operation, call.input, result),
    detail: auditDetail.value,
  }
  sendWithoutWaiting(insertAudit(connection.ask, entry))
}
