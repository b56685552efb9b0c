import { setTimeout as sleep } from 'node:timers/promises'
import { today } from '../../core/day.ts'
import { isLost, isRetryable, toFailure } from '../../core/errors.ts'
import type { Failure } from '../../core/failure.ts'
import { faultPoint } from '../../core/fault-point.ts'
import { newId } from '../../core/id.ts'
import { retryDelayMs } from '../../core/job.ts'
import { missingRight } from './action.ts'
import { limits } from './automation.ts'
import { conclude, type Ending } from './conclude.ts'
import { execute, type Prepared, prepare } from './execute-step.ts'
import type { EngineInside, Ground, StepFacts } from './executor.ts'
import { isTrigger } from './graph.ts'
import { kept } from './kept.ts'
import { type Facts, type PlannedStep, plan } from './plan.ts'
import {
  askThrough,
  type Begun,
  begin,
  type Claimed,
  claim,
  fail,
  isLostRun,
  type RecordedStep,
  succeed,
} from './run-record.ts'
import { rightsOf } from './store.ts'

/** Whoever carries a run on: a job, or a request that waits for it. */
export type Driver = Ground & {
  /** The transaction with which this drive ends. */
  end<T>(work: (inside: EngineInside) => Promise<T>): Promise<T>
  /** How long it may wait for a step to be tried again before others carry the run on. */
  patienceMs(): number
}

/**
 * Carries a run on until it is over, fails or has to wait: plan, take the next steps, record, plan again. Whatever stops
 * it, the next driver goes on from what is recorded, so replay, retry and recovery are this same loop.
 */
export async function drive(driver: Driver, runId: string): Promise<void> {
  const run = await driver.tx(({ db }) => claim(db, runId))
  if (!run) return
  try {
    const ending = await carryOn(driver, run).catch(unexpected)
    await driver.end((inside) => conclude(inside, run, ending))
  } catch (error) {
    if (!isLostRun(error)) throw error
  }
}

/** A mistake of ours ends the run; a lost connection, a lock that was not to be had or a lost run does not. */
function unexpected(error: unknown): Ending {
  if (isLost(error) || isRetryable(error) || isLostRun(error)) throw error
  return { status: 'FAILED', error: toFailure(error).message }
}

async function carryOn(driver: Driver, run: Claimed): Promise<Ending> {
  if (run.depth > limits.depthMax)
    return limited(`Automations have started each other ${limits.depthMax} times in a row`)
  const { owner } = run
  if (!owner) return { status: 'FAILED', noAccess: true, error: ownerGone }
  const deadline = performance.now() + run.secondsLeft * 1000
  const facts = factsOf(run)
  const recorded = new Map(run.steps.map((step) => [keyOf(step), step]))
  for (;;) {
    const { next, elements } = plan(run, facts, [...recorded.values()])
    if (next.length === 0) return { status: 'SUCCEEDED' }
    if (elements > limits.elementsMax) return limited(`A list has more than ${limits.elementsMax} elements`)
    const fresh = next.filter(({ block, element }) => !recorded.has(keyOf({ blockId: block.id, element })))
    if (recorded.size + fresh.length > limits.stepsMax) return limited(`It has more than ${limits.stepsMax} steps`)
    for (const { passed, step } of inTurn(next)) {
      if (driver.signal.aborted) return { status: 'LATER', afterS: 0 }
      if (performance.now() > deadline) return limited(`It took more than ${limits.minutesMax} minutes`)
      const ending = await take(driver, { ...run, owner }, { passed, step, recorded })
      if (ending) return ending
    }
  }
}

const ownerGone = 'The owner of the automation no longer belongs to the organization.'

const limited = (sentence: string): Ending => ({ status: 'FAILED', error: `LIMIT_EXCEEDED: ${sentence}.` })

const keyOf = ({ blockId, element }: { blockId: string; element: number }) => `${element} ${blockId}`

/** The moment of a run is when it began, however often it is carried on. A test fires the first trigger. */
export function factsOf({ blocks, triggerType, trigger, startedAt, organizationId, timezone }: Known): Facts {
  const triggers = blocks.filter(isTrigger)
  const fired = triggerType === null ? triggers.slice(0, 1) : triggers.filter(({ ref }) => ref === triggerType)
  return {
    fired: new Set(fired.map(({ id }) => id)),
    trigger,
    context: { now: startedAt, today: today(new Date(startedAt), timezone), orgId: organizationId },
  }
}
type Known = Pick<Claimed, 'blocks' | 'triggerType' | 'trigger' | 'startedAt' | 'organizationId' | 'timezone'>

/** One that is really taken at a time; those that are only written down go with the next one. */
function* inTurn(next: readonly PlannedStep[]): Generator<{ passed: PlannedStep[]; step?: PlannedStep }> {
  let passed: PlannedStep[] = []
  for (const step of next) {
    if (step.skip || isTrigger(step.block)) passed.push(step)
    else {
      yield { passed, step }
      passed = []
    }
  }
  if (passed.length > 0) yield { passed }
}

type OwnedRun = Claimed & { owner: NonNullable<Claimed['owner']> }
type Taking = { passed: PlannedStep[]; step?: PlannedStep | undefined; recorded: Map<string, RecordedStep> }

/** Takes a step, as often as it may be tried; undefined when the run goes on. */
async function take(driver: Driver, run: OwnedRun, { passed, step, recorded }: Taking): Promise<Ending | undefined> {
  const prepared = step && prepare(driver, step)
  for (;;) {
    const begun = await driver.tx(({ db }) => {
      const before = passed.map((each) => ofPassed(each, run)) // their ids come first, and steps are read in that order
      return begin(db, run, step && prepared ? [...before, ofStep(step, prepared)] : before)
    })
    for (const each of begun) recorded.set(keyOf(each), each)
    const mine = step && begun.find(({ blockId, element }) => blockId === step.block.id && element === step.element)
    if (!step || !prepared || !mine) return undefined
    if (mine.attempt > brokenOffMax) return { status: 'FAILED', step: mine, error: brokenOff }
    passed.length = 0
    const failure = await attempt(driver, run, { step, prepared, mine, recorded })
    if (!failure) return undefined
    const ending = await after(driver, run, { mine, failure, prepared })
    if (ending) return ending
  }
}

/** A step with which every worker dies is not tried for ever. */
const brokenOffMax = 10
const brokenOff = 'The step was broken off again and again.'

const ofPassed = ({ block, element, skip }: PlannedStep, { trigger }: Claimed): Begun => ({
  ...{ id: newId(), blockId: block.id, element, ref: block.ref, feature: null, input: null },
  ...(skip ? { status: 'SKIPPED', output: null } : { status: 'SUCCEEDED', output: trigger }),
})

const ofStep = ({ block, element }: PlannedStep, { ref, feature, input }: Prepared): Begun => ({
  ...{ id: newId(), blockId: block.id, element, ref, feature },
  ...{ status: 'RUNNING', input: kept(input), output: null },
})

type Attempt = { step: PlannedStep; prepared: Prepared; mine: RecordedStep; recorded: Map<string, RecordedStep> }

/** Why the step failed; undefined when it succeeded, which is recorded then. */
async function attempt(driver: Driver, run: OwnedRun, { step, prepared, mine, recorded }: Attempt) {
  try {
    const facts = stepFacts(run, mine)
    const {
      output,
      feature = prepared.feature,
      recorded: done,
    } = await execute(driver, run, { ...step, prepared, facts })
    const result = { stepId: mine.id, output: kept(output), feature }
    faultPoint('after-effect-before-record')
    if (!done) await driver.tx(({ db }) => succeed(askThrough(db), run, result))
    recorded.set(keyOf(mine), { ...mine, status: 'SUCCEEDED', output: result.output })
    return undefined
  } catch (error) {
    if (isLostRun(error)) throw error
    return toFailure(error)
  }
}

const stepFacts = (
  { id, automationId, automationName, organizationId, depth, owner }: OwnedRun,
  step: RecordedStep,
): StepFacts => ({
  ...{ stepId: step.id, blockId: step.blockId, element: step.element, attempt: step.attempt },
  ...{ runId: id, automationId, automationName, organizationId, depth, owner },
})

type Failed = { mine: RecordedStep; failure: Failure; prepared: Prepared }

/** What to do about a failure: wait and try again (undefined), let others try later, or give up. */
async function after(driver: Driver, run: OwnedRun, failed: Failed): Promise<Ending | undefined> {
  const { mine, failure } = failed
  const waitMs = retryAfterMs(run, mine.attempt, failure)
  if (waitMs === undefined) return givenUp(driver, run, failed)
  const again = { id: mine.id, error: failure.message, again: true }
  if (waitMs > driver.patienceMs()) return { status: 'LATER', afterS: waitMs / 1000, step: again }
  await driver.tx(({ db }) => fail(db, run, again))
  await sleep(waitMs, undefined, { signal: driver.signal }).catch(() => {})
  return undefined
}

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

const quickDelaysMs = [200, 1_000]
const retryAfterMaxS = 600

/** How long to wait before the next try; undefined when there is none: most refusals would be the same again. */
export function retryAfterMs(
  { triggerEventId }: Pick<Claimed, 'triggerEventId'>,
  attempt: number,
  { status, details, retryAfterS }: Pick<Failure, 'status' | 'details' | 'retryAfterS'>,
): number | undefined {
  const busy = status === 409 && details.some(({ code }) => code === 'BUSY' || code === 'IDEMPOTENCY_IN_PROGRESS')
  if (status < 500 && status !== 429 && !busy) return undefined
  if (triggerEventId === null) return quickDelaysMs[attempt - 1]
  const delayMs = retryDelayMs(attempt)
  return delayMs && Math.max(delayMs, Math.min(retryAfterS ?? 0, retryAfterMaxS) * 1000)
}
