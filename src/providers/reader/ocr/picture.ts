import sharp, { type Sharp } from 'sharp'
import { Unreadable } from '../reading.ts'
import { decodeHeif, isHeif } from './heif.ts'
import type { Raster } from './raster.ts'

const [mostPixels, mostPages] = [50_000_000, 10]

/** Larger pictures are reduced to this: print that a person can read stays readable, and memory stays limited. */
const workingPixels = 6_000_000

/**
 * The pixels of a picture file, upright as its EXIF data says, without transparency. A TIFF file may have several pages, of which
 * the first ten are read; of an animation the first picture is.
 */
export async function* decodePicture(bytes: Buffer): AsyncGenerator<Raster> {
  if (isHeif(bytes)) {
    yield await pixelsOf(await decodeHeif(bytes, mostPixels))
    return
  }
  const format = formatOf(bytes)
  if (!format) throw new Unreadable('UNSUPPORTED_TYPE', 'The file is no picture that can be read.')
  const { pages = 1 } = await whole(() => open(bytes).metadata())
  for (let page = 0; page < (format === 'tiff' ? Math.min(pages, mostPages) : 1); page++)
    yield await decode(bytes, page)
}

/** Only these reach the decoder: others, such as SVG, can refer to further files. */
function formatOf(bytes: Buffer): string | undefined {
  const start = bytes.toString('latin1', 0, 12)
  if (start.startsWith('\xff\xd8\xff')) return 'jpeg'
  if (start.startsWith('\x89PNG\r\n')) return 'png'
  if (start.startsWith('GIF8')) return 'gif'
  if (/^RIFF.{4}WEBP/s.test(start)) return 'webp'
  if (/^(II\*\0|MM\0\*)/.test(start)) return 'tiff'
  return start.slice(4) === 'ftypavif' ? 'avif' : undefined
}

const open = (bytes: Buffer, options: { page?: number; failOn?: 'none' } = {}): Sharp =>
  sharp(bytes, { limitInputPixels: mostPixels, failOn: 'truncated', ...options })

async function decode(bytes: Buffer, page: number): Promise<Raster> {
  try {
    return await pixelsOf(open(bytes, { page }))
  } catch (error) {
    if (isTooLarge(error)) throw tooLarge()
    const rest = await restOf(bytes, page)
    if (rest) return rest
    throw damaged()
  }
}

/** What a file without its end still shows, if that is nearly all of the picture. */
async function restOf(bytes: Buffer, page: number): Promise<Raster | undefined> {
  try {
    const { isProgressive } = await open(bytes, { page, failOn: 'none' }).metadata()
    if (isProgressive) return undefined // its end holds the details of the whole picture
    const picture = await pixelsOf(open(bytes, { page, failOn: 'none' }))
    return blankRows(picture) < picture.height * 0.05 ? picture : undefined
  } catch {
    return undefined
  }
}

/** How many rows at the bottom have one colour, as decoders fill in what is missing. */
function blankRows({ data, width, height }: Raster): number {
  const colour = data.subarray(data.length - 3)
  for (let row = height - 1; row >= 0; row--) {
    for (let at = row * width * 3; at < (row + 1) * width * 3; at++) {
      if (Math.abs((data[at] ?? 0) - (colour[at % 3] ?? 0)) > 2) return height - 1 - row
    }
  }
  return height
}

/** The pixels of an opened picture, reduced to the working size. */
async function pixelsOf(file: Sharp): Promise<Raster> {
  const { width, height } = (await whole(() => file.metadata())).autoOrient
  if (width * height > mostPixels) throw tooLarge()
  const scale = Math.min(1, Math.sqrt(workingPixels / (width * height)))
  const { data, info } = await file
    .autoOrient()
    .resize(Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale)), { fit: 'fill' })
    .flatten({ background: '#fff' })
    .toColourspace('srgb')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height }
}

async function whole<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    throw isTooLarge(error) ? tooLarge() : error instanceof Unreadable ? error : damaged()
  }
}

const isTooLarge = (error: unknown) =>
  (error instanceof Unreadable && error.reason === 'TOO_LARGE') ||
  (error instanceof Error && error.message.includes('pixel limit'))
const tooLarge = () => new Unreadable('TOO_LARGE', 'The picture has more than 50 million pixels.')
const damaged = () => new Unreadable('DAMAGED', 'The picture is damaged or incomplete.')
