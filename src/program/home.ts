import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of the program, with scripts/kontor.mjs, and by default .env and data. It runs as dist/cli.js in that folder. */
export const home = fileURLToPath(new URL('../', import.meta.url))

/** How to call the command line from any folder. `npx` would ask the public registry for a package of the same name. */
export const kontorCommand = `node ${quoted(join(home, 'scripts', 'kontor.mjs'))}`

/** A path as a word for a shell. */
export function quoted(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`
}
