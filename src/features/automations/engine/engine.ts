import { setTimeout as sleep } from 'node:timers/promises'
import type { Failure } from '../../../core/define/failure.ts'
import { faultPoint } from '../../../core/observe/fault-point.ts'
import { sendWithoutWaiting } from '../../../core/run/connection.ts'
import { isLost, toFailure } from '../../../core/run/errors.ts'
import type { SendStatement } from '../../../db/connection.ts'
import { pipeline } from '../../../db/pipeline.ts'
import { runLimits } from '../automation.ts'
import { problemSentence } from '../rights.ts'
import type { EngineDependencies, EngineTransaction, StepInfo } from './engine-types.ts'
import { executeStep, type RecordSuccess } from './execute-step.ts'
import { finishRun, requeueIfClaimed, type StopReason } from './finish-run.ts'
import { retryAfterMs } from './retry.ts'
import {
  advanceRun,
  type ClaimedRun,
  claimRun,
  failStep,
  isClaimLost,
  type OwnedRun,
  type RecordedStep,
  type SucceededStep,
} from './run-record.ts'
import {
  type Decision,
  decideNext,
  initialState,
  limitExceeded,
  type ReadyStep,
  type RunState,
  stepKey,
  withSucceeded,
} from './run-state.ts'
import { failOrRethrow, finalFailure } from './step-failure.ts'
import { toStored } from './stored-values.ts'

/** What executing a run uses. A job provides it, or a request that waits for the run. */
export type RunContext = EngineDependencies & {
  /** The last transaction of the execution; it also ends the job. */
  lastTransaction<T>(work: (transaction: EngineTransaction) => Promise<T>): Promise<T>
  /** Ends the job inside a transaction that is still open. The returned function is called after its commit. */
  endThrough(ask: SendStatement): Promise<() => void>
  /** How long the execution may wait before it retries a step; after a longer delay a new job continues the run. */
  maxWaitMs(): number
}

/** What the loop does next: execute a step that is recorded as RUNNING, record why it stops, or nothing more. */
type NextTask = StartedStep | StopReason | { status: 'FINISHED'; afterCommit: () => void }
type StartedStep = Omit<ReadyStep, 'status'> & { status: 'STARTED'; state: RunState; recorded: RecordedStep }

/**
 * Executes a run until it succeeds, fails or has to wait. The first transaction claims the run. Each later one records
 * the result of a step together with the start of the next step or the end of the run. After an interruption, another
 * execution continues from the recorded steps, so replay, retry and recovery all use this loop.
 */
export async function executeRun(context: RunContext, runId: string): Promise<void> {
  const claimed = await context.tx(async ({ db, ask }) => {
    const run = await claimRun(db, runId)
    return run && { run, first: sendWithoutWaiting(firstTask(context, ask, run)) } // sent together with the commit
  })
  if (!claimed) return
  const { run } = claimed
  try {
    let task = await claimed.first
    while (task.status === 'STARTED') task = await runStep(context, task).catch(failOrRethrow)
    if (task.status === 'FINISHED') task.afterCommit()
    else await stopRun(context, run, task)
  } catch (error) {
    if (!isClaimLost(error)) throw error
    await context.lastTransaction((transaction) => requeueIfClaimed(transaction, run))
  }
}

const stopRun = (context: RunContext, run: ClaimedRun, stop: StopReason) =>
  context.lastTransaction((transaction) => finishRun(transaction, run, stop))

async function firstTask(context: RunContext, ask: SendStatement, run: ClaimedRun): Promise<NextTask> {
  const { owner, problem, depth } = run
  if (depth > runLimits.depthMax)
    return limitExceeded(`Automations have started each other ${runLimits.depthMax} times in a row`)
  if (!owner) return { status: 'FAILED', noAccess: true, error: problemSentence[problem ?? 'OWNER'] }
  return recordAndStartNext(context, ask, initialState({ ...run, owner }))
}

/**
 * Records the step that succeeded, if any, and the start of the next step or the end of the run. These are the last
 * statements of a transaction: all of them are sent before the first answer is awaited.
 */
async function recordAndStartNext(
  context: RunContext,
  ask: SendStatement,
  from: RunState,
  succeeded?: SucceededStep,
): Promise<NextTask> {
  const { state, immediate, next } = decideOrFail(context, from)
  const newSteps = next.status === 'READY' ? [...immediate, next.newStep] : immediate
  const writing = advanceRun(ask, state.run, { succeeded, newSteps, finished: next.status === 'SUCCEEDED' })
  switch (next.status) {
    case 'READY':
      return startedStep({ ...next, state }, await writing)
    case 'SUCCEEDED': {
      const { afterCommit } = await pipeline({ afterCommit: context.endThrough(ask), written: writing })
      return { status: 'FINISHED', afterCommit }
    }
    default:
      await writing
      return next
  }
}

function decideOrFail(context: RunContext, state: RunState): Decision {
  try {
    return decideNext(state, context)
  } catch (error) {
    return { state, immediate: [], next: failOrRethrow(error) }
  }
}

type StartingStep = Omit<ReadyStep, 'status'> & { state: RunState }

function startedStep(step: StartingStep, written: Awaited<ReturnType<typeof advanceRun>>): NextTask {
  const row = written.find((each) => stepKey(each) === stepKey(step.newStep))
  if (!row) throw new Error('The step that starts was not recorded.')
  const recorded: RecordedStep = { ...step.newStep, ...row }
  if (recorded.attempt > attemptsMax) return { status: 'FAILED', step: recorded, error: tooManyAttempts }
  return { ...step, status: 'STARTED', recorded }
}

/** Stops a step that crashes every worker from being tried forever. */
const attemptsMax = 10
const tooManyAttempts = 'The step was interrupted too often.'

/** Executes a step. Its success is recorded in one transaction with the start of the next step. */
async function runStep(context: RunContext, step: StartedStep): Promise<NextTask> {
  const { state, planned, prepared, recorded } = step
  const { run } = state
  let next: Promise<NextTask> | undefined
  const record: RecordSuccess = (ask, { output, feature = prepared.feature }) => {
    faultPoint('after-effect-before-record')
    const succeeded = {
      stepId: recorded.id,
      output: toStored(output),
      feature: recorded.feature === 'payroll' ? recorded.feature : feature,
    }
    next = sendWithoutWaiting(recordAndStartNext(context, ask, withSucceeded(state, recorded, succeeded), succeeded))
  }
  try {
    await executeStep(context, run, { ...planned, prepared, info: stepInfo(run, recorded), record })
  } catch (error) {
    if (isClaimLost(error) || isLost(error)) throw error
    return retryOrFail(context, step, toFailure(error))
  }
  if (!next) throw new Error('The step was executed but not recorded.')
  return next
}

const stepInfo = (
  { id, automationId, automationName, organizationId, depth, owner }: OwnedRun,
  step: RecordedStep,
): StepInfo => ({
  ...{ stepId: step.id, blockId: step.blockId, element: step.element, attempt: step.attempt },
  ...{ runId: id, automationId, automationName, organizationId, depth, owner },
})

/** After a failed attempt: waits and starts the step again, leaves it to a later job, or fails the run. */
async function retryOrFail(context: RunContext, step: StartedStep, failure: Failure): Promise<NextTask> {
  const { state, recorded, prepared } = step
  const { run } = state
  const delayMs = retryAfterMs(run, recorded.attempt, failure)
  if (delayMs === undefined) return finalFailure(context, run, { recorded, failure, prepared })
  const failed = { id: recorded.id, error: failure.message, retry: true }
  if (delayMs > context.maxWaitMs()) return { status: 'LATER', afterS: delayMs / 1000, step: failed }
  await context.tx(({ ask }) => failStep(ask, run, failed))
  await sleep(delayMs, undefined, { signal: context.signal }).catch(() => {})
  const written = await context.tx(({ ask }) => advanceRun(ask, run, { newSteps: [step.newStep], finished: false }))
  return startedStep(step, written)
}
