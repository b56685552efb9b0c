import sharp from 'sharp'
import { Unreadable } from '../reading.ts'
import type { Raster } from './raster.ts'

const mostPixels = 50_000_000

/** Larger pictures are reduced to this: print that a person can read stays readable, and memory stays limited. */
const workingPixels = 6_000_000

/** The pixels of a picture file, upright as its EXIF data says, without transparency. */
export async function decodePicture(bytes: Buffer): Promise<Raster> {
  const file = sharp(bytes, { limitInputPixels: mostPixels, failOn: 'truncated' })
  const { width, height } = (await file.metadata()).autoOrient
  if (width * height > mostPixels) throw new Unreadable('TOO_LARGE', 'The picture has more than 50 million pixels.')
  const scale = Math.min(1, Math.sqrt(workingPixels / (width * height)))
  const { data, info } = await file
    .autoOrient()
    .resize(Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale)), { fit: 'fill' })
    .flatten({ background: '#fff' })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height }
}
