import type { Paddle } from './paddle.ts'
import type { Raster, Region } from './raster.ts'
import type { Character } from './recognized.ts'
import { type Piece, wordsOf } from './words.ts'

/** A region with what PP-OCR reads in it; columns are pixels along the region. */
export type Read = { region: Region; characters: readonly Character[]; words: readonly Piece[] }

/** Regions under way at once: enough that no thread of the recognizer waits for the next picture of a line. */
const atOnce = 4

export async function readRegions(engine: Paddle, picture: Raster, regions: readonly Region[]): Promise<Read[]> {
  const reads: Read[] = []
  const waiting = regions.entries()
  const readOn = async () => {
    for (const [index, region] of waiting) reads[index] = await readRegion(engine, picture, region)
  }
  await Promise.all(Array.from({ length: atOnce }, readOn))
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
