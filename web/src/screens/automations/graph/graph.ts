import type { Output } from '../../../api.ts'
import { layered } from './layered.ts'

export type Automation = Output<'automations_get'>
export type Block = Automation['blocks'][number]
export type Edge = Automation['edges'][number]
export type Kind = Block['kind']
export type Graph = { blocks: readonly Block[]; edges: readonly Edge[] }

/** Where a new block goes: behind a block, into an edge, or nowhere in particular. */
export type Place = { after?: string; edge?: string }

export const blockOf = ({ blocks }: Graph, id: string | null | undefined) => blocks.find((block) => block.id === id)

/** An id that the bindings of people can be read by: `customer`, `customer2`. */
export function freshId(taken: readonly { id: string }[], wish: string): string {
  const base = wish.replace(/[^A-Za-z0-9]+/g, '_').replace(/^_+|_+$/g, '') || 'block'
  const used = new Set(taken.map(({ id }) => id))
  for (let n = 1; ; n++) {
    const id = n === 1 ? base : `${base}${n}`
    if (!used.has(id)) return id
  }
}

/** A block as it begins. It stands in its column until somebody moves it. */
export function newBlock(graph: Graph, { kind, ref }: { kind: Kind; ref: string }, config: Block['config']): Block {
  const wish = kind === 'ACTION' ? ref.split(/[._]/).slice(1).join('_') || ref : kind === 'TRIGGER' ? 'trigger' : ref
  const id = freshId(graph.blocks, wish.charAt(0).toLowerCase() + wish.slice(1))
  return { id, kind, ref: kind === 'FILTER' ? null : ref, config, position: {} }
}

const newEdge = ({ edges }: Graph, fromBlockId: string, toBlockId: string): Edge => ({
  id: freshId(edges, `${fromBlockId}_${toBlockId}`),
  fromBlockId,
  toBlockId,
  cond: null,
  mode: 'ONCE',
  order: edges.length,
})

/** Adds a block. Into an edge it goes between the two, and the first half keeps guard and mode. */
export function addBlock(graph: Graph, block: Block, { after, edge }: Place): Graph {
  const blocks = [...graph.blocks, block]
  const split = graph.edges.find(({ id }) => id === edge)
  if (split) {
    const first = { ...split, toBlockId: block.id }
    const others = { blocks, edges: graph.edges.map((each) => (each.id === split.id ? first : each)) }
    return { blocks, edges: [...others.edges, newEdge(others, block.id, split.toBlockId)] }
  }
  if (!after || block.kind === 'TRIGGER') return { ...graph, blocks }
  const rows = blockOf(graph, after)?.kind === 'FILTER'
  const into = newEdge(graph, after, block.id)
  return { blocks, edges: [...graph.edges, rows && block.kind === 'ACTION' ? { ...into, mode: 'FOR_EACH' } : into] }
}

/** The blocks that run before this one, the nearest first. */
export function upstream({ edges }: Graph, id: string): string[] {
  const found: string[] = []
  const next = [id]
  for (let at = next.shift(); at !== undefined; at = next.shift()) {
    for (const { fromBlockId, toBlockId } of edges) {
      if (toBlockId !== at || found.includes(fromBlockId)) continue
      found.push(fromBlockId)
      next.push(fromBlockId)
    }
  }
  return found
}

/** No edge to itself, to a trigger, a second time, or back to where it came from. */
export const mayConnect = (graph: Graph, from: string, to: string): boolean =>
  from !== to &&
  blockOf(graph, to)?.kind !== 'TRIGGER' &&
  !graph.edges.some(({ fromBlockId, toBlockId }) => fromBlockId === from && toBlockId === to) &&
  !upstream(graph, from).includes(to)

export const connect = (graph: Graph, from: string, to: string): Graph =>
  mayConnect(graph, from, to) ? { ...graph, edges: [...graph.edges, newEdge(graph, from, to)] } : graph

/** Takes a block out. What led to its only follower leads there directly. */
export function removeBlock(graph: Graph, id: string): Graph {
  const into = graph.edges.filter(({ toBlockId }) => toBlockId === id)
  const out = graph.edges.filter(({ fromBlockId }) => fromBlockId === id)
  const blocks = graph.blocks.filter((block) => block.id !== id)
  const edges = graph.edges.filter(({ fromBlockId, toBlockId }) => fromBlockId !== id && toBlockId !== id)
  const [before, after] = [into[0], out[0]]
  if (into.length !== 1 || out.length !== 1 || !before || !after) return { blocks, edges }
  return connect({ blocks, edges }, before.fromBlockId, after.toBlockId)
}

export const removeEdge = (graph: Graph, id: string): Graph => ({
  ...graph,
  edges: graph.edges.filter((edge) => edge.id !== id),
})

export function duplicateBlock(graph: Graph, id: string): { graph: Graph; id: string } {
  const block = blockOf(graph, id)
  if (!block) return { graph, id }
  const copy = { ...block, id: freshId(graph.blocks, id.replace(/\d+$/, '')), position: below(block.position) }
  const into = graph.edges
    .filter(({ toBlockId }) => toBlockId === id)
    .map((edge) => ({ ...edge, id: freshId(graph.edges, `${edge.fromBlockId}_${copy.id}`), toBlockId: copy.id }))
  return { graph: { blocks: [...graph.blocks, copy], edges: [...graph.edges, ...into] }, id: copy.id }
}
const below = ({ x, y }: Block['position']) => (typeof x === 'number' && typeof y === 'number' ? { x, y: y + 120 } : {})

export const replaceBlock = (graph: Graph, block: Block): Graph => ({
  ...graph,
  blocks: graph.blocks.map((each) => (each.id === block.id ? block : each)),
})
export const replaceEdge = (graph: Graph, edge: Edge): Graph => ({
  ...graph,
  edges: graph.edges.map((each) => (each.id === edge.id ? edge : each)),
})

/** The blocks in the order in which they run. */
export function inOrder(graph: Graph): Block[] {
  const depth = (id: string) => upstream(graph, id).length
  return [...graph.blocks].sort(
    (a, b) => Number(b.kind === 'TRIGGER') - Number(a.kind === 'TRIGGER') || depth(a.id) - depth(b.id),
  )
}

/** The edge whose elements a block runs for: into it, or into a block before it in the chain. */
export function elementsOf(graph: Graph, id: string, seen: readonly string[] = []): Edge | undefined {
  const into = graph.edges.filter(({ toBlockId }) => toBlockId === id)
  const own = into.find(({ mode }) => mode === 'FOR_EACH')
  if (!own || seen.includes(id)) return undefined
  return elementsOf(graph, own.fromBlockId, [...seen, id]) ?? own
}

type Point = { x: number; y: number }
/** The room that a card takes, with a gap for the edge. */
const room = { x: 280, y: 84 }

/** Where each block stands: where somebody put it, or in its column. Where cards would cover each other, all are tidied. */
export function placesOf(graph: Graph): Map<string, Point> {
  const tidy = tidyPlaces(graph)
  const placed = graph.blocks.map(({ id, position: { x, y } }): [string, Point] => [
    id,
    typeof x === 'number' && typeof y === 'number' ? { x, y } : (tidy.get(id) ?? { x: 0, y: 0 }),
  ])
  const points = placed.map(([, point]) => point)
  return points.some((point, at) => points.slice(at + 1).some((other) => isCovered(point, other)))
    ? tidy
    : new Map(placed)
}

const isCovered = (a: Point, b: Point) => Math.abs(a.x - b.x) < room.x && Math.abs(a.y - b.y) < room.y

const tidyPlaces = ({ blocks, edges }: Graph) =>
  layered(
    blocks.map(({ id }) => id),
    edges.map(({ fromBlockId, toBlockId }) => [fromBlockId, toBlockId]),
  )

export function tidied(graph: Graph): Graph {
  const places = tidyPlaces(graph)
  return { ...graph, blocks: graph.blocks.map((block) => ({ ...block, position: { ...places.get(block.id) } })) }
}

export const indexOfPath = (path: string): { list: 'blocks' | 'edges'; at: number; rest: string } | undefined => {
  const [, list, at, rest = ''] = /^(blocks|edges)\.(\d+)\.?(.*)$/.exec(path) ?? []
  return list === 'blocks' || list === 'edges' ? { list, at: Number(at), rest } : undefined
}
