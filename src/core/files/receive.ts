import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { invalid } from '../define/failure.ts'
import { faultPoint } from '../observe/fault-point.ts'
import { fileMaxBytes, type Received } from './file.ts'
import { toStorageFailure } from './storage-failure.ts'

/** Writes bytes into a new file as they arrive, and counts and hashes them. */
export type Receiver = {
  /** Throws FILE_TOO_LARGE as soon as there are too many bytes, and removes the file. */
  write(piece: Uint8Array): Promise<void>
  finish(): Promise<Received>
  /** Closes and removes the file. */
  discard(): Promise<void>
}

export async function receiveInto(path: string): Promise<Receiver> {
  const file = await open(path, 'wx', 0o600).catch((error) => {
    throw toStorageFailure(error)
  })
  const hash = createHash('sha256')
  let size = 0

  async function discard() {
    await file.close().catch(() => {})
    await rm(path, { force: true })
  }

  async function orDiscard<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      await discard()
      throw toStorageFailure(error)
    }
  }

  return {
    write: (piece) =>
      orDiscard(async () => {
        size += piece.length
        if (size > fileMaxBytes) throw tooLarge()
        hash.update(piece)
        for (let done = 0; done < piece.length; ) done += (await file.write(piece, done)).bytesWritten
        faultPoint('mid-file-write')
      }),
    finish: () =>
      orDiscard(async () => {
        await file.close()
        return { path, size, sha256: hash.digest('hex') }
      }),
    discard,
  }
}

/** Describes an existing file as if it had been received. */
export async function receivedAt(path: string): Promise<Received> {
  const hash = createHash('sha256')
  let size = 0
  for await (const piece of createReadStream(path) as AsyncIterable<Buffer>) {
    size += piece.length
    hash.update(piece)
  }
  return { path, size, sha256: hash.digest('hex') }
}

export const tooLarge = (path = 'file') =>
  invalid(path, `A file may have at most ${fileMaxBytes / 1024 / 1024} MiB.`, 'FILE_TOO_LARGE')
