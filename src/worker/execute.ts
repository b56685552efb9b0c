import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from '../core/define/failure.ts'
import { type Job, type JobContext, type JobInside, retryDelayMs } from '../core/define/job.ts'
import { check } from '../core/define/validate.ts'
import type { JobOutcome } from '../core/observe/metrics.ts'
import { confineStatement } from '../core/run/authorize.ts'
import { sendWithoutWaiting, withConnection } from '../core/run/connection.ts'
import { isLost, violates } from '../core/run/errors.ts'
import { fromEnvelope, type QueuedJob, toEnvelope } from '../core/run/job-envelope.ts'
import { record } from '../core/run/record.ts'
import { newId } from '../core/values/id.ts'
import type { SendStatement } from '../db/connection.ts'
import type { BorrowedConnection } from '../db/pool.ts'
import { createFairShare } from './fair-share.ts'
import type { WorkerDependencies } from './worker.ts'

/** A job as the queue hands it out; its attempt is the fencing token. */
export type FetchedJob = { id: string; attempts: number; locked_by: string | null; flags: Record<string, true> | null }

/** This worker was taken for dead and somebody else has the job now: whatever it did is rolled back. */
class Superseded extends Error {
  constructor() {
    super(superseded)
  }
}
export const superseded = 'Somebody else has this job now.'

/** The worker ends in good order: what can stop early does, and is done or tried again as ever. */
class Stopping extends Error {}

/** Runs jobs, each in its organization, and no more of one organization's than its share. */
export function createExecutor(ground: WorkerDependencies, share: number) {
  const gate = createFairShare(share)
  const underWay = new Set<string>()
  let life = new AbortController()

  return {
    /** Flags of the organizations that have their share under way already. */
    busyOrganizations: () => gate.full(),

    /** The jobs that this worker knows it has. */
    underWay: () => [...underWay],

    /** Taken for dead: what is under way is told to stop; its writes would be refused anyway. */
    abandon() {
      life.abort(new Superseded())
      life = new AbortController()
    },

    /** The worker is about to stop: long work may end where it is. */
    windDown: () => life.abort(new Stopping('The worker is stopping.')),

    async execute(job: Job, given: unknown, ticket: FetchedJob) {
      const flag = Object.keys(ticket.flags ?? {}).find((each) => each.startsWith('organization:'))
      const organizationId = flag?.slice('organization:'.length) ?? null
      const run = () => attempt(ground, job, { given, ticket, organizationId, signal: life.signal })
      underWay.add(ticket.id)
      try {
        await (flag ? gate.through(flag, run) : run())
      } finally {
        underWay.delete(ticket.id)
      }
    },
  }
}

type Attempt = { given: unknown; ticket: FetchedJob; organizationId: string | null; signal: AbortSignal }

/** Tells the meter and the trace how it went; both know the job by its name alone. */
async function attempt(ground: WorkerDependencies, job: Job, given: Attempt) {
  const order = fromEnvelope(given.given)
  const span = ground.tracer?.begin({
    name: `job ${job.name}`,
    kind: 'job',
    parent: order.traceparent,
    facts: { 'kontor.job': job.name, 'kontor.attempt': order.attempt, 'kontor.request_id': `job:${given.ticket.id}` },
  })
  const began = performance.now()
  let outcome: JobOutcome = 'abandoned'
  try {
    outcome = await carryOut({ ground, job, ...given, traceparent: span?.traceparent ?? order.traceparent }, order)
  } finally {
    ground.meter?.worked({ name: job.name, outcome, seconds: (performance.now() - began) / 1000 })
    span?.note({ 'kontor.outcome': outcome })
    span?.end({ failed: outcome !== 'done' })
  }
}

async function carryOut(place: Place, order: QueuedJob): Promise<JobOutcome> {
  const { ground, job, organizationId, signal } = place
  const { payload, attempt } = order
  let ended = false
  const context: JobContext = {
    ...ground.services,
    ...ground.providers,
    organizationId,
    attempt,
    signal,
    tx: (work) => within(place, work),
    async once(work) {
      const result = await within(place, work, finish)
      ended = true
      return result
    },
    async endThrough(ask) {
      await finishThrough(ask, place.ticket)
      return () => {
        ended = true
      }
    },
  }
  try {
    check(job.payload, structuredClone(payload))
    await job.run(context, payload as never)
    if (!ended)
      await whenReachable(signal, () => withConnection(ground.system, true, (lent) => finish(lent, place.ticket)))
    return 'done'
  } catch (error) {
    // Thrown on, not swallowed: what returns is completed by its id alone, and by now the job may be somebody else's.
    if (error instanceof Superseded || isTakenForDead(signal)) throw error
    return await whenReachable(signal, () => giveUpOrRetry(place, order, error))
  }
}

const isTakenForDead = ({ reason }: AbortSignal) => reason instanceof Superseded

const pauseMs = 1_000

/**
 * The end of a job is written however long the database is away: graphile-worker would try once, and the job stay locked
 * by a worker that lives and does nothing about it. If the end was written and only the answer lost, the job is gone, and
 * `finish` says so.
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

type Place = Omit<Attempt, 'given'> & { ground: WorkerDependencies; job: Job; traceparent: string | undefined }

/** A transaction of a job: confined to its organization, or the product's own when it has none. */
function within<T>(place: Place, work: (inside: JobInside) => Promise<T>, ending?: typeof finish): Promise<T> {
  const { ground, organizationId } = place
  return withConnection(organizationId ? ground.confined : ground.system, true, async (lent) => {
    if (organizationId) sendWithoutWaiting(lent.connection.query(confineStatement, ['', organizationId]))
    if (ending) await ending(lent, place.ticket)
    return work(inside(place, lent))
  })
}

/** Ends the job in this transaction, if it is still ours. */
const finish = ({ connection }: BorrowedConnection, ticket: FetchedJob) => finishThrough(connection.ask, ticket)

async function finishThrough(ask: SendStatement, { id, locked_by: poolId, attempts }: FetchedJob) {
  await ask('select finish_job($1, $2, $3)', [id, poolId, attempts]).catch((error) => {
    throw violates(error, 'job_superseded') ? new Superseded() : error
  })
}

function inside({ ground, job, ticket, traceparent }: Place, { connection, db }: BorrowedConnection): JobInside {
  const cause = { source: 'JOB', requestId: `job:${ticket.id}`, userId: null, keyId: null, job: job.name, depth: 1 }
  return {
    ...ground.services,
    db,
    ask: connection.ask,
    connection,
    now: new Date(),
    emit: (event, payload, more) =>
      void sendWithoutWaiting(
        record.event(connection, event, payload, {
          cause: { ...cause, ...more },
          subscriberJobs: ground.subscriberJobs,
          traceparent,
        }),
      ),
    enqueue: (name, payload, when) =>
      void sendWithoutWaiting(record.job(connection, name, payload, { ...when, traceparent })),
  }
}

/** A refusal is final; anything else is tried again after a while, as a new job that commits with the end of this one. */
function giveUpOrRetry(place: Place, order: QueuedJob, error: unknown): Promise<JobOutcome> {
  const { ground, job, organizationId } = place
  const { payload, attempt } = order
  const { delayMs, ...again } = nextAttempt(order, error)
  ground.logError(error, delayMs === undefined ? `${job.name} was given up` : `${job.name} will be tried again`)
  return withConnection(ground.system, true, async (lent) => {
    await finish(lent, place.ticket)
    if (delayMs !== undefined) {
      const retry = JSON.stringify(toEnvelope({ ...order, ...again }))
      const flags = ['retry', ...(organizationId ? [`organization:${organizationId}`] : [])]
      await lent.connection.query(
        `select graphile_worker.add_job($1, $2::json, run_at => now() + make_interval(secs => $3), flags => $4::text[])`,
        [job.name, retry, delayMs / 1000, flags],
      )
      return 'retried'
    }
    await lent.connection.query(
      'insert into failed_jobs (id, organization_id, job, payload, attempts, error) values ($1, $2, $3, $4, $5, $6)',
      [newId(), organizationId, job.name, payload, attempt, error instanceof Error ? error.message : String(error)],
    )
    return 'given_up'
  })
}

/** A job that takes the connection down with it every time is not tried for ever either. */
const lostMax = 20

function nextAttempt({ attempt, lost = 0 }: QueuedJob, error: unknown) {
  if (isLost(error) && lost < lostMax) return { attempt, lost: lost + 1, delayMs: retryDelayMs(1) }
  const final = error instanceof Failure && error.status < 500
  return { attempt: attempt + 1, delayMs: final ? undefined : retryDelayMs(attempt) }
}
