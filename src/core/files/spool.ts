import { createReadStream } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import type { FileAnswer } from './file.ts'
import { toStorageFailure } from './storage-failure.ts'

type Spooled = { path: string; fileName: string; fileType: string }

/**
 * Writes generated text to a scratch file and answers with it. The text is complete before the first byte is sent, so a
 * failure is an error and not half a file, and a slow client keeps no transaction waiting. The file is removed once it was
 * read, or failed to be.
 */
export async function spool({ path, ...file }: Spooled, pieces: AsyncIterable<string>): Promise<FileAnswer> {
  const fileSize = await writeAll(path, pieces)
  return { ...file, fileSize, open: async () => removedAfterwards(path) }
}

async function writeAll(path: string, pieces: AsyncIterable<string>): Promise<number> {
  const file = await open(path, 'wx', 0o600).catch((error) => {
    throw toStorageFailure(error)
  })
  try {
    let size = 0
    for await (const piece of pieces) size += (await file.write(piece)).bytesWritten
    return size
  } catch (error) {
    await rm(path, { force: true })
    throw toStorageFailure(error)
  } finally {
    await file.close()
  }
}

function removedAfterwards(path: string): Readable {
  const stream = createReadStream(path)
  stream.once('close', () => void rm(path, { force: true }).catch(() => {}))
  return stream
}
