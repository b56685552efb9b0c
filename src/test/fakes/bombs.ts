import { crc32, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'

/** Small files that expand to huge ones (FLT-13), generated so that none is in the repository. */

const mebibyte = 1024 * 1024
export const zeros = (mib: number) => Buffer.alloc(mib * mebibyte)

export const gzipBomb = () => gzipSync(zeros(300), { level: 9 })

/** A ZIP with one compressed entry that the directory lists many times. */
export function zip(content: Buffer, { times = 1, named = 'a.txt' } = {}): Buffer {
  const packed = deflateRawSync(content, { level: 9 })
  const name = Buffer.from(named)
  const fields = (signature: string, more: number[]) => {
    const head = Buffer.alloc(26)
    head.writeUInt16LE(20, 0)
    head.writeUInt16LE(8, 4)
    head.writeUInt32LE(crc32(content) >>> 0, 10)
    head.writeUInt32LE(packed.length, 14)
    head.writeUInt32LE(content.length >>> 0, 18)
    head.writeUInt16LE(name.length, 22)
    return Buffer.concat([Buffer.from(signature, 'latin1'), Buffer.from(more), head])
  }
  const local = Buffer.concat([fields('PK\x03\x04', []), name, packed])
  const entry = Buffer.concat([fields('PK\x01\x02', [20, 0]), Buffer.alloc(14), name])
  const directory = Buffer.concat(Array.from({ length: times }, () => entry))
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(times, 8)
  end.writeUInt16LE(times, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(local.length, 16)
  return Buffer.concat([local, directory, end])
}

/** A PNG that claims this size and holds a few bytes; if `isComplete`, it holds every pixel, in black. */
export function png(width: number, height: number, { isComplete = false } = {}): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set(isComplete ? [1, 0, 0, 0, 0] : [8, 6, 0, 0, 0], 8) // one bit of grey, or RGBA
  const pixels = Buffer.alloc(isComplete ? (1 + Math.ceil(width / 8)) * height : 64)
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data])
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    sum.writeUInt32BE(crc32(body) >>> 0)
    return Buffer.concat([length, body, sum])
  }
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

type Pdf = {
  pages?: number
  shared?: boolean
  packed?: boolean
  stream?: Buffer
  filter?: string
  /** What is done to the compressed stream, as letters. */
  encode?: (packed: Buffer) => Buffer
}

/** A PDF with this many pages, separate or shared, plain or in a compressed object stream. */
export function pdf({
  pages = 1,
  shared = false,
  packed = false,
  stream,
  filter = '/FlateDecode',
  encode,
}: Pdf = {}): Buffer {
  const kids = Array.from({ length: pages }, (_, n) => `${shared ? 3 : n + 3} 0 R`).join(' ')
  const page = '<< /Type /Page /Parent 2 0 R >>'
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Kids [${kids}] /Type /Pages /Count ${pages} >>`,
    ...Array.from({ length: shared ? 1 : pages }, () => page),
  ]
  const parts = packed
    ? [withStream('/Type /ObjStm /N 3 /First 20 /Filter /FlateDecode', deflateSync(objects.join('\n')))]
    : objects.map((text, n) => Buffer.from(`${n + 1} 0 obj\n${text}\nendobj\n`))
  const compressed = stream && deflateSync(stream, { level: 9 })
  const more = compressed ? [withStream(`/Filter ${filter}`, encode?.(compressed) ?? compressed)] : []
  return Buffer.concat([
    Buffer.from('%PDF-1.7\n'),
    ...parts,
    ...more,
    Buffer.from('trailer << /Root 1 0 R >>\n%%EOF\n'),
  ])
}

/** Bytes as hexadecimal digits and in base 85, as PDFs may have them. */
export const asHex = (bytes: Buffer) => Buffer.from(`${bytes.toString('hex').replace(/.{80}/g, '$&\n')}>`)
export function asBase85(bytes: Buffer): Buffer {
  const digits = Array.from({ length: Math.ceil(bytes.length / 4) }, (_, at) => {
    const part = bytes.subarray(4 * at, 4 * at + 4)
    const value = Buffer.concat([part, Buffer.alloc(4 - part.length)]).readUInt32BE()
    if (value === 0 && part.length === 4) return 'z'
    const five = [4, 3, 2, 1, 0].map((power) => String.fromCharCode(33 + (Math.floor(value / 85 ** power) % 85)))
    return five.slice(0, part.length + 1).join('')
  })
  return Buffer.from(`${digits.join('')}~>`)
}

const withStream = (dictionary: string, bytes: Buffer) =>
  Buffer.concat([
    Buffer.from(`9 0 obj\n<< ${dictionary} /Length ${bytes.length} >>\nstream\n`),
    bytes,
    Buffer.from('\nendstream\nendobj\n'),
  ])

/** An SVG whose entities expand exponentially (billion laughs). */
export const laughs = () =>
  `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY a "ha">${Array.from({ length: 20 }, (_, n) => `<!ENTITY a${n} "&a;&a;">`).join('')}]><svg xmlns="http://www.w3.org/2000/svg"><text>&a19;</text></svg>`
