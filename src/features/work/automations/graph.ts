import type { Detail } from '../../../core/define/failure.ts'
import { secretProblemsOfBlock, secretProblemsOfFields } from './actions/request-headers.ts'
import type { Block, Graph } from './automation.ts'
import { forbiddenNames, isPrototypeName } from './engine/bindings.ts'
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
      ...eachProblems(edge.each, `edges.${n}.each`),
      ...secretProblemsOfFields(edge, `edges.${n}`),
    ]),
    ...blocks.flatMap((block, n) => [
      ...forbiddenNames(block.config, `blocks.${n}.config`),
      ...secretProblemsOfBlock(block, `blocks.${n}`),
    ]),
  ]
  if (!blocks.some(isTrigger))
    problems.push({ path: 'blocks', message: 'An automation needs at least one TRIGGER block.', code: 'NO_TRIGGER' })
  const cycle = problems.length === 0 ? cycleOf({ blocks, edges }) : undefined
  if (cycle) problems.push({ path: 'edges', message: `The edges form a cycle: ${cycle}.`, code: 'CYCLE' })
  return problems
}

const shownInCycle = 20

/** The blocks of a cycle as a → b → a; undefined without one. */
function cycleOf({ blocks, edges }: Graph): string | undefined {
  const ordered = new Set(topologicalOrder({ blocks, edges }).map(({ id }) => id))
  if (ordered.size === blocks.length) return undefined
  // Every block that is left has a source that is left too, so going back must come to a block a second time.
  const sources = new Map<string, string>()
  for (const { fromBlockId, toBlockId } of edges) if (!ordered.has(fromBlockId)) sources.set(toBlockId, fromBlockId)
  const path: string[] = []
  const places = new Map<string, number>()
  let at = blocks.find(({ id }) => !ordered.has(id))?.id ?? ''
  while (!places.has(at)) {
    places.set(at, path.length)
    path.push(at)
    at = sources.get(at) ?? ''
  }
  const cycle = [at, ...path.slice(places.get(at)).reverse()]
  return (cycle.length > shownInCycle ? [...cycle.slice(0, shownInCycle), '…', at] : cycle).join(' → ')
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

/** `each` is a path as in a binding, without its braces. */
function eachProblems(each: string | null | undefined, path: string): Detail[] {
  const names = each?.split('.') ?? []
  const isPath = names.every((name) => name !== '' && name === name.trim() && !/[{}]/.test(name))
  if (isPath && !names.some(isPrototypeName)) return []
  const message = `${path} must be the path of a list inside the output of the source, such as documents or pages.0.lines.`
  return [{ path, message, code: 'BINDING' }]
}

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
