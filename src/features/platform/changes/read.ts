import { sql } from 'kysely'
import type { Database } from '../../../core/define/operation.ts'
import type { Cursor } from './cursor.ts'
import type { ChangeKind, ResourceName } from './resources.ts'

/** A row of what changed. `name` is an operation of the audit log, or a resource. */
export type ChangeRow = {
  source: 'CALL' | 'PRODUCT' | 'RUN'
  name: string
  change: ChangeKind | null
  objectId: string | null
  userId: string | null
  requestId: string | null
  at: string
}

/** With more changes than this, a client reads everything again instead. */
export const changesMax = 500
export const runsMax = 100

/** A transaction may have begun so long before it became visible: a call has 11 s, and a job ends sooner than this. */
const longestTransaction = '2 minutes'

type Now = { readAt: number; xmin: string; xmax: string; running: string[] }

/** Where reading begins if nothing was read before. */
export async function cursorNow(db: Database): Promise<Cursor> {
  const { rows } = await sql<Now>`${nowColumns}`.execute(db)
  return toCursor(rows[0])
}

const nowColumns = sql`select floor(extract(epoch from now()) * 1000)::float8 as read_at,
  pg_snapshot_xmin(s.seen)::text as xmin, pg_snapshot_xmax(s.seen)::text as xmax,
  array(select x::text from pg_snapshot_xip(s.seen) x) as running
  from (select pg_current_snapshot() as seen) s`

function toCursor(now: Now | undefined): Cursor {
  if (!now) throw new Error('PostgreSQL returned no snapshot.')
  return { readAt: now.readAt, xmin: BigInt(now.xmin), xmax: BigInt(now.xmax), running: now.running.map(BigInt) }
}

/** What became visible since the cursor, and the cursor of now: one statement, so that both see the same. */
export async function changesSince(db: Database, { readAt, xmax, running }: Cursor) {
  const since = sql`to_timestamp(${readAt}::float8 / 1000) - interval '${sql.raw(longestTransaction)}'`
  const wasUnseen = (row: string) =>
    sql`(${fullId(row)} >= ${String(xmax)}::bigint or ${fullId(row)} = any (${running.map(String)}::bigint[]))`
  const { rows } = await sql<Partial<ChangeRow> & { now: Now | null }>`
    with now as materialized (${nowColumns})
    select 'NOW' as source, null as name, null as change, null as object_id, null::uuid as user_id, null as request_id,
      null::timestamptz as at, jsonb_build_object('readAt', n.read_at, 'xmin', n.xmin, 'xmax', n.xmax, 'running', n.running) as now
    from now n
    union all
    select * from (select 'CALL', a.operation, null, a.object_id, a.user_id, a.request_id, a.created_at, null::jsonb
      from audit_log a, now n
      where a.organization_id = current_organization() and a.created_at >= ${since} and ${wasUnseen('a')}
      order by a.created_at, a.id limit ${sql.lit(changesMax + 1)}) calls
    union all
    select * from (select 'PRODUCT', c.resource, c.change, c.object_id::text, c.user_id, null, c.created_at, null::jsonb
      from changes c, now n
      where c.organization_id = current_organization() and c.created_at >= ${since} and ${wasUnseen('c')}
        and (c.user_id is null or c.user_id = current_person())
      order by c.created_at limit ${sql.lit(changesMax + 1)}) made
    union all
    select * from (select 'RUN', ${'automation_runs' satisfies ResourceName}, 'updated', r.id::text, null::uuid, null, now(), null::jsonb
      from automation_runs r, now n
      where r.organization_id = current_organization() and r.status = 'RUNNING' and (${wasUnseen('r')} or exists (
        select from automation_steps s where s.organization_id = r.organization_id and s.run_id = r.id and ${wasUnseen('s')}))
      limit ${sql.lit(runsMax + 1)}) runs`.execute(db)
  const [first, ...changes] = rows
  return { now: toCursor(first?.now ?? undefined), changes: changes as ChangeRow[] }
}

/**
 * The whole number of the transaction that wrote a row. The row has its lower half only; transactions of rows that are read
 * here are recent, so the upper half is that of the next transaction or the one before.
 */
function fullId(row: string) {
  const lower = sql`${sql.ref(`${row}.xmin`)}::text::bigint`
  const next = sql`n.xmax::bigint`
  const sameHalf = sql`((${next} >> 32) << 32) + ${lower}`
  return sql`case when ${sameHalf} < ${next} then ${sameHalf} else ${sameHalf} - 4294967296 end`
}
