import type { Character } from './recognized.ts'
import type { TesseractSymbol, TesseractWord } from './tesseract.ts'
import { type Piece, pieceOf } from './words.ts'

const hebrewLetter = /[\u05d0-\u05ea]/

export const hasHebrew = (text: string) => hebrewLetter.test(text)

/** How much of a line is surely Hebrew: the number of letters in words that Tesseract reads with confidence. */
export const sureHebrew = (words: readonly TesseractWord[]) =>
  words
    .filter(({ confidence }) => confidence >= 0.75)
    .flatMap(({ symbols }) => symbols)
    .filter(({ text }) => hebrewLetter.test(text)).length

/**
 * One reading from two: Hebrew words of Tesseract, everything else of PP-OCR, which knows no Hebrew letter but reads digits and
 * Latin letters better. The result is in the order of the page, from left to right.
 */
export function mergeHebrew(
  words: readonly TesseractWord[],
  characters: readonly Character[],
  ppWords: readonly Piece[],
) {
  const hebrew = words.flatMap((word) => hebrewPieces(word, characters))
  const covered = (column: number) => hebrew.some(({ from, to }) => column > from - 1 && column < to + 1)
  const others = ppWords.flatMap((word) => uncovered(word, characters, covered))
  return [...hebrew, ...others].sort((a, b) => a.from - b.from)
}

/** The parts of a word that are no digits, if Tesseract is surer of it than the other reading of the same place. */
function hebrewPieces({ symbols, confidence }: TesseractWord, characters: readonly Character[]): Piece[] {
  const text = symbols.map((symbol) => symbol.text).join('')
  if (!/[\u05d0-\u05ea₪]/.test(text)) return []
  const [from, to] = [Math.min(...symbols.map((each) => each.from)), Math.max(...symbols.map((each) => each.to))]
  const same = characters.filter(({ column }) => column > from && column < to)
  const other = same.reduce((sum, character) => sum + character.confidence, 0) / Math.max(1, same.length)
  if (confidence < 0.75 && confidence < other) return []
  const pieces: Piece[] = []
  let run: TesseractSymbol[] = []
  const end = () => {
    const word = run.map((symbol) => symbol.text).join('')
    if (/[\u05d0-\u05ea₪]/.test(word)) {
      const edges = run.flatMap((symbol) => [symbol.from, symbol.to])
      pieces.push({ text: word.normalize('NFKC'), confidence, from: Math.min(...edges), to: Math.max(...edges) })
    }
    run = []
  }
  for (const symbol of symbols) {
    if (/\d/.test(symbol.text)) end()
    else run.push(symbol)
  }
  end()
  return pieces
}

/** The characters of a word that no Hebrew word covers, as far as they can be print of a receipt. */
function uncovered(word: Piece, characters: readonly Character[], covered: (column: number) => boolean): Piece[] {
  const own = characters.filter(({ column }) => column >= word.from && column <= word.to)
  const kept = own.filter(({ column, text }) => !covered(column) && /^[!-~€£]+$/.test(text))
  if (kept.length === 0) return []
  if (kept.length === own.length) return [word]
  const pitch = (word.to - word.from) / own.length / 2
  const columns = kept.map(({ column }) => column)
  const piece = pieceOf(kept, Math.min(...columns) - pitch, Math.max(...columns) + pitch)
  return /[0-9A-Za-z]/.test(piece.text) || piece.confidence >= 0.9 ? [piece] : []
}

/**
 * Puts words of a Hebrew line, given from left to right, into the order of reading: from right to left, but neighbours that
 * are written with Latin letters from left to right.
 */
export function inReadingOrder<Item extends { text: string }>(
  words: readonly Item[],
  near: (a: Item, b: Item) => boolean,
): Item[] {
  const ordered: Item[] = []
  let run: Item[] = []
  const end = () => {
    ordered.push(...(run.some(({ text }) => /[A-Za-z]/.test(text)) ? run.toReversed() : run))
    run = []
  }
  for (const word of words.toReversed()) {
    const last = run.at(-1)
    if (last && !near(word, last)) end()
    if (hasHebrew(word.text)) {
      end()
      ordered.push(word)
    } else run.push(word)
  }
  end()
  return ordered
}
