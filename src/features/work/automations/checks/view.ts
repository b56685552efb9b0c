import { nearest, suggestion } from '../../../../core/values/nearest.ts'
import type { Edge } from '../automation.ts'
import { bindingRoots, contextNames, findBlockId, isContextPath, isSecret } from '../engine/bindings.ts'
import { type BlockFlow, type BlockSet, type Elements, type Flow, outputSeen } from './flow.ts'
import { anyShape, namesIn, type Shape, shapeAt, unite } from './shape.ts'

/** What the bindings of a block, or of the condition of an edge, can refer to. */
export type View = {
  flow: Flow
  triggers: BlockSet
  upstream: BlockSet
  elements: Elements
  /** The edges of which one would have to be FOR_EACH for an item. */
  edges: readonly Edge[]
}

export const viewOfBlock = (flow: Flow, { block, triggers, upstream, elements }: BlockFlow): View => ({
  flow,
  triggers,
  upstream,
  elements,
  edges: flow.incoming.get(block.id) ?? [],
})

/** A condition is checked when all blocks before the target have finished. */
export const viewOfEdge = (
  flow: Flow,
  edge: Edge,
  elements: Elements,
  ends: { source: BlockFlow; target: BlockFlow },
): View => ({
  flow,
  triggers: ends.source.triggers,
  upstream: ends.target.upstream,
  elements,
  edges: [edge],
})

/** What {{trigger}} may be, and the names of its events. */
function triggerSeen({ flow, triggers }: View) {
  const blocks = flow.triggers.filter(({ bit }) => triggers & bit)
  // A block that no trigger leads to has a warning of its own.
  if (blocks.length === 0) return { shape: anyShape, events: '' }
  const events = new Set(blocks.flatMap(({ block: { ref } }) => ref ?? []))
  return { shape: unite(blocks.map(({ output }) => output)), events: [...events].slice(0, 5).join(' or ') }
}

function itemHint({ edges }: View): string {
  const names = edges.slice(0, 3).map(({ id }) => id)
  return names.length === 0 ? 'no edge leads here.' : `set mode FOR_EACH on the edge ${names.join(' or ')}.`
}

export type BindingProblem = { code: string; message: string }

/** The longest id of a block, so that a long path is not compared with ids at every length. */
const idMax = 200
const shownMax = 100

/** What is wrong with the path of a binding; undefined if it has a value, or if that is not known. */
export function bindingProblem(path: string, view: View): BindingProblem | undefined {
  // Where a secret cannot be used, the graph is refused; whether it exists is known when it is sent.
  if (isSecret(path)) return undefined
  const [root = '', ...rest] = path.split('.')
  const text = `{{${path.length > shownMax ? `${path.slice(0, shownMax)}…` : path}}}`
  switch (root) {
    case 'trigger':
      return triggerProblem(rest, view, text)
    case 'item':
      if (!view.elements.item) return { code: 'NO_ITEM', message: `${text} has no value: ${itemHint(view)}` }
      return missingField(view.elements.item, rest, { text, root, of: 'an element of the list' })
    case 'blocks':
      return blockProblem(rest, view, text)
    case 'context':
      return contextProblem(rest, text)
    default: {
      const better = nearest(root, bindingRoots)
      const hint = better
        ? `Did you mean {{${[better, ...rest].join('.')}}}?`
        : `A binding begins with ${bindingRoots.join(', ')}.`
      return { code: 'UNKNOWN_BINDING', message: `${text} has no value. ${hint}`.slice(0, 500) }
    }
  }
}

/** What the value of a binding looks like, as far as it is known. */
export function shapeOfBinding(path: string, view: View): Shape {
  const [root, ...rest] = path.split('.')
  const at = root === 'context' ? contextShape(rest) : rootShape(root, rest, view)
  return at && 'found' in at ? at.found : anyShape
}

function rootShape(root: string | undefined, path: readonly string[], view: View) {
  if (root === 'trigger') return shapeAt(triggerSeen(view).shape, path)
  if (root === 'item') return shapeAt(view.elements.item ?? anyShape, path)
  const found = root === 'blocks' ? findBlockId(path.slice(0, idMax), (id) => view.flow.blocks.has(id)) : undefined
  const source = found && view.flow.blocks.get(found.id)
  return source && shapeAt(outputSeen(source, view.elements), [...found.rest, ...path.slice(idMax)])
}

const contextShape = (path: readonly string[]) =>
  isContextPath(path) && /^(now|today)/.test(path[0] ?? '') ? { found: aDate } : undefined
const aDate: Shape = [{ type: 'string', format: 'date-time' }]

function triggerProblem(path: readonly string[], view: View, text: string): BindingProblem | undefined {
  const { shape, events } = triggerSeen(view)
  return missingField(shape, path, { text, root: 'trigger', of: `the payload of ${events}` })
}

function contextProblem(path: readonly string[], text: string): BindingProblem | undefined {
  if (path.length === 0 || isContextPath(path)) return undefined
  const hint = suggestion(path[0] ?? '', [...contextNames, 'today-3d', 'today+14d'], (each) => `context.${each}`)
  return { code: 'UNKNOWN_FIELD', message: `${text} has no value.${hint}` }
}

function blockProblem(path: readonly string[], view: View, text: string): BindingProblem | undefined {
  const { blocks } = view.flow
  const found = findBlockId(path.slice(0, idMax), (id) => blocks.has(id))
  const source = found && blocks.get(found.id)
  if (!source) return unknownBlock(path[0] ?? '', view, text)
  const { id } = found
  if (!(view.upstream & source.bit)) {
    const message = `${text} has no value: no path of edges leads from the block ${id} to here.`
    return { code: 'NOT_UPSTREAM', message }
  }
  const rest = [...found.rest, ...path.slice(idMax)]
  const of = `the output of the block ${id}`
  return missingField(outputSeen(source, view.elements), rest, { text, root: `blocks.${id}`, of })
}

function unknownBlock(id: string, { flow, upstream }: View, text: string): BindingProblem {
  const known = [...flow.blocks.values()].filter(({ bit }) => upstream & bit).map(({ block }) => block.id)
  const hint = suggestion(id, known, (each) => `blocks.${each}`)
  const message = `${text} has no value: there is no block ${id.slice(0, shownMax)}.${hint}`
  return { code: 'UNKNOWN_BLOCK', message }
}

function missingField(
  shape: Shape,
  path: readonly string[],
  { text, root, of }: { text: string; root: string; of: string },
): BindingProblem | undefined {
  const at = shapeAt(shape, path)
  if ('found' in at) return undefined
  const names = at.missing.split('.')
  const name = names.at(-1) ?? ''
  const before = [root, ...names.slice(0, -1)].join('.')
  const hint = suggestion(name, namesIn(at.in), (each) => `${before}.${each}`)
  return {
    code: 'UNKNOWN_FIELD',
    message: `${text} has no value: ${of} has no ${at.missing.slice(0, shownMax)}.${hint}`,
  }
}
