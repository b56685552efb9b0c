import type { Character } from './recognized.ts'
import type { TesseractSymbol, TesseractWord } from './tesseract.ts'
import { type Piece, pieceOf } from './words.ts'

const hebrewLetter = /[\u05d0-\u05ea]/

const hasHebrew = (text: string) => hebrewLetter.test(text)

/** How much of a line is surely Hebrew: the number of letters in words that Tesseract reads with confidence. */
export const sureHebrew = (words: readonly TesseractWord[]) =>
  words
    .filter(({ confidence }) => confidence >= 0.75)
    .flatMap(({ symbols }) => symbols)
    .filter(({ text }) => hebrewLetter.test(text)).length

/** The other reading of a region: PP-OCR's characters and words, and the height of the region. */
type Other = { characters: readonly Character[]; words: readonly Piece[]; height: number }

/**
 * One reading from two: Hebrew words of Tesseract, everything else of PP-OCR, which knows no Hebrew letter but reads digits and
 * Latin letters better. The result is in the order of the page, from left to right.
 */
export function mergeHebrew(words: readonly TesseractWord[], other: Other): Piece[] {
  const hebrew = words.filter((word) => isHebrewWord(word, other.characters)).flatMap(hebrewPieces)
  if (hebrew.length === 0) return [...other.words]
  const others = splitAt(gapsOf(words, other.height), other).flatMap((word) => uncovered(word, other, hebrew))
  const found = [...hebrew, ...others]
  return [...found, ...words.flatMap((word) => missedBy(found, word))].sort((a, b) => a.from - b.from)
}

const textOf = (items: readonly { text: string }[]) => items.map(({ text }) => text).join('')
const startOf = (symbols: readonly TesseractSymbol[]) => Math.min(...symbols.map(({ from }) => from))
const endOf = (symbols: readonly TesseractSymbol[]) => Math.max(...symbols.map(({ to }) => to))

/** Whether a word is Hebrew: mostly Hebrew letters, and the other reading of the same place is not the more likely one. */
function isHebrewWord({ symbols, confidence }: TesseractWord, characters: readonly Character[]): boolean {
  const text = textOf(symbols)
  if (text === '₪') return confidence >= 0.75
  const letters = text.match(/[\u05d0-\u05ea]/g)?.length ?? 0
  if (letters * 2 < text.length - (text.match(/\d/g)?.length ?? 0)) return false
  const [from, to] = [startOf(symbols), endOf(symbols)]
  const same = characters.filter(({ column }) => column > from && column < to)
  const other = same.reduce((sum, character) => sum + character.confidence, 0) / Math.max(1, same.length)
  if (other >= 0.9 && same.length >= letters && isPlausible(textOf(same), text)) return false
  return confidence >= (letters >= 3 && letters === text.length ? 0.2 : 0.4)
}

/** Whether print that could be Hebrew is rather what the other reading says: short Latin words, and digits that look alike. */
function isPlausible(other: string, hebrew: string): boolean {
  // Vav, final nun, yod and samekh look like 1 and 0.
  if (/^\d+$/.test(other)) return /^[וןיס'"\-.]+$/.test(hebrew)
  return /^([A-Z]?[a-z]+|[A-Z]{2,})$/.test(other)
}

/** The parts of a Hebrew word that are no digits. */
function hebrewPieces({ symbols, confidence }: TesseractWord): Piece[] {
  const pieces: Piece[] = []
  let run: TesseractSymbol[] = []
  const end = () => {
    const text = textOf(run).normalize('NFKC')
    if (/[\u05d0-\u05ea₪]/.test(text)) pieces.push({ text, confidence, from: startOf(run), to: endOf(run) })
    run = []
  }
  for (const symbol of symbols) {
    if (/\d/.test(symbol.text)) end()
    else run.push(symbol)
  }
  end()
  return pieces
}

/** A number or a Latin word where PP-OCR reads nothing. Tesseract confuses digits with the Hebrew data, so it is less sure. */
function missedBy(found: readonly Piece[], { symbols, confidence }: TesseractWord): Piece[] {
  const [text, from, to] = [textOf(symbols).normalize('NFKC'), startOf(symbols), endOf(symbols)]
  if (hasHebrew(text) || !/[0-9A-Za-z]/.test(text) || confidence < 0.6) return []
  return found.some((piece) => piece.from < to && piece.to > from)
    ? []
    : [{ text, from, to, confidence: confidence * 0.8 }]
}

/** The middles of clear gaps between Tesseract's words. */
function gapsOf(words: readonly TesseractWord[], height: number): number[] {
  const spans = words
    .map(({ symbols }) => ({ from: startOf(symbols), to: endOf(symbols) }))
    .sort((a, b) => a.from - b.from)
  return spans.flatMap(({ from }, index) => {
    const before = spans[index - 1]
    return before && from - before.to >= height * 0.25 ? [(from + before.to) / 2] : []
  })
}

/** PP-OCR often joins numbers that are printed apart: its words, also separated at the given columns. */
function splitAt(gaps: readonly number[], { words, characters }: Other): Piece[] {
  return words.flatMap((word) => {
    const inside = gaps.filter((gap) => gap > word.from && gap < word.to && !isInNumber(gap, characters))
    if (inside.length === 0) return [word]
    const edges = [word.from, ...inside, word.to]
    return edges.slice(1).flatMap((to, index) => {
      const from = edges[index] ?? word.from
      const own = characters.filter(({ column }) => column >= from && column < to)
      return own.length > 0 ? [pieceOf(own, from, to)] : []
    })
  })
}

/** Whether the sign beside a column is one that stands in amounts, days and times. */
function isInNumber(column: number, characters: readonly Character[]): boolean {
  const before = characters.findLast((character) => character.column < column)
  const after = characters.find((character) => character.column >= column)
  return /[.,/:-]/.test(before?.text ?? '') || /[.,/:-]/.test(after?.text ?? '')
}

/** The characters of a word that no Hebrew word covers, as far as they can be print of a receipt. */
function uncovered(word: Piece, { characters, height }: Other, hebrew: readonly Piece[]): Piece[] {
  const covered = (column: number, margin: number) =>
    hebrew.some(({ from, to }) => column > from - margin && column < to + margin)
  const own = characters.filter(({ column }) => column >= word.from && column <= word.to)
  const kept = own.filter(({ column, text }) => {
    const margin = /[0-9A-Za-z]/.test(text) ? 1 : height * 0.3
    return !covered(column, margin) && /^[!-~€£]+$/.test(text)
  })
  if (kept.length === 0) return []
  const pitch = (word.to - word.from) / own.length / 2
  const columns = kept.map(({ column }) => column)
  const piece =
    kept.length === own.length ? word : pieceOf(kept, Math.min(...columns) - pitch, Math.max(...columns) + pitch)
  // A comma to the left of a number follows it in Hebrew.
  const text = piece.text.replace(/^([,:;])(\d.*)$/, '$2$1')
  return /[0-9A-Za-z]/.test(text) || piece.confidence >= 0.9 ? [{ ...piece, text }] : []
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
