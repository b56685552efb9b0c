import { createHash, type Hash } from 'node:crypto'
import { closeSync, fsyncSync, openSync, readdirSync } from 'node:fs'
import { mkdir, open, opendir, rename, rm, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { codeOf, StartFailure } from '../db/start-failure.ts'
import type { Files } from './manifest.ts'
import { header, padding } from './tar.ts'

/** The files of a folder as entries of an archive; null when there is no such folder. */
export async function* archiveFiles(folder: string, at: Date): AsyncGenerator<Buffer, Files | null> {
  const count = createCount()
  let there = false
  for await (const path of filesIn(folder)) {
    there = true
    if (path && !path.startsWith(arriving)) yield* archiveFile(join(folder, path), `files/${path}`, { at, count })
  }
  return there ? count.total() : null
}

/** Uploads under way: they are nobody's files yet (providers/storage/storage.ts). */
const arriving = 'arriving/'

/** Every regular file below a folder, by its path with slashes; an empty path says that the folder is there. */
async function* filesIn(folder: string, inner = ''): AsyncGenerator<string> {
  const names = await opendir(join(folder, inner)).catch(ignoreMissing)
  if (!names) return
  if (!inner) yield ''
  for await (const entry of names) {
    const path = inner ? `${inner}/${entry.name}` : entry.name
    if (entry.isDirectory()) yield* filesIn(folder, path)
    else if (entry.isFile()) yield path
  }
}

type Place = { at: Date; count: ReturnType<typeof createCount> }

/** A file that was removed since it was listed was nobody's any more. */
async function* archiveFile(path: string, name: string, { at, count }: Place): AsyncGenerator<Buffer> {
  const handle = await open(path, 'r').catch(ignoreMissing)
  if (!handle) return
  const { size } = await handle.stat()
  yield header({ name, size }, at)
  count.begin(name, size)
  let left = size
  if (size > 0) {
    for await (const piece of handle.createReadStream({ end: size - 1 }) as AsyncIterable<Buffer>) {
      count.add(piece)
      left -= piece.length
      yield piece
    }
  } else await handle.close()
  if (left !== 0) throw new StartFailure(`${path} changed while it was read: take the backup again.`)
  yield padding(size)
}

function ignoreMissing(error: unknown): undefined {
  if (codeOf(error) !== 'ENOENT') throw error
}

/** One sum over all files, with their names and sizes. */
export function createCount() {
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

/** Puts files back beside their folder first; `keep` moves them to their place, `drop` forgets them. */
export function createReturn(folder: string) {
  const draft = `${folder}.restoring`
  return {
    async begin() {
      if (isFilled(folder)) {
        throw new StartFailure(`${folder} holds files already: move it away, or restore into another data folder.`)
      }
      await rm(draft, { recursive: true, force: true })
    },
    async put(path: string, body: AsyncIterable<Buffer>) {
      const target = join(draft, path)
      await mkdir(dirname(target), { recursive: true, mode: 0o700 })
      const handle = await open(target, 'wx', 0o600)
      try {
        for await (const piece of body) await handle.writeFile(piece)
        await handle.sync()
      } finally {
        await handle.close()
      }
    },
    async keep() {
      await mkdir(draft, { recursive: true, mode: 0o700 })
      for (const inner of foldersIn(draft)) syncFolder(inner)
      await rmdir(folder).catch(ignoreMissing)
      await rename(draft, folder)
      syncFolder(dirname(folder))
    },
    drop: () => rm(draft, { recursive: true, force: true }),
    /** Takes back what `keep` has put there. */
    undo: () => rm(folder, { recursive: true, force: true }),
  }
}

function isFilled(folder: string): boolean {
  try {
    return readdirSync(folder).length > 0
  } catch (error) {
    ignoreMissing(error)
    return false
  }
}

function* foldersIn(folder: string): Generator<string> {
  yield folder
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) yield* foldersIn(join(folder, entry.name))
}

/** A new name survives a power cut too, where a folder can be synced. */
export function syncFolder(folder: string): void {
  if (process.platform !== 'win32') syncFile(folder, 'r')
}

export function syncFile(path: string, flags = 'r+'): void {
  const descriptor = openSync(path, flags)
  fsyncSync(descriptor)
  closeSync(descriptor)
}
