import type { Connection } from '../db/connection.ts'
import type { Caller } from './call.ts'
import type { Entered } from './door.ts'
import type { Event } from './event.ts'
import { newId } from './id.ts'
import type { Operation } from './operation.ts'
import { toJson } from './serialize.ts'
import type { Cause } from './subscriber.ts'

/** Rows that the runner writes beside an operation's own, in its transaction. */
export const record = {
  audit(connection: Connection, { operation, caller, entered, objectId }: Deed) {
    return connection.query(
      `insert into audit_log (id, organization_id, user_id, source, api_key_id, session_id, run_id, turn_id, request_id, operation, object_id, client_id)
       values ($1, current_organization(), current_person(), $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
      [
        newId(),
        caller.source,
        entered.keyId,
        entered.sessionId,
        caller.runId,
        caller.turnId,
        caller.requestId,
        operation.name,
        objectId,
        entered.clientId,
      ],
    )
  },

  /**
   * An event and, for each subscriber, the job that tells it: written with what happened. The payload goes through its
   * schema: what the schema does not name does not travel.
   */
  event(connection: Connection, { type, payload: schema }: Event, payload: unknown, { cause, tellings }: Reason) {
    const id = newId()
    const values = [id, type, toJson(schema, payload), cause]
    const written = connection.query('insert into events (id, type, payload, cause) values ($1, $2, $3, $4)', values)
    return Promise.all([written, ...tellings(type).map((job) => record.job(connection, job, { eventId: id }))])
  },

  job(connection: Connection, job: string, payload: object, { runAt, key }: { runAt?: Date; key?: string } = {}) {
    return connection.query('select enqueue($1, $2, $3, $4)', [job, payload, runAt, key])
  },
}

type Deed = { operation: Operation; caller: Caller; entered: Entered; objectId: string | null }
type Reason = { cause: Cause; tellings: (type: string) => string[] }
