import type { Connection } from '../../db/connection.ts'
import type { Event } from '../define/event.ts'
import type { Operation } from '../define/operation.ts'
import type { Cause } from '../define/subscriber.ts'
import { newId } from '../values/id.ts'
import type { Authorization } from './authorize.ts'
import type { Caller } from './call.ts'
import { toEnvelope } from './job-envelope.ts'
import { toJson } from './serialize.ts'

/** Rows that the runner writes beside an operation's own, in its transaction. */
export const record = {
  audit(connection: Connection, { operation, caller, entered, objectId, detail }: Deed) {
    return connection.query(
      `insert into audit_log (id, organization_id, user_id, source, api_key_id, session_id, run_id, turn_id, request_id, operation, object_id, detail, client_id)
       values ($1, current_organization(), current_person(), $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
      [
        newId(),
        caller.source === 'PUBLIC' ? 'LINK' : caller.source, // they proved who they are with the link of a letter
        entered.keyId,
        entered.sessionId,
        caller.runId,
        caller.turnId,
        caller.requestId,
        operation.name,
        objectId,
        detail,
        entered.clientId,
      ],
    )
  },

  /**
   * An event and, for each subscriber, the job that tells it: written with what happened. The payload goes through its
   * schema: what the schema does not name does not travel.
   */
  event(connection: Connection, { type, payload: schema }: Event, payload: unknown, reason: Reason) {
    const { cause, subscriberJobs, traceparent } = reason
    const id = newId()
    const values = [id, type, toJson(schema, payload), cause]
    const written = connection.query('insert into events (id, type, payload, cause) values ($1, $2, $3, $4)', values)
    const told = subscriberJobs(type).map((job) => record.job(connection, job, { eventId: id }, { traceparent }))
    return Promise.all([written, ...told])
  },

  job(connection: Connection, job: string, payload: object, { runAt, key, traceparent }: Ordering = {}) {
    const queued = toEnvelope({ payload, attempt: 1, traceparent })
    return connection.query('select enqueue($1, $2, $3, $4)', [job, queued, runAt, key])
  },
}

/** `traceparent`: the place in the trace that what is ordered continues from. */
type Reason = { cause: Cause; subscriberJobs: (type: string) => string[]; traceparent?: string | undefined }
type Ordering = { runAt?: Date; key?: string; traceparent?: string | undefined }
type Deed = {
  operation: Pick<Operation, 'name'>
  caller: Caller
  entered: Authorization
  objectId: string | null
  detail: object | null
}
