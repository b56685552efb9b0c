import { createHash, type Hash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { mkdir, open, opendir, rename, rm, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { codeOf, StartFailure } from '../db/start-failure.ts'
import type { Files } from './manifest.ts'
import { header, padding } from './tar.ts'

/** The files of a folder as archive entries; returns null if the folder does not exist. */
export async function* archiveFiles(folder: string, at: Date): AsyncGenerator<Buffer, Files | null> {
  const checksum = createFileChecksum()
  let exists = false
  for await (const path of filesIn(folder)) {
    exists = true
    if (path && !path.startsWith(scratchFolder))
      yield* archiveFile(join(folder, path), `files/${path}`, { at, checksum })
  }
  return exists ? checksum.total() : null
}

/** Uploads in progress: no row refers to them yet (providers/storage/storage.ts). */
const scratchFolder = 'arriving/'

/** The paths of all regular files below a folder, with slashes. An empty path comes first if the folder exists. */
async function* filesIn(folder: string, inner = ''): AsyncGenerator<string> {
  const names = await opendir(join(folder, inner)).catch(undefinedIfMissing)
  if (!names) return
  if (!inner) yield ''
  for await (const entry of names) {
    const path = inner ? `${inner}/${entry.name}` : entry.name
    if (entry.isDirectory()) yield* filesIn(folder, path)
    else if (entry.isFile()) yield path
  }
}

type ArchiveEntry = { at: Date; checksum: ReturnType<typeof createFileChecksum> }

/** Skips a file that was removed after it was listed: no row refers to it. */
async function* archiveFile(path: string, name: string, { at, checksum }: ArchiveEntry): AsyncGenerator<Buffer> {
  const handle = await open(path, 'r').catch(undefinedIfMissing)
  if (!handle) return
  const { size } = await handle.stat()
  yield header({ name, size }, at)
  checksum.begin(name, size)
  let left = size
  if (size > 0) {
    for await (const piece of handle.createReadStream({ end: size - 1 }) as AsyncIterable<Buffer>) {
      checksum.add(piece)
      left -= piece.length
      yield piece
    }
  } else await handle.close()
  if (left !== 0) throw new StartFailure(`${path} changed while it was read: take the backup again.`)
  yield padding(size)
}

function undefinedIfMissing(error: unknown): undefined {
  if (codeOf(error) !== 'ENOENT') throw error
}

/** One checksum over the names, sizes and contents of all files. */
export function createFileChecksum() {
  const sum: Hash = createHash('sha256')
  let [count, bytes] = [0, 0]
  return {
    begin(name: string, size: number) {
      count += 1
      bytes += size
      sum.update(`${name}\0${size}\0`)
    },
    add: (piece: Buffer) => void sum.update(piece),
    total: (): Files => ({ count, bytes, sha256: sum.digest('hex') }),
  }
}

/** Restores files into a temporary folder first; `commit` renames it to `folder`, `discard` deletes it. */
export function createFileRestore(folder: string) {
  const temporary = `${folder}.restoring`
  return {
    async begin() {
      if (isNotEmpty(folder)) {
        throw new StartFailure(`${folder} already contains files: move it away, or restore into another data folder.`)
      }
      await rm(temporary, { recursive: true, force: true })
    },
    async put(path: string, body: AsyncIterable<Buffer>) {
      const target = join(temporary, path)
      await mkdir(dirname(target), { recursive: true, mode: 0o700 })
      const handle = await open(target, 'wx', 0o600)
      try {
        for await (const piece of body) await handle.writeFile(piece)
        await handle.sync()
      } finally {
        await handle.close()
      }
    },
    async commit() {
      await mkdir(temporary, { recursive: true, mode: 0o700 })
      for (const inner of foldersIn(temporary)) await syncFolder(inner)
      await rmdir(folder).catch(undefinedIfMissing)
      await rename(temporary, folder)
      await syncFolder(dirname(folder))
    },
    discard: () => rm(temporary, { recursive: true, force: true }),
    /** Removes what `commit` has put there. */
    undo: () => rm(folder, { recursive: true, force: true }),
  }
}

function isNotEmpty(folder: string): boolean {
  try {
    return readdirSync(folder).length > 0
  } catch (error) {
    undefinedIfMissing(error)
    return false
  }
}

function* foldersIn(folder: string): Generator<string> {
  yield folder
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) yield* foldersIn(join(folder, entry.name))
}

/** Syncs a folder, so that a new name in it survives a power failure. Windows cannot sync folders. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform !== 'win32') await syncFile(folder, 'r')
}

/** Requests are answered meanwhile: a slow disk may take seconds for a large file. */
export async function syncFile(path: string, flags = 'r+'): Promise<void> {
  const handle = await open(path, flags)
  await handle.sync().finally(() => handle.close())
}
