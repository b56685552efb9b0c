import { sql } from 'kysely'
import { notify } from '../../../company/notifications/notify.ts'
import { automationFailed, runLimits } from '../automation.ts'
import type { EngineTransaction } from './engine-types.ts'
import {
  type ClaimedRun,
  enqueueRun,
  failRun,
  failStep,
  hasJob,
  isRunning,
  isStillClaimed,
  makeStepWait,
} from './run-record.ts'

/** Why an execution stops before the run has succeeded: the run continues later, or it failed. */
export type StopReason =
  | { status: 'LATER'; afterS: number; step?: LaterStep }
  | { status: 'FAILED'; error: string; noAccess?: boolean; step?: { id: string; blockId: string } }

/** A step that is tried again later: after a failed attempt, or when its turn has come. */
type LaterStep = { id: string; error: string; isTurn: boolean }

/** Records why the execution stops: enqueues the run again, or ends it as FAILED. */
export async function finishRun(transaction: EngineTransaction, run: ClaimedRun, stop: StopReason): Promise<void> {
  if (stop.status === 'FAILED') return recordFailure(transaction, run, stop)
  if (stop.step) await recordLater(transaction, run, { waitS: stop.afterS, isAsleep: false, ...stop.step })
  await enqueueRun(transaction.db, run.id, stop.afterS)
}

/** Records that a step is tried again. `isAsleep` if this execution does it, after a pause. */
export const recordLater = (
  { ask }: Pick<EngineTransaction, 'ask'>,
  run: ClaimedRun,
  { isTurn, ...step }: LaterStep & { waitS: number; isAsleep: boolean },
): Promise<void> => (isTurn ? makeStepWait(ask, run, step) : failStep(ask, run, { ...step, retry: true }))

/**
 * After a write was refused because the claim seemed lost. If the claim is still valid, the step had been recorded and
 * only the answer was lost, so the run is enqueued to continue. Otherwise the new claimant continues it, if it has a job.
 * It has none if it was taken for dead before it claimed the run, or if it is the same job, whose answer came late.
 */
export async function requeueIfNeeded({ db, ask }: EngineTransaction, run: ClaimedRun): Promise<void> {
  if ((await isStillClaimed(ask, run)) || ((await isRunning(ask, run)) && !(await hasJob(ask, run))))
    await enqueueRun(db, run.id, 0)
}

type RunFailure = StopReason & { status: 'FAILED' }

async function recordFailure({ db, ask, emit }: EngineTransaction, run: ClaimedRun, failure: RunFailure) {
  const { error, noAccess = false, step } = failure
  if (step) await failStep(ask, run, { id: step.id, error, retry: false })
  await failRun(ask, run, error)
  const paused = noAccess && (await pauseAutomation({ db }, run, error))
  if (!paused && run.triggerEventId !== null) await notifyOfFailure({ db }, run, error)
  // At the maximum depth no event is emitted, so that it cannot start another automation (FLT-20).
  if (run.depth >= runLimits.depthMax) return
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

/**
 * Pauses an automation that lacks a right, and notifies the owner and the managers. False if it was not enabled. If the key or
 * app of the graph has ended, all its automations are paused, with one notification that lists them.
 */
async function pauseAutomation(
  { db }: Pick<EngineTransaction, 'db'>,
  run: ClaimedRun,
  reason: string,
): Promise<boolean> {
  const { id, automationId, automationName: name, ownerUserId } = run
  const ended = await sql<{ paused: number }>`select end_credentials_of_run(${id}) as paused`.execute(db)
  if (ended.rows[0]?.paused) return true
  const { numUpdatedRows } = await db
    .updateTable('automations')
    .set({ status: 'PAUSED_NO_ACCESS' })
    .where('id', '=', automationId)
    .where('status', '=', 'ENABLED')
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) return false
  const owner = await ownerOf(db, ownerUserId)
  const data = { automationId, name, runId: id, reason, ...owner }
  const notification = { kind: 'AUTOMATION_PAUSED', data } as const
  await notify(db, { ...notification, to: 'MANAGERS', except: ownerUserId })
  await notify(db, { ...notification, to: [ownerUserId] })
  return true
}

/** Notifies the owner; nobody of a run that a person tried and waits for. */
async function notifyOfFailure({ db }: Pick<EngineTransaction, 'db'>, run: ClaimedRun, error: string): Promise<void> {
  const { id: runId, automationId, automationName: name, ownerUserId } = run
  const reason = error.length > reasonMax ? `${error.slice(0, reasonMax)}…` : error
  await notify(db, { kind: 'AUTOMATION_FAILED', to: [ownerUserId], data: { automationId, name, runId, reason } })
}
const reasonMax = 300

/** Whose role a manager would raise. Nothing if the owner has left. */
async function ownerOf(db: EngineTransaction['db'], userId: string) {
  const found = await db
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'userId')
    .select(['users.name as ownerName', 'role as ownerRole'])
    .where('userId', '=', userId)
    .executeTakeFirst()
  return found ?? {}
}
