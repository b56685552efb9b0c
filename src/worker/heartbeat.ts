import { hostname } from 'node:os'
import type { Pool } from '../db/pool.ts'

/** How often a worker shows that it lives, and how long a silence counts as death. */
export type HeartbeatTimes = { beatMs: number; silenceMs: number }
export const usualRhythm: HeartbeatTimes = { beatMs: 10_000, silenceMs: 30_000 }

/**
 * Shows that this worker lives and gives back the jobs of those that do not. graphile-worker alone would wait four
 * hours for a worker that was killed.
 */
export function createHeartbeat(system: Pool, poolId: string, { rhythm, underWay, lost, complain }: Beating) {
  let stopped = false
  let beating: Promise<void> = Promise.resolve()
  let timer: NodeJS.Timeout | undefined

  /** Each statement stands for itself: a round that cannot be finished must not cost the sign of life. */
  async function beat() {
    const statement = (text: string, values: unknown[] = []) =>
      system.use((_, connection) => connection.query(text, values))
    const { rows } = await statement(beatText, [poolId, `${hostname()}:${process.pid}`])
    if (Number(rows[0]?.silentS) * 1000 > rhythm.silenceMs) lost()
    await statement('select requeue_abandoned_jobs(make_interval(secs => $1))', [rhythm.silenceMs / 1000])
    await statement(forgottenText, [poolId, rhythm.silenceMs / 1000, underWay()])
    await statement('select count_job_pressure()')
  }

  /** One beat at a time, however slow the database is. */
  function next() {
    if (stopped) return
    timer = setTimeout(() => {
      beating = beat().catch(complain).finally(next)
    }, rhythm.beatMs)
  }

  return {
    async start() {
      await beat().catch(complain) // a worker that cannot show itself yet does no harm
      next()
    },
    async stop() {
      stopped = true
      clearTimeout(timer)
      await beating
      await system
        .use((_, connection) => connection.query('delete from worker_heartbeats where pool_id = $1', [poolId]))
        .catch(complain)
    },
  }
}

/** How long it was silent is told by the clock that the others judge it by, never by this process's own (FLT-07). */
const beatText = `with before as (select seen_at from worker_heartbeats where pool_id = $1)
  insert into worker_heartbeats (pool_id, process) values ($1, $2)
  on conflict (pool_id) do update set seen_at = now()
  returning coalesce((select extract(epoch from now() - before.seen_at) from before), 0)::float8 as silent_s`

/**
 * A job that this worker fetched without learning of it, because the answer was lost with its connection: it is locked by
 * a worker that lives, so nobody else would ever take it.
 */
const forgottenText = `update graphile_worker._private_jobs set locked_at = null, locked_by = null
  where id = any (array(select id from graphile_worker._private_jobs where locked_by = $1
    and locked_at < now() - make_interval(secs => $2) and id <> all ($3::bigint[]) for update skip locked))`

type Beating = {
  rhythm: HeartbeatTimes
  /** The jobs that the worker knows it has. */
  underWay: () => string[]
  lost: () => void
  complain: (error: unknown) => void
}
