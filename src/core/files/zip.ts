import { inflateRawSync } from 'node:zlib'

export type ZipEntry = { name: string; method: number; packedBytes: number; offset: number; isEncrypted: boolean }

/** Why an archive, or an entry of it, is not unpacked. */
export class ZipProblem extends Error {
  readonly kind: 'DAMAGED' | 'TOO_MANY_ENTRIES' | 'EXPANDS'
  constructor(kind: ZipProblem['kind']) {
    super(kind)
    this.kind = kind
  }
}

/** The entries of an archive in memory, with / in their names. Throws `ZipProblem`. */
export function zipEntries(bytes: Buffer, entriesMax: number): ZipEntry[] {
  return orDamaged(() => {
    const end = bytes.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'))
    if (end < 0) throw new RangeError('The archive has no directory')
    const count = bytes.readUInt16LE(end + 10)
    if (count > entriesMax) throw new ZipProblem('TOO_MANY_ENTRIES')
    const entries: ZipEntry[] = []
    for (let at = bytes.readUInt32LE(end + 16); entries.length < count; ) {
      if (bytes.readUInt32LE(at) !== 0x02014b50) throw new RangeError('The directory is damaged')
      const nameBytes = bytes.readUInt16LE(at + 28)
      entries.push({
        name: bytes.toString('utf8', at + 46, at + 46 + nameBytes).replaceAll('\\', '/'),
        method: bytes.readUInt16LE(at + 10),
        packedBytes: bytes.readUInt32LE(at + 20),
        offset: bytes.readUInt32LE(at + 42),
        isEncrypted: (bytes.readUInt16LE(at + 8) & 1) === 1,
      })
      at += 46 + nameBytes + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
    }
    return entries
  })
}

/** Unpacks an entry, no further than the limit: the size that it declares is ignored. Throws `ZipProblem`. */
export function unpackEntry(bytes: Buffer, { method, packedBytes, offset }: ZipEntry, maxOutputLength: number): Buffer {
  const packed = orDamaged(() => {
    const start = offset + 30 + bytes.readUInt16LE(offset + 26) + bytes.readUInt16LE(offset + 28)
    if (start + packedBytes > bytes.length) throw new RangeError('The entry lies outside the file')
    return bytes.subarray(start, start + packedBytes)
  })
  if (method === 0 && packed.length <= maxOutputLength) return packed
  if (method !== 0 && method !== 8) throw new ZipProblem('DAMAGED')
  try {
    if (method === 8 && maxOutputLength > 0) return inflateRawSync(packed, { maxOutputLength })
  } catch (error) {
    if (!(error instanceof RangeError)) throw new ZipProblem('DAMAGED')
  }
  throw new ZipProblem('EXPANDS')
}

function orDamaged<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw error instanceof RangeError ? new ZipProblem('DAMAGED') : error
  }
}
