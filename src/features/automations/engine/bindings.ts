import type { Detail } from '../../../core/define/failure.ts'

/** What bindings are resolved against. */
export type BindingScope = {
  trigger: unknown
  /** Outputs by block id. */
  blocks: ReadonlyMap<string, unknown>
  /** The current element under a FOR_EACH edge. */
  item?: unknown
  context: { now: string; today: string; orgId: string }
}

/**
 * A value with its bindings substituted: a text that is one binding keeps the type of what it names, one inside a longer
 * text becomes text. What is missing is null when whole and nothing inside text. Paths lead over own properties of plain
 * JSON; nothing is evaluated, and what was substituted is not looked at again (THR-12).
 */
export function resolve(value: unknown, scope: BindingScope): unknown {
  if (typeof value === 'string') return resolveText(value, scope)
  if (Array.isArray(value)) return value.map((each) => resolve(each, scope))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, resolve(each, scope)]))
}

const whole = /^\{\{([^{}]*)\}\}$/
const inside = /\{\{([^{}]*)\}\}/g

function resolveText(text: string, scope: BindingScope): unknown {
  const path = whole.exec(text)?.[1]
  if (path !== undefined) return lookUp(path, scope) ?? null
  return text.replace(inside, (_, each: string) => toText(lookUp(each, scope)))
}

function toText(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** What a path such as `trigger.total` or `blocks.overdue.0.id` names; undefined where there is nothing. */
function lookUp(path: string, scope: BindingScope): unknown {
  const [root, ...rest] = path.trim().split('.')
  switch (root) {
    case 'trigger':
      return follow(scope.trigger, rest)
    case 'item':
      return follow(scope.item, rest)
    case 'context':
      return follow(scope.context, rest)
    case 'blocks': {
      const named = blockIn(rest, (id) => scope.blocks.has(id))
      return named && follow(scope.blocks.get(named.id), named.rest)
    }
    default:
      return undefined
  }
}

/** Ids of blocks may hold dots themselves: the longest one that is there is meant. */
export function blockIn(steps: readonly string[], isBlock: (id: string) => boolean) {
  for (let length = steps.length; length > 0; length--) {
    const id = steps.slice(0, length).join('.')
    if (isBlock(id)) return { id, rest: steps.slice(length) }
  }
  return undefined
}

const follow = (value: unknown, steps: readonly string[]): unknown => steps.reduce(stepInto, value)

function stepInto(value: unknown, name: string): unknown {
  if (value === null || typeof value !== 'object' || isPrototypeWord(name)) return undefined
  if (Array.isArray(value)) return inList(value, name)
  return Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined
}

function inList(list: readonly unknown[], name: string): unknown {
  if (name === 'count') return list.length
  if (name === 'items') return list
  return /^\d{1,9}$/.test(name) ? list[Number(name)] : undefined
}

const isPrototypeWord = (name: string) => name === '__proto__' || name === 'constructor' || name === 'prototype'

/** The paths of all bindings in a value. */
export function bindingsIn(value: unknown): string[] {
  if (typeof value === 'string') return [...value.matchAll(inside)].map(([, path = '']) => path.trim())
  if (value === null || typeof value !== 'object') return []
  return Object.values(value).flatMap(bindingsIn)
}

/** The blocks that the bindings in a value name, of those there are. */
export const blocksNamedIn = (value: unknown, isBlock: (id: string) => boolean): string[] =>
  bindingsIn(value).flatMap((path) => {
    const [root, ...rest] = path.split('.')
    return root === 'blocks' ? (blockIn(rest, isBlock)?.id ?? []) : []
  })

/** What a binding to the output of a block comes by: all of it first, what the binding stands for last. */
export function wayOf(path: string, { blocks }: Pick<BindingScope, 'blocks'>) {
  const [root, ...rest] = path.split('.')
  const named = root === 'blocks' ? blockIn(rest, (id) => blocks.has(id)) : undefined
  if (!named) return undefined
  const values = [blocks.get(named.id)]
  for (const name of named.rest) values.push(stepInto(values.at(-1), name))
  return { blockId: named.id, values }
}

/** Whether a value is bound to the current element. */
export const namesItem = (value: unknown): boolean => bindingsIn(value).some((path) => path.split('.')[0] === 'item')

/** Names that lead out of plain data, in bindings or as fields, are refused when a graph is saved (THR-12). */
export function forbiddenWords(value: unknown, path: string): Detail[] {
  const bound = bindingsIn(value).filter((each) => each.split('.').some(isPrototypeWord))
  const named = namesIn(value).filter(isPrototypeWord)
  return [...bound, ...named].map((word) => ({
    path,
    message: `${path} must not name ${word}: bindings lead over fields of the data alone.`,
    code: 'BINDING',
  }))
}

function namesIn(value: unknown): string[] {
  if (value === null || typeof value !== 'object') return []
  const own = Array.isArray(value) ? [] : Object.keys(value)
  return [...own, ...Object.values(value).flatMap(namesIn)]
}
