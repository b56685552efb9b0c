import { hostname } from 'node:os'
import type { Pool } from '../db/pool.ts'
import { releaseUnknownJobs } from '../db/queue.ts'

/** How often a worker sends a heartbeat, and after how long without one it counts as dead. */
export type HeartbeatTimes = { intervalMs: number; timeoutMs: number }
export const defaultHeartbeatTimes: HeartbeatTimes = { intervalMs: 10_000, timeoutMs: 30_000 }

/**
 * Sends heartbeats and requeues the jobs of workers that have stopped sending them. graphile-worker alone would wait
 * four hours for a worker that was killed.
 */
export function createHeartbeat(system: Pool, poolId: string, { times, underWay, lost, logError }: HeartbeatOptions) {
  let stopped = false
  let beating: Promise<void> = Promise.resolve()
  let timer: NodeJS.Timeout | undefined

  /** Separate statements, so that a failure of a later one cannot roll back the heartbeat. */
  async function beat() {
    const statement = (text: string, values: unknown[] = []) =>
      system.use((_, connection) => connection.query(text, values))
    const { rows } = await statement(beatText, [poolId, `${hostname()}:${process.pid}`])
    if (Number(rows[0]?.silentS) * 1000 > times.timeoutMs) lost()
    await statement('select requeue_abandoned_jobs(make_interval(secs => $1))', [times.timeoutMs / 1000])
    await statement(releaseUnknownJobs, [poolId, times.timeoutMs / 1000, underWay()])
    await statement('select count_job_pressure()')
  }

  /** The next beat starts after the previous one has ended, however slow the database is. */
  function next() {
    if (stopped) return
    timer = setTimeout(() => {
      beating = beat().catch(logError).finally(next)
    }, times.intervalMs)
  }

  return {
    async start() {
      await beat().catch(logError) // a worker without a heartbeat does no harm
      next()
    },
    async stop() {
      stopped = true
      clearTimeout(timer)
      await beating
      await system
        .use((_, connection) => connection.query('delete from worker_heartbeats where pool_id = $1', [poolId]))
        .catch(logError)
    },
  }
}

/** The silence is measured with the clock of the database, as the other workers do, never with the process's own (FLT-07). */
const beatText = `with before as (select seen_at from worker_heartbeats where pool_id = $1)
  insert into worker_heartbeats (pool_id, process) values ($1, $2)
  on conflict (pool_id) do update set seen_at = now()
  returning coalesce((select extract(epoch from now() - before.seen_at) from before), 0)::float8 as silent_s`

type HeartbeatOptions = {
  times: HeartbeatTimes
  /** The ids of the jobs that the worker is running. */
  underWay: () => string[]
  lost: () => void
  logError: (error: unknown) => void
}
