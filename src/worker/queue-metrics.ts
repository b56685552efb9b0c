import type { Figure } from '../core/observe/metrics.ts'
import { sendWithoutWaiting, withConnection } from '../core/run/connection.ts'
import { pipeline } from '../db/pipeline.ts'
import type { Pool } from '../db/pool.ts'
import { jobCounts } from '../db/queue.ts'
import { defaultHeartbeatTimes } from './heartbeat.ts'

const timeoutMs = 1_500
const rowsMax = 100_000

/** The metrics of the queue, read from the tables, so they cover the workers of every process. Bounded by `rowsMax`. */
export async function readQueueMetrics(system: Pool, { times = defaultHeartbeatTimes } = {}): Promise<Figure[]> {
  const { queue, others } = await withConnection(system, true, async ({ connection }) => {
    sendWithoutWaiting(connection.query("select set_config('statement_timeout', $1, true)", [String(timeoutMs)]))
    const { queue, others } = await pipeline({
      queue: connection.query(jobCounts(rowsMax)),
      others: connection.query(otherText, [times.timeoutMs / 1000]),
    })
    return { queue: queue.rows as Queued[], others: others.rows as OtherCount[] }
  })
  const jobs = new Set([...queue.map(({ job }) => job), ...ofKind(others, 'failed').map(({ name }) => name)])
  return [...queueMetrics(queue), ...otherMetrics(others, [...jobs])]
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
type OtherCount = { kind: 'failed' | 'alive' | 'silence' | 'mail'; name: string; value: number }

const otherText = `
  select 'failed' as kind, job as name, count(*)::float8 as value
  from (select job from failed_jobs limit ${rowsMax}) f group by job
  union all
  select 'alive', '', count(*) from worker_heartbeats where seen_at > now() - make_interval(secs => $1)
  union all
  select 'silence', '', extract(epoch from clock_timestamp() - max(seen_at)) from worker_heartbeats having count(*) > 0
  union all
  select 'mail', status, count(*)
  from (select status from mail_deliveries where status <> 'SENT' limit ${rowsMax}) m group by status`

const rowLimitNote = `counted up to ${rowsMax} rows`

const queueMetrics = (queue: Queued[]): Figure[] => [
  {
    name: 'kontor_jobs',
    help: `Jobs in the queue by state (waiting, running, delayed, stuck), ${rowLimitNote}.`,
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

const ofKind = (others: OtherCount[], kind: OtherCount['kind']) => others.filter((row) => row.kind === kind)

function otherMetrics(others: OtherCount[], jobs: string[]): Figure[] {
  const unlabelled = (kind: OtherCount['kind']) =>
    ofKind(others, kind).map(({ value }) => ({ value: Math.max(0, value) }))
  const countOf = (kind: OtherCount['kind'], named: string) =>
    ofKind(others, kind).find(({ name }) => name === named)?.value ?? 0
  return [
    {
      name: 'kontor_jobs_failed',
      help: `Jobs that were given up and are kept for people to look at, ${rowLimitNote}.`,
      samples: jobs.map((job) => ({ labels: { job }, value: countOf('failed', job) })),
    },
    {
      name: 'kontor_workers_alive',
      help: 'Workers with a recent heartbeat.',
      samples: unlabelled('alive'),
    },
    {
      name: 'kontor_worker_heartbeat_age_seconds',
      help: 'Seconds since the last heartbeat of any worker.',
      samples: unlabelled('silence'),
    },
    {
      name: 'kontor_mail_deliveries',
      help: `Mail that waits or could not be delivered, ${rowLimitNote}.`,
      samples: ['QUEUED', 'FAILED'].map((status) => ({ labels: { status }, value: countOf('mail', status) })),
    },
  ]
}
