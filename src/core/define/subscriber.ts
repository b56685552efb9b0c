import { memoizeText } from '../values/memoize.ts'
import type { Cause } from './event.ts'
import { type Job, type JobInside, job } from './job.ts'
import { one } from './query.ts'
import { Id, Type } from './schema.ts'

/** An event as it is stored. */
export type OccurredEvent = {
  id: string
  type: string
  organizationId: string
  payload: unknown
  cause: Cause
  createdAt: string
}

/** A part of the product that handles events, each exactly once. */
export type Subscriber = {
  name: string
  on: readonly string[]
  /**
   * The organizations for which it needs schedule events (core/define/schedule.ts), so that no others are written: a query
   * for `organization_id` and `since`, the moment after which a new period counts. `$1` is the type of the event. Every
   * organization unless given.
   */
  wants?: string
  /** Without it a trigger of the database handles the event (start_automations), and no job is enqueued. */
  run?: (inside: JobInside, event: OccurredEvent) => Promise<void>
}

/** The job that hands one event to a subscriber; the subscriber's work commits with the end of the job. */
export const subscriberJob = ({ name, run }: Subscriber): Job =>
  job(`tell:${name}`, Type.Object({ eventId: Id }), ({ once }, { eventId }) =>
    once(async (inside) => {
      const event = await one(inside.db.selectFrom('events').selectAll().where('id', '=', eventId), 'event')
      await run?.(inside, event as OccurredEvent)
    }),
  )

/** The name of the subscriber's job, if it has one. */
export const jobOf = ({ name, run }: Subscriber) => (run ? `tell:${name}` : null)

/** The jobs to enqueue for an event, by its type. */
export function subscriberJobs(subscribers: readonly Subscriber[]): (type: string) => string[] {
  return memoizeText((type) => subscribers.filter(({ on }) => on.includes(type)).flatMap((each) => jobOf(each) ?? []))
}
