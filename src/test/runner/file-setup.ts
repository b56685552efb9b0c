import { existsSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'

/**
 * Runs before each test file. Files in one process share the modules they import, which take longer to load than most
 * files to run; so what is to be made anew for each file is made here, for those that come to it.
 */
const reached = reachedFrom(expect.getState().testPath ?? '')

// Imported when the file itself has been, which may have put something in the place of a module.
if (reached.has(beside('world.ts'))) {
  beforeAll(async () => (await import('../world.ts')).openWorld())
  afterAll(async () => (await import('../world.ts')).closeWorld())
}
if (reached.has(beside('mcp.ts'))) {
  beforeAll(async () => (await import('../mcp.ts')).openMcp())
  afterAll(async () => (await import('../mcp.ts')).closeMcp())
}

function beside(name: string): string {
  return resolve(import.meta.dirname, '..', name)
}

/** The files of this folder that a file imports, and those that they import. */
function reachedFrom(file: string, found = new Set<string>()): Set<string> {
  const source = existsSync(file) ? readFileSync(file, 'utf8') : ''
  for (const [, path = ''] of source.matchAll(/^(?:import|export)\b[^']*'(\.[^']*\.ts)'/gm)) {
    const next = resolve(dirname(file), path)
    if (!next.startsWith(resolve(import.meta.dirname, '..')) || found.has(next)) continue
    found.add(next)
    reachedFrom(next, found)
  }
  return found
}
