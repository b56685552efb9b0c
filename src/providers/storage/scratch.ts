import { mkdirSync } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { toStorageFailure } from '../../core/files/storage-failure.ts'
import { base62 } from '../../core/values/id.ts'

const ageMaxMs = 60 * 60 * 1000

const host = hostname().replace(/[^\w-]/g, '-')
/** Process numbers come round again; this does not. */
const life = base62(8)

/** A folder for files that are arriving. Each is named for its process, so that those of the dead can be told. */
export function createScratch(folder: string) {
  return {
    newPath(): string {
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 })
      } catch (error) {
        throw toStorageFailure(error)
      }
      return join(folder, `${host}.${process.pid}.${life}.${base62(22)}`)
    },

    /** Removes what processes that are gone have left behind. */
    async clear(): Promise<void> {
      for (const name of await readdir(folder).catch(() => [])) {
        const path = join(folder, name)
        if (isLeft(name) || (await isOld(path))) await rm(path, { force: true })
      }
    },
  }
}

/** Whether it was this machine's, of a process that no longer is. Another machine's may only grow old. */
function isLeft(name: string): boolean {
  const [owner, pid, itsLife] = name.split('.')
  if (owner !== host) return false
  return Number(pid) === process.pid ? itsLife !== life : !isAlive(Number(pid))
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

const isOld = (path: string) =>
  stat(path).then(
    ({ mtimeMs }) => Date.now() - mtimeMs > ageMaxMs,
    () => false,
  )
