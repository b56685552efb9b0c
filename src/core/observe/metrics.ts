import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Pool } from '../../db/pool.ts'
import { memoizeText } from '../values/memoize.ts'
import { buildVersion } from './build-version.ts'

/** How an attempt at a job ended; an abandoned one is left to the next worker. */
export type JobOutcome = 'done' | 'retried' | 'given_up' | 'abandoned'

/**
 * The metrics of one process. Labels are names of operations, routes, jobs and limits, whose number is fixed in the code:
 * requests cannot add new ones, and no metric identifies a person (INV-20).
 */
export type Metrics = {
  /** Counts a request; the returned function is called when its response was sent. */
  began(): () => void
  answered(request: { operation: string; status: number | 'aborted'; seconds: number }): void
  /** Counts a refusal by a rate limit. */
  limited(limit: string): void
  /** Counts an outgoing request that the egress rules refused. */
  refusedTarget(refused: { use: string; reason: string }): void
  /** Shows whether a disk has no space left. */
  storageFull(place: 'database' | 'files', isFull: boolean): void
  worked(job: { name: string; outcome: JobOutcome; seconds: number }): void
  /** All metrics in the Prometheus format. */
  page(): Promise<string>
}

export function createMetrics(pools: Record<string, Pool>): Metrics {
  const register = new Registry()
  const registers = [register]
  new Gauge({ name: 'kontor_build_info', help: 'The version that runs.', labelNames: ['version'], registers }).set(
    { version: buildVersion },
    1,
  )
  const requests = new Counter({
    name: 'kontor_http_requests_total',
    help: 'Requests by operation, or method and route where there is none, and class of status.',
    labelNames: ['operation', 'status'],
    registers,
  })
  const requestSeconds = new Histogram({
    name: 'kontor_http_request_duration_seconds',
    help: 'How long requests took, until their answer had gone.',
    labelNames: ['operation'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers,
  })
  const refusals = new Counter({
    name: 'kontor_rate_limited_total',
    help: 'Requests refused with 429, by the limit that refused them.',
    labelNames: ['limit'],
    registers,
  })
  const refusedTargets = new Counter({
    name: 'kontor_egress_refusals_total',
    help: 'Outgoing requests that were refused before a connection, by use and reason.',
    labelNames: ['use', 'reason'],
    registers,
  })
  const jobs = new Counter({
    name: 'kontor_job_attempts_total',
    help: 'Attempts at jobs in this process, by how they ended.',
    labelNames: ['job', 'outcome'],
    registers,
  })
  const jobSeconds = new Histogram({
    name: 'kontor_job_duration_seconds',
    help: 'How long attempts at jobs took in this process.',
    labelNames: ['job'],
    buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60, 300],
    registers,
  })
  const full = new Gauge({
    name: 'kontor_storage_full',
    help: 'Whether the disk of the database or the file store has no space left, so that writes fail.',
    labelNames: ['place'],
    registers,
  })
  for (const place of ['database', 'files']) full.set({ place }, 0)
  let inFlight = 0
  new Gauge({
    name: 'kontor_http_requests_in_flight',
    help: 'Requests under way.',
    registers,
    collect() {
      this.set(inFlight)
    },
  })
  measurePools(pools, register)
  let isWatched = false
  // Looked up once per operation: finding a metric by its labels costs more than counting.
  const secondsOf = memoizeText((operation) => requestSeconds.labels({ operation }))
  const countOf = memoizeText((operation) => memoizeText((status) => requests.labels({ operation, status })))

  return {
    began() {
      inFlight += 1
      return () => {
        inFlight -= 1
      }
    },
    answered({ operation, status, seconds }) {
      countOf(operation)(classOf(status)).inc()
      secondsOf(operation).observe(seconds)
    },
    limited: (limit) => refusals.inc({ limit }),
    storageFull: (place, isFull) => full.set({ place }, isFull ? 1 : 0),
    refusedTarget: ({ use, reason }) => refusedTargets.inc({ use, reason }),
    worked({ name, outcome, seconds }) {
      jobs.inc({ job: name, outcome })
      jobSeconds.observe({ job: name }, seconds)
    },
    async page() {
      if (!isWatched) watchProcess(register)
      isWatched = true
      return (await register.metrics()).replaceAll(/ Nan$/gm, ' NaN') // as the format writes it
    },
  }
}

/** Watches the event loop and the garbage collector from the first reader on, because that has a constant cost. */
function watchProcess(register: Registry) {
  collectDefaultMetrics({ register })
  register.removeSingleMetric('nodejs_eventloop_lag_min_seconds') // says 292 years before its first measurement
}

const classOf = (status: number | 'aborted') => (status === 'aborted' ? status : `${Math.floor(status / 100)}xx`)

function measurePools(pools: Record<string, Pool>, register: Registry) {
  new Gauge({
    name: 'kontor_pool_connections',
    help: 'Connections to the database, by pool: in use (lent), idle, and the maximum (max).',
    labelNames: ['pool', 'state'],
    registers: [register],
    collect() {
      for (const [pool, { raw, open }] of Object.entries(pools)) {
        this.set({ pool, state: 'lent' }, open.total - open.idle)
        this.set({ pool, state: 'idle' }, open.idle)
        this.set({ pool, state: 'max' }, raw.options.max)
      }
    },
  })
  new Gauge({
    name: 'kontor_pool_waiting',
    help: 'How many wait for a connection.',
    labelNames: ['pool'],
    registers: [register],
    collect() {
      for (const [pool, { raw, turns }] of Object.entries(pools))
        this.set({ pool }, raw.waitingCount + (turns?.waiting ?? 0))
    },
  })
}

/** A value read at one moment, such as the length of the queue. */
export type Figure = { name: string; help: string; samples: { labels?: Record<string, string>; value: number }[] }

export function figuresPage(figures: readonly Figure[]): Promise<string> {
  const register = new Registry()
  for (const { name, help, samples } of figures.filter((figure) => figure.samples.length > 0)) {
    const labelNames = [...new Set(samples.flatMap(({ labels = {} }) => Object.keys(labels)))]
    const gauge = new Gauge({ name, help, labelNames, registers: [register] })
    for (const { labels = {}, value } of samples) gauge.set(labels, value)
  }
  return register.metrics()
}

export const pageType = Registry.PROMETHEUS_CONTENT_TYPE
