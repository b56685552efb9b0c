import { type Job, type JobInside, job } from './job.ts'
import { one } from './query.ts'
import { Id, Type } from './schema.ts'

/** An event as it was written. */
export type OccurredEvent = {
  id: string
  type: string
  organizationId: string
  payload: unknown
  cause: Cause
  createdAt: string
}

/** Which request, person, key, run or turn made it happen, and how many events lie between. */
export type Cause = {
  source: string
  requestId: string
  userId: string | null
  keyId: string | null
  runId?: string | undefined
  turnId?: string | undefined
  job?: string
  depth: number
}

/** Somebody inside the product who wants to know of events, exactly once each. */
export type Subscriber = {
  name: string
  on: readonly string[]
  /**
   * Where it wants to know of the clock's events (core/define/schedule.ts), so that none is written that nobody reads: a query
   * for `organization_id` and `since`, the moment from which on a new period counts. `$1` is the type of the event.
   * Every organization unless said otherwise.
   */
  wants?: string
  /** Without it the database tells them by itself, with the event (0020_automations.sql), and no job is ordered. */
  run?: (inside: JobInside, event: OccurredEvent) => Promise<void>
}

/** The job that tells a subscriber of one event; what the subscriber does commits with the telling. */
export const subscriberJob = ({ name, run }: Subscriber): Job =>
  job(`tell:${name}`, Type.Object({ eventId: Id }), ({ once }, { eventId }) =>
    once(async (inside) => {
      const event = await one(inside.db.selectFrom('events').selectAll().where('id', '=', eventId), 'event')
      await run?.(inside, event as OccurredEvent)
    }),
  )

/** The name of the job that tells it, if one does. */
export const jobOf = ({ name, run }: Subscriber) => (run ? `tell:${name}` : null)

/** The jobs that an event orders, by its type. */
export function subscriberJobs(subscribers: readonly Subscriber[]): (type: string) => string[] {
  return (type) => subscribers.filter(({ on }) => on.includes(type)).flatMap((each) => jobOf(each) ?? [])
}
