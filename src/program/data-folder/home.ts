import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of the program, with scripts/kontor.mjs. It runs as dist/cli.js in that folder. */
const home = fileURLToPath(new URL('../', import.meta.url))

/** A package has the built program only. npm replaces its folder, so nothing of the user's belongs there. */
const isPackage = existsSync(join(home, 'package.json')) && !existsSync(join(home, 'src'))

/** The folder with .env and data by default: the clone, or for a package the folder that the command is called in. */
export const workFolder = isPackage ? process.cwd() : home

/** The file that explains every setting. */
export const settingsFile = join(home, '.env.example')

/** How to call the command line from any folder. `npx` would ask the public registry for a package of the same name. */
export const kontorCommand = `node ${quoted(join(home, 'scripts', 'kontor.mjs'))}`

/** A path as a word for a shell. */
export function quoted(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`
}
