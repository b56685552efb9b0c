import { promisify } from 'node:util'
import { crc32, deflateRaw } from 'node:zlib'

export type ZipFile = { name: string; bytes: Buffer }

const deflate = promisify<Buffer, Buffer>(deflateRaw)

/** 1980-01-01 00:00, the first moment that a ZIP file knows: the same files give the same bytes. */
const [time, day] = [0, 0x21]
const [version, utf8Names, deflated] = [20, 0x0800, 8]

/** An archive of a few files in memory, packed. Folders are parts of the names, with `/`. */
export async function writeZip(files: readonly ZipFile[]): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of zipParts(files)) parts.push(part)
  return Buffer.concat(parts)
}

/** The same in pieces, while the files are made: one at a time is in memory. */
export async function* zipParts(files: Iterable<ZipFile> | AsyncIterable<ZipFile>): AsyncGenerator<Buffer> {
  const directory: Buffer[] = []
  let [count, offset] = [0, 0]
  for await (const { name, bytes } of files) {
    const packed = await deflate(bytes)
    const named = Buffer.from(name)
    const sizes = { sum: crc32(bytes), packed: packed.length, unpacked: bytes.length, name: named.length }
    yield Buffer.concat([localHeader(sizes), named, packed])
    directory.push(directoryHeader(sizes, offset), named)
    offset += 30 + named.length + packed.length
    count += 1
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0)
  yield Buffer.concat([...directory, endOf(count, size, offset)])
}

type Sizes = { sum: number; packed: number; unpacked: number; name: number }

function localHeader(sizes: Sizes): Buffer {
  const header = Buffer.alloc(30)
  header.writeUInt32LE(0x04034b50, 0)
  writeCommon(header, 4, sizes)
  return header
}

function directoryHeader(sizes: Sizes, offset: number): Buffer {
  const header = Buffer.alloc(46)
  header.writeUInt32LE(0x02014b50, 0)
  header.writeUInt16LE(version, 4)
  writeCommon(header, 6, sizes)
  header.writeUInt32LE(offset, 42)
  return header
}

/** The fields that both headers of a file have, from the needed version to the length of the name. */
function writeCommon(header: Buffer, at: number, { sum, packed, unpacked, name }: Sizes): void {
  header.writeUInt16LE(version, at)
  header.writeUInt16LE(utf8Names, at + 2)
  header.writeUInt16LE(deflated, at + 4)
  header.writeUInt16LE(time, at + 6)
  header.writeUInt16LE(day, at + 8)
  header.writeUInt32LE(sum, at + 10)
  header.writeUInt32LE(packed, at + 14)
  header.writeUInt32LE(unpacked, at + 18)
  header.writeUInt16LE(name, at + 22)
}

function endOf(count: number, size: number, offset: number): Buffer {
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(count, 8)
  end.writeUInt16LE(count, 10)
  end.writeUInt32LE(size, 12)
  end.writeUInt32LE(offset, 16)
  return end
}
