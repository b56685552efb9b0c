import { open, rm } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { pipeline, type Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { invalid } from '../../core/define/failure.ts'
import type { Downloaded, DownloadTarget } from '../../core/outside/egress.ts'
import { TargetFailure, toTargetFailure } from '../../core/outside/target-failure.ts'

/** Returns up to 4 KiB of text. Reads on up to 64 KiB, drops the rest, and never reads beyond that. */
export async function beginningOf(response: IncomingMessage): Promise<{ text: string; isCut: boolean }> {
  const kept: Buffer[] = []
  let size = 0
  try {
    for await (const piece of piecesOf(response, { maxBytes: answerBytesMax, onMore: () => {} })) {
      if (size < textBytesMax) kept.push(piece.subarray(0, textBytesMax - size))
      size += piece.length
    }
  } catch (error) {
    // The status has arrived and counts; a body that cannot be decoded is not stored.
    if (!(error instanceof TargetFailure) || error.reason !== 'unreadable') throw error
    size = Number.POSITIVE_INFINITY
  }
  const bytes = Buffer.concat(kept)
  const text = toStorableText(bytes)
  return { text, isCut: size > bytes.length || Buffer.byteLength(text) < bytes.length }
}

/** Valid UTF-8 of at most 4 KiB that PostgreSQL can store. Cut again, because replacing broken sequences makes text longer. */
function toStorableText(bytes: Buffer): string {
  const text = new TextDecoder().decode(bytes, { stream: true }).replaceAll('\0', '\ufffd')
  return new TextDecoder().decode(Buffer.from(text).subarray(0, textBytesMax), { stream: true })
}

export function save(response: IncomingMessage, { maxBytes, to }: DownloadTarget): Promise<Downloaded> {
  const onMore = () => {
    throw invalid('', 'The file is too large.', 'FILE_TOO_LARGE')
  }
  const pieces = piecesOf(response, { maxBytes, onMore })
  return to === 'memory' ? collect(pieces) : write(pieces, to.file)
}

async function collect(pieces: AsyncIterable<Buffer>): Promise<Downloaded> {
  const kept: Buffer[] = []
  for await (const piece of pieces) kept.push(piece)
  const body = Buffer.concat(kept)
  return { size: body.length, body }
}

async function write(pieces: AsyncIterable<Buffer>, path: string): Promise<Downloaded> {
  const file = await open(path, 'wx', 0o600)
  try {
    let size = 0
    for await (const piece of pieces) {
      await file.write(piece)
      size += piece.length
    }
    await file.close()
    return { size, body: undefined }
  } catch (error) {
    await file.close()
    await rm(path, { force: true })
    throw error
  }
}

/**
 * The decompressed body, at most `maxBytes` of it: a piece that exceeds the limit ends the reading with `onMore`. The
 * compressed bytes are counted too, so that a stream of empty blocks cannot bypass the limit.
 */
export async function* piecesOf(response: IncomingMessage, { maxBytes, onMore }: { maxBytes: number; onMore(): void }) {
  let [raw, read] = [0, 0]
  const countRaw = async function* (source: AsyncIterable<Buffer>) {
    for await (const piece of source) {
      raw += piece.length
      yield piece
      if (raw > maxBytes) return
    }
  }
  try {
    for await (const piece of decode(response, countRaw)) {
      read += piece.length
      yield read > maxBytes ? piece.subarray(0, piece.length - (read - maxBytes)) : piece
      if (read > maxBytes) return onMore()
    }
    if (raw > maxBytes) onMore()
  } catch (error) {
    if (raw > maxBytes) return onMore()
    throw toTargetFailure(error)
  } finally {
    response.destroy()
  }
}

function decode(
  response: IncomingMessage,
  countRaw: (source: AsyncIterable<Buffer>) => AsyncIterable<Buffer>,
): AsyncIterable<Buffer> {
  const encoding = (response.headers['content-encoding'] ?? '').trim().toLowerCase()
  if (encoding === '' || encoding === 'identity') return countRaw(response)
  // Only a single layer of gzip is accepted, as requested in the header.
  if (encoding !== 'gzip' && encoding !== 'x-gzip') throw new TargetFailure('unreadable')
  return pipeline(response, countRaw, createGunzip(), () => {}) as Readable
}

const answerBytesMax = 64 * 1024
const textBytesMax = 4 * 1024
