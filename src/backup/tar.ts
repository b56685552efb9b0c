/** The part of the tar format (POSIX ustar) that a backup needs: regular files, names of up to 255 bytes. */

const block = 512

export type Entry = { name: string; size: number }

/** The block before the bytes of an entry; `padding` comes after them. */
export function header({ name, size }: Entry, modifiedAt: Date): Buffer {
  const bytes = Buffer.alloc(block)
  const { prefix, rest } = splitName(name)
  bytes.write(rest, 0)
  bytes.write(octal(0o600, 7), 100)
  bytes.write(octal(0, 7), 108)
  bytes.write(octal(0, 7), 116)
  bytes.write(octal(size, 11), 124)
  bytes.write(octal(Math.floor(modifiedAt.getTime() / 1000), 11), 136)
  bytes.write('0', 156)
  bytes.write('ustar\0' + '00', 257)
  bytes.write(prefix, 345)
  bytes.write(`${octal(sumOf(bytes), 6)}\0 `, 148)
  return bytes
}

export const padding = (size: number): Buffer => Buffer.alloc((block - (size % block)) % block)

/** Two empty blocks end an archive. */
export const endOfArchive: Buffer = Buffer.alloc(2 * block)

/** The bytes are not a tar archive, or not a complete one. */
export class MalformedArchive extends Error {}

/** The entries of an archive, one after the other. Bytes of an entry that are not read are skipped. */
export async function* readTar(source: AsyncIterable<Buffer>): AsyncGenerator<Entry & { body: AsyncIterable<Buffer> }> {
  const bytes = createReader(source)
  for (;;) {
    const start = await bytes.exactly(block)
    if (start.every((byte) => byte === 0)) return bytes.rest()
    const entry = entryOf(start)
    const body = bytes.upTo(entry.size)
    yield { ...entry, body }
    for await (const _ of body);
    await bytes.exactly(padding(entry.size).length)
  }
}

function entryOf(bytes: Buffer): Entry {
  const text = (from: number, length: number) => bytes.toString('utf8', from, from + length).replace(/\0.*$/s, '')
  const sum = Number.parseInt(text(148, 8), 8)
  if (sum !== sumOf(bytes)) throw new MalformedArchive('the checksum of an entry header is wrong')
  const size = Number.parseInt(text(124, 12), 8)
  if (!(size >= 0)) throw new MalformedArchive('the size of an entry is no number')
  if (!['', '0'].includes(text(156, 1))) throw new MalformedArchive('an entry is no regular file')
  const prefix = text(345, 155)
  return { name: prefix ? `${prefix}/${text(0, 100)}` : text(0, 100), size }
}

/** The checksum of a header: the sum of its bytes, with the checksum field counted as spaces. */
const sumOf = (bytes: Buffer) => bytes.reduce((sum, byte, i) => sum + (i >= 148 && i < 156 ? 32 : byte), 0)

function octal(value: number, digits: number): string {
  const text = value.toString(8).padStart(digits, '0')
  if (text.length > digits) throw new Error(`${value} does not fit into a tar header`)
  return text
}

/** A name of more than 100 bytes is split at a slash. */
function splitName(name: string): { prefix: string; rest: string } {
  if (Buffer.byteLength(name) <= 100) return { prefix: '', rest: name }
  for (let at = name.indexOf('/'); at > 0; at = name.indexOf('/', at + 1)) {
    const [prefix, rest] = [name.slice(0, at), name.slice(at + 1)]
    if (Buffer.byteLength(prefix) <= 155 && Buffer.byteLength(rest) <= 100 && rest) return { prefix, rest }
  }
  throw new Error(`The name ${name} is too long for a backup`)
}

/** Reads a stream by byte counts, independent of the pieces it arrives in. */
function createReader(source: AsyncIterable<Buffer>) {
  const pieces = source[Symbol.asyncIterator]()
  let buffered: Buffer = Buffer.alloc(0)

  async function next(max: number): Promise<Buffer> {
    while (buffered.length === 0) {
      const { value, done } = await pieces.next()
      if (done) throw new MalformedArchive('the archive ends too early')
      buffered = value
    }
    const piece = buffered.subarray(0, max)
    buffered = buffered.subarray(piece.length)
    return piece
  }

  return {
    async exactly(count: number): Promise<Buffer> {
      const parts: Buffer[] = []
      for (let left = count; left > 0; ) {
        const piece = await next(left)
        parts.push(piece)
        left -= piece.length
      }
      return Buffer.concat(parts)
    },
    /** All iterations share one position: a second loop continues where the first one stopped. */
    upTo(count: number): AsyncIterable<Buffer> {
      let left = count
      const read = async (): Promise<IteratorResult<Buffer>> => {
        if (left === 0) return { done: true, value: undefined }
        const value = await next(left)
        left -= value.length
        return { done: false, value }
      }
      return { [Symbol.asyncIterator]: () => ({ next: read }) }
    },
    /** Reads to the end, so that gzip verifies its own checksum. */
    async rest(): Promise<void> {
      while (!(await pieces.next()).done);
    },
  }
}
