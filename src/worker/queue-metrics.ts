import type { Figure } from '../core/observe/metrics.ts'
import { sendWithoutWaiting, withConnection } from '../core/run/connection.ts'
import type { Pool } from '../db/pool.ts'
import { usualRhythm } from './heartbeat.ts'

const timeoutMs = 1_500
const rowsMax = 100_000

/** How the queue stands, whichever process does its work: read from the tables, so many rows at most. */
export async function readFigures(system: Pool, { rhythm = usualRhythm } = {}): Promise<Figure[]> {
  const { queue, rest } = await withConnection(system, true, async ({ connection }) => {
    sendWithoutWaiting(connection.query("select set_config('statement_timeout', $1, true)", [String(timeoutMs)]))
    const read = [connection.query(queueText), connection.query(restText, [rhythm.silenceMs / 1000])]
    const [queue, rest] = await Promise.all(read)
    return { queue: (queue?.rows ?? []) as Queued[], rest: (rest?.rows ?? []) as Rest[] }
  })
  const jobs = new Set([...queue.map(({ job }) => job), ...of(rest, 'failed').map(({ name }) => name)])
  return [...queueFigures(queue), ...restFigures(rest, [...jobs])]
}

type Queued = {
  job: string
  waiting: number
  running: number
  delayed: number
  stuck: number
  retrying: number
  oldestS: number
}
type Rest = { kind: 'failed' | 'alive' | 'silence' | 'mail'; name: string; value: number }

/** Every job that was ever ordered has a line, so that a figure goes to zero and does not vanish. */
const queueText = `
  select t.identifier as job,
    count(*) filter (where j.is_available and j.run_at <= now()) as waiting,
    count(*) filter (where j.locked_at is not null) as running,
    count(*) filter (where j.is_available and j.run_at > now()) as delayed,
    count(*) filter (where not j.is_available and j.locked_at is null) as stuck,
    count(*) filter (where j.flags ? 'retry') as retrying,
    coalesce(extract(epoch from now() - min(j.run_at) filter (where j.is_available and j.run_at <= now())), 0)::float8 as oldest_s
  from graphile_worker._private_tasks t
  left join (select task_id, is_available, run_at, locked_at, flags from graphile_worker._private_jobs limit ${rowsMax}) j
    on j.task_id = t.id
  group by t.identifier`

const restText = `
  select 'failed' as kind, job as name, count(*)::float8 as value
  from (select job from failed_jobs limit ${rowsMax}) f group by job
  union all
  select 'alive', '', count(*) from worker_heartbeats where seen_at > now() - make_interval(secs => $1)
  union all
  select 'silence', '', extract(epoch from clock_timestamp() - max(seen_at)) from worker_heartbeats having count(*) > 0
  union all
  select 'mail', status, count(*)
  from (select status from mail_deliveries where status <> 'SENT' limit ${rowsMax}) m group by status`

const upTo = `counted up to ${rowsMax} rows`

const queueFigures = (queue: Queued[]): Figure[] => [
  {
    name: 'kontor_jobs',
    help: `Jobs in the queue by state (waiting, running, delayed, stuck), ${upTo}.`,
    samples: queue.flatMap(({ job, waiting, running, delayed, stuck }) =>
      Object.entries({ waiting, running, delayed, stuck }).map(([state, value]) => ({ labels: { job, state }, value })),
    ),
  },
  {
    name: 'kontor_jobs_oldest_waiting_seconds',
    help: 'How long the job that has waited longest has been due.',
    samples: queue.map(({ job, oldestS }) => ({ labels: { job }, value: Math.max(0, oldestS) })),
  },
  {
    name: 'kontor_jobs_retrying',
    help: 'Jobs in the queue that have failed before and will be tried again.',
    samples: queue.map(({ job, retrying }) => ({ labels: { job }, value: retrying })),
  },
]

const of = (rest: Rest[], kind: Rest['kind']) => rest.filter((row) => row.kind === kind)

function restFigures(rest: Rest[], jobs: string[]): Figure[] {
  const bare = (kind: Rest['kind']) => of(rest, kind).map(({ value }) => ({ value: Math.max(0, value) }))
  const counted = (kind: Rest['kind'], named: string) => of(rest, kind).find(({ name }) => name === named)?.value ?? 0
  return [
    {
      name: 'kontor_jobs_failed',
      help: `Jobs that were given up and are kept for people to look at, ${upTo}.`,
      samples: jobs.map((job) => ({ labels: { job }, value: counted('failed', job) })),
    },
    { name: 'kontor_workers_alive', help: 'Workers that have lately shown that they live.', samples: bare('alive') },
    {
      name: 'kontor_worker_heartbeat_age_seconds',
      help: 'How long ago any worker last showed that it lives.',
      samples: bare('silence'),
    },
    {
      name: 'kontor_mail_deliveries',
      help: `Mail that waits or could not be delivered, ${upTo}.`,
      samples: ['QUEUED', 'FAILED'].map((status) => ({ labels: { status }, value: counted('mail', status) })),
    },
  ]
}
