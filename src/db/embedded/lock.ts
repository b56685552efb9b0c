import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf, StartFailure } from '../start-failure.ts'
import { birthOf, isAlive } from './process.ts'

type Holder = { pid: number; birth: string; socketDir?: string }

/** The right to run PostgreSQL on a data folder. It ends with `release` or with the process. */
export type Lock = {
  /** The socket folder of an earlier run that ended without cleaning up. */
  abandonedSocketDir: string | undefined
  note(socketDir: string): void
  release(): void
}

/**
 * Takes the lock. The lock file of PostgreSQL does not suffice: it cannot tell a second Kontor from a server that outlived
 * the first one. This lock names the Kontor process; the lock of a process that has ended is replaced.
 */
export function takeLock(dataDir: string): Lock {
  const file = join(dataDir, 'kontor.lock')
  const own: Holder = { pid: process.pid, birth: birthOf(process.pid) }
  const abandoned = createLock({ file, dataDir, own })
  return {
    abandonedSocketDir: abandoned?.socketDir,
    note(socketDir) {
      renameSync(write(file, { ...own, socketDir }), file)
    },
    release() {
      if (isSame(read(file), own)) rmSync(file, { force: true })
    },
  }
}

/** The socket folder of the Kontor that runs on a data folder now, if one does. */
export function runningOn(dataDir: string): { socketDir: string | undefined } | undefined {
  const holder = read(join(dataDir, 'kontor.lock'))
  return holder && isRunning(holder) ? { socketDir: holder.socketDir } : undefined
}

const isRunning = ({ pid, birth }: Holder) => isAlive(pid) && birth === birthOf(pid)

/** Creates the lock file and returns the dead holder that it replaced, if any. */
function createLock({ file, dataDir, own }: { file: string; dataDir: string; own: Holder }): Holder | undefined {
  const temporary = write(file, own)
  try {
    let abandoned: Holder | undefined
    for (;;) {
      try {
        linkSync(temporary, file) // fails if the file exists, so that one of two processes wins
        return abandoned
      } catch (error) {
        if (codeOf(error) !== 'EEXIST') throw error
      }
      const holder = read(file)
      if (holder && isRunning(holder)) throw inUse(dataDir, holder)
      abandoned = holder ?? abandoned
      removeDead({ file, holder })
    }
  } finally {
    rmSync(temporary, { force: true })
  }
}

/** Removes a dead holder's file, unless another start has just replaced it with its own. */
function removeDead({ file, holder }: { file: string; holder: Holder | undefined }): void {
  const aside = `${file}.${process.pid}.old`
  try {
    renameSync(file, aside)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return
    throw error
  }
  if (isSame(read(aside), holder)) rmSync(aside)
  else renameSync(aside, file)
}

const inUse = (dataDir: string, { pid }: Holder) =>
  new StartFailure(
    `Kontor already runs on the data folder ${dataDir} (process ${pid}): stop that one first, or set KONTOR_DATA to another folder.`,
  )

function write(file: string, holder: Holder): string {
  const path = `${file}.${process.pid}.new`
  writeFileSync(path, `${JSON.stringify(holder)}\n`, { mode: 0o600 })
  return path
}

function read(file: string): Holder | undefined {
  try {
    const value: Partial<Holder> = JSON.parse(readFileSync(file, 'utf8'))
    return typeof value.pid === 'number' && typeof value.birth === 'string'
      ? { ...value, pid: value.pid, birth: value.birth }
      : undefined
  } catch {
    return undefined // missing, or truncated by a power failure: not locked
  }
}

const isSame = (a: Holder | undefined, b: Holder | undefined) => a?.pid === b?.pid && a?.birth === b?.birth
