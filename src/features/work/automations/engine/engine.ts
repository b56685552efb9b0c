import { setTimeout as sleep } from 'node:timers/promises'
import type { Failure } from '../../../../core/define/failure.ts'
import { faultPoint } from '../../../../core/observe/fault-point.ts'
import { sendWithoutWaiting } from '../../../../core/run/connection.ts'
import { isLost, toFailure } from '../../../../core/run/errors.ts'
import { pipeline } from '../../../../db/pipeline.ts'
import type { SendStatement } from '../../../../db/wire/connection.ts'
import { runLimits } from '../automation.ts'
import { joinMarks, visiblePayload } from '../protected-steps.ts'
import { problemSentence } from '../rights.ts'
import { type EndedStep, executeBranches } from './branches.ts'
import type { EngineDependencies, EngineTransaction, StepInfo, StepResult } from './engine-types.ts'
import { executeStep, isInside } from './execute-step.ts'
import { finishRun, recordLater, requeueIfNeeded, type StopReason } from './finish-run.ts'
import { retryAfterMs, turnAfterMs } from './retry.ts'
import {
  advanceRun,
  type ClaimedRun,
  claimRun,
  isClaimLost,
  type NewStep,
  type OwnedRun,
  type RecordedStep,
  readUnclaimedRun,
  type SucceededStep,
  type WrittenStep,
} from './run-record.ts'
import {
  asWritten,
  type Decision,
  decideNext,
  initialState,
  limitExceeded,
  mayWriteLater,
  type ReadyStep,
  type RunState,
  stepKey,
  withExecuted,
  withSucceeded,
} from './run-state.ts'
import { failOrRethrow, finalFailure } from './step-failure.ts'
import { toStored } from './stored-values.ts'

/** What executing a run uses. A job provides it, or a request that waits for the run. */
export type RunContext = EngineDependencies & {
  /**
   * Whether an earlier execution may have been interrupted. Every step is then recorded as RUNNING before it is executed,
   * so that its attempts are counted.
   */
  isRepeated: boolean
  /** The run, if it was read already and had not been claimed. */
  unclaimed?: ClaimedRun | undefined
  /** The last transaction of the execution; it also ends the job. */
  lastTransaction<T>(work: (transaction: EngineTransaction) => Promise<T>): Promise<T>
  /** Ends the job inside a transaction that is still open. The returned function is called after its commit. */
  endThrough(ask: SendStatement): Promise<() => void>
  /** How long the execution may wait before it retries a step; after a longer delay a new job continues the run. */
  maxWaitMs(): number
}

/** What the loop does next: execute a step or several branches, record why the run stops, or nothing more. */
type NextTask = StartedStep | BranchedRun | StoppedRun | { status: 'FINISHED'; afterCommit: () => void }
type BranchedRun = { status: 'BRANCHES'; state: RunState }
type StoppedRun = { status: 'STOPPED'; run: ClaimedRun; reason: StopReason }
type StartedStep = Omit<ReadyStep, 'status'> & {
  status: 'STARTED'
  state: RunState
  /** The step as recorded. Undefined for a step that is recorded only with its result. */
  recorded: RecordedStep | undefined
}

/**
 * Executes a run until it succeeds, fails or has to wait. Each transaction records the result of a step together with the
 * start of the next step or the end of the run. After an interruption, another execution continues from the recorded
 * steps, so replay, retry and recovery all use this loop.
 */
export async function executeRun(context: RunContext, runId: string): Promise<void> {
  const begun = await beginRun(context, runId)
  if (!begun) return
  let { run } = begun
  try {
    let task = await begun.first
    while (task.status === 'STARTED' || task.status === 'BRANCHES') {
      run = task.state.run
      const next = task.status === 'STARTED' ? runStep(context, task) : runBranches(context, task)
      task = await next.catch((error) => stopped(run, failOrRethrow(error)))
    }
    if (task.status === 'FINISHED') task.afterCommit()
    else await stopRun(context, task)
  } catch (error) {
    if (!isClaimLost(error)) throw error
    await context.lastTransaction((transaction) => requeueIfNeeded(transaction, run))
  }
}

type BegunRun = { run: ClaimedRun; first: Promise<NextTask> }

/**
 * Reads a run that was never claimed; its first write claims it. Any other run is claimed in a transaction of its own,
 * because an earlier claimant may be recording a step.
 */
async function beginRun(context: RunContext, runId: string): Promise<BegunRun | undefined> {
  const read = () => context.unclaimed ?? context.read(({ ask }) => readUnclaimedRun(ask, runId))
  const unclaimed = context.isRepeated ? undefined : await read()
  if (unclaimed) {
    const first = firstTask(unclaimed, (state) => continueUnwritten(context, state))
    return { run: unclaimed, first: sendWithoutWaiting(first) }
  }
  return context.tx(async ({ db, ask }) => {
    const run = await claimRun({ db, ask }, runId)
    if (!run) return undefined
    const first = firstTask(run, (state) => recordAndStartNext(context, ask, state))
    return { run, first: sendWithoutWaiting(first) } // sent together with the commit
  })
}

const stopRun = (context: RunContext, { run, reason }: StoppedRun) =>
  context.lastTransaction((transaction) => finishRun(transaction, run, reason))

const stopped = (run: ClaimedRun, reason: StopReason): StoppedRun => ({ status: 'STOPPED', run, reason })

async function firstTask(run: ClaimedRun, start: (state: RunState) => Promise<NextTask>): Promise<NextTask> {
  const { owner, problem, depth } = run
  if (depth > runLimits.depthMax)
    return stopped(run, limitExceeded(`Automations have started each other ${runLimits.depthMax} times in a row`))
  if (!owner) return stopped(run, { status: 'FAILED', noAccess: true, error: problemSentence[problem ?? 'OWNER'] })
  return start(initialState({ ...run, trigger: visiblePayload(run, owner.rights), owner }))
}

/**
 * Records the steps that have ended, and the start of the next step or the end of the run. These are the last statements
 * of a transaction: all of them are sent before the first answer is awaited.
 */
const recordAndStartNext = (context: RunContext, ask: SendStatement, from: RunState, succeeded?: SucceededStep) =>
  recordDecision(context, ask, decideOrFail(context, from), succeeded)

async function recordDecision(
  context: RunContext,
  ask: SendStatement,
  { state, next }: Decision,
  succeeded?: SucceededStep,
): Promise<NextTask> {
  const startsNow = next.status === 'READY' && !isRecordedOnce(context, state, next)
  const newSteps = startsNow ? [...state.unwritten, next.newStep] : state.unwritten
  const writing = advanceRun(ask, state.run, { succeeded, newSteps, finished: next.status === 'SUCCEEDED' })
  const written = asWritten(state)
  switch (next.status) {
    case 'READY': {
      const rows = await writing
      return startsNow
        ? startedStep({ state: written, ...next }, rows)
        : { state: written, recorded: undefined, ...next, status: 'STARTED' }
    }
    case 'SUCCEEDED': {
      const { afterCommit } = await pipeline({ afterCommit: context.endThrough(ask), written: writing })
      return { status: 'FINISHED', afterCommit }
    }
    case 'BRANCHES':
      await writing
      return { status: 'BRANCHES', state: written }
    default:
      await writing
      return stopped(written.run, next)
  }
}

/** Executes independent blocks at the same time, and continues with one step after the other when only one is left. */
async function runBranches(context: RunContext, { state: from }: BranchedRun): Promise<NextTask> {
  const { state, stop } = await executeBranches(context, from, {
    async start(state, ready) {
      const newSteps = [...state.unwritten, ...ready.map(({ newStep }) => newStep)]
      const rows = await context.tx(({ ask }) => advanceRun(ask, state.run, { newSteps, finished: false }))
      const written = asWritten(state)
      return { state: written, started: ready.map((step) => ({ ...step, recorded: recordedStep(step.newStep, rows) })) }
    },
    execute: (state, branch) => runBranch(context, { ...branch, status: 'STARTED', state }),
  })
  return stop ? stopped(state.run, stop) : continueUnwritten(context, state)
}

/** Executes a step while others are being executed: its success is recorded alone. */
async function runBranch(context: RunContext, step: RecordedStart): Promise<EndedStep> {
  const { state, recorded, planned, prepared } = step
  if (recorded.attempt > attemptsMax)
    return { status: 'STOPPED', reason: { status: 'FAILED', step: recorded, error: tooManyAttempts } }
  let succeeded: SucceededStep | undefined
  let writing: Promise<unknown> | undefined
  const record = (ask: SendStatement, result: StepResult) => {
    faultPoint('after-effect-before-record')
    succeeded = afterSuccess(step, result, performance.now()).succeeded
    writing = sendWithoutWaiting(advanceRun(ask, state.run, { succeeded, newSteps: [], finished: false }))
  }
  const recordRead = (result: StepResult) => context.tx(async ({ ask }) => record(ask, result))
  const info = stepInfo(state.run, recorded)
  try {
    await executeStep(context, state.run, { prepared, info, isRecorded: true, record, recordRead, ...planned })
    await writing
  } catch (error) {
    if (isClaimLost(error) || isLost(error)) throw error
    const next = await retryOrFail(context, step, toFailure(error))
    if (next.status === 'STARTED') return runBranch(context, { ...next, recorded: next.recorded ?? recorded })
    return endedBranch(context, next)
  }
  if (!succeeded) throw new Error('The step was executed but not recorded.')
  return { status: 'SUCCEEDED', recorded, succeeded }
}

/** A step that is retried later is recorded as PENDING at once, because other branches go on. */
async function endedBranch(context: RunContext, next: NextTask): Promise<EndedStep> {
  if (next.status !== 'STOPPED') throw new Error('A branch neither succeeded nor stopped.')
  const { run, reason } = next
  if (reason.status !== 'LATER' || !reason.step) return { status: 'STOPPED', reason }
  const { step, afterS } = reason
  await context.tx((transaction) => recordLater(transaction, run, { ...step, waitS: afterS, isAsleep: false }))
  return { status: 'RETRIED', afterS }
}

/** Continues without a write if the next step is recorded only with its result. */
async function continueUnwritten(context: RunContext, from: RunState): Promise<NextTask> {
  const decision = decideOrFail(context, from)
  const { state, next } = decision
  if (next.status === 'READY' && isRecordedOnce(context, state, next) && mayWriteLater(state))
    return { state, recorded: undefined, ...next, status: 'STARTED' }
  const { task } = await context.tx(async ({ ask }) => ({
    task: sendWithoutWaiting(recordDecision(context, ask, decision)), // sent together with the commit
  }))
  return task
}

/**
 * A step that works only in the database is recorded once, with its result: until its transaction commits, it has no
 * effect. A step with effects elsewhere is recorded as RUNNING first, and so is one that was recorded before.
 */
const isRecordedOnce = (
  { isRepeated }: RunContext,
  { recorded }: RunState,
  { planned, prepared, newStep }: ReadyStep,
) => !isRepeated && isInside(planned, prepared) && !recorded.has(stepKey(newStep))

function decideOrFail(context: RunContext, state: RunState): Decision {
  try {
    return decideNext(state, context)
  } catch (error) {
    return { state, next: failOrRethrow(error) }
  }
}

type StartingStep = Omit<ReadyStep, 'status'> & { state: RunState }

function startedStep(step: StartingStep, written: Awaited<ReturnType<typeof advanceRun>>): RecordedStart | StoppedRun {
  const recorded = recordedStep(step.newStep, written)
  if (recorded.attempt > attemptsMax)
    return stopped(step.state.run, { status: 'FAILED', step: recorded, error: tooManyAttempts })
  return { ...step, status: 'STARTED', recorded }
}

function recordedStep(newStep: NewStep, written: readonly WrittenStep[]): RecordedStep {
  const row = written.find((each) => stepKey(each) === stepKey(newStep))
  if (!row) throw new Error('The step that starts was not recorded.')
  return { ...newStep, ...row }
}

type RecordedStart = StartedStep & { recorded: RecordedStep }

/** Stops a step that crashes every worker from being tried forever. */
const attemptsMax = 10
const tooManyAttempts = 'The step was interrupted too often.'

/** Executes a step. Its success is recorded in one transaction with the start of the next step. */
async function runStep(context: RunContext, step: StartedStep): Promise<NextTask> {
  const { state, planned, prepared, newStep, recorded } = step
  const { run } = state
  const startedAt = performance.now()
  let next: Promise<NextTask> | undefined
  const record = (ask: SendStatement, result: StepResult) => {
    faultPoint('after-effect-before-record')
    const { state: after, succeeded } = afterSuccess(step, result, startedAt)
    next = sendWithoutWaiting(recordAndStartNext(context, ask, after, succeeded))
  }
  const recordRead = async (result: StepResult) => {
    if (recorded) await context.tx(async ({ ask }) => record(ask, result))
    else next = sendWithoutWaiting(continueUnwritten(context, afterSuccess(step, result, startedAt).state))
  }
  const info = stepInfo(run, recorded ?? { attempt: 1, ...newStep })
  try {
    await executeStep(context, run, {
      prepared,
      info,
      isRecorded: recorded !== undefined,
      record,
      recordRead,
      ...planned,
    })
  } catch (error) {
    if (isClaimLost(error) || isLost(error)) throw error
    const start = recorded ? { ...step, recorded } : await recordStart(context, step)
    return start.status === 'STARTED' ? retryOrFail(context, start, toFailure(error)) : start
  }
  if (!next) throw new Error('The step was executed but not recorded.')
  return next
}

/** The state after a step succeeded, and what to record of a step that was recorded as RUNNING. */
function afterSuccess({ state, prepared, newStep, recorded }: StartedStep, result: StepResult, startedAt: number) {
  const { feature = prepared.feature, warnings = [] } = result
  const { value: output, isTruncated } = toStored(result.output)
  const succeeded = {
    stepId: newStep.id,
    output,
    isTruncated,
    feature: joinMarks(feature, (recorded ?? newStep).feature),
    ...(warnings.length > 0 && { warnings }),
  }
  if (!recorded) return { state: withExecuted(state, newStep, { startedAt, ...succeeded }) }
  const ended = { ...succeeded, stepId: recorded.id }
  return { state: withSucceeded(state, recorded, ended), succeeded: ended }
}

/** Records a step that failed before it was recorded, so that its attempts are counted. */
async function recordStart(context: RunContext, step: StartedStep): Promise<RecordedStart | StoppedRun> {
  const { state, newStep } = step
  const newSteps = [...state.unwritten, newStep]
  const written = await context.tx(({ ask }) => advanceRun(ask, state.run, { newSteps, finished: false }))
  return startedStep({ ...step, state: asWritten(state) }, written)
}

const stepInfo = (
  { id, token, automationId, automationName, organizationId, depth, owner }: OwnedRun,
  step: Pick<RecordedStep, 'id' | 'blockId' | 'element' | 'attempt'>,
): StepInfo => ({
  stepId: step.id,
  blockId: step.blockId,
  element: step.element,
  attempt: step.attempt,
  token,
  runId: id,
  automationId,
  automationName,
  organizationId,
  depth,
  owner,
})

/** After a failed attempt, or before its turn: waits and starts the step again, leaves it to a later job, or fails the run. */
async function retryOrFail(context: RunContext, step: RecordedStart, failure: Failure): Promise<NextTask> {
  const { state, recorded, prepared } = step
  const { run } = state
  const turnMs = turnAfterMs(failure)
  const delayMs = turnMs ?? retryAfterMs(run, recorded.attempt, failure)
  if (delayMs === undefined) return stopped(run, await finalFailure(context, run, { recorded, failure, prepared }))
  const later = { id: recorded.id, error: failure.message, isTurn: turnMs !== undefined }
  const waitS = delayMs / 1000
  if (delayMs > context.maxWaitMs()) return stopped(run, { status: 'LATER', afterS: waitS, step: later })
  await context.tx((transaction) => recordLater(transaction, run, { ...later, waitS, isAsleep: true }))
  await sleep(delayMs, undefined, { signal: context.signal }).catch(() => {})
  const written = await context.tx(({ ask }) => advanceRun(ask, run, { newSteps: [step.newStep], finished: false }))
  // The time that a step waits its turn does not count.
  return startedStep({ ...step, state: { ...state, deadline: state.deadline + (turnMs ?? 0) } }, written)
}
