import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import type { Storage } from '../outside/storage.ts'
import { toStorageFailure } from './storage-failure.ts'

/** Works with a copy of a stored file on the local disk, which is removed afterwards. */
export async function withLocalCopy<T>(
  storage: Storage,
  storageKey: string,
  work: (path: string) => Promise<T>,
): Promise<T> {
  const path = storage.scratch()
  try {
    await pipeline(await storage.open(storageKey), createWriteStream(path, { flags: 'wx', mode: 0o600 })).catch(
      (error) => {
        throw toStorageFailure(error)
      },
    )
    return await work(path)
  } finally {
    await rm(path, { force: true })
  }
}
