import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { codeOf, StartFailure } from '../start-failure.ts'

/** The user a child runs as; empty means ourselves. Spreads into the options of `spawn`. */
export type Account = { uid?: number; gid?: number }

/** Whether a process runs. One that has ended keeps its id until its parent collects it, in a container perhaps for ever. */
export const isAlive = (pid: number): boolean => isTaken(pid) && fieldsOf(pid)?.[0] !== 'Z'

/** Whether a process has this id, even one that has ended: PostgreSQL sees no difference. */
function isTaken(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
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

/**
 * Stops the PostgreSQL processes that an earlier run left in a database folder, and removes its lock file if PostgreSQL
 * would refuse it. `known`: the run that left it is known to have ended, so that the process id in it was reused.
 */
export async function clearServersIn(folder: string, { known }: { known: boolean }): Promise<void> {
  await stopServersIn(folder)
  const file = join(folder, 'postmaster.pid')
  if (!existsSync(file) || serversIn(folder).length > 0) return
  const named = postmasterOf(folder)
  // A server looks every minute whether the file names it, so a file that names nobody belongs to none.
  if (named === undefined) return rmSync(file, { force: true })
  // If no process here has the id, PostgreSQL replaces the file after it has checked that its shared memory is not in use.
  if (!isTaken(named)) return
  if (!known) {
    throw new StartFailure(
      `${file} names process ${named}, which is not PostgreSQL here but may be one in another container that uses this folder. If none does, remove that file and start again.`,
    )
  }
  rmSync(file, { force: true })
}

/** Ends a server and its workers without a shutdown, which would write and would remove the lock file of another server. */
export function killServer(pid: number): void {
  signalTo(pid, 'SIGSTOP') // so that it starts no more workers
  for (const each of [...workersOf(pid), pid]) signalTo(each, 'SIGKILL')
}

function workersOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)
  } catch {
    return [] // they notice within a moment that their server is gone
  }
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

/** For shell scripts: `sleep` and `rmdir` are found also where a service manager gives a program another PATH. */
export const shellEnvironment = (): NodeJS.ProcessEnv => ({
  ...process.env,
  PATH: `${process.env.PATH ?? ''}:/usr/bin:/bin`,
})
