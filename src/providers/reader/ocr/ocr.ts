import { numbered } from '../page-facts.ts'
import { type Page, Unreadable } from '../reading.ts'
import { hebrewReading } from './hebrew-reading.ts'
import { pageOf } from './lines.ts'
import { isUpsideDown, sidewaysTurn, turnPicture, withTurn } from './orientation.ts'
import { type Paddle, paddle } from './paddle.ts'
import { decodePicture } from './picture.ts'
import type { Raster } from './raster.ts'
import { readRegions } from './read-region.ts'
import { readWholePage } from './whole-page.ts'

/** Reads the text of a picture file; a TIFF file of a scanner may have several pages. */
export async function readImagePages(bytes: Buffer): Promise<Page[]> {
  const pages: Page[] = []
  for await (const picture of decodePicture(bytes)) pages.push(numbered(await readPixels(picture), pages.length + 1))
  if (pages.length === 0) throw new Unreadable('DAMAGED', 'The picture is damaged or incomplete.')
  return pages
}

let last: Promise<unknown> = Promise.resolve()

/** Reads the text of a picture in memory. One picture at a time: each needs most of the memory that the process may use. */
export function readPixels(picture: Raster, load = paddle): Promise<Page> {
  const page = last.then(() => readPage(picture, load))
  last = page.catch(() => undefined)
  return page
}

async function readPage(picture: Raster, load: typeof paddle): Promise<Page> {
  const engine = await load()
  return engine ? await readRegionByRegion(engine, picture) : await readWholePage(picture)
}

async function readRegionByRegion(engine: Paddle, given: Raster): Promise<Page> {
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
  return withTurn(page, quarters)
}
