import type pg from 'pg'
import type { Figure } from '../core/observe/metrics.ts'
import type { Pool } from '../db/pool.ts'
import type { Backup } from './take-backup.ts'

/** Records a good backup. A database of an earlier version has no table for it, and is backed up all the same. */
export async function recordGood(client: pg.ClientBase, { bytes, manifest }: Backup): Promise<void> {
  const { rows } = await client.query<{ exists: boolean }>(
    "select to_regclass('public.backup_outcomes') is not null as exists",
  )
  if (!rows[0]?.exists) return
  await client.query(
    `insert into backup_outcomes (outcome, ended_at, bytes, missing_files) values ('GOOD', now(), $1, $2)
     on conflict (outcome) do update set ended_at = excluded.ended_at, bytes = excluded.bytes,
       missing_files = excluded.missing_files`,
    [bytes, manifest.stored?.missing ?? null],
  )
}

/** People are notified of a failure once a day. */
const quietHours = 20

/** Records a failure. Returns whether people are to be notified: of the first failure after a good backup, and then daily. */
export async function recordFailure(client: pg.ClientBase, reason: string): Promise<{ isNews: boolean }> {
  const { rows } = await client.query<{ isNews: boolean }>(
    `with before as (select f.notified_at from backup_outcomes f where f.outcome = 'FAILED'
         and f.notified_at > now() - make_interval(hours => $2)
         and not exists (select from backup_outcomes g where g.outcome = 'GOOD' and g.ended_at > f.ended_at))
     insert into backup_outcomes (outcome, ended_at, reason, notified_at) values ('FAILED', now(), $1, now())
     on conflict (outcome) do update set ended_at = excluded.ended_at, reason = excluded.reason,
       notified_at = coalesce((select notified_at from before), excluded.notified_at)
     returning not exists (select from before) as "isNews"`,
    [reason.slice(0, 1_000), quietHours],
  )
  return { isNews: rows[0]?.isNews ?? true }
}

/** When the last good backup ended; null if there was none. */
export async function lastGoodAt(client: pg.ClientBase): Promise<string | null> {
  const { rows } = await client.query<{ at: Date }>("select ended_at as at from backup_outcomes where outcome = 'GOOD'")
  return rows[0]?.at.toISOString() ?? null
}

type Row = { outcome: 'GOOD' | 'FAILED'; atS: number; ageS: number; bytes: number | null; missingFiles: number | null }

/** The metrics of backups, scheduled or taken with `kontor backup`, by any process. */
export async function readBackupMetrics(system: Pool): Promise<Figure[]> {
  const { rows } = await system.use((_, connection) =>
    connection.query(
      `select outcome, extract(epoch from ended_at)::float8 as at_s, bytes::float8 as bytes,
         extract(epoch from clock_timestamp() - ended_at)::float8 as age_s, missing_files::float8 as missing_files
       from backup_outcomes`,
    ),
  )
  const good = (rows as Row[]).find(({ outcome }) => outcome === 'GOOD')
  const failed = (rows as Row[]).find(({ outcome }) => outcome === 'FAILED')
  const isFailing = failed !== undefined && (!good || good.atS < failed.atS)
  const figure = (name: string, help: string, value: number | null | undefined): Figure => ({
    name,
    help,
    samples: value === null || value === undefined ? [] : [{ value }],
  })
  return [
    figure('kontor_backup_last_success_timestamp_seconds', 'When the last good backup ended.', good?.atS),
    figure('kontor_backup_age_seconds', 'Seconds since the last good backup ended.', good && Math.max(0, good.ageS)),
    figure('kontor_backup_size_bytes', 'The size of the last good backup.', good?.bytes),
    figure(
      'kontor_backup_missing_files',
      'Files that the file store did not have when the last good backup was taken.',
      good?.missingFiles,
    ),
    figure('kontor_backup_last_failure_timestamp_seconds', 'When a scheduled backup last failed.', failed?.atS),
    figure(
      'kontor_backup_failing',
      '1 if the last scheduled backup failed and no good one followed.',
      isFailing ? 1 : 0,
    ),
  ]
}
