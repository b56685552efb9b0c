import { sha256 } from '../../../../core/values/id.ts'

/**
 * What an element of a list is known by, independent of its position (INV-13). `from` names the lists that it comes from, and
 * `name` the element in them: its `id`, or else its content. Both are paths if a list is inside an element of another one.
 */
export type ElementId = { from: string; name: string }

const separator = ':'
const partMaxBytes = 300

/** The key that a step is recorded with; '' for a step without an element. */
export const keyOf = (id: ElementId | undefined): string => (id ? `${id.from}${separator}${id.name}` : '')

/** Steps of earlier versions were recorded with the position of their element. */
export const keyOfPosition = (element: number) => `#${element}`

/** Names each element of a list. `source` is the block that the list comes from, with the path of the list in its output. */
export function nameElements(
  source: string,
  items: readonly unknown[],
  parent?: ElementId,
): (ElementId & { item: unknown })[] {
  const from = joined(parent?.from, source.replace(/[%/:]/g, encodeURIComponent))
  const isOnlyOne = onlyOnes(items.flatMap((item) => idOf(item) ?? []))
  const counts = new Map<string, number>()
  return items.map((item) => {
    const id = idOf(item)
    const name = id !== undefined && isOnlyOne(id) ? `id=${id}` : canonical(item)
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    const escaped = name.replace(/[%/]/g, encodeURIComponent)
    // Equal elements are numbered.
    return { item, from, name: joined(parent?.name, count > 1 ? `${short(escaped)}~${count}` : escaped) }
  })
}

const joined = (parent: string | undefined, part: string) => short(parent === undefined ? part : `${parent}/${part}`)

/** The key is part of an index, so its size is limited. */
const short = (text: string) =>
  Buffer.byteLength(text) > partMaxBytes ? `sha256=${sha256(text).toString('base64url')}` : text

function onlyOnes(ids: readonly string[]): (id: string) => boolean {
  const counts = new Map<string, number>()
  for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1)
  return (id) => counts.get(id) === 1
}

function idOf(item: unknown): string | undefined {
  if (!isRecord(item) || !Object.hasOwn(item, 'id')) return undefined
  return typeof item.id === 'string' || typeof item.id === 'number' ? String(item.id) : undefined
}

type KeyedStep = { elementKey: string; status: string }
/** A step to find: `position` is the place of its element as earlier versions counted it, -1 if there is none. */
type Wanted = { id?: ElementId | undefined; position: number }

/**
 * The recorded step of each of these steps of one block: the one with its key. A list that no longer leads to the block was
 * replaced, so its steps are found by the name of their element alone. Each step is found once.
 */
export function findSteps<S extends KeyedStep>(wanted: readonly Wanted[], steps: readonly S[]): (S | undefined)[] {
  if (steps.length === 0) return wanted.map(() => undefined) // most blocks, most of the time
  const byKey = new Map(steps.map((step) => [step.elementKey, step]))
  const current = new Set(wanted.map(({ id }) => id?.from))
  const replaced = new Map<string, S[]>()
  for (const step of succeededFirst(steps)) {
    const id = readKey(step.elementKey)
    if (id && !current.has(id.from)) replaced.set(id.name, [...(replaced.get(id.name) ?? []), step])
  }
  const byPosition = new Map(byKey)
  return wanted.map(({ id, position }) => {
    const found = byKey.get(keyOf(id)) ?? (id && replaced.get(id.name)?.shift())
    const atPosition = position < 0 ? undefined : byPosition.get(keyOfPosition(position))
    if (!atPosition || found?.status === 'SUCCEEDED') return found
    if (atPosition.status === 'SUCCEEDED') return atPosition // for all elements of a list that was one element then
    if (!found) byPosition.delete(atPosition.elementKey)
    return found ?? atPosition
  })
}

const succeededFirst = <S extends KeyedStep>(steps: readonly S[]) => [
  ...steps.filter(({ status }) => status === 'SUCCEEDED'),
  ...steps.filter(({ status }) => status !== 'SUCCEEDED'),
]

/** Undefined for a key without an element, and for a position. */
function readKey(key: string): ElementId | undefined {
  const end = key.indexOf(separator)
  return end < 0 ? undefined : { from: key.slice(0, end), name: key.slice(end + 1) }
}

/** The name of an element for people: its id or content, without the lists that it comes from. */
export const readableName = ({ name }: ElementId): string =>
  name
    .split('/')
    .map((part) => part.replace(/^id=/, '').replace(/%2F|%25/g, decodeURIComponent))
    .join(' / ')

/** JSON with sorted keys, so that the order of the fields does not matter. */
export function canonical(value: unknown): string {
  return (
    JSON.stringify(value, (_, each: unknown) =>
      isRecord(each) ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1))) : each,
    ) ?? 'null'
  )
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
