import { type Block, type Edge, type Graph, runLimits, type StepStatus } from '../automation.ts'
import { isTrigger, topologicalOrder } from '../graph.ts'
import { type BindingScope, bindsItem, valueAt } from './bindings.ts'
import { ComparisonBudget } from './comparison-budget.ts'
import { passes } from './conditions.ts'
import { type ElementId, findSteps, keyOf, nameElements } from './elements.ts'
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
  /** That of the recorded step, if there is one: it then stays the same step. */
  elementKey: string
  id?: ElementId
  item?: unknown
  skip: boolean
  scope: BindingScope
  recorded?: StepState | undefined
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
type ElementResult = Omit<Element, 'follow' | 'position'> & { succeeded: boolean; output: unknown }

/** An element on its way through the blocks that run once per element. */
type Element = {
  id: ElementId
  item: unknown
  follow: boolean
  /** The outputs of the blocks before for this element. */
  own: Outputs
  /** The place of the element as versions before counted it. */
  position: number
}

/** A step that is not matched with the recorded ones yet. */
type NewStep = Omit<PlannedStep, 'elementKey' | 'recorded'> & { own: Outputs; position: number }
type BlockStep = PlannedStep & { own: Outputs }

/**
 * Computes the next steps from a graph and the recorded steps. A block waits for all blocks with an edge to it. It runs
 * if one of them succeeded and the condition of that edge passes, and is skipped otherwise. Under FOR_EACH it runs once
 * per element, and its output is the list of their outputs.
 */
export function plan(graph: Graph, input: PlanInput, steps: readonly StepState[]): Plan {
  const recorded = groupByBlock(steps)
  const { order, incoming } = arrangedOf(graph)
  const results = new Map<string, BlockResult>()
  const outputs = new Map<string, unknown>()
  const ofElement = new Map<string, Map<string, unknown>>()
  const budget = new ComparisonBudget()
  const result: Plan = { next: [], waiting: [], outputs, elements: 0 }
  for (const block of order) {
    const edges = incoming.get(block.id) ?? []
    if (!isTrigger(block) && edges.some(({ fromBlockId }) => !results.has(fromBlockId))) {
      result.waiting.push(block)
      continue
    }
    const scope = { trigger: input.trigger, blocks: outputs, context: input.context, budget }
    const known = recorded.get(block.id) ?? []
    const planned = isTrigger(block)
      ? withRecorded([triggerStep(block, input, scope)], known)
      : blockSteps(block, edges, { results, ofElement, scope }, known)
    result.elements = Math.max(result.elements, planned.length)
    const open = planned.filter((step) => !isDone(step))
    result.next.push(...open)
    if (open.length > 0) continue
    const blockResult = resultOf(planned)
    results.set(block.id, blockResult)
    if (blockResult.succeeded) outputs.set(block.id, blockResult.output)
    addOutputs(ofElement, block.id, blockResult)
  }
  return result
}

const noOutputs: Outputs = new Map()
const once = { element: -1, position: -1, own: noOutputs } as const

// Node 20 is slow where fields follow a spread object, and these are made for every block each time.
const triggerStep = (block: Block, { fired }: PlanInput, scope: BindingScope): NewStep => ({
  block,
  skip: !fired.has(block.id),
  scope,
  ...once,
})

type Upstream = {
  results: ReadonlyMap<string, BlockResult>
  /** The outputs of blocks that ran for an element, by its key. */
  ofElement: ReadonlyMap<string, Outputs>
  scope: BindingScope
}

/** A block that was skipped for an element has no output there; that of other elements must not take its place. */
function addOutputs(ofElement: Map<string, Map<string, unknown>>, blockId: string, { elements = [] }: BlockResult) {
  for (const { id, succeeded, output } of elements) {
    const outputs = ofElement.get(keyOf(id)) ?? new Map<string, unknown>()
    ofElement.set(keyOf(id), outputs.set(blockId, succeeded ? output : undefined))
  }
}

/** The steps of a block: one per element of the lists under its FOR_EACH edges, or a single one. */
function blockSteps(
  block: Block,
  edges: readonly Edge[],
  upstream: Upstream,
  known: readonly StepState[],
): BlockStep[] {
  const { results } = upstream
  const active = edges.filter(({ fromBlockId }) => results.get(fromBlockId)?.succeeded)
  const lists = active.map((edge) => ({ edge, elements: elementsOf(edge, upstream) }))
  const steps = mergeElements(lists.map(({ elements }) => elements ?? [])).map(
    ({ follow, ...each }, element): NewStep => ({
      ...each,
      block,
      element,
      skip: !follow,
      scope: scopeOf(each, upstream),
    }),
  )
  const perElement = withRecorded(steps, known)
  // An element that succeeded stays done, as a single step does.
  if (perElement.some(({ skip, recorded }) => !skip || recorded?.status === 'SUCCEEDED')) return perElement
  const others = lists.filter(({ elements }) => !elements).map(({ edge }) => edge)
  return withRecorded([singleStep(block, others, upstream)], known)
}

function withRecorded(steps: readonly NewStep[], known: readonly StepState[]): BlockStep[] {
  const found = findSteps(steps, known)
  return steps.map((step, n) => {
    const recorded = found[n]
    return { elementKey: recorded?.elementKey ?? keyOf(step.id), recorded, ...step }
  })
}

/** In the scope of an element, `{{blocks.<id>}}` of a block that ran for it is the output for this element. */
const scopeOf = (
  { id, own, item }: Pick<Element, 'id' | 'own' | 'item'>,
  { ofElement, scope }: Pick<Upstream, 'ofElement' | 'scope'>,
): BindingScope => ({
  ...scope,
  blocks: joined(joined(scope.blocks, ofElement.get(keyOf(id)) ?? noOutputs), own),
  item,
})

const joined = (outputs: Outputs, own: Outputs): Outputs => (own.size > 0 ? new Map([...outputs, ...own]) : outputs)

/**
 * The elements that a FOR_EACH edge leads to: those of the list in the output of its source. If the source itself ran once
 * per element, each element goes on, unless its output has a list of its own. Undefined if the target runs once.
 */
function elementsOf(edge: Edge, upstream: Upstream): Element[] | undefined {
  const source = upstream.results.get(edge.fromBlockId)
  if (edge.mode !== 'FOR_EACH' || !source) return undefined
  const follow = (element: Omit<Element, 'follow'>): Element => ({
    ...element,
    follow: isFollowed(edge, scopeOf(element, upstream)),
  })
  if (source.elements) return continuedElements(edge, source.elements, follow)
  const list = listOf(edge, source.output)
  const named = list && nameElements(nameOfList(edge), list.slice(0, enough))
  return named?.map(({ item, ...id }, position) => follow({ id, item, own: noOutputs, position }))
}

/** One element more than allowed is enough to see that the limit is exceeded. */
const enough = runLimits.elementsMax + 1

function continuedElements(
  edge: Edge,
  elements: readonly ElementResult[],
  follow: (element: Omit<Element, 'follow'>) => Element,
): Element[] {
  const all: Element[] = []
  let succeeded = 0
  for (const { id, item, own: before, ...result } of elements) {
    if (all.length >= enough) break
    if (!result.succeeded) {
      all.push({ id, item, own: before, follow: false, position: -1 })
      continue
    }
    const position = succeeded++ // versions before counted the outputs
    // Whether it has a list of its own is not known.
    if (isTruncated(result.output)) throw outputTooLarge(`edges.${edge.id}`, edge.fromBlockId)
    const own = new Map(before).set(edge.fromBlockId, result.output)
    const list = listOf(edge, result.output)?.slice(0, enough - all.length)
    if (!list) all.push(follow({ id, item, own, position }))
    else
      for (const { item: inner, ...innerId } of nameElements(nameOfList(edge), list, id))
        all.push(follow({ id: innerId, item: inner, own, position }))
  }
  return all
}

/** The list of an output, or at the path `each` inside it. */
function listOf({ id, each, fromBlockId }: Edge, output: unknown): readonly unknown[] | undefined {
  if (each && isTruncated(output)) throw outputTooLarge(`edges.${id}.each`, fromBlockId)
  const value = each ? valueAt(output, each.split('.')) : output
  return Array.isArray(value) ? value : undefined
}

const nameOfList = ({ fromBlockId, each }: Edge) => (each ? `${fromBlockId} ${each}` : fromBlockId)

/** An element that two edges lead to is one element. It is followed if one of them is. */
function mergeElements(lists: readonly (readonly Element[])[]): Element[] {
  const merged = new Map<string, Element>()
  let offset = 0 // versions before counted through all lists
  for (const elements of lists) {
    for (const element of elements) {
      const known = merged.get(keyOf(element.id))
      const position = known?.position ?? (element.position < 0 ? -1 : offset + element.position)
      const own = known ? joined(known.own, element.own) : element.own
      merged.set(keyOf(element.id), { ...element, own, position, follow: element.follow || known?.follow === true })
    }
    offset += Math.max(0, ...elements.map(({ position }) => position + 1))
  }
  return [...merged.values()]
}

/** Under FOR_EACH, a source output that is not a list is itself the only element. */
function singleStep(block: Block, edges: readonly Edge[], { results, scope }: Upstream): NewStep {
  for (const edge of edges) {
    const item = edge.mode === 'FOR_EACH' ? { item: results.get(edge.fromBlockId)?.output } : {}
    const edgeScope = edge.mode === 'FOR_EACH' ? { ...scope, ...item } : scope
    if (isFollowed(edge, edgeScope)) return { block, skip: false, scope: edgeScope, ...item, ...once }
  }
  return { block, skip: true, scope, ...once }
}

/** A condition on a truncated value could give the wrong answer, so it fails the run. */
function isFollowed({ id, cond, fromBlockId }: Edge, scope: BindingScope): boolean {
  const truncated = isTruncated(scope.item) && bindsItem(cond) ? fromBlockId : truncatedBlock(cond, scope)
  if (truncated !== undefined) throw outputTooLarge(`edges.${id}.cond`, truncated)
  return passes(cond, scope)
}

/** A skipped step counts as done only while the plan still skips it: the graph may have changed since. */
const isDone = ({ skip, recorded }: BlockStep) =>
  recorded?.status === 'SUCCEEDED' || (skip && recorded?.status === 'SKIPPED')

function resultOf(planned: readonly BlockStep[]): BlockResult {
  const results = planned.map(({ recorded }) => {
    const succeeded = recorded?.status === 'SUCCEEDED'
    return { succeeded, output: succeeded && recorded.isTruncated ? new TruncatedOutput() : recorded?.output }
  })
  const [first] = results
  const elements = planned.flatMap(({ id, item, own }, n) => {
    const result = results[n]
    return id && result ? [{ id, item, own, ...result }] : []
  })
  if (first && elements.length === 0) return first
  const succeeded = results.filter((each) => each.succeeded)
  return { succeeded: succeeded.length > 0, output: succeeded.map(({ output }) => output), elements }
}

function groupByBlock(steps: readonly StepState[]) {
  const groups = new Map<string, StepState[]>()
  for (const step of steps) {
    const group = groups.get(step.blockId)
    if (group) group.push(step)
    else groups.set(step.blockId, [step])
  }
  return groups
}

type Arranged = { edges: readonly Edge[]; order: readonly Block[]; incoming: ReadonlyMap<string, readonly Edge[]> }
const arranged = new WeakMap<readonly Block[], Arranged>()

/** The blocks in their order and the edges to each of them. A run is planned again after every step, with the same graph. */
function arrangedOf(graph: Graph): Arranged {
  const known = arranged.get(graph.blocks)
  if (known?.edges === graph.edges) return known
  const made = { edges: graph.edges, order: topologicalOrder(graph), incoming: groupByTarget(graph.edges) }
  arranged.set(graph.blocks, made)
  return made
}

function groupByTarget(edges: readonly Edge[]) {
  const groups = new Map<string, Edge[]>()
  for (const edge of edges) {
    const group = groups.get(edge.toBlockId)
    if (group) group.push(edge)
    else groups.set(edge.toBlockId, [edge])
  }
  return groups
}
