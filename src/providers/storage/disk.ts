import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileLost, toStorageFailure } from '../../core/files/storage-failure.ts'
import type { Page, Storage } from '../../core/outside/storage.ts'
import { base62 } from '../../core/values/id.ts'
import { hasPrefix } from './prefix.ts'

/** Files in a folder: `<home>/<two letters>/<name>`. A file appears only when it is complete and synced to disk. */
export function createDisk(folder: string, home: string): Omit<Storage, 'scratch'> {
  const pathOf = (key: string) => {
    const [prefix = '', name = ''] = key.split('/')
    if (!/^\w{1,20}$/.test(prefix) || !/^\w{43}$/.test(name))
      throw fileLost(new Error('The key belongs to another store'))
    return join(folder, prefix, name.slice(0, 2), name)
  }

  async function put(path: string): Promise<string> {
    const key = `${home}/${base62(43)}`
    const to = pathOf(key)
    await makeFolder(dirname(to))
    await sync(path)
    await rename(path, to)
    await sync(dirname(to))
    return key
  }

  /** Syncs the parent folders of a new folder; otherwise a power failure could lose it with its files. */
  async function makeFolder(path: string) {
    const made = await mkdir(path, { recursive: true, mode: 0o700 })
    if (!made) return
    for (let at = path; at.length >= folder.length; at = dirname(at)) await sync(dirname(at))
  }

  /** A page is one folder of two letters. */
  async function list(after = ''): Promise<Page> {
    const shards = await readdir(join(folder, home)).catch(ifMissing([]))
    const [shard, next] = shards.sort().filter((name) => /^\w\w$/.test(name) && name > after)
    if (shard === undefined) return { objects: [] }
    const names = await readdir(join(folder, home, shard)).catch(ifMissing([]))
    const objects = await Promise.all(
      names.map(async (name) => {
        const found = await stat(join(folder, home, shard, name)).catch(ifMissing(undefined))
        return found ? [{ key: `${home}/${name}`, modifiedAt: found.mtime }] : []
      }),
    )
    return { objects: objects.flat(), ...(next !== undefined && { next: shard }) }
  }

  return {
    put: (path) => put(path).catch(fail),
    open: (key) => openForReading(pathOf(key)).catch(fail),
    has: (key) =>
      stat(pathOf(key))
        .then(() => true, ifMissing(false))
        .catch(fail),
    remove: async (key) => (hasPrefix(key, home) ? rm(pathOf(key), { force: true }).catch(fail) : undefined),
    list: (after) => list(after).catch(fail),
    async check() {
      const probe = join(folder, home, `check-${base62(8)}`)
      await makeFolder(dirname(probe))
      const file = await open(probe, 'wx', 0o600)
      try {
        await file.writeFile(Buffer.alloc(probeBytes)) // an empty file fits on a full disk
        await file.sync()
      } finally {
        await file.close()
        await rm(probe, { force: true })
      }
    },
  }
}

const probeBytes = 1024 * 1024

/** Opens the file before an answer begins, so that a missing file gives an error instead of a truncated answer. */
async function openForReading(path: string) {
  const handle = await open(path).catch((error) => {
    throw isMissing(error) ? fileLost(error) : error
  })
  return createReadStream(path, { fd: handle })
}

async function sync(path: string) {
  const handle = await open(path)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const fail = (error: unknown): never => {
  throw toStorageFailure(error)
}

const isMissing = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT'

const ifMissing =
  <T>(value: T) =>
  (error: unknown): T => {
    if (isMissing(error)) return value
    throw error
  }
