import { inflateRawSync } from 'node:zlib'
import { TableRefusal } from './table.ts'

const entriesMax = 5_000
const entryMaxBytes = 80 * 1024 * 1024
const totalMaxBytes = 100 * 1024 * 1024

type Entry = { method: number; packedBytes: number; offset: number }

/** Opens an archive. An entry is unpacked when it is read, and no further than the limits: declared sizes are ignored. */
export function openZip(bytes: Buffer) {
  const entries = orDamaged(() => entriesOf(bytes))
  let left = totalMaxBytes
  return {
    /** The text of an entry; undefined if there is none of this name. */
    read(name: string): string | undefined {
      const entry = entries.get(name.toLowerCase())
      if (!entry) return undefined
      const content = unpacked(bytes, entry, Math.min(left, entryMaxBytes))
      left -= content.length
      return decode(content)
    },
  }
}

/** Spreadsheets are UTF-8; a few programs write UTF-16, with its mark. */
function decode(content: Buffer): string {
  const isWide = content[0] === 0xff || content[0] === 0xfe
  return new TextDecoder(isWide ? (content[0] === 0xff ? 'utf-16le' : 'utf-16be') : 'utf-8').decode(content)
}

function entriesOf(bytes: Buffer): Map<string, Entry> {
  const end = bytes.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'))
  if (end < 0) throw new RangeError('The archive has no directory')
  const count = bytes.readUInt16LE(end + 10)
  if (count > entriesMax) throw new TableRefusal(`The archive has more than ${entriesMax} entries.`, 'FILE_EXPANDS')
  const entries = new Map<string, Entry>()
  for (let n = 0, at = bytes.readUInt32LE(end + 16); n < count; n++) {
    if (bytes.readUInt32LE(at) !== 0x02014b50) throw new RangeError('The directory is damaged')
    const nameBytes = bytes.readUInt16LE(at + 28)
    const name = bytes.toString('utf8', at + 46, at + 46 + nameBytes)
    if ((bytes.readUInt16LE(at + 8) & 1) === 1)
      throw new TableRefusal('The spreadsheet is protected with a password. Save it without one.')
    entries.set(name.replaceAll('\\', '/').toLowerCase(), {
      method: bytes.readUInt16LE(at + 10),
      packedBytes: bytes.readUInt32LE(at + 20),
      offset: bytes.readUInt32LE(at + 42),
    })
    at += 46 + nameBytes + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
  }
  return entries
}

function unpacked(bytes: Buffer, { method, packedBytes, offset }: Entry, maxOutputLength: number): Buffer {
  const packed = orDamaged(() => {
    const start = offset + 30 + bytes.readUInt16LE(offset + 26) + bytes.readUInt16LE(offset + 28)
    if (start + packedBytes > bytes.length) throw new RangeError('The entry lies outside the file')
    return bytes.subarray(start, start + packedBytes)
  })
  if (method === 0 && packed.length <= maxOutputLength) return packed
  if (method !== 0 && method !== 8) throw damaged()
  try {
    if (method === 8 && maxOutputLength > 0) return inflateRawSync(packed, { maxOutputLength })
  } catch (error) {
    if (!(error instanceof RangeError)) throw damaged()
  }
  throw new TableRefusal('The file expands to far more than its packed size allows.', 'FILE_EXPANDS')
}

function orDamaged<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw error instanceof RangeError ? damaged() : error
  }
}

const damaged = () => new TableRefusal('The spreadsheet is damaged and cannot be read.')
