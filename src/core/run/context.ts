import type { BorrowedConnection } from '../../db/pool.ts'
import type { AccountContext } from '../define/account.ts'
import type { Cause } from '../define/event.ts'
import type { Inside, Member } from '../define/operation.ts'
import type { Authorization } from './authorize.ts'
import type { Call } from './call.ts'
import { sendWithoutWaiting } from './connection.ts'
import { type EventOptions, enqueueJob, insertEvent, insertEvents } from './record.ts'
import type { Task } from './task.ts'

/** What an operation works with on one connection. */
export function contextOf(task: Task, borrowed: BorrowedConnection, authorizing: Promise<Authorization>): Inside {
  const context = task.plan.writes
    ? writeContext(task, borrowed, authorizing)
    : readContext(task, borrowed, authorizing)
  return task.plan.ofPerson ? Object.assign(context, accountContext(task)) : context
}

const readContext = (
  { services, call }: Task,
  { db }: BorrowedConnection,
  authorizing: Promise<Authorization>,
): Inside => ({
  secrets: services.secrets,
  consumeRateLimit: services.consumeRateLimit,
  installation: services.installation,
  rateLimitScale: services.rateLimitScale,
  catalog: services.catalog,
  db,
  now: new Date(),
  who: callerOf(call, authorizing),
  ask: refuseWrite,
  emit: refuseWrite,
  emitAll: refuseWrite,
  enqueue: refuseWrite,
  audit: refuseWrite,
})

export const refuseWrite = (): never => {
  throw new Error('A read emits no events, enqueues no jobs and writes no audit rows.')
}

/** What a write works with in its transaction. */
export function writeContext(
  { call, subscriberJobs, services, outcome, traceparent }: Task,
  { connection, db }: BorrowedConnection,
  authorizing: Promise<Authorization>,
): Inside {
  /** Sends events when their cause is known. */
  const caused = (insert: (options: EventOptions) => Promise<unknown>) =>
    void sendWithoutWaiting(
      authorizing.then((authorization) => insert({ cause: causeOf(call, authorization), subscriberJobs, traceparent })),
    )
  return {
    secrets: services.secrets,
    consumeRateLimit: services.consumeRateLimit,
    installation: services.installation,
    rateLimitScale: services.rateLimitScale,
    catalog: services.catalog,
    db,
    ask: connection.ask,
    now: new Date(),
    ...expected(call.expectedVersion),
    who: callerOf(call, authorizing),
    emit: (event, payload, moreCause) =>
      caused((options) =>
        insertEvent(connection, event, payload, { ...options, cause: { ...options.cause, ...moreCause } }),
      ),
    emitAll: (event, payloads) => caused((options) => insertEvents(connection, event, payloads, options)),
    enqueue: (job, payload, when) =>
      void sendWithoutWaiting(enqueueJob(connection, job, payload, { ...when, traceparent })),
    audit: (detail) => {
      outcome.detail = { ...outcome.detail, ...detail }
    },
  }
}

/** What an operation with `pool: 'system'` works with beside that. */
export function accountContext({ operation, call, outcome }: Task): AccountContext {
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

/** The version that the caller has read, as the operation compares it. */
function expected(version: Call['expectedVersion']): Pick<Inside, 'expectedVersion' | 'expectedUpdatedAt'> {
  if (version === undefined) return {}
  return typeof version === 'number' ? { expectedVersion: version } : { expectedUpdatedAt: version }
}

/** The caller as the operation sees them; a promise, because the work may start before the authorization is answered. */
export const callerOf = (call: Call, authorizing: Promise<Authorization>): Promise<Member> =>
  sendWithoutWaiting(authorizing.then((authorization) => memberOf(call, authorization)))

const memberOf = (
  { caller }: Call,
  { userId, keyId, sessionId, appId, scopes, organizationId, role, authorUserId = null, actingFor }: Authorization,
): Member => ({
  userId: userId ?? '',
  source: caller.source,
  keyId,
  sessionId,
  appId,
  credential: caller.credential,
  scopes,
  authorUserId,
  runId: caller.runId ?? null,
  actingFor: [...new Set(actingFor ?? [userId ?? ''])],
  organizationId: organizationId ?? '',
  role: role ?? 'EMPLOYEE',
})

/** What an event says of its call. */
const causeOf = ({ caller }: Call, { userId, keyId }: Authorization): Cause => {
  const { source, requestId, runId, turnId, depth = 0 } = caller
  return { source, requestId, userId, keyId, runId, turnId, depth }
}
