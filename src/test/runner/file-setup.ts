import { afterAll, beforeAll, expect } from 'vitest'
import { helper, helpersOf } from './imports.ts'
import './patience.ts'

/**
 * Runs before each test file. Several files share one process and its modules, because loading the modules takes longer
 * than most files run. State that each file needs for itself is created here, if the file imports the helper it belongs to.
 */
const used = helpersOf(expect.getState().testPath ?? '')

// Imported inside the hooks, after the test file, which may have replaced a module (vi.mock).
if (used.has(helper('world.ts'))) {
  const isFilled = used.has(helper('filled.ts'))
  const isOwn = isFilled || used.has(helper('own-world.ts'))
  if (isFilled)
    beforeAll(async () => (await import('../filled.ts')).openFilledWorld(), 600_000) // the first one fills it
  else if (isOwn) beforeAll(async () => (await import('../world.ts')).openWorld())
  else beforeAll(async () => (await import('../world.ts')).shareWorld())
  if (isOwn) afterAll(async () => (await import('../world.ts')).closeWorld())
  if (used.has(helper('violations.ts'))) afterAll(async () => (await import('../violations.ts')).checkBooksIfDue())
}
if (used.has(helper('mcp.ts'))) {
  beforeAll(async () => (await import('../mcp.ts')).openMcp())
  afterAll(async () => (await import('../mcp.ts')).closeMcp())
}
