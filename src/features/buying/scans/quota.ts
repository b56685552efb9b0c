import { sql } from 'kysely'
import { conflict } from '../../../core/define/failure.ts'
import type { Database } from '../../../core/define/operation.ts'
import { today } from '../../../core/values/day.ts'
import { capsOf } from '../../company/settings/settings.ts'

export type Allowance = { period: string; limit: number }

/** The month that a scan counts in, in the time zone of the organization, and how many scans its plan allows. */
export const allowanceOf = ({ timezone, plan }: { timezone: string; plan: string | null }, now: Date): Allowance => ({
  period: today(now, timezone).slice(0, 7),
  limit: capsOf(plan ?? 'FREE').scansPerMonth,
})

/** Refuses before any work is done. An attachment that was charged already may be read again. */
export async function refuseWithoutQuota(db: Database, attachmentId: string, { period, limit }: Allowance) {
  const { rows } = await sql<{ used: number; isCharged: boolean }>`select
      coalesce((select u.used from scan_usage u where u.period = ${period}), 0) as used,
      exists (select from scans s where s.attachment_id = ${attachmentId}::uuid and s.charged_period is not null) as is_charged`.execute(
    db,
  )
  if (rows[0] && !rows[0].isCharged && rows[0].used >= limit) throw exceeded({ period, limit })
}

/** Counts a successful scan, once for each attachment (INV-17). */
export async function charge(db: Database, attachmentId: string, { period, limit }: Allowance) {
  const { rows } = await sql<{ isCharged: boolean }>`
    select charge_scan(${attachmentId}::uuid, ${period}, ${limit}::integer) as is_charged`.execute(db)
  if (!rows[0]?.isCharged) throw exceeded({ period, limit })
}

const exceeded = ({ period, limit }: Allowance) =>
  conflict(
    `All ${limit} scans of ${period} are used. Enter the values by hand, or scan again next month.`,
    'SCAN_QUOTA',
  )
