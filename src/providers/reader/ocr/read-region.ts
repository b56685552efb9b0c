import type { Paddle } from './paddle.ts'
import type { Raster, Region } from './raster.ts'
import type { Character } from './recognized.ts'
import { type Piece, wordsOf } from './words.ts'

/** A region with what PP-OCR reads in it; columns are pixels along the region. */
export type Read = { region: Region; characters: readonly Character[]; words: readonly Piece[] }

export async function readRegions(engine: Paddle, picture: Raster, regions: readonly Region[]): Promise<Read[]> {
  const reads: Read[] = []
  for (const region of regions) reads.push(await readRegion(engine, picture, region))
  return reads
}

async function readRegion(engine: Paddle, picture: Raster, region: Region): Promise<Read> {
  const { characters, picture: line } = await engine.recognize(picture, region)
  const scale = region.width / line.width
  return {
    region,
    characters: characters.map((character) => ({ ...character, column: character.column * scale })),
    words: wordsOf(characters, line).map((word) => ({ ...word, from: word.from * scale, to: word.to * scale })),
  }
}

/** The mean confidence of all characters; 0 if there are none. */
export function confidenceOf(reads: readonly Pick<Read, 'characters'>[]): number {
  const characters = reads.flatMap((read) => read.characters)
  return characters.reduce((sum, { confidence }) => sum + confidence, 0) / Math.max(1, characters.length)
}

/** Text below this mean confidence is turned, in another script or badly printed. */
export const poorConfidence = 0.85
