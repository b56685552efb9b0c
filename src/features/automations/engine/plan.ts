import type { Block, Edge, Graph, StepStatus } from '../automation.ts'
import { isTrigger, topologicalOrder } from '../graph.ts'
import { type BindingScope, bindsItem } from './bindings.ts'
import { passes } from './conditions.ts'
import { isTruncated, outputTooLarge, truncatedBlock } from './stored-values.ts'

/** A recorded step. `element` is the index in the list of a FOR_EACH edge, and -1 without one. */
export type StepState = { blockId: string; element: number; status: StepStatus; output: unknown }

/** A step that can be executed now, or is skipped. */
export type PlannedStep = { block: Block; element: number; item?: unknown; skip: boolean; scope: BindingScope }

/** What a run started with. */
export type PlanInput = {
  /** The ids of the TRIGGER blocks that fired. */
  fired: ReadonlySet<string>
  trigger: unknown
  context: BindingScope['context']
}

export type Plan = {
  /** The next steps in their order; empty when the run has finished. */
  next: PlannedStep[]
  /** Blocks that wait for the next steps. */
  waiting: Block[]
  /** The outputs of finished blocks by block id. */
  outputs: ReadonlyMap<string, unknown>
  /** The size of the largest list under a FOR_EACH edge. */
  elements: number
}

type BlockResult = { succeeded: boolean; output: unknown }

/**
 * Computes the next steps from a graph and the recorded steps. A block waits for all blocks with an edge to it. It runs
 * if one of them succeeded and the condition of that edge passes, and is skipped otherwise. Under FOR_EACH it runs once
 * per element, and its output is the list of their outputs.
 */
export function plan(graph: Graph, input: PlanInput, steps: readonly StepState[]): Plan {
  const recorded = groupByBlock(steps)
  const incoming = groupByTarget(graph.edges)
  const results = new Map<string, BlockResult>()
  const outputs = new Map<string, unknown>()
  const result: Plan = { next: [], waiting: [], outputs, elements: 0 }
  for (const block of topologicalOrder(graph)) {
    const edges = incoming.get(block.id) ?? []
    if (!isTrigger(block) && edges.some(({ fromBlockId }) => !results.has(fromBlockId))) {
      result.waiting.push(block)
      continue
    }
    const scope = { trigger: input.trigger, blocks: outputs, context: input.context }
    const planned = isTrigger(block) ? [triggerStep(block, input, scope)] : blockSteps(block, edges, { results, scope })
    result.elements = Math.max(result.elements, planned.length)
    const done = recorded.get(block.id) ?? new Map<number, StepState>()
    const open = planned.filter((step) => !isDone(step, done.get(step.element)))
    result.next.push(...open)
    if (open.length > 0) continue
    const blockResult = resultOf(planned, done)
    results.set(block.id, blockResult)
    if (blockResult.succeeded) outputs.set(block.id, blockResult.output)
  }
  return result
}

const triggerStep = (block: Block, { fired }: PlanInput, scope: BindingScope): PlannedStep => ({
  block,
  element: -1,
  skip: !fired.has(block.id),
  scope,
})

type Upstream = { results: ReadonlyMap<string, BlockResult>; scope: BindingScope }

/** The steps of a block: one per element of the lists under its FOR_EACH edges, or a single one. */
function blockSteps(block: Block, edges: readonly Edge[], { results, scope }: Upstream): PlannedStep[] {
  const active = edges.filter(({ fromBlockId }) => results.get(fromBlockId)?.succeeded)
  const lists = active.filter((edge) => edge.mode === 'FOR_EACH' && Array.isArray(outputOf(edge, results)))
  const elements = lists.flatMap((edge) =>
    (outputOf(edge, results) as unknown[]).map((item) => ({ item, follow: isFollowed(edge, { ...scope, item }) })),
  )
  if (elements.some(({ follow }) => follow))
    return elements.map(({ item, follow }, element) => ({
      block,
      element,
      item,
      skip: !follow,
      scope: { ...scope, item },
    }))
  const others = active.filter((edge) => !lists.includes(edge))
  return [singleStep(block, others, { results, scope })]
}

/** Under FOR_EACH, a source output that is not a list is itself the only element. */
function singleStep(block: Block, edges: readonly Edge[], { results, scope }: Upstream): PlannedStep {
  for (const edge of edges) {
    const item = edge.mode === 'FOR_EACH' ? { item: outputOf(edge, results) } : {}
    const edgeScope = { ...scope, ...item }
    if (isFollowed(edge, edgeScope)) return { block, element: -1, ...item, skip: false, scope: edgeScope }
  }
  return { block, element: -1, skip: true, scope }
}

/** A condition on a truncated value could give the wrong answer, so it fails the run. */
function isFollowed({ id, cond, fromBlockId }: Edge, scope: BindingScope): boolean {
  const truncated = isTruncated(scope.item) && bindsItem(cond) ? fromBlockId : truncatedBlock(cond, scope)
  if (truncated !== undefined) throw outputTooLarge(`edges.${id}.cond`, truncated)
  return passes(cond, scope)
}

const outputOf = ({ fromBlockId }: Edge, results: Upstream['results']) => results.get(fromBlockId)?.output

/** A skipped step counts as done only while the plan still skips it: the graph may have changed since. */
const isDone = ({ skip }: PlannedStep, step: StepState | undefined) =>
  step?.status === 'SUCCEEDED' || (skip && step?.status === 'SKIPPED')

function resultOf(planned: readonly PlannedStep[], done: ReadonlyMap<number, StepState>): BlockResult {
  const succeeded = planned.flatMap(({ element }) => {
    const step = done.get(element)
    return step?.status === 'SUCCEEDED' ? [step] : []
  })
  const [first] = succeeded
  const isSingle = planned.length === 1 && planned[0]?.element === -1
  return { succeeded: first !== undefined, output: isSingle ? first?.output : succeeded.map(({ output }) => output) }
}

function groupByBlock(steps: readonly StepState[]) {
  const groups = new Map<string, Map<number, StepState>>()
  for (const step of steps) {
    const group = groups.get(step.blockId) ?? new Map<number, StepState>()
    groups.set(step.blockId, group.set(step.element, step))
  }
  return groups
}

function groupByTarget(edges: readonly Edge[]) {
  const groups = new Map<string, Edge[]>()
  for (const edge of edges) groups.set(edge.toBlockId, [...(groups.get(edge.toBlockId) ?? []), edge])
  return groups
}
