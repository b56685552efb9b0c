import { mkdirSync } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { toStorageFailure } from '../../core/files/storage-failure.ts'
import { base62 } from '../../core/values/id.ts'

const ageMaxMs = 60 * 60 * 1000

const host = hostname().replace(/[^\w-]/g, '-')
/** Process ids are reused; this id is not. */
const processId = base62(8)

/** A folder for uploads in progress. Each file name contains its process, so that files of ended processes are recognized. */
export function createScratch(folder: string) {
  return {
    newPath(): string {
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 })
      } catch (error) {
        throw toStorageFailure(error)
      }
      return join(folder, `${host}.${process.pid}.${processId}.${base62(22)}`)
    },

    /** Removes files left behind by processes that have ended. */
    async clear(): Promise<void> {
      for (const name of await readdir(folder).catch(() => [])) {
        const path = join(folder, name)
        if (isAbandoned(name) || (await isOld(path))) await rm(path, { force: true })
      }
    },
  }
}

/** Whether a file belongs to an ended process of this machine. Files of other machines are removed by age only. */
function isAbandoned(name: string): boolean {
  const [owner, pid, ownerId] = name.split('.')
  if (owner !== host) return false
  return Number(pid) === process.pid ? ownerId !== processId : !isAlive(Number(pid))
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
