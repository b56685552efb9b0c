import type { Identity } from './field.ts'

type Values = Record<string, unknown>

/** Finds the earlier row that is the same record as a row, by the rules of `Identity`. */
export function createDuplicateFinder(identity: Identity, home: Values) {
  const groups = identity.map(() => new Map<string, { row: number; keys: (string | null)[] }[]>())
  return (row: number, values: Values): { row: number; fields: readonly string[] } | undefined => {
    const keys = identity.map((fields) => keyOf(fields, { ...home, ...values }, values))
    for (const [at, key] of keys.entries()) {
      if (key === null) continue
      const group = groups[at]?.get(key) ?? []
      const same = group.find((other) => !contradicts(keys.slice(0, at), other.keys))
      if (same) return { row: same.row, fields: identity[at] ?? [] }
    }
    for (const [at, key] of keys.entries()) {
      if (key === null) continue
      const group = groups[at]?.get(key)
      if (group) group.push({ row, keys })
      else groups[at]?.set(key, [{ row, keys }])
    }
    return undefined
  }
}

/** Null if the row lacks the first field; others have the value of the organization then, such as its country. */
function keyOf(fields: readonly string[], values: Values, given: Values): string | null {
  if (given[fields[0] ?? ''] === undefined) return null
  return JSON.stringify(fields.map((field) => String(values[field] ?? '').toLowerCase()))
}

const contradicts = (keys: readonly (string | null)[], others: readonly (string | null)[]) =>
  keys.some((key, at) => key !== null && others[at] !== null && key !== others[at])
