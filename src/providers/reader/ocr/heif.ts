import { createRequire } from 'node:module'
import sharp, { type Sharp } from 'sharp'
import { Unreadable } from '../reading.ts'

/** The part of libheif that is used here; the package has no types for it. */
type Image = {
  get_width: () => number
  get_height: () => number
  display: (target: Pixels, done: (pixels: Pixels | null) => void) => void
}
type Pixels = { data: Uint8ClampedArray; width: number; height: number }
type Heif = { HeifDecoder: new () => { decode: (bytes: Uint8Array) => Image[] } }

/** Phones store photographs as HEIF with HEVC, which sharp cannot decode. */
export const isHeif = (bytes: Buffer) =>
  /^ftyp(heic|heix|heim|heis|hevc|hevx|mif1|msf1)/.test(bytes.toString('latin1', 4, 12))

/** The main picture of a HEIF file. libheif turns it as the file says. */
export async function decodeHeif(bytes: Buffer, mostPixels: number): Promise<Sharp> {
  const { HeifDecoder } = createRequire(import.meta.url)('libheif-js/wasm-bundle') as Heif
  const [image] = new HeifDecoder().decode(bytes)
  if (!image) throw new Unreadable('DAMAGED', 'The picture is damaged or incomplete.')
  const [width, height] = [image.get_width(), image.get_height()]
  if (width * height > mostPixels) throw new Unreadable('TOO_LARGE', 'The picture has more than 50 million pixels.')
  const pixels = await new Promise<Pixels | null>((resolve) => {
    image.display({ data: new Uint8ClampedArray(width * height * 4), width, height }, resolve)
  })
  if (!pixels) throw new Unreadable('DAMAGED', 'The picture is damaged or incomplete.')
  const { buffer, byteOffset, byteLength } = pixels.data
  return sharp(new Uint8Array(buffer, byteOffset, byteLength), { raw: { width, height, channels: 4 } })
}
