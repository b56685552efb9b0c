import type { Lent } from '../../db/pool.ts'
import type { Inside, Member } from '../define/operation.ts'
import type { Cause } from '../define/subscriber.ts'
import type { Entered } from './authorize.ts'
import type { Call } from './call.ts'
import { watch } from './connection.ts'
import { record } from './record.ts'
import type { Task } from './task.ts'

const whoIs = (
  { caller }: Call,
  { userId, keyId, sessionId, appId, scopes, organizationId, role }: Entered,
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

export const who = (call: Call, entering: Promise<Entered>) => watch(entering.then((entered) => whoIs(call, entered)))

/** What an operation works with in a transaction. */
export function inside(task: Task, { connection, db }: Lent, entering: Promise<Entered>): Inside {
  const { call, tellings, kept, detail, traceparent } = task
  return {
    ...kept,
    db,
    ask: connection.ask,
    now: new Date(),
    who: who(call, entering),
    emit: (event, payload, more) =>
      void watch(
        entering.then((entered) =>
          record.event(connection, event, payload, {
            cause: { ...causeOf(call, entered), ...more },
            tellings,
            traceparent,
          }),
        ),
      ),
    enqueue: (job, payload, when) => void watch(record.job(connection, job, payload, { ...when, traceparent })),
    audit: (more) => {
      detail.of = { ...detail.of, ...more }
    },
  }
}

const causeOf = ({ caller }: Call, { userId, keyId }: Entered): Cause => {
  const { source, requestId, runId, turnId, depth = 0 } = caller
  return { source, requestId, userId, keyId, runId, turnId, depth }
}

export const refuseWrite = () => {
  throw new Error('A read emits no events, orders no work and leaves no trail.')
}
export const readOnly = { ask: refuseWrite, emit: refuseWrite, enqueue: refuseWrite, audit: refuseWrite }
