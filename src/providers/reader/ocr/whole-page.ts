import type { Page } from '../reading.ts'
import { mergeHebrew, sureHebrew } from './hebrew.ts'
import { pageOf, type ReadRegion } from './lines.ts'
import { turnPicture, withTurn } from './orientation.ts'
import type { Raster } from './raster.ts'
import { confidenceOf } from './read-region.ts'
import type { Character } from './recognized.ts'
import { type TesseractLine, tesseractLines } from './tesseract.ts'
import { pieceOf } from './words.ts'

/** Tesseract's mean confidence for print that it reads well, and the letters that make a page Hebrew. */
const [goodConfidence, hebrewLetters] = [0.8, 12]

type Attempt = { quarters: number; picture: Raster; english: TesseractLine[]; hebrew: TesseractLine[]; score: number }

/**
 * Reads a page with Tesseract alone, where PP-OCR cannot run: slower, and worse on photographs. A page that does not read well
 * is read for Hebrew and in the other directions as well.
 */
export async function readWholePage(given: Raster): Promise<Page> {
  let best: Attempt | undefined
  for (const quarters of [0, 2, 1, 3]) {
    const attempt = await read(quarters === 0 ? given : await turnPicture(given, quarters), quarters)
    if (!best || attempt.score > best.score) best = attempt
    if (attempt.score >= goodConfidence || attempt.english.length === 0) break
  }
  if (!best) return pageOf([], given)
  const regions = best.hebrew.length > 0 ? hebrewRegions(best) : best.english.map(regionOf)
  return withTurn(pageOf(regions, best.picture), best.quarters)
}

async function read(picture: Raster, quarters: number): Promise<Attempt> {
  const english = await tesseractLines('eng', 'block', picture)
  const confidence = confidenceOf(english.map((line) => ({ characters: charactersOf(line) })))
  if (confidence >= goodConfidence) return { quarters, picture, english, hebrew: [], score: confidence }
  const hebrew = await tesseractLines('heb', 'block', picture)
  const letters = sureHebrew(hebrew.flatMap(({ words }) => words))
  if (letters < hebrewLetters) return { quarters, picture, english, hebrew: [], score: confidence }
  return { quarters, picture, english, hebrew, score: Math.max(goodConfidence, confidence) }
}

const place = ({ left, top, right, bottom }: TesseractLine) => ({
  ...{ x: (left + right) / 2, y: (top + bottom) / 2 },
  ...{ width: right - left, height: bottom - top, angle: 0 },
})

/** The symbols of a line, their columns from its left edge or from the given one. */
const charactersOf = ({ words, left }: TesseractLine, edge = left): Character[] =>
  words.flatMap(({ symbols }) =>
    symbols.map(({ text, confidence, from, to }) => ({ text, confidence, column: (from + to) / 2 - edge })),
  )

const piecesOf = ({ words, left }: TesseractLine, edge = left) =>
  words.map(({ symbols }) => {
    const columns = symbols.flatMap(({ from, to }) => [from, to])
    const characters = symbols.map(({ text, confidence }) => ({ text, confidence, column: 0 }))
    return pieceOf(characters, Math.min(...columns) - edge, Math.max(...columns) - edge)
  })

const regionOf = (line: TesseractLine): ReadRegion => ({ region: place(line), words: piecesOf(line) })

/** Hebrew words of the Hebrew reading; digits and Latin words of the English reading of the same lines. */
function hebrewRegions({ hebrew, english }: Attempt): ReadRegion[] {
  return hebrew.map((line) => {
    const middle = (line.top + line.bottom) / 2
    const same = english.filter(({ top, bottom }) => middle > top && middle < bottom)
    const height = line.bottom - line.top
    const words = line.words.map(({ confidence, symbols }) => ({
      confidence,
      symbols: symbols.map((each) => ({ ...each, from: each.from - line.left, to: each.to - line.left })),
    }))
    const characters = same.flatMap((other) => charactersOf(other, line.left))
    const pieces = same.flatMap((other) => piecesOf(other, line.left))
    return { region: place(line), words: mergeHebrew(words, { characters, words: pieces, height }) }
  })
}
