import type { Block, Edge, Graph, StepStatus } from '../automation.ts'
import { isTrigger, topologicalOrder } from '../graph.ts'
import { type BindingScope, bindsItem, valueAt } from './bindings.ts'
import { passes } from './conditions.ts'
import { keyedElements, keyOfPosition } from './elements.ts'
import { isTruncated, outputTooLarge, TruncatedOutput, truncatedBlock } from './stored-values.ts'

/** A recorded step. `elementKey` identifies the element of a list; it is '' without one. */
export type StepState = {
  blockId: string
  elementKey: string
  status: StepStatus
  output: unknown
  isTruncated: boolean
}

/** A step that can be executed now, or is skipped. `element` is the position in the list, and -1 without one. */
export type PlannedStep = {
  block: Block
  element: number
  elementKey: string
  item?: unknown
  skip: boolean
  scope: BindingScope
}

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

type Outputs = ReadonlyMap<string, unknown>

/** What a block came to. `elements` is undefined if it ran once. */
type BlockResult = { succeeded: boolean; output: unknown; elements?: readonly ElementResult[] }
type ElementResult = Element & { succeeded: boolean; output: unknown }

/** An element on its way through the blocks that run once per element. */
type Element = {
  key: string
  item: unknown
  follow: boolean
  /** The outputs of the blocks before for this element. */
  blocks: Outputs
}

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
    const done = recorded.get(block.id) ?? new Map<string, StepState>()
    const open = planned.filter((step) => !isDone(step, stepOf(step, done)))
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
  elementKey: '',
  skip: !fired.has(block.id),
  scope,
})

type Upstream = { results: ReadonlyMap<string, BlockResult>; scope: BindingScope }

/** The steps of a block: one per element of the lists under its FOR_EACH edges, or a single one. */
function blockSteps(block: Block, edges: readonly Edge[], { results, scope }: Upstream): PlannedStep[] {
  const active = edges.filter(({ fromBlockId }) => results.get(fromBlockId)?.succeeded)
  const lists = active.map((edge) => ({ edge, elements: elementsOf(edge, { results, scope }) }))
  const elements = mergeElements(lists.flatMap(({ elements }) => elements ?? []))
  if (elements.some(({ follow }) => follow))
    return elements.map(({ key, item, follow, blocks }, element) => ({
      block, element, elementKey: key, item, skip: !follow, scope: { ...scope, blocks: withOwn(scope.blocks, blocks), item },
    })) // biome-ignore format: a list of words
  const others = lists.filter(({ elements }) => !elements).map(({ edge }) => edge)
  return [singleStep(block, others, { results, scope })]
}

/**
 * The elements that a FOR_EACH edge leads to: those of the list in the output of its source. If the source itself ran once
 * per element, each element goes on, unless its output has a list of its own. Undefined if the target runs once.
 */
function elementsOf(edge: Edge, { results, scope }: Upstream): Element[] | undefined {
  const source = results.get(edge.fromBlockId)
  if (edge.mode !== 'FOR_EACH' || !source) return undefined
  const follow = (element: Omit<Element, 'follow'>): Element => {
    const elementScope = { ...scope, blocks: withOwn(scope.blocks, element.blocks), item: element.item }
    return { ...element, follow: isFollowed(edge, elementScope) }
  }
  if (!source.elements) {
    const list = listOf(edge, source.output)
    return list && keyedElements(edge.fromBlockId, list).map((each) => follow({ ...each, blocks: noOutputs }))
  }
  return source.elements.flatMap((element) => {
    if (!element.succeeded) return [{ ...element, follow: false }]
    const blocks = new Map(element.blocks).set(edge.fromBlockId, element.output)
    const list = listOf(edge, element.output)
    if (!list) return [follow({ key: element.key, item: element.item, blocks })]
    return keyedElements(`${element.key}/${edge.fromBlockId}`, list).map((each) => follow({ ...each, blocks }))
  })
}

const noOutputs: Outputs = new Map()

const withOwn = (outputs: Outputs, own: Outputs): Outputs => (own.size > 0 ? new Map([...outputs, ...own]) : outputs)

/** The list of an output, or at the path `each` inside it. */
function listOf({ id, each, fromBlockId }: Edge, output: unknown): readonly unknown[] | undefined {
  if (each && isTruncated(output)) throw outputTooLarge(`edges.${id}.each`, fromBlockId)
  const value = each ? valueAt(output, each.split('.')) : output
  return Array.isArray(value) ? value : undefined
}

/** An element that two edges lead to is one element. It is followed if one of them is. */
function mergeElements(elements: readonly Element[]): Element[] {
  const merged = new Map<string, Element>()
  for (const element of elements) {
    const known = merged.get(element.key)
    const blocks = known ? withOwn(known.blocks, element.blocks) : element.blocks
    merged.set(element.key, { ...element, blocks, follow: element.follow || known?.follow === true })
  }
  return [...merged.values()]
}

/** Under FOR_EACH, a source output that is not a list is itself the only element. */
function singleStep(block: Block, edges: readonly Edge[], { results, scope }: Upstream): PlannedStep {
  for (const edge of edges) {
    const item = edge.mode === 'FOR_EACH' ? { item: results.get(edge.fromBlockId)?.output } : {}
    const edgeScope = { ...scope, ...item }
    if (isFollowed(edge, edgeScope))
      return { block, element: -1, elementKey: '', ...item, skip: false, scope: edgeScope }
  }
  return { block, element: -1, elementKey: '', skip: true, scope }
}

/** A condition on a truncated value could give the wrong answer, so it fails the run. */
function isFollowed({ id, cond, fromBlockId }: Edge, scope: BindingScope): boolean {
  const truncated = isTruncated(scope.item) && bindsItem(cond) ? fromBlockId : truncatedBlock(cond, scope)
  if (truncated !== undefined) throw outputTooLarge(`edges.${id}.cond`, truncated)
  return passes(cond, scope)
}

/** The recorded step of a planned one. */
export const stepOf = <S>(
  { element, elementKey }: Pick<PlannedStep, 'element' | 'elementKey'>,
  done: ReadonlyMap<string, S>,
) => done.get(elementKey) ?? (element >= 0 ? done.get(keyOfPosition(element)) : undefined)

/** A skipped step counts as done only while the plan still skips it: the graph may have changed since. */
const isDone = ({ skip }: PlannedStep, step: StepState | undefined) =>
  step?.status === 'SUCCEEDED' || (skip && step?.status === 'SKIPPED')

function resultOf(planned: readonly PlannedStep[], done: ReadonlyMap<string, StepState>): BlockResult {
  const elements = planned.map((each): ElementResult => {
    const step = stepOf(each, done)
    const succeeded = step?.status === 'SUCCEEDED'
    const output = succeeded && step.isTruncated ? new TruncatedOutput() : step?.output
    const { elementKey: key, item, skip, scope } = each
    return { key, item, follow: !skip, blocks: scope.blocks, succeeded, output }
  })
  const [first] = elements
  const isSingle = planned.length === 1 && planned[0]?.element === -1
  if (isSingle) return { succeeded: first?.succeeded === true, output: first?.output }
  const succeeded = elements.filter((each) => each.succeeded)
  return { succeeded: succeeded.length > 0, output: succeeded.map(({ output }) => output), elements }
}

function groupByBlock(steps: readonly StepState[]) {
  const groups = new Map<string, Map<string, StepState>>()
  for (const step of steps) {
    const group = groups.get(step.blockId) ?? new Map<string, StepState>()
    groups.set(step.blockId, group.set(step.elementKey, step))
  }
  return groups
}

function groupByTarget(edges: readonly Edge[]) {
  const groups = new Map<string, Edge[]>()
  for (const edge of edges) groups.set(edge.toBlockId, [...(groups.get(edge.toBlockId) ?? []), edge])
  return groups
}
