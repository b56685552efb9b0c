import { sql } from 'kysely'
import type { Database, Member } from '../../core/define/operation.ts'

/** The error of a step that was being carried out when its run was cancelled. */
export const interruptedText =
  'The run was cancelled while this step was carried out. What it does outside, such as a webhook or a message, may have happened.'

type Cancelled = { automationId: string; runId?: string; by: Member }

/**
 * Cancels one RUNNING run of an automation, or all of them, and returns how many. Steps that wait are SKIPPED and steps that
 * are carried out are FAILED. A worker that executes one of the runs can no longer write to it (INV-13), and stops.
 */
export async function cancelRuns(db: Database, { automationId, runId, by }: Cancelled): Promise<number> {
  const person = await db.selectFrom('users').select('name').where('id', '=', by.userId).executeTakeFirst()
  const name = person?.name || 'a member'
  const reason = runId ? `Cancelled by ${name}.` : `Cancelled by ${name}, who stopped the automation.`
  const { rows } = await sql<{ cancelled: number }>`
    select cancel_runs(${automationId}, ${runId ?? null}::uuid, ${reason}, ${interruptedText}) as cancelled`.execute(db)
  return rows[0]?.cancelled ?? 0
}
