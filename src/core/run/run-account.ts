import type { BorrowedConnection } from '../../db/pool.ts'
import type { AccountContext, SessionEffect } from '../define/account.ts'
import { unauthenticated } from '../define/failure.ts'
import type { Inside, Member, Operation, Outside } from '../define/operation.ts'
import { newId } from '../values/id.ts'
import { type Authorization, authorizeStatement, checkAuthorization, confineStatement } from './authorize.ts'
import type { Answer } from './call.ts'
import { sendWithoutWaiting, withConnection } from './connection.ts'
import { consumeRateLimits } from './consume-rate-limit.ts'
import { callerOf, insideContext, readOnly } from './context.ts'
import { objectId } from './input.ts'
import { record } from './record.ts'
import { databaseTimeoutMs, deadlineIn, type Task } from './task.ts'
import { toAnswer, withRetries } from './transaction.ts'

/** What an operation says beside its result. */
type Outcome = { session?: SessionEffect; recordedAs: string | null }

/**
 * Runs an operation with `pool: 'system'`: authorize, rate limits, input, work, audit row, answer. The limits are counted
 * in the same pool, so they are taken while no connection is held. Row security does not confine this pool, so no work
 * starts before the caller is known. There is no Idempotency-Key: a session secret is never stored to be sent again.
 */
export async function runAccount(task: Task, run: Operation['run']): Promise<Answer> {
  const { operation, call, checked } = task
  const authorization = await authorizeAlone(task)
  await consumeRateLimits(task, authorization)
  if (checked.problem) throw checked.problem
  const outcome: Outcome = { recordedAs: operation.recordedAs }
  const account = accountContext(task, outcome)
  const who = callerOf(call, Promise.resolve(authorization))
  const result = await execute(task, run, { account, transactions: transactionsOf(task, authorization, outcome), who })
  return { ...toAnswer(operation, result), ...(outcome.session && { session: outcome.session }) }
}

/** The caller as the database knows them, or 401 or 403. */
async function authorizeAlone(task: Task): Promise<Authorization> {
  const { operation, call, system } = task
  if (call.caller.source === 'PUBLIC' && operation.open) return unknownPerson
  const ask = async ({ connection }: BorrowedConnection) => {
    const { rows } = await connection.query(...authorizeStatement(operation, call))
    return rows[0] as Authorization
  }
  const authorization = await withRetries(task, () => withConnection(system, false, ask, task.deadline))
  const { userId, sessionId } = authorization
  if (userId === null) throw unauthenticated('You are not signed in.')
  Object.assign(call.trace, { userId, ...(sessionId && { sessionId }) })
  checkAuthorization(operation, call, authorization)
  return authorization
}

type Parts = { account: AccountContext; transactions: Pick<Outside, 'tx' | 'once'>; who: Promise<Member> }

/** The contexts that `operation()` promised for `pool: 'system'`. */
function execute(task: Task, run: Operation['run'], { account, transactions, who }: Parts): Promise<unknown> {
  const { operation, checked, services, providers, system } = task
  const common = { ...services, ...account, now: new Date(), who }
  if (run.outside) return run.do({ ...common, ...providers, ...transactions, intent: newId() }, checked.input)
  if (!operation.reads) return transactions.once((inside) => run.do({ ...inside, ...account }, checked.input))
  const read = ({ db }: BorrowedConnection) => run.do({ ...common, db, ...readOnly }, checked.input)
  return withRetries(task, () => withConnection(system, false, read, deadlineIn(databaseTimeoutMs)))
}

const unknownPerson: Authorization = {
  userId: null, keyId: null, sessionId: null, scopes: null, signedInAgoH: null, organizationId: null, role: null,
  reachable: null, appId: null, clientId: null,
} // biome-ignore format: a list of words

function accountContext({ operation, call }: Task, outcome: Outcome): AccountContext {
  const { origin, credential } = call.caller
  if (!origin) throw new Error(`${operation.name} was called without the origin of the request.`)
  return {
    origin,
    sessionHash: credential,
    session(effect) {
      outcome.session = effect
    },
    recordAs(name) {
      outcome.recordedAs = name
    },
  }
}

/** The transactions of one call: `once` ends it, with the audit row of the write. */
function transactionsOf(task: Task, authorization: Authorization, outcome: Outcome): Pick<Outside, 'tx' | 'once'> {
  const { call, system } = task
  const confined = [authorization.userId ?? '', '']
  const transaction = <T>(work: (inside: Inside, borrowed: BorrowedConnection) => Promise<T>) =>
    withRetries(task, () =>
      withConnection(
        system,
        true,
        (borrowed) => {
          sendWithoutWaiting(borrowed.connection.query(confineStatement, confined))
          return work(insideContext(task, borrowed, Promise.resolve(authorization)), borrowed)
        },
        deadlineIn(databaseTimeoutMs),
      ),
    )
  return {
    tx: (work) => transaction(work),
    once: (work) =>
      transaction(async (inside, { connection }) => {
        const result = await work(inside)
        if (outcome.recordedAs !== null) {
          const operation = { name: outcome.recordedAs }
          const written = { objectId: objectId(call.input, result), detail: task.detail.of }
          sendWithoutWaiting(
            record.audit(connection, { operation, caller: call.caller, entered: authorization, ...written }),
          )
        }
        return result
      }),
  }
}
