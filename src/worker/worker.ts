import { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { type JobHelpers, Logger, run, type WorkerEvents } from 'graphile-worker'
import type pg from 'pg'
import type { Job } from '../core/define/job.ts'
import type { Providers, Services } from '../core/define/services.ts'
import type { Metrics } from '../core/observe/metrics.ts'
import type { Tracer } from '../core/observe/tracing.ts'
import { sendWithoutWaiting } from '../core/run/connection.ts'
import { isLost } from '../core/run/errors.ts'
import type { Pool } from '../db/pool.ts'
import { createExecutor, superseded } from './execute.ts'
import { createHeartbeat, type HeartbeatTimes, usualRhythm } from './heartbeat.ts'

/** What a worker stands on. */
export type WorkerDependencies = {
  jobs: readonly Job[]
  /** What is done by the clock, as graphile-worker reads it. */
  crontab?: string
  /** Connections in the role that row security holds for. */
  confined: Pool
  system: Pool
  /** Which jobs an event orders. */
  subscriberJobs: (type: string) => string[]
  services: Services
  providers: Providers
  complain: (error: unknown, what: string) => void
  concurrency?: number
  rhythm?: HeartbeatTimes
  meter?: Metrics
  tracer?: Tracer | undefined
}

export type Worker = { stop(): Promise<void> }

/** At most so much of one organization's work at a time, so that the others get their turn. */
const perOrganizationMax = 4

/** Does the jobs of the queue until it is stopped; then lets what is under way finish. */
export async function startWorker(pool: pg.Pool, ground: WorkerDependencies): Promise<Worker> {
  const { concurrency = 8, rhythm = usualRhythm, complain } = ground
  const executor = createExecutor(ground, Math.min(perOrganizationMax, Math.max(1, concurrency - 1)))
  const { runner, poolId } = await persistently(() => startRunner(pool, { ...ground, concurrency }, executor), complain)
  const heartbeat = createHeartbeat(ground.system, poolId, {
    rhythm,
    underWay: () => executor.underWay(),
    lost() {
      complain(new Error('The worker was silent for too long: others have its jobs now.'), 'heartbeat')
      executor.abandon()
    },
    complain: (error) => complain(error, 'heartbeat'),
  })
  await heartbeat.start()
  return {
    async stop() {
      executor.windDown()
      await runner.stop()
      await heartbeat.stop()
    },
  }
}

type Ready = WorkerDependencies & { concurrency: number }

/**
 * Starts graphile-worker and answers after its first look at the queue. A first look that fails it remembers for good:
 * every later one would fail the same way, so such a runner is stopped.
 */
async function startRunner(pool: pg.Pool, ground: Ready, executor: ReturnType<typeof createExecutor>) {
  const { jobs, crontab = '', concurrency, complain } = ground
  const events: WorkerEvents = new EventEmitter()
  const named = new Promise<string>((resolve) => events.once('pool:create', ({ workerPool }) => resolve(workerPool.id)))
  const looked = sendWithoutWaiting(firstLook(events))
  const runner = await run({
    pgPool: pool,
    concurrency,
    pollInterval: 2_000,
    noHandleSignals: true,
    crontab,
    events,
    logger: new Logger(() => (level, message) => {
      // A job that went to another worker is nobody's trouble; that this one was silent is told once, by its heartbeat.
      if (level === 'error' && !message.includes(superseded)) complain(new Error(message), 'queue')
    }),
    forbiddenFlags: () => executor.busyOrganizations(),
    taskList: Object.fromEntries(
      jobs.map((job) => [
        job.name,
        (payload: unknown, { job: ticket }: JobHelpers) => executor.execute(job, payload, ticket),
      ]),
    ),
  })
  runner.promise.catch((error) => complain(error, 'queue'))
  try {
    await looked
    return { runner, poolId: await named }
  } catch (error) {
    await runner.stop()
    throw error
  }
}

const firstLook = (events: WorkerEvents): Promise<void> =>
  new Promise((resolve, reject) => {
    events.once('worker:getJob:empty', () => resolve())
    events.once('job:start', () => resolve())
    events.once('worker:getJob:error', ({ error }) => reject(error))
  })

const tries = 10
const pauseMs = 1_000

/** The database may be busy or starting at that very moment. */
async function persistently<T>(work: () => Promise<T>, complain: WorkerDependencies['complain']): Promise<T> {
  for (let left = tries - 1; ; left--) {
    try {
      return await work()
    } catch (error) {
      if (left === 0 || !isLost(error)) throw error
      complain(error, 'The queue cannot be reached yet')
      await sleep(pauseMs)
    }
  }
}
