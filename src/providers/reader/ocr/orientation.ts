import sharp from 'sharp'
import type { Page } from '../reading.ts'
import { sureHebrew } from './hebrew.ts'
import type { Paddle } from './paddle.ts'
import { type Raster, type Region, turned } from './raster.ts'
import { confidenceOf, poorConfidence, type Read, readRegions } from './read-region.ts'
import { readHebrewLine } from './tesseract.ts'

/** Turns a picture clockwise by quarters. */
export async function turnPicture({ data, width, height }: Raster, quarters: number): Promise<Raster> {
  const { data: pixels, info } = await sharp(data, { raw: { width, height, channels: 3 } })
    .rotate(quarters * 90)
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { data: pixels, width: info.width, height: info.height }
}

/** The page says how its picture was turned. */
export const withTurn = (page: Page, quarters: number): Page =>
  quarters ? { ...page, turned: (quarters * 90) as 90 | 180 | 270 } : page

/** The longest lines, of which the direction shows best. */
const longest = <Item>(items: readonly Item[], regionOf: (item: Item) => Region, count: number): Item[] =>
  items
    .toSorted((a, b) => regionOf(b).width / regionOf(b).height - regionOf(a).width / regionOf(a).height)
    .slice(0, count)

/** The quarters by which a picture must be turned for its lines to run across, 0 if they do. */
export async function sidewaysTurn(engine: Paddle, picture: Raster, regions: readonly Region[]): Promise<0 | 1 | 3> {
  const area = (list: readonly Region[]) => list.reduce((sum, { width, height }) => sum + width * height, 0)
  const tall = regions.filter(({ width, height }) => height > 1.5 * width)
  if (area(tall) <= area(regions) / 2) return 0
  const samples = longest(
    tall.map((region) => turned(region, 1)),
    (region) => region,
    8,
  )
  const down = confidenceOf(await readRegions(engine, picture, samples))
  const up = confidenceOf(
    await readRegions(
      engine,
      picture,
      samples.map((region) => turned(region, 2)),
    ),
  )
  return down > up ? 3 : 1
}

/** Whether a picture reads better when it is turned by 180 degrees. Upright text is nearly always read with confidence. */
export async function isUpsideDown(engine: Paddle, picture: Raster, reads: readonly Read[]): Promise<boolean> {
  if (reads.length === 0 || confidenceOf(reads) >= poorConfidence) return false
  const samples = longest(reads, ({ region }) => region, 10)
  const other = samples.map(({ region }) => turned(region, 2))
  const gain = confidenceOf(await readRegions(engine, picture, other)) - confidenceOf(samples)
  if (Math.abs(gain) > 0.15) return gain > 0
  const [upright, turnedOver] = [samples.slice(0, 4).map(({ region }) => region), other.slice(0, 4)]
  const hebrew = (await hebrewIn(picture, turnedOver)) - (await hebrewIn(picture, upright))
  return hebrew === 0 ? gain > 0.05 : hebrew > 0
}

/** How many Hebrew letters are surely read in some regions. */
async function hebrewIn(picture: Raster, regions: readonly Region[]): Promise<number> {
  let letters = 0
  for (const region of regions) letters += sureHebrew(await readHebrewLine(picture, region))
  return letters
}
