import { sha256 } from '../../../core/values/id.ts'

/** An element of a list, with a key that does not depend on its position. */
export type KeyedElement = { key: string; item: unknown }

const readableMax = 100

/**
 * Gives each element of a list a key: the block that the list comes from, and the `id` of the element, or else its content.
 * A replay then finds the steps of an element after the list was reordered (INV-13). Equal elements are numbered.
 */
export function keyedElements(source: string, items: readonly unknown[]): KeyedElement[] {
  const idCounts = new Map<string, number>()
  for (const item of items) {
    const id = idOf(item)
    if (id !== undefined) idCounts.set(id, (idCounts.get(id) ?? 0) + 1)
  }
  const used = new Map<string, number>()
  return items.map((item) => {
    const id = idOf(item)
    const name = id !== undefined && idCounts.get(id) === 1 ? `id=${id}` : canonical(item)
    const key = `${source}:${name.length > readableMax ? sha256(name).toString('base64url') : name}`
    const count = (used.get(key) ?? 0) + 1
    used.set(key, count)
    return { item, key: count > 1 ? `${key}~${count}` : key }
  })
}

/** Steps of earlier versions were recorded with the position of their element. */
export const keyOfPosition = (element: number) => `#${element}`

function idOf(item: unknown): string | undefined {
  if (typeof item !== 'object' || item === null || !('id' in item)) return undefined
  return typeof item.id === 'string' || typeof item.id === 'number' ? String(item.id) : undefined
}

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
