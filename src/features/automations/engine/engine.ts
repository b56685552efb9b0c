import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from '../../../core/define/failure.ts'
import { faultPoint } from '../../../core/observe/fault-point.ts'
import { sendWithoutWaiting } from '../../../core/run/connection.ts'
import { isLost, isRetryable, toFailure } from '../../../core/run/errors.ts'
import type { SendStatement } from '../../../db/connection.ts'
import { pipeline } from '../../../db/pipeline.ts'
import { missingRight } from '../actions/action.ts'
import { limits } from '../automation.ts'
import { rightsOf } from '../store.ts'
import type { EngineDependencies, EngineInside, StepInfo } from './engine-types.ts'
import { execute, type Prepared, type Recording } from './execute-step.ts'
import { type Ending, finishRun, requeueRun } from './finish-run.ts'
import { isBusy, retryAfterMs } from './retry.ts'
import {
  advance,
  type Claimed,
  claim,
  type Ended,
  fail,
  isLostRun,
  type OwnedRun,
  type RecordedStep,
} from './run-record.ts'
import {
  keyOf,
  limited,
  type Move,
  nextMove,
  type ReadyStep,
  type RunState,
  recording,
  runStateOf,
} from './run-state.ts'
import { toStored } from './stored-values.ts'

/** Whoever carries a run on: a job, or a request that waits for it. */
export type Driver = EngineDependencies & {
  /** The transaction with which this drive ends. */
  end<T>(work: (inside: EngineInside) => Promise<T>): Promise<T>
  /** Ends this drive in a transaction that is under way; what it answers is called when that has committed. */
  endThrough(ask: SendStatement): Promise<() => void>
  /** How long it may wait for a step to be tried again before others carry the run on. */
  patienceMs(): number
}

/** What a drive has before it: a step that is written down as begun, an end to write down, or nothing more. */
type Turn = BegunStep | Ending | { status: 'OVER'; committed: () => void }
type BegunStep = Omit<ReadyStep, 'status'> & { status: 'BEGUN'; course: RunState; mine: RecordedStep }

/**
 * Carries a run on until it is over, fails or has to wait. Each transaction writes down how a step ended and that the next
 * one begins, or that the run is over; the first one claims the run. Whatever stops a drive, another goes on from what is
 * recorded, so replay, retry and recovery are this same loop.
 */
export async function drive(driver: Driver, runId: string): Promise<void> {
  const opened = await driver.tx(async ({ db, ask }) => {
    const run = await claim(db, runId)
    return run && { run, turn: sendWithoutWaiting(open(driver, ask, run)) } // what it writes travels with the commit
  })
  if (!opened) return
  const { run } = opened
  try {
    let turn = await opened.turn
    while (turn.status === 'BEGUN') turn = await take(driver, turn).catch(unexpected)
    if (turn.status === 'OVER') turn.committed()
    else await endWith(driver, run, turn)
  } catch (error) {
    if (!isLostRun(error)) throw error
    await driver.end((inside) => requeueRun(inside, run))
  }
}

const endWith = (driver: Driver, run: Claimed, ending: Ending) => driver.end((inside) => finishRun(inside, run, ending))

/** A mistake of ours ends the run; a lost connection, a lock that was not to be had or a lost run does not. */
function unexpected(error: unknown): Ending {
  if (isLost(error) || isRetryable(error) || isToldToWait(error) || isLostRun(error)) throw error
  return { status: 'FAILED', error: toFailure(error).message }
}

/** A database that is out of reach, or a lock that was not to be had, as a request is told of them. */
const isToldToWait = (error: unknown) =>
  error instanceof Failure && (isBusy(error) || error.details.some(({ code }) => code === 'UNAVAILABLE'))

async function open(driver: Driver, ask: SendStatement, run: Claimed): Promise<Turn> {
  const { owner, depth } = run
  if (depth > limits.depthMax) return limited(`Automations have started each other ${limits.depthMax} times in a row`)
  if (!owner) return { status: 'FAILED', noAccess: true, error: ownerGone }
  return proceed(driver, ask, runStateOf({ ...run, owner }))
}

const ownerGone = 'The owner of the automation no longer belongs to the organization.'

/**
 * Writes down how a step ended, if one did, and what comes next, as the last words of a transaction: all of it is sent
 * before anything is waited for.
 */
async function proceed(driver: Driver, ask: SendStatement, from: RunState, ended?: Ended): Promise<Turn> {
  const { course, passed, next } = moveFrom(driver, from)
  const begun = next.status === 'READY' ? [...passed, next.begun] : passed
  const writing = advance(ask, course.run, { ended, begun, over: next.status === 'SUCCEEDED' })
  switch (next.status) {
    case 'READY':
      return begunStep({ ...next, course }, await writing)
    case 'SUCCEEDED': {
      const { committed } = await pipeline({
        committed: driver.endThrough(ask),
        written: writing,
      })
      return { status: 'OVER', committed }
    }
    default:
      await writing
      return next
  }
}

function moveFrom(driver: Driver, from: RunState): Move {
  try {
    return nextMove(from, driver)
  } catch (error) {
    return { course: from, passed: [], next: unexpected(error) }
  }
}

type Ready = Omit<ReadyStep, 'status'> & { course: RunState }

function begunStep(step: Ready, written: Awaited<ReturnType<typeof advance>>): Turn {
  const found = written.find((each) => keyOf(each) === keyOf(step.begun))
  if (!found) throw new Error('A step begins and was not written down.')
  const mine: RecordedStep = { ...step.begun, ...found }
  if (mine.attempt > brokenOffMax) return { status: 'FAILED', step: mine, error: brokenOff }
  return { ...step, status: 'BEGUN', mine }
}

/** A step with which every worker dies is not tried for ever. */
const brokenOffMax = 10
const brokenOff = 'The step was broken off again and again.'

/** Takes a step; that it succeeded is written down together with what comes next. */
async function take(driver: Driver, step: BegunStep): Promise<Turn> {
  const { course, planned, prepared, mine } = step
  const { run } = course
  let next: Promise<Turn> | undefined
  const record: Recording = (ask, { output, feature = prepared.feature }) => {
    faultPoint('after-effect-before-record')
    const ended = {
      stepId: mine.id,
      output: toStored(output),
      feature: mine.feature === 'payroll' ? mine.feature : feature,
    }
    next = sendWithoutWaiting(proceed(driver, ask, recording(course, mine, ended), ended))
  }
  try {
    await execute(driver, run, { ...planned, prepared, facts: stepFacts(run, mine), record })
  } catch (error) {
    if (isLostRun(error) || isLost(error)) throw error
    return afterFailure(driver, step, toFailure(error))
  }
  if (!next) throw new Error('A step was carried out and not recorded.')
  return next
}

const stepFacts = (
  { id, automationId, automationName, organizationId, depth, owner }: OwnedRun,
  step: RecordedStep,
): StepInfo => ({
  ...{ stepId: step.id, blockId: step.blockId, element: step.element, attempt: step.attempt },
  ...{ runId: id, automationId, automationName, organizationId, depth, owner },
})

/** What to do about a failure: wait and begin again, let others try later, or give up. */
async function afterFailure(driver: Driver, step: BegunStep, failure: Failure): Promise<Turn> {
  const { course, mine, prepared } = step
  const { run } = course
  const waitMs = retryAfterMs(run, mine.attempt, failure)
  if (waitMs === undefined) return givenUp(driver, run, { mine, failure, prepared })
  const again = { id: mine.id, error: failure.message, again: true }
  if (waitMs > driver.patienceMs()) return { status: 'LATER', afterS: waitMs / 1000, step: again }
  await driver.tx(({ ask }) => fail(ask, run, again))
  await sleep(waitMs, undefined, { signal: driver.signal }).catch(() => {})
  const begun = await driver.tx(({ ask }) => advance(ask, run, { begun: [step.begun], over: false }))
  return begunStep(step, begun)
}

type Failed = { mine: RecordedStep; failure: Failure; prepared: Prepared }

async function givenUp(driver: Driver, run: OwnedRun, { mine, failure, prepared }: Failed): Promise<Ending> {
  const { message, status, details } = failure
  const missing = status === 404 ? await missingNow(driver, run, prepared) : undefined
  const wrong = details.filter((detail) => detail.message !== message).map((detail) => detail.message)
  return {
    status: 'FAILED',
    step: mine,
    noAccess: missing !== undefined || status === 401 || status === 403,
    error: missing ?? [message, ...wrong].join(' '),
  }
}

/** Who may not look finds nothing: behind a 404 there may be a right that the owner lacks. */
async function missingNow(driver: Driver, { owner }: OwnedRun, { action }: Prepared): Promise<string | undefined> {
  const rights = await driver.tx(({ db }) => rightsOf(db, owner.userId))
  if (!rights) return ownerGone
  const missing = action && missingRight(action, rights)
  return missing && `The owner may not do this: ${missing.says}`
}
