import { Failure } from '../../../../core/define/failure.ts'
import { type Block, type Edge, type Graph, runLimits } from '../automation.ts'
import { bindsItem, boundBlocks, valueAt } from '../engine/bindings.ts'
import { ComparisonBudget } from '../engine/comparison-budget.ts'
import { passes } from '../engine/conditions.ts'
import { readableName } from '../engine/elements.ts'
import { type PlanInput, type PlannedStep, plan, type StepState } from '../engine/plan.ts'
import { toStored } from '../engine/stored-values.ts'
import { sourcesOfItem } from '../protected-steps.ts'
import { type Trial, type TriedStep, tryStep } from './try-step.ts'

/** How many elements of a list are shown for a block. */
const shownMax = 20

export type ShownStep = TriedStep & { element: number | null; key: string | null }
export type TriedBlock = {
  blockId: string
  kind: Block['kind']
  ref: string | null
  /** How many steps the block has: one for each element of a list. 0 if it was not reached. */
  count: number
  steps: ShownStep[]
}
export type TriedEdge = {
  edgeId: string
  fromBlockId: string
  toBlockId: string
  outcome: 'PASSED' | 'NOT_PASSED' | 'NOT_REACHED'
  /** Of how many elements the guard lets how many through. */
  passed: number
  all: number
}

type Progress = {
  states: StepState[]
  planned: Map<string, PlannedStep[]>
  tried: Map<string, ShownStep[]>
  /** Blocks whose output is an example, or follows from one. */
  assumed: Set<string>
  problem: string | null
}

/** Plays a graph through as a run would, step by step, until nothing is left or a step would fail. */
export async function tryGraph(trial: Trial, graph: Graph, input: PlanInput) {
  const progress: Progress = { states: [], planned: new Map(), tried: new Map(), assumed: new Set(), problem: null }
  try {
    while (progress.problem === null && (await tryNext(trial, graph, input, progress)));
  } catch (error) {
    if (!(error instanceof Failure) || error.status >= 500) throw error
    progress.problem = error.message
  }
  return {
    problem: progress.problem,
    blocks: graph.blocks.map((block) => toTriedBlock(block, progress)),
    edges: graph.edges.map((edge) => toTriedEdge(edge, progress)),
  }
}

/** Tries the steps that a run would take next; false when there are none. */
async function tryNext(trial: Trial, graph: Graph, input: PlanInput, progress: Progress): Promise<boolean> {
  const { next, elements } = plan(graph, input, progress.states)
  if (elements > runLimits.elementsMax) progress.problem = `A list has more than ${runLimits.elementsMax} elements.`
  else if (progress.states.length + next.length > runLimits.stepsMax)
    progress.problem = `The run would have more than ${runLimits.stepsMax} steps.`
  if (progress.problem !== null) return false
  for (const step of next) {
    const tried = await tryStep(trial, step, isAssumed(step.block, graph, progress.assumed))
    addStep(progress, step, tried)
    const [problem] = tried.outcome === 'REFUSED' ? tried.problems.slice(-1) : []
    if (problem) progress.problem ??= `The block ${step.block.id} would fail: ${problem.message}`
  }
  return next.length > 0
}

/** Whether a block is given something that is only assumed. */
function isAssumed({ id, config }: Block, { edges }: Graph, assumed: ReadonlySet<string>): boolean {
  const isBound = boundBlocks(config, (each) => assumed.has(each)).length > 0
  return isBound || (bindsItem(config) && sourcesOfItem(id, edges).some((source) => assumed.has(source)))
}

function addStep({ states, planned, tried, assumed }: Progress, step: PlannedStep, result: TriedStep) {
  const { block, elementKey, element, id } = step
  const { value: output, isTruncated } = toStored(result.output)
  const status = { SKIPPED: 'SKIPPED', REFUSED: 'FAILED' } as const
  states.push({
    ...{ blockId: block.id, elementKey, output, isTruncated },
    status: status[result.outcome as keyof typeof status] ?? 'SUCCEEDED',
  })
  if (result.assumed) assumed.add(block.id)
  planned.set(block.id, [...(planned.get(block.id) ?? []), step])
  const shown = {
    ...result,
    output: result.outcome === 'SKIPPED' ? null : shortened(output),
    input: shortened(result.input),
  }
  const place = { element: element < 0 ? null : element, key: id ? readableName(id) : null }
  tried.set(block.id, [...(tried.get(block.id) ?? []), { ...shown, ...place }])
}

const shownMaxBytes = 20_000

function shortened(value: unknown): unknown {
  const bytes = Buffer.byteLength(JSON.stringify(value) ?? '')
  return bytes > shownMaxBytes ? { truncated: true, bytes } : value
}

function toTriedBlock({ id, kind, ref }: Block, { tried }: Progress): TriedBlock {
  const steps = tried.get(id) ?? []
  return { blockId: id, kind, ref, count: steps.length, steps: steps.slice(0, shownMax) }
}

function toTriedEdge(edge: Edge, { planned, states }: Progress): TriedEdge {
  const { id: edgeId, fromBlockId, toBlockId } = edge
  const steps = planned.get(toBlockId) ?? []
  const isReached = states.some(({ blockId, status }) => blockId === fromBlockId && status === 'SUCCEEDED')
  const guards = isReached ? steps.flatMap((step) => guardOutcomes(edge, step)) : []
  const passed = guards.filter((each) => each).length
  const reached = passed > 0 ? 'PASSED' : 'NOT_PASSED'
  return {
    ...{ edgeId, fromBlockId, toBlockId, passed, all: guards.length },
    outcome: isReached && steps.length > 0 ? reached : 'NOT_REACHED',
  }
}

/** Whether the guard of an edge lets a step of its target through; of a list of which nothing passes, each element's. */
function guardOutcomes({ cond, mode, each, fromBlockId }: Edge, { id, scope }: PlannedStep): boolean[] {
  const judge = (more: object) => passes(cond, { ...scope, ...more, budget: new ComparisonBudget() })
  if (id || mode !== 'FOR_EACH') return [judge({})]
  const output = scope.blocks.get(fromBlockId)
  const list = each ? valueAt(output, each.split('.')) : output
  return Array.isArray(list) ? list.map(() => false) : [judge({ item: output })]
}
