import type { Detail } from '../../../../core/define/failure.ts'
import { addDays } from '../../../../core/values/day.ts'
import type { ComparisonBudget } from './comparison-budget.ts'

/** The values that bindings refer to. */
export type BindingScope = {
  trigger: unknown
  /** The outputs of finished blocks by block id. */
  blocks: ReadonlyMap<string, unknown>
  /** The current element under a FOR_EACH edge. */
  item?: unknown
  /** `timezone` is that of the organization, in which conditions compare days with instants. */
  context: Record<(typeof contextNames)[number], string>
  /** How much conditions may still compare; without one, as much as they want. */
  budget?: ComparisonBudget
}

export const contextNames = ['now', 'today', 'weekday', 'orgId', 'timezone'] as const

/** What a path begins with. Secrets are no such value: see `isSecret`. */
export const bindingRoots = ['trigger', 'blocks', 'item', 'context'] as const

/**
 * Replaces the bindings in a value. A text that consists of one binding becomes the bound value with its type; a binding
 * inside a longer text becomes text. A missing value becomes null, or an empty text inside a longer one. Paths follow own
 * properties of plain JSON. Nothing is evaluated, and bindings in the inserted values are not resolved (THR-12).
 */
export function resolve(value: unknown, scope: BindingScope): unknown {
  if (typeof value === 'string') return resolveText(value, scope)
  if (Array.isArray(value)) return value.map((each) => resolve(each, scope))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, resolve(each, scope)]))
}

const wholeBinding = /^\{\{([^{}]*)\}\}$/
const binding = /\{\{([^{}]*)\}\}/g

function resolveText(text: string, scope: BindingScope): unknown {
  const path = wholeBinding.exec(text)?.[1]
  if (path !== undefined && !isSecret(path)) return boundValue(path, scope) ?? null
  return text.replace(binding, (whole, each: string) => (isSecret(each) ? whole : toText(boundValue(each, scope))))
}

/** Secrets are inserted when a request is sent (actions/request-headers.ts). Anywhere else their names stay as they are. */
export const isSecret = (path: string): boolean => path.trim().split('.')[0] === 'secrets'

/** The parts of a text: the text between bindings, and the path and text of each binding. */
export function textParts(text: string, scope: BindingScope): ({ text: string } | { path: string; text: string })[] {
  const parts: ReturnType<typeof textParts> = []
  let end = 0
  for (const found of text.matchAll(binding)) {
    const path = (found[1] ?? '').trim()
    parts.push({ text: text.slice(end, found.index) }, { path, text: toText(boundValue(path, scope)) })
    end = found.index + found[0].length
  }
  return [...parts, { text: text.slice(end) }]
}

function toText(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** The value at a path such as `trigger.total` or `blocks.overdue.0.id`; undefined if there is none. */
export function boundValue(path: string, scope: BindingScope): unknown {
  const [root, ...rest] = path.trim().split('.')
  switch (root) {
    case 'trigger':
      return valueAt(scope.trigger, rest)
    case 'item':
      return valueAt(scope.item, rest)
    case 'context':
      return contextValue(scope.context, rest)
    case 'blocks': {
      const found = findBlockId(rest, (id) => scope.blocks.has(id))
      return found && valueAt(scope.blocks.get(found.id), found.rest)
    }
    default:
      return undefined
  }
}

/** `today-3d` is the day three days before the run started, `today+14d` the one two weeks after. */
function contextValue(context: BindingScope['context'], path: readonly string[]): unknown {
  const shift = path.length === 1 ? dayShift.exec(path[0] ?? '')?.[1] : undefined
  return shift === undefined ? valueAt(context, path) : addDays(context.today, Number(shift))
}

/** Whether the context has a value at this path, whatever the run is. */
export const isContextPath = ([name = '', ...rest]: readonly string[]): boolean =>
  rest.length === 0 && (dayShift.test(name) || contextNames.some((each) => each === name))

const dayShift = /^today([+-]\d{1,4})d$/

/** Splits a path into a block id and the rest. A block id may contain dots, so the longest matching id is used. */
export function findBlockId(path: readonly string[], isBlock: (id: string) => boolean) {
  for (let length = path.length; length > 0; length--) {
    const id = path.slice(0, length).join('.')
    if (isBlock(id)) return { id, rest: path.slice(length) }
  }
  return undefined
}

/** The value at a path inside a value. */
export const valueAt = (value: unknown, path: readonly string[]): unknown => path.reduce(propertyOf, value)

function propertyOf(value: unknown, name: string): unknown {
  if (value === null || typeof value !== 'object' || isPrototypeName(name)) return undefined
  if (Array.isArray(value)) return listProperty(value, name)
  return Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined
}

function listProperty(list: readonly unknown[], name: string): unknown {
  if (name === 'count') return list.length
  if (name === 'items') return list
  return /^\d{1,9}$/.test(name) ? list[Number(name)] : undefined
}

/** These names lead from plain data to JavaScript objects. */
export const isPrototypeName = (name: string) => name === '__proto__' || name === 'constructor' || name === 'prototype'

/** The path of the binding that a value consists of. */
export const wholeBindingPath = (value: unknown): string | undefined =>
  typeof value === 'string' ? wholeBinding.exec(value)?.[1]?.trim() : undefined

/** The text around the bindings. */
export const withoutBindings = (text: string): string => text.replace(binding, ' ')

/** The paths of all bindings in a value. */
export function bindingsIn(value: unknown): string[] {
  if (typeof value === 'string')
    return value.includes('{{') ? [...value.matchAll(binding)].map(([, path = '']) => path.trim()) : []
  if (value === null || typeof value !== 'object') return []
  return Object.values(value).flatMap(bindingsIn)
}

/** The paths of the bindings in a value that resolve to nothing: to a missing value or to null. */
export const missingBindings = (value: unknown, scope: BindingScope): string[] => [
  ...new Set(bindingsIn(value).filter((path) => (boundValue(path, scope) ?? null) === null)),
]

/** The ids of the blocks that a value is bound to, limited to ids that `isBlock` accepts. */
export const boundBlocks = (value: unknown, isBlock: (id: string) => boolean): string[] =>
  bindingsIn(value).flatMap((path) => {
    const [root, ...rest] = path.split('.')
    return root === 'blocks' ? (findBlockId(rest, isBlock)?.id ?? []) : []
  })

/** The values along the path of a binding to a block: its whole output first, the bound value last. */
export function valuesAlong(path: string, { blocks }: Pick<BindingScope, 'blocks'>) {
  const [root, ...rest] = path.split('.')
  const found = root === 'blocks' ? findBlockId(rest, (id) => blocks.has(id)) : undefined
  if (!found) return undefined
  const values = [blocks.get(found.id)]
  for (const name of found.rest) values.push(propertyOf(values.at(-1), name))
  return { blockId: found.id, values }
}

/** Whether a value is bound to the current element of a FOR_EACH edge. */
export const bindsItem = (value: unknown): boolean => bindingsIn(value).some((path) => path.split('.')[0] === 'item')

export const bindsTrigger = (value: unknown): boolean =>
  bindingsIn(value).some((path) => path.split('.')[0] === 'trigger')

/** A graph with prototype names in bindings or as field names is refused when it is saved (THR-12). */
export function forbiddenNames(value: unknown, path: string): Detail[] {
  const bound = bindingsIn(value).filter((each) => each.split('.').some(isPrototypeName))
  const fields = fieldNames(value).filter(isPrototypeName)
  return [...bound, ...fields].map((name) => ({
    path,
    message: `${path} must not contain ${name}: bindings can only refer to fields of the data.`,
    code: 'BINDING',
  }))
}

function fieldNames(value: unknown): string[] {
  if (value === null || typeof value !== 'object') return []
  const own = Array.isArray(value) ? [] : Object.keys(value)
  return [...own, ...Object.values(value).flatMap(fieldNames)]
}
