import type { Connection } from '../../db/wire/connection.ts'
import type { Cause, Event } from '../define/event.ts'
import { newId } from '../values/id.ts'
import { toJson } from './serialize.ts'

// Events and jobs, written in the transaction of what happened. (audit.ts writes the audit rows.)

export type EventOptions = {
  cause: Cause
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
  { cause, subscriberJobs, traceparent }: EventOptions,
): Promise<unknown> {
  const id = newId()
  const values = [id, type, toJson(schema, payload), cause]
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

/** A queued job: its payload, the number of the attempt, and the trace it belongs to. */
export type QueuedJob = {
  payload: object
  attempt: number
  /** Attempts that ended with a lost connection; they are counted separately, because the job did not cause them. */
  lost?: number | undefined
  traceparent?: string | undefined
}

/** The JSON in the queue: the bare payload, or an envelope if there is more to store than the payload. */
export function toEnvelope({ payload, attempt, lost, traceparent }: QueuedJob): object {
  if (attempt === 1 && lost === undefined && traceparent === undefined) return payload
  return { $order: { payload, attempt, ...(lost && { lost }), ...(traceparent !== undefined && { traceparent }) } }
}

export const fromEnvelope = (given: unknown): QueuedJob =>
  given !== null && typeof given === 'object' && '$order' in given
    ? (given.$order as QueuedJob) // only toEnvelope writes it
    : { payload: given as object, attempt: 1 }
