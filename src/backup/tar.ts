/** As much of tar (POSIX ustar) as a backup needs: regular files, names of up to 255 bytes. Any tar can unpack it. */

const block = 512

export type Entry = { name: string; size: number }

/** The block that goes before an entry's bytes; `padding` goes after them. */
export function header({ name, size }: Entry, modifiedAt: Date): Buffer {
  const bytes = Buffer.alloc(block)
  const { prefix, rest } = split(name)
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
export const end: Buffer = Buffer.alloc(2 * block)

/** What is no tar, or half of one. */
export class Malformed extends Error {}

/** The entries of an archive, one after the other. What is not read of an entry's bytes is skipped. */
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
  if (sum !== sumOf(bytes)) throw new Malformed('no entry begins where one should')
  const size = Number.parseInt(text(124, 12), 8)
  const prefix = text(345, 155)
  return { name: prefix ? `${prefix}/${text(0, 100)}` : text(0, 100), size }
}

/** The sum of a header's bytes, its own field counted as spaces. */
const sumOf = (bytes: Buffer) => bytes.reduce((sum, byte, i) => sum + (i >= 148 && i < 156 ? 32 : byte), 0)

function octal(value: number, digits: number): string {
  const text = value.toString(8).padStart(digits, '0')
  if (text.length > digits) throw new Error(`${value} does not fit into a tar header`)
  return text
}

/** A name of more than 100 bytes is cut in two at a slash. */
function split(name: string): { prefix: string; rest: string } {
  if (Buffer.byteLength(name) <= 100) return { prefix: '', rest: name }
  for (let at = name.indexOf('/'); at > 0; at = name.indexOf('/', at + 1)) {
    const [prefix, rest] = [name.slice(0, at), name.slice(at + 1)]
    if (Buffer.byteLength(prefix) <= 155 && Buffer.byteLength(rest) <= 100 && rest) return { prefix, rest }
  }
  throw new Error(`${name} is too long a name for a backup`)
}

/** Bytes of a stream by count, whatever pieces they come in. */
function createReader(source: AsyncIterable<Buffer>) {
  const pieces = source[Symbol.asyncIterator]()
  let held: Buffer = Buffer.alloc(0)

  async function next(max: number): Promise<Buffer> {
    while (held.length === 0) {
      const { value, done } = await pieces.next()
      if (done) throw new Malformed('it ends too early')
      held = value
    }
    const taken = held.subarray(0, max)
    held = held.subarray(taken.length)
    return taken
  }

  return {
    async exactly(count: number): Promise<Buffer> {
      const taken: Buffer[] = []
      for (let left = count; left > 0; ) {
        const piece = await next(left)
        taken.push(piece)
        left -= piece.length
      }
      return Buffer.concat(taken)
    },
    /** One iterator for an entry: whoever goes on after it was left early gets what is left. */
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
    /** To the end, so that a checksum of the whole stream is looked at too. */
    async rest(): Promise<void> {
      while (!(await pieces.next()).done);
    },
  }
}
