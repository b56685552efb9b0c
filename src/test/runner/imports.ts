import { existsSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

const helpers = dirname(import.meta.dirname)

/** The path of a helper: `world.ts` is src/test/world.ts. */
export const helper = (name: string): string => resolve(helpers, name)

/** The helpers (files of src/test) that a test file imports, directly or through each other. */
export function helpersOf(file: string, found = new Set<string>()): Set<string> {
  const source = existsSync(file) ? readFileSync(file, 'utf8') : ''
  for (const [, path = ''] of source.matchAll(/^(?:import|export)\b[^']*'(\.[^']*\.ts)'/gm)) {
    const next = resolve(dirname(file), path)
    if (!next.startsWith(helpers) || found.has(next)) continue
    found.add(next)
    helpersOf(next, found)
  }
  return found
}
