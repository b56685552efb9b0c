import { sql } from 'kysely'
import type { Database, Member } from '../../../../core/define/operation.ts'
import type { Warning } from '../../../../core/define/schema.ts'

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

/** The most steps that the answer to a stop names. */
const interruptedMax = 100

/** The steps of an automation that this transaction interrupted. Their effects outside may have happened. */
export async function interruptedSteps(db: Database, automationId: string): Promise<Warning[]> {
  const steps = await db
    .selectFrom('automationSteps')
    .innerJoin('automationRuns', (join) =>
      join
        .onRef('automationRuns.organizationId', '=', 'automationSteps.organizationId')
        .onRef('automationRuns.id', '=', 'automationSteps.runId'),
    )
    .select(['automationSteps.id', 'automationSteps.runId'])
    .where('automationRuns.automationId', '=', automationId)
    .where('automationRuns.status', '=', 'CANCELLED')
    .where('automationRuns.finishedAt', '>=', sql<string>`now()`) // the beginning of the transaction
    .where('automationSteps.status', '=', 'FAILED')
    .where('automationSteps.error', '=', interruptedText)
    .orderBy('automationRuns.place')
    .orderBy('automationSteps.id')
    .limit(sql.lit(interruptedMax))
    .execute()
  return steps.map(({ id, runId }) => effectUnknown(`runs.${runId}.steps.${id}`))
}

/** The warning that a step was interrupted. */
export const effectUnknown = (path: string): Warning => ({ code: 'EFFECT_UNKNOWN', path, message: interruptedText })
