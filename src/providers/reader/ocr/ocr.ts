import type { Page } from '../reading.ts'
import { pageOf, type ReadRegion } from './lines.ts'
import { type Paddle, paddle } from './paddle.ts'
import { decodePicture } from './picture.ts'
import type { Raster, Region } from './raster.ts'
import { wordsOf } from './words.ts'

/** Reads the text of a picture file. */
export async function readImage(bytes: Buffer): Promise<Page> {
  return await readPixels(await decodePicture(bytes))
}

/** Reads the text of a picture in memory. */
export async function readPixels(picture: Raster): Promise<Page> {
  const engine = await paddle()
  const regions: ReadRegion[] = []
  for (const region of await engine.detect(picture)) regions.push(await readRegion(engine, picture, region))
  return pageOf(regions, picture)
}

async function readRegion(engine: Paddle, picture: Raster, region: Region): Promise<ReadRegion> {
  const { characters, picture: line } = await engine.recognize(picture, region)
  const scale = region.width / line.width
  const words = wordsOf(characters, line).map((word) => ({ ...word, from: word.from * scale, to: word.to * scale }))
  return { region, words, direction: 'ltr' }
}
