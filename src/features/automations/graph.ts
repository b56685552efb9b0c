import type { Detail } from '../../core/define/failure.ts'
import { secretProblems, secretProblemsOfBlock } from './actions/request-headers.ts'
import type { Block, Graph } from './automation.ts'
import { forbiddenNames } from './engine/bindings.ts'
import { conditionProblems } from './engine/conditions.ts'

/** The problems of a graph. A graph with problems is not saved. */
export function graphProblems({ blocks, edges }: Graph): Detail[] {
  const ids = new Set(blocks.map(({ id }) => id))
  const problems = [
    ...duplicateIds(blocks, 'blocks'),
    ...duplicateIds(edges, 'edges'),
    ...edges.flatMap((edge, n) => [
      ...unknownBlock(edge.fromBlockId, ids, `edges.${n}.fromBlockId`),
      ...unknownBlock(edge.toBlockId, ids, `edges.${n}.toBlockId`),
      ...selfLoop(edge, n),
      ...(edge.cond === null ? [] : conditionProblems(edge.cond, `edges.${n}.cond`)),
      ...forbiddenNames(edge.cond, `edges.${n}.cond`),
      ...secretProblems([edge.cond, edge.each], `edges.${n}.cond`),
    ]),
    ...blocks.flatMap((block, n) => [
      ...forbiddenNames(block.config, `blocks.${n}.config`),
      ...secretProblemsOfBlock(block, `blocks.${n}.config`),
    ]),
  ]
  if (!blocks.some(isTrigger))
    problems.push({ path: 'blocks', message: 'An automation needs at least one TRIGGER block.', code: 'NO_TRIGGER' })
  if (problems.length === 0 && topologicalOrder({ blocks, edges }).length < blocks.length)
    problems.push({ path: 'edges', message: 'The edges form a cycle.', code: 'CYCLE' })
  return problems
}

export const isTrigger = ({ kind }: Block) => kind === 'TRIGGER'

function duplicateIds(items: readonly { id: string }[], path: string): Detail[] {
  const seen = new Set<string>()
  return items.flatMap(({ id }, n) => {
    if (!seen.has(id)) {
      seen.add(id)
      return []
    }
    return [{ path: `${path}.${n}.id`, message: `The id ${id} is used twice in ${path}.`, code: 'DUPLICATE_ID' }]
  })
}

const unknownBlock = (id: string, ids: ReadonlySet<string>, path: string): Detail[] =>
  ids.has(id) ? [] : [{ path, message: `There is no block ${id} in this graph.`, code: 'UNKNOWN_BLOCK' }]

const selfLoop = ({ fromBlockId, toBlockId }: Graph['edges'][number], n: number): Detail[] =>
  fromBlockId === toBlockId
    ? [{ path: `edges.${n}`, message: `The edge connects ${toBlockId} to itself.`, code: 'SELF_LOOP' }]
    : []

/** The blocks in execution order: each one after its sources, otherwise as given. Blocks in a cycle are left out. */
export function topologicalOrder({ blocks, edges }: Graph): Block[] {
  const waiting = new Map(blocks.map(({ id }) => [id, 0]))
  const targets = new Map<string, string[]>()
  for (const { fromBlockId, toBlockId } of edges) {
    waiting.set(toBlockId, (waiting.get(toBlockId) ?? 0) + 1)
    targets.set(fromBlockId, [...(targets.get(fromBlockId) ?? []), toBlockId])
  }
  const order: Block[] = []
  const remaining = new Set(blocks)
  for (let found = true; found; ) {
    found = false
    for (const block of remaining) {
      if (waiting.get(block.id) !== 0) continue
      found = true
      remaining.delete(block)
      order.push(block)
      for (const target of targets.get(block.id) ?? []) waiting.set(target, (waiting.get(target) ?? 0) - 1)
    }
  }
  return order
}
