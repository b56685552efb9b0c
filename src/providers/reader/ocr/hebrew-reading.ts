import { mergeHebrew, sureHebrew } from './hebrew.ts'
import type { ReadRegion } from './lines.ts'
import type { Raster } from './raster.ts'
import { confidenceOf, poorConfidence, type Read } from './read-region.ts'
import { endTesseract, readHebrewLine, type TesseractWord } from './tesseract.ts'

const [mostSamples, fewestLetters] = [6, 3]

/** Reads the page a second time, for Hebrew, where a sample of the lines that PP-OCR reads poorly shows that it is Hebrew. */
export async function hebrewReading(picture: Raster, reads: readonly Read[]): Promise<ReadRegion[]> {
  const texts = reads.filter((read) => isText(read) && !isSureNumber(read))
  const doubtful = texts.filter((read) => confidenceOf([read]) < poorConfidence)
  if (doubtful.length === 0 || doubtful.length < texts.length * 0.3) return [...reads]
  const lines = new Map<Read, TesseractWord[]>()
  const read = async (each: Read) => {
    const words = lines.get(each) ?? (await readHebrewLine(picture, each.region))
    lines.set(each, words)
    return words
  }
  const samples = doubtful.toSorted((a, b) => b.region.width - a.region.width).slice(0, mostSamples)
  let hebrew = 0
  for (const sample of samples) if (sureHebrew(await read(sample)) >= fewestLetters) hebrew += 1
  if (hebrew < 2 && hebrew < samples.length) {
    await endTesseract()
    return [...reads]
  }
  const result: ReadRegion[] = []
  for (const each of reads) result.push(isSureNumber(each) ? each : merged(each, await read(each)))
  return result
}

/** A mark or a speck is no text; neither is a region without room for two letters. */
const isText = ({ region }: Read) => region.width > region.height * 1.2

/** An amount, a day or a time of its own. Hebrew words can look like digits too, but not with such a sign between them. */
const isSureNumber = (read: Read) =>
  read.words.length === 1 &&
  /^\d+([.,:/-]\d+)+$/.test(read.characters.map(({ text }) => text).join('')) &&
  confidenceOf([read]) >= 0.9

const merged = ({ region, characters, words }: Read, hebrew: readonly TesseractWord[]): ReadRegion => ({
  region,
  words: mergeHebrew(hebrew, { characters, words, height: region.height }),
})
