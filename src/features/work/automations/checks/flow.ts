import type { JsonSchema } from '../../../../core/contract/json-schema.ts'
import type { Catalog } from '../../../../core/define/services.ts'
import { findAction } from '../actions/action.ts'
import type { Block, Edge, Graph } from '../automation.ts'
import { isRecord } from '../engine/elements.ts'
import { isTrigger, topologicalOrder } from '../graph.ts'
import {
  anyShape,
  anything,
  elementOf,
  isAnything,
  isList,
  leavesOf,
  listOf,
  type Shape,
  shapeAt,
  unite,
} from './shape.ts'

/** A set of blocks, one bit each: sets of all blocks before a block are joined at every edge. */
export type BlockSet = bigint

/** What is known about a block before it runs; see engine/plan.ts. */
export type BlockFlow = {
  block: Block
  bit: BlockSet
  /** The triggers that lead to the block; itself for a trigger. */
  triggers: BlockSet
  /** The blocks that have finished when it starts. */
  upstream: BlockSet
  elements: Elements
  /** The output of one step of the block. */
  output: Shape
  /** The output as the blocks after it see it: a list of outputs if it runs once per element. */
  outputAfter: Shape
}

/** Whether a block runs once per element of a list, and what it then sees. */
export type Elements = {
  repeats: 'never' | 'sometimes' | 'always'
  /** What {{item}} is; undefined without a FOR_EACH edge. */
  item: Shape | undefined
  /** The blocks before of which it may see the output for the same element, in place of the list of their outputs. */
  own: BlockSet
  /** Those of which it sees nothing else. */
  onlyOwn: BlockSet
}

export type Flow = {
  blocks: ReadonlyMap<string, BlockFlow>
  triggers: readonly BlockFlow[]
  /** What the target of an edge sees over it. */
  edges: ReadonlyMap<Edge, Elements>
  incoming: ReadonlyMap<string, readonly Edge[]>
}

const once: Elements = { repeats: 'never', item: undefined, own: 0n, onlyOwn: 0n }

/** Follows the edges from the triggers. The graph has no cycle. */
export function flowOf(catalog: Catalog, graph: Graph): Flow {
  const incoming = new Map<string, Edge[]>(graph.blocks.map(({ id }) => [id, []]))
  for (const edge of graph.edges) incoming.get(edge.toBlockId)?.push(edge)
  const triggers: BlockFlow[] = []
  const flow = { blocks: new Map<string, BlockFlow>(), triggers, edges: new Map<Edge, Elements>(), incoming }
  for (const [n, block] of topologicalOrder(graph).entries()) {
    const edges = incoming.get(block.id) ?? []
    for (const edge of edges) flow.edges.set(edge, elementsOf(edge, flow.blocks.get(edge.fromBlockId)))
    const made = flowOfBlock(catalog, { block, bit: 1n << BigInt(n) }, edges, flow)
    flow.blocks.set(block.id, made)
    if (isTrigger(block)) triggers.push(made)
  }
  return flow
}

function flowOfBlock(
  catalog: Catalog,
  { block, bit }: Pick<BlockFlow, 'block' | 'bit'>,
  edges: readonly Edge[],
  flow: Flow,
): BlockFlow {
  const sources = edges.flatMap(({ fromBlockId }) => flow.blocks.get(fromBlockId) ?? [])
  const upstream = sources.reduce((all, source) => all | source.upstream | source.bit, 0n)
  const triggers = sources.reduce((all, source) => all | source.triggers, isTrigger(block) ? bit : 0n)
  const elements = isTrigger(block) ? once : joined(edges.map((edge) => flow.edges.get(edge) ?? once))
  const output = outputOf(catalog, block)
  return { block, bit, triggers, upstream, elements, output, outputAfter: outputAfter(output, elements) }
}

function outputAfter(output: Shape, { repeats }: Elements): Shape {
  if (repeats === 'never') return output
  return repeats === 'always' ? [listOf(output)] : [listOf(output), ...output]
}

/** What a block sees over one edge. */
function elementsOf(edge: Edge, source: BlockFlow | undefined): Elements {
  if (edge.mode !== 'FOR_EACH' || !source) return once
  const { output, elements, bit } = source
  const list = listShape(edge, output)
  const isOnce = elements.repeats !== 'always'
  const isRepeated = elements.repeats !== 'never'
  const single = isOnce ? itemsOf(list, output) : []
  const inner = isRepeated ? itemsOf(list, elements.item ?? anyShape) : []
  return {
    repeats: isOnce ? repeatsOver(list, isRepeated) : 'always',
    item: unite([single, inner]),
    own: isRepeated ? elements.own | bit : 0n,
    onlyOwn: isOnce ? 0n : elements.onlyOwn | bit,
  }
}

/** Where the list of a FOR_EACH edge is in the output of one step of its source; empty if there is nothing. */
export function listShape({ each }: Pick<Edge, 'each'>, output: Shape): Shape {
  if (!each) return leavesOf(output)
  const at = shapeAt(output, each.split('.'))
  return 'found' in at ? leavesOf(at.found) : []
}

/** The elements of what is a list; whatever is none is not taken apart. */
function itemsOf(list: Shape, otherwise: Shape): Shape {
  const shapes = list.map((schema) => {
    if (isAnything(schema)) return anyShape
    return isList(schema) ? elementOf(schema) : otherwise
  })
  return unite(list.length > 0 ? shapes : [otherwise])
}

function repeatsOver(list: Shape, sourceRepeats: boolean): Elements['repeats'] {
  if (list.length > 0 && list.every(isList)) return 'always'
  return sourceRepeats || list.some((schema) => isList(schema) || isAnything(schema)) ? 'sometimes' : 'never'
}

/** What a block sees over any of its edges. */
function joined(edges: readonly Elements[]): Elements {
  const repeating = edges.filter(({ item }) => item !== undefined)
  if (repeating.length === 0) return once
  const isAlways = edges.every(({ repeats }) => repeats === 'always')
  const isNever = edges.every(({ repeats }) => repeats === 'never')
  const own = repeating.reduce((all, edge) => all | edge.own, 0n)
  return {
    repeats: isAlways ? 'always' : isNever ? 'never' : 'sometimes',
    item: unite(repeating.map(({ item }) => item ?? [])),
    own,
    onlyOwn: isAlways ? repeating.reduce((all, edge) => all & edge.onlyOwn, own) : 0n,
  }
}

/** The output of a block before, as a block or condition sees it. */
export function outputSeen({ bit, output, outputAfter }: BlockFlow, { own, onlyOwn }: Elements): Shape {
  if (onlyOwn & bit) return output
  return own & bit ? unite([output, outputAfter]) : outputAfter
}

function outputOf(catalog: Catalog, { kind, ref, config }: Block): Shape {
  if (kind === 'TRIGGER') return payloadOf(catalog, ref)
  if (kind === 'FILTER') return [filterOutput(config.spec)]
  const action = kind === 'ACTION' ? findAction(catalog, ref) : undefined
  if (!action) return anyShape
  return leavesOf([(action.kind === 'engine' ? action.action.output : action.operation.output) as JsonSchema])
}

const payloadOf = ({ events }: Catalog, ref: string | null): Shape => {
  const payload = events.find(({ type }) => type === ref)?.payload
  return payload ? leavesOf([payload as JsonSchema]) : anyShape
}

const aScalar: JsonSchema = { type: ['string', 'number', 'boolean', 'null'] }
const scalars: JsonSchema = { type: 'array', items: aScalar }

/** The results of a filter have the names of `extract`. */
function filterOutput(spec: unknown): JsonSchema {
  if (!isRecord(spec) || !Array.isArray(spec.extract)) return anything
  if (spec.shape === 'scalar') return aScalar
  if (spec.shape === 'scalars') return scalars
  const names = spec.extract.flatMap((each: unknown) =>
    isRecord(each) && typeof each.as === 'string' ? [each.as] : [],
  )
  const properties = Object.fromEntries(names.map((name) => [name, aScalar]))
  return { type: 'array', items: { type: 'object', properties } }
}
