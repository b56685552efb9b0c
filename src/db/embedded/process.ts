import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { codeOf } from '../start-failure.ts'

/** The user a child runs as; empty means ourselves. Spreads into the options of `spawn`. */
export type Account = { uid?: number; gid?: number }

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (codeOf(error) !== 'EPERM') return false
  }
  return fieldsOf(pid)?.[0] !== 'Z' // a zombie: in a container its parent may never collect it
}

/** The start time of a process. Together with the process id it identifies the process, because ids are reused. */
export function birthOf(pid: number): string {
  try {
    if (process.platform === 'linux') {
      return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${fieldsOf(pid)?.[19]}`
    }
    if (process.platform === 'win32') return ''
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim()
  } catch {
    return ''
  }
}

/** The fields of /proc/<pid>/stat after the process name, which may contain spaces. */
function fieldsOf(pid: number): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return undefined
  }
}

/** The PostgreSQL processes, the server and its workers, that still work in a database folder. */
export function serversIn(folder: string): number[] {
  if (process.platform !== 'linux') {
    const pid = postmasterOf(folder)
    return pid !== undefined && isAlive(pid) && nameOf(pid).includes('postgres') ? [pid] : []
  }
  const { dev, ino } = statSync(folder)
  const worksThere = (pid: number) => {
    try {
      const cwd = statSync(`/proc/${pid}/cwd`)
      return cwd.ino === ino && cwd.dev === dev && nameOf(pid) === 'postgres'
    } catch {
      return false // ended meanwhile, or not accessible
    }
  }
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter(worksThere)
}

/** Stops the PostgreSQL processes that an earlier run left in a database folder, and removes their lock file. */
export async function clearServersIn(folder: string): Promise<void> {
  await stopServersIn(folder)
  const named = postmasterOf(folder)
  if (named === undefined || serversIn(folder).length > 0) return
  // PostgreSQL would take any process with that id for its own, and after a reboot the id is often reused. On systems
  // where its workers cannot be listed, a dead id is left to PostgreSQL, which checks their shared memory.
  if (process.platform === 'linux' || isAlive(named)) rmSync(join(folder, 'postmaster.pid'))
}

/** Stops the server in order, or its remaining workers at once if the server itself has ended. */
async function stopServersIn(folder: string): Promise<void> {
  const postmaster = postmasterOf(folder)
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    const left = serversIn(folder)
    if (left.length === 0) return
    const orderly = signal === 'SIGINT'
    const targets = orderly ? left.filter((pid) => pid === postmaster) : left
    if (targets.length === 0) continue
    for (const pid of targets) signalTo(pid, signal)
    const deadline = Date.now() + (orderly ? 10_000 : 3_000)
    while (serversIn(folder).length > 0 && Date.now() < deadline) await sleep(50)
  }
}

export function signalTo(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') throw error
  }
}

/** The process id in PostgreSQL's own lock file. */
function postmasterOf(folder: string): number | undefined {
  try {
    const pid = Number.parseInt(readFileSync(join(folder, 'postmaster.pid'), 'utf8'), 10)
    return pid > 0 ? pid : undefined
  } catch {
    return undefined
  }
}

function nameOf(pid: number): string {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/comm`, 'utf8').trim()
    if (process.platform === 'win32') {
      return execFileSync('tasklist', ['/FI', `PID eq ${pid}`, '/NH'], { encoding: 'utf8' })
    }
    return execFileSync('ps', ['-o', 'comm=', '-p', String(pid)], { encoding: 'utf8' })
  } catch {
    return ''
  }
}
