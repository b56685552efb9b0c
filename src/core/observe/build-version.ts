import { existsSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { productVersion } from '../values/product-version.ts'

/** The folder of the program: it runs as dist/<name>.js in it, or from src/core/observe. */
const home = fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? '../../../' : '../', import.meta.url))

/** The version as operators see it: that of unreleased code also names the commit, as far as it is known. */
export const buildVersion = versionIn(home, productVersion)

export function versionIn(folder: string, version: string): string {
  const commit = version.endsWith('-dev') ? commitOf(folder) : undefined
  return commit ? `${version}+${commit.slice(0, 9)}` : version
}

/** A package names its commit in package.json; a clone has it in .git, which is read without git. */
function commitOf(folder: string): string | undefined {
  try {
    const { gitHead } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    return [gitHead, headOf(join(folder, '.git'))].find((each) => /^[0-9a-f]{9,64}$/.test(each ?? ''))
  } catch {
    return undefined // a version without its commit is better than a program that does not start
  }
}

function headOf(git: string): string | undefined {
  if (!existsSync(git)) return undefined
  // A further work tree has a file that names its folder, where HEAD is; branches are in the folder of the clone.
  const folder = statSync(git).isDirectory() ? git : resolve(git, '..', read(git).replace(/^gitdir: /, ''))
  const head = read(join(folder, 'HEAD'))
  const branch = /^ref: (.+)$/.exec(head)?.[1]
  if (!branch) return head
  const shared = existsSync(join(folder, 'commondir')) ? resolve(folder, read(join(folder, 'commondir'))) : folder
  if (existsSync(join(shared, branch))) return read(join(shared, branch))
  const packed = existsSync(join(shared, 'packed-refs')) ? read(join(shared, 'packed-refs')).split('\n') : []
  return packed.find((line) => line.endsWith(` ${branch}`))?.split(' ')[0]
}

function read(file: string): string {
  return readFileSync(file, 'utf8').trim()
}
