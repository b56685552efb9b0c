import { createReadStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { createInflateRaw } from 'node:zlib'
import { invalid } from '../define/failure.ts'
import { createExpansionCounter, type ExpansionCounter } from './expansion.ts'

const entriesMax = 10_000
const endBytes = 22
const commentMaxBytes = 65_535
const entryBytes = 46
const localBytes = 30

type Entry = { method: number; packedBytes: number; offset: number }

/**
 * Unpacks every entry of an archive and counts the bytes, without storing them. The sizes that the archive declares are
 * ignored. Entries that share the same packed bytes (a small file can hold petabytes this way) are each counted.
 */
export async function inspectZip(path: string): Promise<number> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const counter = createExpansionCounter(() => size)
    for (const entry of await entriesOf(file, size)) await countEntry(path, file, entry, counter)
    return counter.total()
  } finally {
    await file.close()
  }
}

async function entriesOf(file: FileHandle, size: number): Promise<Entry[]> {
  const tail = await readBytes(file, Math.max(0, size - endBytes - commentMaxBytes), endBytes + commentMaxBytes)
  const end = tail.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'))
  if (end < 0) throw new RangeError('The archive has no directory')
  const [count, length, start] = [tail.readUInt16LE(end + 10), tail.readUInt32LE(end + 12), tail.readUInt32LE(end + 16)]
  if (count > entriesMax || count === 0xffff || start === 0xffffffff) {
    throw invalid('file', `The archive has more than ${entriesMax} entries.`, 'FILE_EXPANDS')
  }
  if (start + length > size) throw new RangeError('The directory lies outside the file')
  const directory = await readBytes(file, start, length)
  const entries: Entry[] = []
  for (let at = 0; entries.length < count; ) {
    entries.push({
      method: directory.readUInt16LE(at + 10),
      packedBytes: directory.readUInt32LE(at + 20),
      offset: directory.readUInt32LE(at + 42),
    })
    at +=
      entryBytes + directory.readUInt16LE(at + 28) + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32)
  }
  return entries
}

async function countEntry(
  path: string,
  file: FileHandle,
  { method, packedBytes, offset }: Entry,
  counter: ExpansionCounter,
) {
  if (packedBytes === 0) return
  if (method === 0) return counter.add(packedBytes)
  if (method !== 8)
    throw invalid('file', 'The archive uses a compression method that is not supported.', 'FILE_UNREADABLE')
  const local = await readBytes(file, offset, localBytes)
  const start = offset + localBytes + local.readUInt16LE(26) + local.readUInt16LE(28)
  const source = createReadStream(path, { start, end: start + packedBytes - 1 })
  const inflate = createInflateRaw()
  source.on('error', (error) => inflate.destroy(error))
  try {
    for await (const piece of source.pipe(inflate) as AsyncIterable<Buffer>) counter.add(piece.length)
  } finally {
    source.destroy()
    inflate.destroy()
  }
}

async function readBytes(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position)
  return buffer.subarray(0, bytesRead)
}
