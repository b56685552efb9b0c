import type { Named } from './understood.ts'

type Path = readonly (string | number)[]

/** The values of an input that name a record in words, and where they are. */
export function namedIn(value: unknown, path: Path = []): { path: Path; named: Named }[] {
  if (typeof value !== 'object' || value === null) return []
  if ('$named' in value) return [{ path, named: value as Named }]
  return Object.entries(value).flatMap(([key, each]) =>
    namedIn(each, [...path, Array.isArray(value) ? Number(key) : key]),
  )
}

/** The input with another value at a place. */
export function replaceAt<T>(value: T, [key, ...rest]: Path, by: unknown): T {
  if (key === undefined) return by as T
  if (Array.isArray(value)) return value.map((each, at) => (at === key ? replaceAt(each, rest, by) : each)) as T
  return { ...value, [key]: replaceAt((value as Record<string | number, unknown>)[key], rest, by) }
}
