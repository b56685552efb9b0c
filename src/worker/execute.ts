import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from '../core/define/failure.ts'
import { type Job, type JobContext, type JobInside, retryDelayMs } from '../core/define/job.ts'
import type { Providers, Services } from '../core/define/services.ts'
import { check } from '../core/define/validate.ts'
import type { FullDisks } from '../core/observe/full-disks.ts'
import type { JobOutcome, Metrics } from '../core/observe/metrics.ts'
import type { Tracer } from '../core/observe/tracing.ts'
import { sendWithoutWaiting, withConnection } from '../core/run/connection.ts'
import { isLost, isOfDatabase, isStorageFull, toFailure, violates } from '../core/run/errors.ts'
import { enqueueJob, fromEnvelope, insertEvent, type QueuedJob, toEnvelope } from '../core/run/record.ts'
import { setContext, setContextOfFlushes } from '../core/run/transaction-context.ts'
import { organizationHolder } from '../core/share/organization-holder.ts'
import { newId } from '../core/values/id.ts'
import type { BorrowedConnection, Pool } from '../db/pool.ts'
import type { SendStatement } from '../db/wire/connection.ts'
import { createFairShare } from './fair-share.ts'
import { createFetchJobs, type FetchedJob, organizationFlag, type Preloaded, type ReadyJob } from './fetch-jobs.ts'
import type { HeartbeatTimes } from './heartbeat.ts'

export type WorkerDependencies = {
  jobs: readonly Job[]
  /** Scheduled jobs, in the crontab format of graphile-worker. */
  crontab?: string
  /** Connections in the role that row security applies to. */
  confined: Pool
  system: Pool
  /** The jobs that an event of this type enqueues. */
  subscriberJobs: (type: string) => string[]
  services: Services
  providers: Providers
  /** `job` says which job failed: the line of a failed job names it. */
  logError: (error: unknown, what: string, job?: FailedJob) => void
  concurrency?: number
  heartbeatTimes?: HeartbeatTimes
  meter?: Metrics
  disks?: FullDisks
  tracer?: Tracer | undefined
  /** Told of an organization in which a job may have changed something. */
  changed?: (organizationId: string) => void
}

export type FailedJob = { job: string; jobId: string; attempt: number; organizationId: string | null }

/** This worker was taken for dead and another has the job now: the transactions of this one are rolled back. */
class Superseded extends Error {
  constructor() {
    super(superseded)
  }
}
export const superseded = 'Somebody else has this job now.'

/** The worker stops in an orderly way: long work ends early, and its job is finished or retried as usual. */
class Stopping extends Error {}

/** Runs jobs, each in its organization, and limits how many of one organization run at the same time. */
export function createExecutor(dependencies: WorkerDependencies, share: number) {
  const gate = createFairShare(share)
  const underWay = new Set<string>()
  let life = new AbortController()

  const queue = createFetchJobs(dependencies.system, dependencies.jobs, () => gate.full())
  let isStopping = false

  async function executeOne({ job, payload, fetched, preloaded }: ReadyJob) {
    const flag = organizationFlag(fetched)
    const organizationId = flag?.slice('organization:'.length) ?? null
    const run = () =>
      attempt(dependencies, job, fromEnvelope(payload), { fetched, preloaded, organizationId, signal: life.signal })
    underWay.add(fetched.id)
    try {
      await (flag ? gate.through(flag, run) : run())
    } finally {
      underWay.delete(fetched.id)
    }
  }

  return {
    /** Flags of the organizations whose share of jobs is running already. */
    busyOrganizations: () => gate.full(),

    /** The ids of the jobs that are running in this worker. */
    underWay: () => [...underWay],

    /** This worker was taken for dead: running jobs are told to stop. Their writes would be refused anyway. */
    abandon() {
      life.abort(new Superseded())
      life = new AbortController()
      void queue.returnSpare()
    },

    /** The worker is about to stop: long work may end early. */
    windDown() {
      isStopping = true
      life.abort(new Stopping('The worker is stopping.'))
    },

    /** Returns the jobs to the queue that were fetched and not started. Called when no slot runs any more. */
    returnSpare: () => queue.returnSpare(),

    /** Runs a job that graphile-worker has fetched, and then the next ones of the queue, as long as there are any. */
    async execute(job: Job, payload: unknown, fetched: FetchedJob) {
      let ready: ReadyJob | undefined = { job, payload, fetched }
      for (let left = jobsInARow; ready; left--) {
        await executeOne(ready)
        ready = left > 1 && !isStopping && fetched.locked_by ? await queue.next(fetched.locked_by) : undefined
      }
    },
  }
}

/** After so many jobs, a slot is returned to graphile-worker, which also has jobs in named queues. */
const jobsInARow = 100

type Attempt = {
  fetched: FetchedJob
  preloaded: Preloaded | undefined
  organizationId: string | null
  signal: AbortSignal
}

/** One attempt at a job, with its outcome recorded in the metrics and the trace; both name the job and nothing else of it. */
async function attempt(dependencies: WorkerDependencies, job: Job, queued: QueuedJob, given: Attempt) {
  const span = dependencies.tracer?.begin({
    name: `job ${job.name}`,
    kind: 'job',
    parent: queued.traceparent,
    facts: {
      'kontor.job': job.name,
      'kontor.attempt': queued.attempt,
      'kontor.request_id': `job:${given.fetched.id}`,
    },
  })
  const began = performance.now()
  let outcome: JobOutcome = 'abandoned'
  try {
    const traceparent = span?.traceparent ?? queued.traceparent
    outcome = await runJob({ dependencies, job, traceparent, ...given }, queued)
  } finally {
    dependencies.meter?.worked({ name: job.name, outcome, seconds: (performance.now() - began) / 1000 })
    span?.note({ 'kontor.outcome': outcome })
    span?.end({ failed: outcome !== 'done' })
  }
}

async function runJob(running: RunningJob, queued: QueuedJob): Promise<JobOutcome> {
  const { dependencies, job, organizationId, signal } = running
  const { payload, attempt } = queued
  let ended = false
  const context: JobContext = {
    organizationId,
    attempt,
    isRepeated: running.fetched.attempts > 1 || attempt > 1 || queued.lost !== undefined,
    interruptions: running.fetched.attempts - 1,
    signal,
    preloaded: recent(running.preloaded),
    read: (work) => withoutTransaction(running, work),
    tx: (work) => inTransaction(running, work),
    async once(work) {
      const result = await inTransaction(running, work, finish)
      ended = true
      return result
    },
    async endThrough(ask) {
      await finishThrough(ask, running.fetched)
      return () => {
        ended = true
      }
    },
    ...dependencies.services,
    ...dependencies.providers,
  }
  try {
    check(job.payload, structuredClone(payload))
    await job.run(context, payload as never)
    if (!ended)
      await whenReachable(signal, () =>
        withConnection(dependencies.system, true, (borrowed) => finish(borrowed, running.fetched)),
      )
    return 'done'
  } catch (error) {
    // Rethrown: graphile-worker completes a job that returns by its id alone, and another worker may have it by now.
    if (error instanceof Superseded || isTakenForDead(signal)) throw error
    if (isStorageFull(error)) dependencies.disks?.found(isOfDatabase(toFailure(error)) ? 'database' : 'files')
    else logFailure(running, queued, error)
    return await whenReachable(signal, () => giveUpOrRetry(running, queued, error))
  }
}

/** What was read for the job when it was fetched. A job that then waited for its turn reads it anew. */
const recent = (preloaded: Preloaded | undefined) =>
  preloaded && performance.now() - preloaded.at < preloadedMaxMs ? preloaded.value : undefined
const preloadedMaxMs = 1_000

const isTakenForDead = ({ reason }: AbortSignal) => reason instanceof Superseded

const pauseMs = 1_000

/**
 * Writes the end of a job even if the database is unavailable for a long time: graphile-worker would try once, and then the
 * job would stay locked by a live worker that does not run it. If the end was written and only the answer was lost, the job
 * is gone, and `finish` fails with `Superseded`.
 */
async function whenReachable<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (signal.aborted || !isLost(error)) throw error
      await sleep(pauseMs)
    }
  }
}

type RunningJob = Attempt & { dependencies: WorkerDependencies; job: Job; traceparent: string | undefined }

/** Reads outside a transaction, in the organization of the job if it has one. */
function withoutTransaction<T>(
  { dependencies, organizationId }: RunningJob,
  work: (reading: Pick<JobInside, 'db' | 'ask' | 'now'>) => Promise<T>,
): Promise<T> {
  return withConnection(organizationId ? dependencies.confined : dependencies.system, false, ({ connection, db }) => {
    if (organizationId) setContextOfFlushes(connection, { organizationId, payroll: 'all' })
    return work({ db, ask: connection.ask, now: new Date() })
  })
}

/** A transaction of a job: confined to its organization, or unconfined if it has none. */
async function inTransaction<T>(
  running: RunningJob,
  work: (inside: JobInside) => Promise<T>,
  ending?: typeof finish,
): Promise<T> {
  const { dependencies, organizationId, fetched } = running
  const steps = async (borrowed: BorrowedConnection) => {
    if (organizationId) setContext(borrowed.connection, { organizationId, payroll: 'all' })
    if (ending) await ending(borrowed, fetched)
    return work(insideOf(running, borrowed))
  }
  if (!organizationId) return withConnection(dependencies.system, true, steps)
  const result = await withConnection(dependencies.confined, true, steps, {
    holder: organizationHolder(organizationId),
  })
  dependencies.changed?.(organizationId)
  return result
}

/** Ends the job in this transaction; fails if another worker has it. */
const finish = ({ connection }: BorrowedConnection, fetched: FetchedJob) => finishThrough(connection.ask, fetched)

async function finishThrough(ask: SendStatement, { id, locked_by: poolId, attempts, key = null }: FetchedJob) {
  await ask('select finish_job($1, $2, $3, $4)', [id, poolId, attempts, key !== null]).catch((error) => {
    throw violates(error, 'job_superseded') ? new Superseded() : error
  })
}

function insideOf(
  { dependencies, job, fetched, traceparent }: RunningJob,
  { connection, db }: BorrowedConnection,
): JobInside {
  const cause = { source: 'JOB', requestId: `job:${fetched.id}`, userId: null, keyId: null, job: job.name, depth: 1 }
  return {
    db,
    ask: connection.ask,
    connection,
    now: new Date(),
    emit: (event, payload, moreCause) =>
      void sendWithoutWaiting(
        insertEvent(connection, event, payload, {
          cause: { ...cause, ...moreCause },
          subscriberJobs: dependencies.subscriberJobs,
          traceparent,
        }),
      ),
    enqueue: (name, payload, when) =>
      void sendWithoutWaiting(enqueueJob(connection, name, payload, { ...when, traceparent })),
    ...dependencies.services,
  }
}

/** One line for each failed attempt, however long the database cannot be reached to write its end. */
function logFailure({ dependencies, job, organizationId, fetched }: RunningJob, queued: QueuedJob, error: unknown) {
  const { delayMs } = nextAttempt(queued, error)
  const what = delayMs === undefined ? `${job.name} was given up` : `${job.name} will be tried again`
  dependencies.logError(error, what, { job: job.name, jobId: fetched.id, attempt: queued.attempt, organizationId })
}

/** A refusal is final. After any other failure the job is retried later, as a new job that commits with the end of this one. */
function giveUpOrRetry(running: RunningJob, queued: QueuedJob, error: unknown): Promise<JobOutcome> {
  const { dependencies, job, organizationId, fetched } = running
  const { payload, attempt } = queued
  const { delayMs, ...next } = nextAttempt(queued, error)
  return withConnection(dependencies.system, true, async (borrowed) => {
    await finish(borrowed, fetched)
    if (delayMs !== undefined) {
      const retry = JSON.stringify(toEnvelope({ ...queued, ...next }))
      const flags = ['retry', ...(organizationId ? [`organization:${organizationId}`] : [])]
      await borrowed.connection.query(
        `select graphile_worker.add_job($1, $2::json, run_at => now() + make_interval(secs => $3), flags => $4::text[])`,
        [job.name, retry, delayMs / 1000, flags],
      )
      return 'retried'
    }
    await borrowed.connection.query(
      'insert into failed_jobs (id, organization_id, job, payload, attempts, error) values ($1, $2, $3, $4, $5, $6)',
      [newId(), organizationId, job.name, payload, attempt, error instanceof Error ? error.message : String(error)],
    )
    return 'given_up'
  })
}

/** After this many lost connections a job is no longer retried: it may be the cause. */
const lostMax = 20

/** While a disk is full, jobs wait: no attempt counts. */
const fullDelayMs = 10_000

function nextAttempt({ attempt, lost = 0 }: QueuedJob, error: unknown) {
  if (isStorageFull(error)) return { attempt, lost, delayMs: fullDelayMs }
  if (isLost(error) && lost < lostMax) return { attempt, lost: lost + 1, delayMs: retryDelayMs(1) }
  const final = error instanceof Failure && error.status < 500 && error.status !== 429
  return { attempt: attempt + 1, delayMs: final ? undefined : retryDelayMs(attempt) }
}
