import { today } from '../../../core/values/day.ts'
import { newId } from '../../../core/values/id.ts'
import { limits } from '../automation.ts'
import { isTrigger } from '../graph.ts'
import { takesPayroll } from '../payroll-steps.ts'
import type { EngineDependencies } from './engine-types.ts'
import { type Prepared, prepare } from './execute-step.ts'
import type { Ending } from './finish-run.ts'
import { type PlanInput, type PlannedStep, plan } from './plan.ts'
import type { Begun, Claimed, Ended, OwnedRun, RecordedStep } from './run-record.ts'
import { toStored } from './stored-values.ts'

/** Where a run stands. It never changes, another follows it: a transaction that is tried again goes on from the same one. */
export type RunState = {
  run: OwnedRun
  facts: PlanInput
  recorded: ReadonlyMap<string, RecordedStep>
  /** Those of the steps planned last that are still to be taken. */
  planned: readonly PlannedStep[]
  /** When it has taken too long, as `performance.now` tells it. */
  deadline: number
}

/** What a run does next: take a step, or end. Steps that are passed over are written down before it. */
export type Move = { course: RunState; passed: Begun[]; next: ReadyStep | Ending | { status: 'SUCCEEDED' } }

/** A step that can be taken as soon as it is written down as begun. */
export type ReadyStep = { status: 'READY'; planned: PlannedStep; prepared: Prepared; begun: Begun }

export const runStateOf = (run: OwnedRun): RunState => ({
  run,
  facts: factsOf(run),
  recorded: new Map(run.steps.map((step) => [keyOf(step), step])),
  planned: [],
  deadline: performance.now() + run.secondsLeft * 1000,
})

/** A step by what stays the same however often it is tried. */
export const keyOf = ({ blockId, element }: { blockId: string; element: number }) => `${element} ${blockId}`

/** The course after a step succeeded: with what is written down of it, also whose data it holds. */
export function recording(course: RunState, step: RecordedStep, { output, feature }: Ended): RunState {
  const succeeded = { ...step, status: 'SUCCEEDED' as const, output, feature: feature ?? step.feature }
  return { ...course, recorded: new Map(course.recorded).set(keyOf(step), succeeded) }
}

/** Finds what to do next, from what is recorded alone. */
export function nextMove(from: RunState, { catalog, signal }: Pick<EngineDependencies, 'catalog' | 'signal'>): Move {
  const { run, facts, deadline } = from
  const recorded = new Map(from.recorded)
  const passed: Begun[] = []
  const move = (next: Move['next'], planned: readonly PlannedStep[]) => ({
    course: { ...from, recorded, planned },
    passed,
    next,
  })
  let { planned } = from
  for (;;) {
    if (planned.length === 0) {
      const { next, elements } = plan(run, facts, [...recorded.values()])
      const beyond = beyondLimits(next, elements, recorded)
      if (beyond) return move(beyond, [])
      planned = next
    }
    const [step, ...rest] = planned
    if (!step) return move({ status: 'SUCCEEDED' }, [])
    if (!step.skip && !isTrigger(step.block)) {
      if (signal.aborted) return move({ status: 'LATER', afterS: 0 }, planned)
      if (performance.now() > deadline) return move(limited(`It took more than ${limits.minutesMax} minutes`), planned)
      return move(ready(step, prepare({ catalog }, step), { run, recorded }), rest)
    }
    const written = ofPassed(step, run)
    passed.push(written)
    recorded.set(keyOf(written), { ...written, attempt: 1 })
    planned = rest
  }
}

function beyondLimits(next: readonly PlannedStep[], elements: number, recorded: ReadonlyMap<string, unknown>) {
  if (elements > limits.elementsMax) return limited(`A list has more than ${limits.elementsMax} elements`)
  const fresh = next.filter(({ block, element }) => !recorded.has(keyOf({ blockId: block.id, element })))
  if (recorded.size + fresh.length > limits.stepsMax) return limited(`It has more than ${limits.stepsMax} steps`)
  return undefined
}

export const limited = (sentence: string): Ending => ({ status: 'FAILED', error: `LIMIT_EXCEEDED: ${sentence}.` })

const ofPassed = ({ block, element, skip }: PlannedStep, { trigger }: Claimed): Begun => ({
  ...{ id: newId(), blockId: block.id, element, ref: block.ref, feature: null, input: null },
  ...(skip ? { status: 'SKIPPED', output: null } : { status: 'SUCCEEDED', output: trigger }),
})

function ready(
  planned: PlannedStep,
  prepared: Prepared,
  { run, recorded }: Pick<RunState, 'run' | 'recorded'>,
): ReadyStep {
  const { block, element } = planned
  const { ref, input } = prepared
  const feature = takesPayroll(block, run.edges, recorded.values()) ? 'payroll' : prepared.feature
  const whose = { id: newId(), blockId: block.id, element, ref, feature }
  const begun: Begun = { ...whose, status: 'RUNNING', input: toStored(input), output: null }
  return { status: 'READY', planned, prepared, begun }
}

/** The moment of a run is when it began, however often it is carried on. A test fires the first trigger. */
export function factsOf({ blocks, triggerType, trigger, startedAt, organizationId, timezone }: Known): PlanInput {
  const triggers = blocks.filter(isTrigger)
  const fired = triggerType === null ? triggers.slice(0, 1) : triggers.filter(({ ref }) => ref === triggerType)
  return {
    fired: new Set(fired.map(({ id }) => id)),
    trigger,
    context: { now: startedAt, today: today(new Date(startedAt), timezone), orgId: organizationId },
  }
}
type Known = Pick<Claimed, 'blocks' | 'triggerType' | 'trigger' | 'startedAt' | 'organizationId' | 'timezone'>
