import { readFileSync, writeFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import type { ClientBase, PoolConfig } from 'pg'

const lower = constants.priority.PRIORITY_BELOW_NORMAL

/**
 * Lets a process of PostgreSQL run after others when processors are short. Only for a server on this machine, which is reached
 * through a socket file, and on Linux; elsewhere nothing changes.
 */
export function lowerPriorityOfBackend({ host = '' }: PoolConfig, client: ClientBase): void {
  const { processID } = client as ClientBase & { processID?: number | null } // the types of `pg` leave it out
  if (host.startsWith('/') && processID) lowerPriority(processID, attemptsMax)
}

/** Without the rights of root, Linux takes one such change every tenth of a second. */
const [attemptsMax, pauseMs] = [30, 150]

function lowerPriority(pid: number, attempts: number) {
  try {
    // The server may have other process ids than this program sees, in a container of its own.
    if (readFileSync(`/proc/${pid}/comm`, 'utf8').trim() !== 'postgres') return
    setPriority(pid, lower)
    // Every process of PostgreSQL has a session of its own. Where Linux shares processors between sessions, only this counts.
    writeFileSync(`/proc/${pid}/autogroup`, String(lower))
  } catch (error) {
    const isTooSoon = error instanceof Error && 'code' in error && error.code === 'EAGAIN'
    if (isTooSoon && attempts > 1) setTimeout(() => lowerPriority(pid, attempts - 1), pauseMs).unref()
    // otherwise not Linux, or the process of another account
  }
}
