import { notify } from '../../notifications/notify.ts'
import { automationFailed, limits } from '../automation.ts'
import type { EngineInside } from './engine-types.ts'
import { type Claimed, enqueueRun, fail, failRun, isHeld } from './run-record.ts'

/** How a drive ends where not all went well: with an order to carry the run on, or with the run. */
export type Ending =
  | { status: 'LATER'; afterS: number; step?: { id: string; error: string; again: boolean } }
  | { status: 'FAILED'; error: string; noAccess?: boolean; step?: { id: string; blockId: string } }

/** Writes the end of a drive down, all of it in one transaction. */
export async function finishRun(inside: EngineInside, run: Claimed, ending: Ending): Promise<void> {
  if (ending.status === 'FAILED') return concludeFailed(inside, run, ending)
  if (ending.step) await fail(inside.ask, run, ending.step)
  await enqueueRun(inside.db, run.id, ending.afterS)
}

/**
 * Leaves a run to whoever carries it on now. If that is nobody, the last step was recorded and only the answer lost: then
 * others go on from there.
 */
export async function requeueRun({ db, ask }: EngineInside, run: Claimed): Promise<void> {
  if (await isHeld(ask, run)) await enqueueRun(db, run.id, 0)
}

async function concludeFailed({ db, ask, emit }: EngineInside, run: Claimed, ending: Ending & { status: 'FAILED' }) {
  const { error, noAccess = false, step } = ending
  if (step) await fail(ask, run, { id: step.id, error, again: false })
  await failRun(ask, run, error)
  const paused = noAccess && (await pause({ db }, run, error))
  // A run that automations started in a long row tells no further one (FLT-20).
  if (run.depth >= limits.depthMax) return
  emit(
    automationFailed,
    {
      id: run.id,
      organizationId: run.organizationId,
      automationId: run.automationId,
      automationName: run.automationName,
      triggerEventId: run.triggerEventId,
      blockId: step?.blockId ?? null,
      error,
      paused,
    },
    { source: 'AUTOMATION', requestId: `run:${run.id}`, userId: run.ownerUserId, runId: run.id, depth: run.depth },
  )
}

/** Takes an automation out of service whose owner lacks the rights for it, and tells those who can mend it. */
async function pause({ db }: Pick<EngineInside, 'db'>, run: Claimed, reason: string): Promise<boolean> {
  const { id, automationId, automationName: name, ownerUserId } = run
  const { numUpdatedRows } = await db
    .updateTable('automations')
    .set({ status: 'PAUSED_NO_ACCESS' })
    .where('id', '=', automationId)
    .where('status', '=', 'ENABLED')
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) return false
  const told = { kind: 'AUTOMATION_PAUSED', data: { automationId, name, runId: id, reason } } as const
  await notify(db, { ...told, to: 'MANAGERS', except: ownerUserId })
  await notify(db, { ...told, to: [ownerUserId] })
  return true
}
