import { toHebrewSet } from '../text.ts'

/**
 * Keys of accounts and items for fields of a fixed width: what people call them, or the end of the id where that is too long, has
 * characters that the file lacks, or is the key of another one.
 */
export function keysOf(named: readonly { id: string; name: string | null }[], width: number): Map<string, string> {
  const keys = new Map<string, string>()
  const used = new Set<string>()
  for (const { id, name } of named) {
    const fits = name !== null && name.length <= width && toHebrewSet(name) === name && name.trim() === name
    const key =
      fits && name !== '' && !used.has(name.toUpperCase()) ? name : id.replaceAll('-', '').slice(-width).toUpperCase()
    used.add(key.toUpperCase())
    keys.set(id, key)
  }
  return keys
}
