import type { BorrowedConnection } from '../../db/pool.ts'
import type { Inside, Member } from '../define/operation.ts'
import type { Cause } from '../define/subscriber.ts'
import type { Authorization } from './authorize.ts'
import type { Call } from './call.ts'
import { sendWithoutWaiting } from './connection.ts'
import { record } from './record.ts'
import type { Task } from './task.ts'

const whoIs = (
  { caller }: Call,
  { userId, keyId, sessionId, appId, scopes, organizationId, role }: Authorization,
): Member => ({
  userId: userId ?? '',
  source: caller.source,
  keyId,
  sessionId,
  appId,
  scopes,
  organizationId: organizationId ?? '',
  role: role ?? 'EMPLOYEE',
})

export const callerOf = (call: Call, entering: Promise<Authorization>) =>
  sendWithoutWaiting(entering.then((entered) => whoIs(call, entered)))

/** What an operation works with in a transaction. */
export function insideContext(
  task: Task,
  { connection, db }: BorrowedConnection,
  entering: Promise<Authorization>,
): Inside {
  const { call, subscriberJobs, services, detail, traceparent } = task
  return {
    ...services,
    db,
    ask: connection.ask,
    now: new Date(),
    who: callerOf(call, entering),
    emit: (event, payload, more) =>
      void sendWithoutWaiting(
        entering.then((entered) =>
          record.event(connection, event, payload, {
            cause: { ...causeOf(call, entered), ...more },
            subscriberJobs,
            traceparent,
          }),
        ),
      ),
    enqueue: (job, payload, when) =>
      void sendWithoutWaiting(record.job(connection, job, payload, { ...when, traceparent })),
    audit: (more) => {
      detail.of = { ...detail.of, ...more }
    },
  }
}

const causeOf = ({ caller }: Call, { userId, keyId }: Authorization): Cause => {
  const { source, requestId, runId, turnId, depth = 0 } = caller
  return { source, requestId, userId, keyId, runId, turnId, depth }
}

export const refuseWrite = () => {
  throw new Error('A read emits no events, orders no work and leaves no trail.')
}
export const readOnly = { ask: refuseWrite, emit: refuseWrite, enqueue: refuseWrite, audit: refuseWrite }
