import { today } from '../../../../core/values/day.ts'
import { newId } from '../../../../core/values/id.ts'
import { type Graph, runLimits } from '../automation.ts'
import { isTrigger } from '../graph.ts'
import { joinMarks, markOfPayload, receivedMark } from '../protected-steps.ts'
import type { EngineDependencies } from './engine-types.ts'
import { isInside, type PreparedStep, prepareStep } from './execute-step.ts'
import type { StopReason } from './finish-run.ts'
import { type PlanInput, type PlannedStep, plan } from './plan.ts'
import type { ClaimedRun, NewStep, OwnedRun, RecordedStep, SucceededStep } from './run-record.ts'
import { toStored } from './stored-values.ts'

/** The state of a run. It is immutable, so a transaction that is retried starts from the same state. */
export type RunState = {
  run: OwnedRun
  planInput: PlanInput
  recorded: ReadonlyMap<string, RecordedStep>
  /** The steps of the last plan that have not been executed yet. */
  planned: readonly PlannedStep[]
  /** Steps that are decided or executed but not recorded yet. They are recorded with the next write. */
  unwritten: readonly NewStep[]
  /** When the last write was made, on the clock of `performance.now`. */
  writtenAt: number
  /** When the time limit of the run ends, on the clock of `performance.now`. */
  deadline: number
}

/** What the run does next: execute a step or several branches, or end. */
export type Decision = {
  /** With the steps that are recorded without executing anything, triggers and skipped blocks, as `unwritten`. */
  state: RunState
  next: ReadyStep | StopReason | { status: 'SUCCEEDED' | 'BRANCHES' }
}

/** A step that can be executed as soon as it is recorded as RUNNING. */
export type ReadyStep = { status: 'READY'; planned: PlannedStep; prepared: PreparedStep; newStep: NewStep }

export const initialState = (run: OwnedRun): RunState => ({
  run,
  planInput: planInputOf(run),
  recorded: new Map(run.steps.map((step) => [stepKey(step), step])),
  planned: [],
  unwritten: [],
  writtenAt: performance.now(),
  deadline: performance.now() + run.secondsLeft * 1000,
})

/** Identifies a step within its run, the same for every attempt. */
export const stepKey = ({ blockId, elementKey }: { blockId: string; elementKey: string }) =>
  JSON.stringify([blockId, elementKey])

/** The state after a step succeeded, with the output and feature as they are recorded. */
export function withSucceeded(
  state: RunState,
  step: RecordedStep,
  { output, isTruncated, feature }: SucceededStep,
): RunState {
  const succeeded = { ...step, status: 'SUCCEEDED' as const, output, isTruncated, feature: feature ?? step.feature }
  return { ...state, recorded: new Map(state.recorded).set(stepKey(step), succeeded) }
}

type ExecutedStep = Omit<SucceededStep, 'stepId'> & { startedAt: number }

/** The state after a step succeeded that has not been recorded yet. */
export function withExecuted(
  state: RunState,
  step: NewStep,
  { feature, startedAt, ...result }: ExecutedStep,
): RunState {
  const executed = { startedAt, endedAt: performance.now() }
  const done: NewStep = { executed, ...step, ...result, status: 'SUCCEEDED', feature: feature ?? step.feature }
  const recorded = new Map(state.recorded).set(stepKey(step), { attempt: 1, ...done })
  return { ...state, recorded, unwritten: [...state.unwritten, done] }
}

/** Reading steps are recorded late only so long, so that others see the progress of the run. */
const unwrittenMax = 20
const unwrittenMaxMs = 1_000

/** Whether more steps may be executed before those that are not recorded yet are. */
export const mayWriteLater = ({ unwritten, writtenAt }: RunState): boolean =>
  unwritten.length < unwrittenMax && performance.now() - writtenAt < unwrittenMaxMs

/** The state once everything is recorded. The first write has claimed the run. */
export const asWritten = (state: RunState): RunState => ({
  ...state,
  run: { ...state.run, token: Math.max(1, state.run.token) },
  unwritten: [],
  writtenAt: performance.now(),
})

/** Decides what the run does next, from the recorded steps alone. */
export function decideNext(
  state: RunState,
  { catalog, signal }: Pick<EngineDependencies, 'catalog' | 'signal'>,
): Decision {
  const { run, planInput, deadline } = state
  const recorded = new Map(state.recorded)
  const immediate: NewStep[] = []
  const decision = (next: Decision['next'], planned: readonly PlannedStep[]) => ({
    state: { ...state, recorded, planned, unwritten: [...state.unwritten, ...immediate] },
    next,
  })
  let { planned } = state
  for (;;) {
    if (planned.length === 0) {
      const { next, elements } = plan(run, planInput, [...recorded.values()])
      const exceeded = exceededLimit(next, elements, recorded)
      if (exceeded) return decision(exceeded, [])
      planned = next
    }
    const [step, ...rest] = planned
    if (!step) return decision({ status: 'SUCCEEDED' }, [])
    if (!step.skip && !isTrigger(step.block)) {
      if (signal.aborted) return decision({ status: 'LATER', afterS: 0 }, planned)
      if (performance.now() > deadline) return decision(timeExceeded(), planned)
      if (hasBranches(planned, { catalog })) return decision({ status: 'BRANCHES' }, [])
      return decision(readyStep(step, prepareStep({ catalog }, step), { run, recorded }), rest)
    }
    const written = immediateStep(step, run)
    immediate.push(written)
    recorded.set(stepKey(written), { attempt: 1, ...written })
    planned = rest
  }
}

/**
 * Whether steps of several blocks can be executed now, and one of them has effects outside the database, so that it may take
 * long. Steps that work only in the database are faster one after the other.
 */
function hasBranches(planned: readonly PlannedStep[], context: Pick<EngineDependencies, 'catalog'>): boolean {
  const first = firstOfEachBlock(planned.filter(isExecuted))
  return first.length > 1 && first.some((step) => !isInside(step, prepareStep(context, step)))
}

const isExecuted = ({ skip, block }: PlannedStep) => !skip && !isTrigger(block)

/** The elements of a list are executed in their order, so only the first unfinished one can start. */
function firstOfEachBlock(planned: readonly PlannedStep[]): PlannedStep[] {
  const first = new Map<string, PlannedStep>()
  for (const step of planned) if (!first.has(step.block.id)) first.set(step.block.id, step)
  return [...first.values()]
}

/** The steps of other blocks than the busy ones that can start now, and the state with skipped blocks as `unwritten`. */
export function decideBranches(
  state: RunState,
  { catalog }: Pick<EngineDependencies, 'catalog'>,
  busy: ReadonlySet<string>,
): { state: RunState; ready: ReadyStep[]; exceeded?: StopReason } {
  if (state.planned.length > 0) return { state, ready: readyOf(state, { catalog }, busy) }
  const { run, planInput } = state
  const recorded = new Map(state.recorded)
  const unwritten = [...state.unwritten]
  for (;;) {
    const { next, elements } = plan(run, planInput, [...recorded.values()])
    const exceeded = exceededLimit(next, elements, recorded)
    const decided = { ...state, recorded, unwritten }
    if (exceeded) return { state: decided, ready: [], exceeded }
    const immediate = next.filter((step) => !isExecuted(step)).map((step) => immediateStep(step, run))
    for (const step of immediate) recorded.set(stepKey(step), { attempt: 1, ...step })
    unwritten.push(...immediate)
    if (immediate.length > 0) continue
    const planned = { ...decided, planned: next }
    return { state: planned, ready: readyOf(planned, { catalog }, busy) }
  }
}

const readyOf = (
  { run, recorded, planned }: RunState,
  { catalog }: Pick<EngineDependencies, 'catalog'>,
  busy: ReadonlySet<string>,
): ReadyStep[] =>
  firstOfEachBlock(planned)
    .filter(({ block }) => !busy.has(block.id))
    .map((step) => readyStep(step, prepareStep({ catalog }, step), { run, recorded }))

/** Without a step that has ended. Once a block has no step left, the blocks after it are planned anew. */
export function withoutPlanned(state: RunState, ended: Pick<RecordedStep, 'blockId' | 'elementKey'>): RunState {
  const isEnded = ({ block, elementKey }: PlannedStep) => block.id === ended.blockId && elementKey === ended.elementKey
  const planned = state.planned.filter((step) => !isEnded(step))
  return { ...state, planned: planned.some(({ block }) => block.id === ended.blockId) ? planned : [] }
}

function exceededLimit(next: readonly PlannedStep[], elements: number, recorded: ReadonlyMap<string, unknown>) {
  if (elements > runLimits.elementsMax) return limitExceeded(`A list has more than ${runLimits.elementsMax} elements`)
  const added = next.filter(({ block, elementKey }) => !recorded.has(stepKey({ blockId: block.id, elementKey })))
  if (recorded.size + added.length > runLimits.stepsMax)
    return limitExceeded(`The run has more than ${runLimits.stepsMax} steps`)
  return undefined
}

export const timeExceeded = () => limitExceeded(`The run took more than ${runLimits.minutesMax} minutes`)

export const limitExceeded = (sentence: string): StopReason => ({
  status: 'FAILED',
  error: `LIMIT_EXCEEDED: ${sentence}.`,
})

const immediateStep = ({ block, element, elementKey, skip }: PlannedStep, run: ClaimedRun): NewStep => ({
  id: newId(),
  blockId: block.id,
  element,
  elementKey,
  ref: block.ref,
  input: null,
  status: skip ? 'SKIPPED' : 'SUCCEEDED',
  feature: skip ? null : markOfPayload(run),
  output: skip ? null : run.trigger,
  isTruncated: false,
})

function readyStep(
  planned: PlannedStep,
  prepared: PreparedStep,
  { run, recorded }: Pick<RunState, 'run' | 'recorded'>,
): ReadyStep {
  const { block, element, elementKey } = planned
  const { ref, input } = prepared
  const feature = joinMarks(prepared.feature, receivedMark(block, run.edges, recorded.values(), markOfPayload(run)))
  const progress = { status: 'RUNNING', input: toStored(input).value, output: null, isTruncated: false } as const
  const newStep: NewStep = { id: newId(), blockId: block.id, element, elementKey, ref, feature, ...progress }
  return { status: 'READY', planned, prepared, newStep }
}

/** `context.now` is the start of the run, also after a retry or replay. A test run fires the first trigger. */
export function planInputOf({
  blocks,
  triggerType,
  trigger,
  startedAt,
  organizationId,
  timezone,
}: PlannableRun): PlanInput {
  const triggers = blocks.filter(isTrigger)
  const fired = triggerType === null ? triggers.slice(0, 1) : triggers.filter(({ ref }) => ref === triggerType)
  return {
    fired: new Set(fired.map(({ id }) => id)),
    trigger,
    context: contextOf(startedAt, organizationId, timezone),
  }
}

function contextOf(now: string, orgId: string, timezone: string): PlanInput['context'] {
  const day = today(new Date(now), timezone)
  const weekday = weekdays[new Date(day).getUTCDay()] ?? ''
  return { now, today: day, weekday, orgId, timezone }
}
const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']

type PlannableRun = Pick<ClaimedRun, 'triggerType' | 'trigger' | 'startedAt' | 'organizationId' | 'timezone'> &
  Pick<Graph, 'blocks'>
