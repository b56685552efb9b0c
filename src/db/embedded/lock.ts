import { randomUUID } from 'node:crypto'
import { linkSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { codeOf, StartFailure } from '../start-failure.ts'
import { describeSelf, type Holder, isSameHolder, lockFile, placeOf, readHolder, writeHolder } from './holder.ts'
import { createLease, leaseName, renewLease } from './lease.ts'
import { openLifeSocket } from './life-socket.ts'
import { elsewhere, isInSight, isLockless, isStillRunning, socketName } from './still-running.ts'

/** The right to run PostgreSQL on a data folder. It ends with `release`, or with this process and its PostgreSQL. */
export type Lock = {
  id: string
  /** Whether an earlier run ended without cleaning up, and is known to have ended with its PostgreSQL. */
  followsDead: boolean
  /** The socket folder of that run. */
  abandonedSocketDir: string | undefined
  /** A descriptor that PostgreSQL inherits, so that others see it alive. */
  descriptor: number | undefined
  note(socketDir: string): void
  /** Resolves with a sentence if another Kontor has taken the lock: this machine was suspended for longer than a lease. */
  lost: Promise<string>
  release(): void
}

type Wish = { dataDir: string; say: (line: string) => void; patienceMs?: number }

/**
 * Takes the lock. The lock file of PostgreSQL does not suffice: it names a process id, which means nothing in another
 * container, and it cannot tell a second Kontor from a server that outlived the first one.
 */
export async function takeLock(wish: Wish): Promise<Lock> {
  const { dataDir } = wish
  const file = lockFile(dataDir)
  const own = describeSelf(randomUUID())
  const dead = await createLock({ ...wish, file, own })
  removeTraces(dataDir)
  createLease(dataDir, own.id)
  const socket = await openLifeSocket(dataDir, socketName(own.id))
  let state: Holder & { id: string } = { ...own, place: socket && placeOf(dataDir, own.boot) }
  rewrite({ dataDir, state })
  const ending = new AbortController()
  return {
    id: own.id,
    followsDead: dead !== undefined,
    abandonedSocketDir: typeof dead === 'object' ? dead.socketDir : undefined,
    descriptor: socket?.descriptor,
    note(socketDir) {
      state = { ...state, socketDir }
      rewrite({ dataDir, state })
    },
    lost: keep({ dataDir, own: () => state, signal: ending.signal }),
    release() {
      if (ending.signal.aborted) return
      ending.abort()
      socket?.close()
      rmSync(join(dataDir, leaseName(own.id)), { force: true })
      if (isSameHolder(readHolder(file), own)) rmSync(file, { force: true }) // last: it says whose the others are
    },
  }
}

/** The Kontor that runs on a data folder now, if one does. */
export async function runningOn(dataDir: string, say: (line: string) => void): Promise<Holder | undefined> {
  const holder = readHolder(lockFile(dataDir))
  if (typeof holder !== 'object') return undefined
  const own = describeSelf(randomUUID())
  if (!(await isStillRunning(holder, { dataDir, own, say }))) return undefined
  if (isInSight(holder, own)) return holder
  throw new StartFailure(`Kontor runs on the data folder ${dataDir} ${elsewhere(holder)}: run this command there.`)
}

/** Creates the lock file and returns the dead holder that it replaced, if any. */
async function createLock({ file, own, ...wish }: Wish & { file: string; own: Holder }) {
  let dead: ReturnType<typeof readHolder>
  for (;;) {
    const holder = readHolder(file)
    const question = { ...wish, own }
    const isTaken = typeof holder === 'object' ? isStillRunning(holder, question) : isLockless(question)
    if (await isTaken) throw inUse(wish.dataDir, holder, own)
    if (holder) removeDead({ file, holder, own })
    dead = holder ?? dead
    if (link(file, own)) return dead
  }
}

/** Creates the lock file unless there is one, so that one of two processes wins. */
function link(file: string, own: Holder): boolean {
  const temporary = writeHolder(file, own)
  try {
    linkSync(temporary, file)
    return true
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
    return false
  } finally {
    rmSync(temporary, { force: true })
  }
}

/** Replaces our own lock file. */
function rewrite({ dataDir, state }: { dataDir: string; state: Holder }): void {
  const file = lockFile(dataDir)
  const holder = readHolder(file)
  if (typeof holder === 'object' && !isSameHolder(holder, state)) throw new StartFailure(takenOver(dataDir, holder))
  renameSync(writeHolder(file, state), file)
}

/** Removes a dead holder's file, unless another start has just replaced it with its own. */
function removeDead({ file, holder, own }: { file: string; holder: Holder | 'garbled'; own: Holder }): void {
  const aside = `${file}.${own.id}.old`
  try {
    renameSync(file, aside)
    if (!isSameHolder(readHolder(aside), holder)) linkSync(aside, file)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' && codeOf(error) !== 'EEXIST') throw error
  } finally {
    rmSync(aside, { force: true })
  }
}

/** Removes the leases and sockets of earlier runs, all of which have ended. */
function removeTraces(dataDir: string): void {
  const isTrace = (name: string) => /^kontor\.[\w-]+\.(lease|socket)$/.test(name)
  for (const name of readdirSync(dataDir)) if (isTrace(name)) rmSync(join(dataDir, name), { force: true })
}

type Keeping = { dataDir: string; own: () => Holder & { id: string }; signal: AbortSignal }

/** Renews the lease every second, and resolves if another Kontor has taken the lock. */
async function keep({ dataDir, own, signal }: Keeping): Promise<string> {
  const file = lockFile(dataDir)
  for (let count = 1; ; count++) {
    await sleep(1_000, undefined, { signal, ref: false }).catch(() => {})
    if (signal.aborted) return new Promise(() => {})
    try {
      const holder = readHolder(file)
      if (typeof holder === 'object' && holder.id !== own().id) return takenOver(dataDir, holder)
      if (holder === undefined) link(file, own()) // somebody removed it by hand
      await renewLease(dataDir, own().id, count)
    } catch {
      // The disk is full or does not answer; the next second may be better.
    }
  }
}

function inUse(dataDir: string, holder: ReturnType<typeof readHolder>, own: Holder): StartFailure {
  const known = typeof holder === 'object' ? holder : undefined
  const where = known && isInSight(known, own) ? ` (process ${known.pid})` : `, ${elsewhere(known)}`
  return new StartFailure(
    `Kontor already runs on the data folder ${dataDir}${where}: stop that one first, or set KONTOR_DATA to another folder.`,
  )
}

const takenOver = (dataDir: string, { host }: Holder) =>
  `Another Kontor${host ? ` (host ${host})` : ''} has taken over the data folder ${dataDir} while this one was suspended: its PostgreSQL was stopped at once, and it ends.`
