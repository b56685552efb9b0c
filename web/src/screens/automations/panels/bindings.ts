import type { Schema } from '../../../ui/schema/schema.ts'

/** Something that a value can be taken from: a field of the trigger, of an earlier block, of the current element. */
export type Taken = { path: string; label: string; type: string }
export type Source = { key: string; label: string; of: readonly Taken[] }

export const isBound = (value: unknown): value is string => typeof value === 'string' && /\{\{[^{}]*\}\}/.test(value)

/** The path, if the text is one binding and nothing else. */
export const onlyBinding = (value: unknown): string | undefined =>
  typeof value === 'string' ? /^\s*\{\{\s*([^{}]+?)\s*\}\}\s*$/.exec(value)?.[1] : undefined

/** The paths of all bindings in a text. */
export const bindingsIn = (text: string): string[] =>
  [...text.matchAll(/\{\{\s*([^{}]+?)\s*\}\}/g)].map(([, path = '']) => path)

const depthMax = 3

/** The fields of a value by its schema, as paths: `customer.name`. A list is one field, with its number of elements. */
export function pathsOf(schema: Schema | null | undefined, path = '', depth = 0): { path: string; type: string }[] {
  if (!schema || depth > depthMax) return []
  const type = typeof schema.type === 'string' ? schema.type : (schema.type?.find((each) => each !== 'null') ?? 'any')
  const inside = Object.entries(schema.properties ?? {}).flatMap(([name, each]) =>
    pathsOf(each, path ? `${path}.${name}` : name, depth + 1),
  )
  if (type === 'object' && inside.length > 0) return inside
  if (path === '') return type === 'array' ? [{ path: 'count', type: 'integer' }] : inside
  return type === 'array'
    ? [
        { path, type },
        { path: `${path}.count`, type: 'integer' },
      ]
    : [{ path, type }]
}

/** The lists in a value: what FOR_EACH can run through. The empty path is the value itself. */
export function listsOf(schema: Schema | null | undefined): string[] {
  if (schema && (schema.type === 'array' || (Array.isArray(schema.type) && schema.type.includes('array')))) return ['']
  return pathsOf(schema)
    .filter(({ type }) => type === 'array')
    .map(({ path }) => path)
}

/** The schema of the elements of the list at a path. */
export function elementSchema(schema: Schema | null | undefined, each: string | null | undefined): Schema | undefined {
  const list = (each ?? '')
    .split('.')
    .filter(Boolean)
    .reduce<Schema | undefined>((at, name) => at?.properties?.[name] ?? at?.items, schema ?? undefined)
  return list?.items ?? list
}

/** The value at a path of recorded data: `trigger.total`, `blocks.copy.id`. */
export function valueAt(data: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((at, name) => {
    if (Array.isArray(at)) return name === 'count' ? at.length : name === 'items' ? at : at[Number(name)]
    return typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[name] : undefined
  }, data)
}

type Recorded = {
  input: unknown
  steps: readonly { blockId: string | null; element: number | null; output: unknown }[]
}

/** What a run recorded, as bindings see it. `item` is the first element of the list that a block gave. */
export function sampleOf(run: Recorded | undefined, itemFrom?: { blockId: string; each: string | null }) {
  if (!run) return {}
  const blocks: Record<string, unknown> = {}
  for (const { blockId, output } of run.steps) if (blockId && !(blockId in blocks)) blocks[blockId] = output
  const list = itemFrom && (itemFrom.each ? valueAt(blocks[itemFrom.blockId], itemFrom.each) : blocks[itemFrom.blockId])
  return { trigger: run.input, blocks, item: Array.isArray(list) ? list[0] : list }
}
