import type { Connection } from '../../db/connection.ts'
import type { Event } from '../define/event.ts'
import type { Cause } from '../define/subscriber.ts'
import { newId } from '../values/id.ts'
import { toEnvelope } from './job-envelope.ts'
import { toJson } from './serialize.ts'

// Events and jobs, written in the transaction of what happened. (audit.ts writes the audit rows.)

export type EventOptions = {
  cause: Cause
  /** Of the transaction, for a payload without one. */
  organizationId: string | null | undefined
  /** The jobs of the subscribers to an event type. */
  subscriberJobs: (type: string) => string[]
  traceparent?: string | undefined
}

/**
 * Inserts an event and enqueues one job for each of its subscribers. The payload goes through its schema, which drops
 * every field that it does not name.
 */
export function insertEvent(
  connection: Connection,
  { type, payload: schema }: Event,
  payload: unknown,
  { cause, organizationId, subscriberJobs, traceparent }: EventOptions,
): Promise<unknown> {
  const id = newId()
  const values = [id, type, toJson(schema, { organizationId, ...(payload as object) }), cause]
  const inserted = connection.query('insert into events (id, type, payload, cause) values ($1, $2, $3, $4)', values)
  const jobs = subscriberJobs(type)
  if (jobs.length === 0) return inserted
  return Promise.all([inserted, ...jobs.map((job) => enqueueJob(connection, job, { eventId: id }, { traceparent }))])
}

/** Inserts many events of one type: one statement if the type has no subscribers. */
export function insertEvents(
  connection: Connection,
  event: Event,
  payloads: readonly unknown[],
  options: EventOptions,
): Promise<unknown> {
  if (options.subscriberJobs(event.type).length > 0)
    return Promise.all(payloads.map((payload) => insertEvent(connection, event, payload, options)))
  const values = [payloads.map(() => newId()), payloads.map((payload) => toJson(event.payload, payload))]
  return connection.query(
    'insert into events (id, type, payload, cause) select e.id, $3, e.payload, $4 from unnest($1::uuid[], $2::jsonb[]) e (id, payload)',
    [...values, event.type, options.cause],
  )
}

/** `traceparent` is the span in whose trace the job continues. */
type JobOptions = { runAt?: Date; key?: string; traceparent?: string | undefined }

/** Enqueues a job in the organization of the transaction. */
export function enqueueJob(
  connection: Connection,
  job: string,
  payload: object,
  { runAt, key, traceparent }: JobOptions = {},
) {
  const queued = toEnvelope({ payload, attempt: 1, traceparent })
  return connection.query('select enqueue($1, $2, $3, $4)', [job, queued, runAt, key])
}
