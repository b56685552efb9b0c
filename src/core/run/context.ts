import type { BorrowedConnection } from '../../db/pool.ts'
import type { Inside, Member } from '../define/operation.ts'
import type { Cause } from '../define/subscriber.ts'
import type { Authorization } from './authorize.ts'
import type { Call } from './call.ts'
import { sendWithoutWaiting } from './connection.ts'
import { enqueueJob, insertEvent, insertEvents } from './record.ts'
import type { Task } from './task.ts'

/** What a read works with. */
export const readContext = (
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
  { call, subscriberJobs, services, auditDetail, traceparent }: Task,
  { connection, db }: BorrowedConnection,
  authorizing: Promise<Authorization>,
): Inside {
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
      void sendWithoutWaiting(
        authorizing.then((authorization) =>
          insertEvent(connection, event, payload, {
            cause: { ...causeOf(call, authorization), ...moreCause },
            subscriberJobs,
            traceparent,
          }),
        ),
      ),
    emitAll: (event, payloads) =>
      void sendWithoutWaiting(
        authorizing.then((authorization) =>
          insertEvents(connection, event, payloads, {
            cause: causeOf(call, authorization),
            subscriberJobs,
            traceparent,
          }),
        ),
      ),
    enqueue: (job, payload, when) =>
      void sendWithoutWaiting(enqueueJob(connection, job, payload, { ...when, traceparent })),
    audit: (detail) => {
      auditDetail.value = { ...auditDetail.value, ...detail }
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
  { userId, keyId, sessionId, appId, scopes, organizationId, role, authorUserId = null }: Authorization,
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
  actingFor: [...new Set([userId ?? '', authorUserId ?? userId ?? ''])],
  organizationId: organizationId ?? '',
  role: role ?? 'EMPLOYEE',
})

const causeOf = ({ caller }: Call, { userId, keyId }: Authorization): Cause => {
  const { source, requestId, runId, turnId, depth = 0 } = caller
  return { source, requestId, userId, keyId, runId, turnId, depth }
}
