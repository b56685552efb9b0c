import { type Job, job } from '../core/define/job.ts'
import { scheduleEvents } from '../core/define/schedule.ts'
import { Type } from '../core/define/schema.ts'
import { jobOf, type Subscriber } from '../core/define/subscriber.ts'
import type { Connection } from '../db/wire/connection.ts'

/** Events fired in one transaction: few enough that it takes seconds even on a busy machine, and locks no row for longer. */
const batchSize = 250

/**
 * Fires the schedule events of every organization whose period (hour, day, week, month in its time zone) has begun since
 * the last run, if a subscriber wants them. Running it twice, late or in two workers at once fires nothing twice: a mark
 * per organization records what was fired, and all times come from the database.
 */
export const tickClock = (subscribers: readonly Subscriber[]): Job =>
  job('tick-clock', Type.Object({}, { additionalProperties: true }), async ({ tx, signal }) => {
    for (const { type } of scheduleEvents) {
      let due = batchSize
      while (due === batchSize && !signal.aborted) {
        due = (await tx(({ connection }) => fireDue(connection, { type, subscribers }))).due
      }
    }
  })

type FireRequest = {
  type: string
  subscribers: readonly Subscriber[]
  /** For tests; the database's own time unless given. */
  now?: string
}

/** Fires the due events of one type, at most a batch. Returns how many were due and how many of them this call fired. */
export async function fireDue(connection: Connection, { type, subscribers, now }: FireRequest): Promise<Fired> {
  const interested = subscribers.filter(({ on }) => on.includes(type))
  if (interested.length === 0) return { due: 0, fired: 0 }
  const { rows } = await connection.query(dueText(interested), [type, now, interested.map(jobOf), batchSize])
  return rows[0] as Fired
}

export type Fired = { due: number; fired: number }

/** A subscriber without `wants` gets the events of every organization, from its creation on. */
const allOrganizations = 'select id as organization_id, created_at as since from organizations'

/** The period is computed once per time zone, not once per organization: there are few time zones. */
const dueText = (interested: readonly Subscriber[]) => `
  with clock as materialized (select $1::text as type, coalesce($2::timestamptz, now()) as moment),
  wanted as (${interested
    .map(
      ({ wants = allOrganizations }, n) =>
        `select organization_id, since, ($3::text[])[${n + 1}] as job from (${wants}) w`,
    )
    .join(' union all ')}),
  zones as materialized (
    select z.timezone, c.type, c.moment, p.* from clock c, (select distinct timezone from organizations) z,
      schedule_period(c.type, z.timezone, c.moment) p),
  due as (
    select o.id, z.*, coalesce(array_agg(distinct w.job) filter (where w.job is not null), '{}') as jobs
    from wanted w join organizations o on o.id = w.organization_id join zones z on z.timezone = o.timezone
    left join schedule_marks m on m.organization_id = o.id and m.type = z.type
    where z.starts_at > greatest(w.since, m.starts_at)
      and (z.type = 'schedule.hourly' or m.period is null or z.period > m.period)
    group by o.id, z.timezone, z.type, z.moment, z.period, z.local_date, z.starts_at
    order by o.id limit $4)
  select count(*)::int as due,
    count(*) filter (where fire_schedule(id, type, timezone, period, local_date, starts_at, jobs, moment))::int as fired
  from due`
