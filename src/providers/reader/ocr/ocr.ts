import type { Page } from '../reading.ts'
import { hebrewReading } from './hebrew-reading.ts'
import { pageOf } from './lines.ts'
import { isUpsideDown, sidewaysTurn, turnPicture } from './orientation.ts'
import { paddle } from './paddle.ts'
import { decodePicture } from './picture.ts'
import type { Raster } from './raster.ts'
import { readRegions } from './read-region.ts'

/** Reads the text of a picture file. */
export async function readImage(bytes: Buffer): Promise<Page> {
  return await readPixels(await decodePicture(bytes))
}

let last: Promise<unknown> = Promise.resolve()

/** Reads the text of a picture in memory. One picture at a time: each needs most of the memory that the process may use. */
export function readPixels(picture: Raster): Promise<Page> {
  const page = last.then(() => readPage(picture))
  last = page.catch(() => undefined)
  return page
}

async function readPage(given: Raster): Promise<Page> {
  const engine = await paddle()
  let [picture, regions, quarters] = [given, await engine.detect(given), 0]
  const turn = async (more: number) => {
    picture = await turnPicture(picture, more)
    regions = await engine.detect(picture)
    quarters = (quarters + more) % 4
  }
  const sideways = await sidewaysTurn(engine, picture, regions)
  if (sideways) await turn(sideways)
  let reads = await readRegions(engine, picture, regions)
  if (await isUpsideDown(engine, picture, reads)) {
    await turn(2)
    reads = await readRegions(engine, picture, regions)
  }
  const page = pageOf(await hebrewReading(picture, reads), picture)
  return quarters ? { ...page, turned: (quarters * 90) as 90 | 180 | 270 } : page
}
