import { sql } from 'kysely'
import type { Database } from '../../../../core/define/operation.ts'

/**
 * Sets FAILED runs to RUNNING and enqueues them in the given order, to start after `afterS` seconds; returns how many. From
 * now on they also act for the person who does this. Failed steps stay FAILED until they are executed again, because their
 * blocks may have been removed.
 */
export async function reopenRuns(
  db: Database,
  ids: readonly string[],
  { by, afterS }: { by: string; afterS: number },
): Promise<number> {
  if (ids.length === 0) return 0
  const list = sql`${[...ids]}::uuid[]`
  const reopened = await sql`update automation_runs
    set status = 'RUNNING', error = null, finished_at = null, deadline = null, waiting_since = null, token = token + 1,
      started_by = array_append(array_remove(started_by, ${by}::uuid), ${by}::uuid)
    where id = any (${list}) and status = 'FAILED'`.execute(db)
  await sql`update automation_steps set status = 'FAILED', error = coalesce(error, 'The step was interrupted.')
    where run_id = any (${list}) and status in ('PENDING', 'RUNNING')`.execute(db)
  await sql`select enqueue('run-automation', jsonb_build_object('runId', run.id), now() + make_interval(secs => ${afterS}), 'run:' || run.id)
    from unnest(${list}) with ordinality as run (id, place) join automation_runs r on r.id = run.id and r.status = 'RUNNING'
    order by run.place`.execute(db)
  return Number(reopened.numAffectedRows ?? 0)
}
