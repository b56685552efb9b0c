import { headOf } from './content-type.ts'

/** Cameras put a preview before the size, so a larger part of a JPEG is read. */
const jpegHeadBytes = 1024 * 1024

export type Size = { width: number; height: number }

/** The size of an image according to its header; nothing is decoded. Throws a RangeError for an invalid header. */
export async function pixelsOf(path: string, fileType: string): Promise<Size> {
  return pixelsIn(await headOf(path, fileType === 'image/jpeg' ? jpegHeadBytes : 64), fileType)
}

/** The same of the first bytes of an image, or of all. */
export function pixelsIn(head: Buffer, fileType: string): Size {
  switch (fileType) {
    case 'image/png':
      return { width: head.readUInt32BE(16), height: head.readUInt32BE(20) }
    case 'image/gif':
      return { width: head.readUInt16LE(6), height: head.readUInt16LE(8) }
    case 'image/webp':
      return webp(head)
    default:
      return jpeg(head)
  }
}

function webp(head: Buffer): Size {
  switch (head.toString('latin1', 12, 16)) {
    case 'VP8X':
      return { width: head.readUIntLE(24, 3) + 1, height: head.readUIntLE(27, 3) + 1 }
    case 'VP8L': {
      const bits = head.readUInt32LE(21)
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
    }
    case 'VP8 ':
      return { width: head.readUInt16LE(26) & 0x3fff, height: head.readUInt16LE(28) & 0x3fff }
    default:
      throw new RangeError('Unknown kind of WebP')
  }
}

/** Skips segments up to the one that begins a frame, which contains the size. */
function jpeg(head: Buffer): Size {
  for (let at = 2; ; ) {
    while (head.readUInt8(at) === 0xff && head.readUInt8(at + 1) === 0xff) at += 1
    if (head.readUInt8(at) !== 0xff) throw new RangeError('A JPEG segment was expected')
    const kind = head.readUInt8(at + 1)
    const isFrame = kind >= 0xc0 && kind <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(kind)
    if (isFrame) return { width: head.readUInt16BE(at + 7), height: head.readUInt16BE(at + 5) }
    at += 2 + head.readUInt16BE(at + 2)
  }
}
