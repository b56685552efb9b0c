import type { Detail } from '../../core/define/failure.ts'
import type { Block, Graph } from './automation.ts'
import { forbiddenWords } from './engine/bindings.ts'
import { conditionProblems } from './engine/conditions.ts'

/** What is wrong with a graph, by the rules that every saved one keeps. */
export function graphProblems({ blocks, edges }: Graph): Detail[] {
  const ids = new Set(blocks.map(({ id }) => id))
  const problems = [
    ...twice(blocks, 'blocks'),
    ...twice(edges, 'edges'),
    ...edges.flatMap((edge, n) => [
      ...missingEnd(edge.fromBlockId, ids, `edges.${n}.fromBlockId`),
      ...missingEnd(edge.toBlockId, ids, `edges.${n}.toBlockId`),
      ...selfLoop(edge, n),
      ...(edge.cond === null ? [] : conditionProblems(edge.cond, `edges.${n}.cond`)),
      ...forbiddenWords(edge.cond, `edges.${n}.cond`),
    ]),
    ...blocks.flatMap(({ config }, n) => forbiddenWords(config, `blocks.${n}.config`)),
  ]
  if (!blocks.some(isTrigger))
    problems.push({ path: 'blocks', message: 'An automation needs at least one TRIGGER block.', code: 'NO_TRIGGER' })
  if (problems.length === 0 && topological({ blocks, edges }).length < blocks.length)
    problems.push({ path: 'edges', message: 'The edges go in a circle; a graph has an end.', code: 'CYCLE' })
  return problems
}

export const isTrigger = ({ kind }: Block) => kind === 'TRIGGER'

function twice(things: readonly { id: string }[], path: string): Detail[] {
  const seen = new Set<string>()
  return things.flatMap(({ id }, n) => {
    if (!seen.has(id)) {
      seen.add(id)
      return []
    }
    return [{ path: `${path}.${n}.id`, message: `The id ${id} stands twice among the ${path}.`, code: 'DUPLICATE_ID' }]
  })
}

const missingEnd = (id: string, ids: ReadonlySet<string>, path: string): Detail[] =>
  ids.has(id) ? [] : [{ path, message: `There is no block ${id} in this graph.`, code: 'UNKNOWN_BLOCK' }]

const selfLoop = ({ fromBlockId, toBlockId }: Graph['edges'][number], n: number): Detail[] =>
  fromBlockId === toBlockId
    ? [{ path: `edges.${n}`, message: `The edge leads from ${toBlockId} to itself.`, code: 'SELF_LOOP' }]
    : []

/** The blocks in the order in which they run: each after all that lead to it, otherwise as given. Those in a circle are left out. */
export function topological({ blocks, edges }: Graph): Block[] {
  const waiting = new Map(blocks.map(({ id }) => [id, 0]))
  const targets = new Map<string, string[]>()
  for (const { fromBlockId, toBlockId } of edges) {
    waiting.set(toBlockId, (waiting.get(toBlockId) ?? 0) + 1)
    targets.set(fromBlockId, [...(targets.get(fromBlockId) ?? []), toBlockId])
  }
  const order: Block[] = []
  const left = new Set(blocks)
  for (let found = true; found; ) {
    found = false
    for (const block of left) {
      if (waiting.get(block.id) !== 0) continue
      found = true
      left.delete(block)
      order.push(block)
      for (const target of targets.get(block.id) ?? []) waiting.set(target, (waiting.get(target) ?? 0) - 1)
    }
  }
  return order
}
