import { crc32, deflateSync } from 'node:zlib'

/** Red, green and blue of each pixel, row by row. */
type Pixels = { data: Uint8Array; width: number; height: number }

/** A printed page is mostly white: a low level packs it well, in a few milliseconds. */
const level = 3
const [bitsPerColor, trueColor] = [8, 2]

/** The picture as PNG. It takes a while, so it is for threads that have nothing else to do. */
export function writePng({ data, width, height }: Pixels): Uint8Array<ArrayBuffer> {
  const row = width * 3
  const rows = Buffer.alloc((row + 1) * height) // each begins with its filter: 0, none
  for (let y = 0; y < height; y++) rows.set(data.subarray(y * row, (y + 1) * row), y * (row + 1) + 1)
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([bitsPerColor, trueColor], 8)
  const chunks = [chunk('IHDR', header), chunk('IDAT', deflateSync(rows, { level })), chunk('IEND', Buffer.alloc(0))]
  const png = Buffer.concat([signature, ...chunks])
  return new Uint8Array(png) // a copy with a buffer of its own, which can be transferred to another thread
}

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const framed = Buffer.alloc(named.length + 8)
  framed.writeUInt32BE(data.length, 0)
  named.copy(framed, 4)
  framed.writeUInt32BE(crc32(named), named.length + 4)
  return framed
}
