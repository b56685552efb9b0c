import sharp from 'sharp'
import { detectorColours, detectorNetwork, loadNetwork, type Network, planes } from './network.ts'
import { detectorRanges } from './networks/detector-ranges.ts'
import { cut, type Raster, type Region } from './raster.ts'
import type { Character } from './recognized.ts'
import { openRecognizer, type Recognizer } from './recognizer.ts'
import { type ProbabilityMap, regionsOf } from './regions.ts'

/** PP-OCRv4: finds regions of text and reads one region at a time. */
export type Paddle = {
  detect: (picture: Raster) => Promise<Region[]>
  recognize: (picture: Raster, region: Region) => Promise<{ characters: Character[]; picture: Raster }>
}

let loading: Promise<Paddle | undefined> | undefined

/** The models, loaded at first use; nothing where ONNX Runtime has no build for the platform. */
export const paddle = (): Promise<Paddle | undefined> => {
  loading ??= load()
  return loading
}

async function load(): Promise<Paddle | undefined> {
  const detector = await loadNetwork(detectorNetwork, { threads: 2, ranges: detectorRanges })
  if (!detector) return undefined
  sharp.cache(false) // it would keep the pixels of pictures that are never needed again
  const recognizer = openRecognizer()
  return {
    detect: (picture) => detect(picture, detector),
    recognize: (picture, region) => recognize(picture, region, recognizer),
  }
}

/** The networks accept sides that are multiples of 32. */
const multiple = (length: number) => Math.max(32, Math.round(length / 32) * 32)

const [detectionSide, detectionPixels, smallSide, stripWidth, stripOverlap] = [1280, 850_000, 640, 480, 160]

/** How a picture is scaled for the detector: small print is enlarged, a long strip keeps readable print across its width. */
function detectionScale({ width, height }: Pick<Raster, 'width' | 'height'>): number {
  const [long, short] = [Math.max(width, height), Math.min(width, height)]
  if (long < smallSide) return Math.min(2, smallSide / long)
  const scale = Math.min(1, detectionSide / long, Math.sqrt(detectionPixels / (long * short)))
  return short * scale < stripWidth / 2 ? Math.min(1, stripWidth / short) : scale
}

/**
 * The regions of text in a picture. Where a receipt is a small part of a photograph, that part is searched again, in which its
 * print is larger.
 */
async function detect(picture: Raster, run: Network): Promise<Region[]> {
  const regions = await detectAll(picture, run)
  if (regions.length === 0) return []
  const part = around(regions, picture)
  if (detectionScale(part) < detectionScale(picture) * 1.35) return regions
  const closer = await detectAll(partOf(picture, part), run)
  return closer.map((region) => ({ ...region, x: region.x + part.left, y: region.y + part.top }))
}

type Part = { left: number; top: number; width: number; height: number }

/** The part of a picture that has all regions, with some room around it. */
function around(regions: readonly Region[], picture: Raster): Part {
  const reach = ({ width, height }: Region) => Math.max(width, height) / 2
  const room = 0.02 * Math.max(picture.width, picture.height)
  const left = Math.max(0, Math.floor(Math.min(...regions.map((region) => region.x - reach(region))) - room))
  const top = Math.max(0, Math.floor(Math.min(...regions.map((region) => region.y - reach(region))) - room))
  const right = Math.min(picture.width, Math.max(...regions.map((region) => region.x + reach(region))) + room)
  const bottom = Math.min(picture.height, Math.max(...regions.map((region) => region.y + reach(region))) + room)
  return { left, top, width: Math.ceil(right - left), height: Math.ceil(bottom - top) }
}

/** A long strip is searched in overlapping parts, so that memory does not grow with it. */
async function detectAll(picture: Raster, run: Network): Promise<Region[]> {
  const scale = detectionScale(picture)
  const along = picture.height >= picture.width ? 'height' : 'width'
  const [length, part, overlap] = [picture[along], detectionSide / scale, stripOverlap / scale]
  if (length <= part * 1.1) return await detectPart(picture, scale, run)
  const count = Math.ceil((length - overlap) / (part - overlap))
  const step = (length - part) / (count - 1)
  const found: Region[] = []
  for (let index = 0; index < count; index++) {
    const start = Math.round(index * step)
    const [from, to] = [
      index === 0 ? 0 : start + overlap / 2,
      index === count - 1 ? length : start + step + overlap / 2,
    ]
    const [top, left] = along === 'height' ? [start, 0] : [0, start]
    const piece = partOf(picture, { left, top, width: picture.width, height: picture.height, [along]: Math.ceil(part) })
    for (const region of await detectPart(piece, scale, run)) {
      const moved = { ...region, x: region.x + left, y: region.y + top }
      const middle = along === 'height' ? moved.y : moved.x
      // Both parts see the overlap. A region belongs to the part that has more of its surroundings, and is taken once.
      if (middle >= from - 8 && middle < to + 8 && !found.some((other) => covers(other, moved))) found.push(moved)
    }
  }
  return found
}

const covers = (a: Region, b: Region) =>
  Math.abs(a.x - b.x) < Math.min(a.width, b.width) / 2 && Math.abs(a.y - b.y) < Math.min(a.height, b.height) / 2

/** A part of a picture, as far as it is inside. */
function partOf({ data, width, height }: Raster, part: Part): Raster {
  const [columns, rows] = [Math.min(part.width, width - part.left), Math.min(part.height, height - part.top)]
  const out = new Uint8Array(columns * rows * 3)
  for (let row = 0; row < rows; row++) {
    const from = ((part.top + row) * width + part.left) * 3
    out.set(data.subarray(from, from + columns * 3), row * columns * 3)
  }
  return { data: out, width: columns, height: rows }
}

/** A picture in the size in which the detector sees it. */
export async function forDetector(picture: Raster, scale = detectionScale(picture)): Promise<Raster> {
  const [width, height] = [multiple(picture.width * scale), multiple(picture.height * scale)]
  const data = await sharp(picture.data, { raw: { width: picture.width, height: picture.height, channels: 3 } })
    .resize(width, height, { fit: 'fill' })
    .raw()
    .toBuffer()
  return { data, width, height }
}

async function detectPart(picture: Raster, scale: number, run: Network): Promise<Region[]> {
  const { data, width, height } = await forDetector(picture, scale)
  const output = await run(planes(data, width, height, detectorColours), height, width)
  const map: ProbabilityMap = { data: output.data as Float32Array, width, height }
  const [scaleX, scaleY] = [picture.width / width, picture.height / height]
  return regionsOf(map).map((region) => ({
    ...region,
    x: region.x * scaleX,
    y: region.y * scaleY,
    width: region.width * scaleX,
    height: region.height * scaleY,
  }))
}

const lineHeight = 48
const [narrowest, widest] = [32, 2400]

async function recognize(picture: Raster, region: Region, read: Recognizer) {
  const natural = (region.width / region.height) * lineHeight
  const width = Math.min(widest, Math.max(narrowest, Math.ceil(natural / 16) * 16))
  const line = cut(picture, region, lineHeight, width)
  return { characters: await read(line), picture: line }
}
