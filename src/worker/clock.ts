import { type Job, job } from '../core/define/job.ts'
import { scheduleEvents } from '../core/define/schedule.ts'
import { Type } from '../core/define/schema.ts'
import { jobOf, type Subscriber } from '../core/define/subscriber.ts'
import type { Connection } from '../db/connection.ts'

/** Fired in one transaction: seconds even on a busy machine, and no row is held for longer. */
const batch = 1_000

/**
 * Looks at every organization's clock and fires the periods that have begun since the last look, for those organizations
 * that a subscriber wants them in. Running it twice, late or by two workers at once changes nothing: the mark of each
 * organization says what was fired, and all times are the database's.
 */
export const tickClock = (subscribers: readonly Subscriber[]): Job =>
  job('tick-clock', Type.Object({}, { additionalProperties: true }), async ({ tx, signal }) => {
    for (const { type } of scheduleEvents) {
      let due = batch
      while (due === batch && !signal.aborted) {
        due = (await tx(({ connection }) => fireDue(connection, { type, subscribers }))).due
      }
    }
  })

type Firing = {
  type: string
  subscribers: readonly Subscriber[]
  /** For tests; the database's own time unless given. */
  now?: string
}

/** Fires what is due of one cadence, at most a batch: how many were due, and how many of them this call fired. */
export async function fireDue(connection: Connection, { type, subscribers, now }: Firing): Promise<Fired> {
  const wanting = subscribers.filter(({ on }) => on.includes(type))
  if (wanting.length === 0) return { due: 0, fired: 0 }
  const { rows } = await connection.query(dueText(wanting), [type, now, wanting.map(jobOf), batch])
  return rows[0] as Fired
}

export type Fired = { due: number; fired: number }

/** Every organization wants what a subscriber without `wants` listens to, from its first day on. */
const everybody = 'select id as organization_id, created_at as since from organizations'

/** Time zones are few: each is computed once, whatever the number of organizations in it. */
const dueText = (wanting: readonly Subscriber[]) => `
  with clock as materialized (select $1::text as type, coalesce($2::timestamptz, now()) as moment),
  wanted as (${wanting
    .map(({ wants = everybody }, n) => `select organization_id, since, ($3::text[])[${n + 1}] as job from (${wants}) w`)
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
