import { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { type JobHelpers, Logger, run, type WorkerEvents } from 'graphile-worker'
import type pg from 'pg'
import { sendWithoutWaiting } from '../core/run/connection.ts'
import { isLost } from '../core/run/errors.ts'
import { createExecutor, superseded, type WorkerDependencies } from './execute.ts'
import { createHeartbeat, defaultHeartbeatTimes } from './heartbeat.ts'

export type Worker = { stop(): Promise<void> }

/** Jobs of one organization that run at the same time, so that other organizations get their turn. */
const perOrganizationMax = 4

/** Runs the jobs of the queue until it is stopped. Running jobs may then finish. */
export async function startWorker(pool: pg.Pool, dependencies: WorkerDependencies): Promise<Worker> {
  const { concurrency = 8, heartbeatTimes = defaultHeartbeatTimes, logError } = dependencies
  const executor = createExecutor(dependencies, Math.min(perOrganizationMax, Math.max(1, concurrency - 1)))
  const { runner, poolId } = await persistently(
    () => startRunner(pool, { ...dependencies, concurrency }, executor),
    logError,
  )
  const heartbeat = createHeartbeat(dependencies.system, poolId, {
    times: heartbeatTimes,
    underWay: () => executor.underWay(),
    lost() {
      logError(
        new Error('The worker sent no heartbeat for too long, so other workers have taken over its jobs.'),
        'heartbeat',
      )
      executor.abandon()
    },
    logError: (error) => logError(error, 'heartbeat'),
  })
  await heartbeat.start()
  return {
    async stop() {
      executor.windDown()
      await runner.stop()
      await executor.returnSpare()
      await heartbeat.stop()
    },
  }
}

type ReadyDependencies = WorkerDependencies & { concurrency: number }

/**
 * Starts graphile-worker and returns after its first poll of the queue. graphile-worker remembers a first poll that failed,
 * and every later one fails the same way, so such a runner is stopped.
 */
async function startRunner(
  pool: pg.Pool,
  dependencies: ReadyDependencies,
  executor: ReturnType<typeof createExecutor>,
) {
  const { jobs, crontab = '', concurrency, logError } = dependencies
  const events: WorkerEvents = new EventEmitter()
  const poolCreated = new Promise<string>((resolve) =>
    events.once('pool:create', ({ workerPool }) => resolve(workerPool.id)),
  )
  const polled = sendWithoutWaiting(firstPoll(events))
  const runner = await run({
    pgPool: pool,
    concurrency,
    pollInterval: 2_000,
    noHandleSignals: true,
    crontab,
    events,
    logger: new Logger(() => (level, message) => {
      // A job that another worker has taken over is not an error here: the heartbeat logs the cause once.
      if (level === 'error' && !message.includes(superseded)) logError(new Error(message), 'queue')
    }),
    forbiddenFlags: () => executor.busyOrganizations(),
    taskList: Object.fromEntries(
      jobs.map((job) => [
        job.name,
        (payload: unknown, { job: ticket }: JobHelpers) => executor.execute(job, payload, ticket),
      ]),
    ),
  })
  runner.promise.catch((error) => logError(error, 'queue'))
  try {
    await polled
    return { runner, poolId: await poolCreated }
  } catch (error) {
    await runner.stop()
    throw error
  }
}

const firstPoll = (events: WorkerEvents): Promise<void> =>
  new Promise((resolve, reject) => {
    events.once('worker:getJob:empty', () => resolve())
    events.once('job:start', () => resolve())
    events.once('worker:getJob:error', ({ error }) => reject(error))
  })

const attemptsMax = 10
const pauseMs = 1_000

/** Retries, because the database may be busy or starting. */
async function persistently<T>(work: () => Promise<T>, logError: WorkerDependencies['logError']): Promise<T> {
  for (let left = attemptsMax - 1; ; left--) {
    try {
      return await work()
    } catch (error) {
      if (left === 0 || !isLost(error)) throw error
      logError(error, 'The queue cannot be reached yet')
      await sleep(pauseMs)
    }
  }
}
