import type { Block, Edge, Graph, StepStatus } from '../automation.ts'
import { isTrigger, topological } from '../graph.ts'
import { type BindingScope, namesItem } from './bindings.ts'
import { passes } from './conditions.ts'
import { isTruncated, tooLarge, truncatedIn } from './stored-values.ts'

/** A step as it was recorded; `element` is -1 where the block is not run for each of a list. */
export type StepState = { blockId: string; element: number; status: StepStatus; output: unknown }

/** A step that can be taken now, or is passed over. */
export type PlannedStep = { block: Block; element: number; item?: unknown; skip: boolean; scope: BindingScope }

/** What is known of a run: what fired it, and the moment that it counts as now. */
export type PlanInput = {
  /** The TRIGGER blocks that fired. */
  fired: ReadonlySet<string>
  trigger: unknown
  context: BindingScope['context']
}

export type Plan = {
  /** In the order in which they are to be taken. None are left when the run is over. */
  next: PlannedStep[]
  /** Blocks that wait for those. */
  waiting: Block[]
  /** Outputs of blocks that are done, by id. */
  outputs: ReadonlyMap<string, unknown>
  /** The largest list that a FOR_EACH edge fans out. */
  elements: number
}

type Settled = { succeeded: boolean; output: unknown }

/**
 * From a graph and the steps so far to the next ones. A block waits for all blocks that lead to it; it runs when one of
 * them succeeded and the guard between them passes, else it is skipped. Under FOR_EACH it runs once for each element, and
 * its output is the list of what they came to.
 */
export function plan(graph: Graph, facts: PlanInput, steps: readonly StepState[]): Plan {
  const recorded = byBlock(steps)
  const incoming = byTarget(graph.edges)
  const settled = new Map<string, Settled>()
  const outputs = new Map<string, unknown>()
  const result: Plan = { next: [], waiting: [], outputs, elements: 0 }
  for (const block of topological(graph)) {
    const edges = incoming.get(block.id) ?? []
    if (!isTrigger(block) && edges.some(({ fromBlockId }) => !settled.has(fromBlockId))) {
      result.waiting.push(block)
      continue
    }
    const scope = { trigger: facts.trigger, blocks: outputs, context: facts.context }
    const wanted = isTrigger(block) ? ofTrigger(block, facts, scope) : ofEdges(block, edges, { settled, scope })
    result.elements = Math.max(result.elements, wanted.length)
    const done = recorded.get(block.id) ?? new Map<number, StepState>()
    const open = wanted.filter((step) => !isDone(step, done.get(step.element)))
    result.next.push(...open)
    if (open.length > 0) continue
    const state = outcome(wanted, done)
    settled.set(block.id, state)
    if (state.succeeded) outputs.set(block.id, state.output)
  }
  return result
}

const ofTrigger = (block: Block, { fired }: PlanInput, scope: BindingScope): PlannedStep[] => [
  { block, element: -1, skip: !fired.has(block.id), scope },
]

type Upstream = { settled: ReadonlyMap<string, Settled>; scope: BindingScope }

/** The steps that a block consists of, given what led to it. */
function ofEdges(block: Block, edges: readonly Edge[], { settled, scope }: Upstream): PlannedStep[] {
  const arriving = edges.filter(({ fromBlockId }) => settled.get(fromBlockId)?.succeeded)
  const lists = arriving.filter((edge) => edge.mode === 'FOR_EACH' && Array.isArray(outputOf(edge, settled)))
  const fanned = lists.flatMap((edge) =>
    (outputOf(edge, settled) as unknown[]).map((item) => ({ item, follows: isFollowed(edge, { ...scope, item }) })),
  )
  if (fanned.some(({ follows }) => follows))
    return fanned.map(({ item, follows }, element) => ({
      block,
      element,
      item,
      skip: !follows,
      scope: { ...scope, item },
    }))
  const single = arriving
    .filter((edge) => !lists.includes(edge))
    .map((edge) => ({ edge, item: outputOf(edge, settled) }))
  const found = single.find(({ edge, item }) => isFollowed(edge, edge.mode === 'FOR_EACH' ? { ...scope, item } : scope))
  if (!found) return [{ block, element: -1, skip: true, scope }]
  const { edge, item } = found
  // What is no list is its own only element.
  return edge.mode === 'FOR_EACH'
    ? [{ block, element: -1, item, skip: false, scope: { ...scope, item } }]
    : [{ block, element: -1, skip: false, scope }]
}

/** A guard on a part of something might lead the wrong way. */
function isFollowed({ id, cond, fromBlockId }: Edge, scope: BindingScope): boolean {
  const missing = isTruncated(scope.item) && namesItem(cond) ? fromBlockId : truncatedIn(cond, scope)
  if (missing !== undefined) throw tooLarge(`edges.${id}.cond`, missing)
  return passes(cond, scope)
}

const outputOf = ({ fromBlockId }: Edge, settled: Upstream['settled']) => settled.get(fromBlockId)?.output

/** A step that was passed over is looked at again: the graph may have changed since. */
const isDone = ({ skip }: PlannedStep, step: StepState | undefined) =>
  step?.status === 'SUCCEEDED' || (skip && step?.status === 'SKIPPED')

function outcome(wanted: readonly PlannedStep[], done: ReadonlyMap<number, StepState>): Settled {
  const succeeded = wanted.flatMap(({ element }) => {
    const step = done.get(element)
    return step?.status === 'SUCCEEDED' ? [step] : []
  })
  const [first] = succeeded
  const single = wanted.length === 1 && wanted[0]?.element === -1
  return { succeeded: first !== undefined, output: single ? first?.output : succeeded.map(({ output }) => output) }
}

function byBlock(steps: readonly StepState[]) {
  const found = new Map<string, Map<number, StepState>>()
  for (const step of steps) {
    const own = found.get(step.blockId) ?? new Map<number, StepState>()
    found.set(step.blockId, own.set(step.element, step))
  }
  return found
}

function byTarget(edges: readonly Edge[]) {
  const found = new Map<string, Edge[]>()
  for (const edge of edges) found.set(edge.toBlockId, [...(found.get(edge.toBlockId) ?? []), edge])
  return found
}
