import { EventEmitter } from 'node:events'
import { type JobHelpers, Logger, run, type WorkerEvents } from 'graphile-worker'
import type pg from 'pg'
import type { Job } from '../core/job.ts'
import type { Meter } from '../core/meter.ts'
import type { Kept, Providers } from '../core/provided.ts'
import type { Tracer } from '../core/tracer.ts'
import type { Pool } from '../db/pool.ts'
import { createExecutor } from './execute.ts'
import { createHeartbeat, type Rhythm, usualRhythm } from './heartbeat.ts'

/** What a worker stands on. */
export type WorkerGround = {
  jobs: readonly Job[]
  /** What is done by the clock, as graphile-worker reads it. */
  crontab?: string
  /** Connections in the role that row security holds for. */
  confined: Pool
  system: Pool
  /** Which jobs an event orders. */
  tellings: (type: string) => string[]
  kept: Kept
  providers: Providers
  complain: (error: unknown, what: string) => void
  concurrency?: number
  rhythm?: Rhythm
  meter?: Meter
  tracer?: Tracer | undefined
}

export type Worker = { stop(): Promise<void> }

/** At most so much of one organization's work at a time, so that the others get their turn. */
const perOrganizationMax = 4

/** Does the jobs of the queue until it is stopped; then lets what is under way finish. */
export async function startWorker(pool: pg.Pool, ground: WorkerGround): Promise<Worker> {
  const { jobs, crontab = '', concurrency = 8, rhythm = usualRhythm, complain } = ground
  const executor = createExecutor(ground, Math.min(perOrganizationMax, Math.max(1, concurrency - 1)))
  const events: WorkerEvents = new EventEmitter()
  const named = new Promise<string>((resolve) => events.once('pool:create', ({ workerPool }) => resolve(workerPool.id)))
  const runner = await run({
    pgPool: pool,
    concurrency,
    pollInterval: 2_000,
    noHandleSignals: true,
    crontab,
    events,
    logger: new Logger(() => (level, message) => void (level === 'error' && complain(new Error(message), 'queue'))),
    forbiddenFlags: () => executor.busyOrganizations(),
    taskList: Object.fromEntries(
      jobs.map((job) => [
        job.name,
        (payload: unknown, { job: ticket }: JobHelpers) => executor.execute(job, payload, ticket),
      ]),
    ),
  })
  const heartbeat = createHeartbeat(ground.system, await named, {
    rhythm,
    lost: () => executor.abandon(),
    complain: (error) => complain(error, 'heartbeat'),
  })
  await heartbeat.start()
  return {
    async stop() {
      await runner.stop()
      await heartbeat.stop()
    },
  }
}
