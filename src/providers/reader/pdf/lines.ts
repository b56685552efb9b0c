import type { Box, Line, Word } from '../reading.ts'
import { inReadingOrder, type Strength, strengthOf } from './bidi.ts'
import type { Glyph } from './glyphs.ts'

/** The size of the upright page in points, and its number. */
type Sheet = { page: number; width: number; height: number }

/**
 * The lines of a page from the places of its characters alone: programs store characters in any order, Hebrew as read or as
 * printed. Distances are measured in heights of a character.
 */
export function toLines(glyphs: readonly Glyph[], sheet: Sheet): Line[] {
  const printed = glyphs.filter((glyph) => isShown(glyph, sheet))
  const rows = rowsOf(printed).map((row) => wordsOf(row))
  const pageDirection = directionOf(rows.flat(2).map(({ text }) => text))
  return rows.filter((cells) => cells.length > 0).map((cells) => toLine(cells, pageDirection, sheet))
}

/**
 * Not beside the page, and neither a mark of direction nor a vowel point, which a search would not have. Spaces may have no
 * width.
 */
const isShown = ({ text, left, right, top, bottom }: Glyph, { width, height }: Sheet) =>
  (right > left || text.trim() === '') &&
  bottom > top &&
  left + right > 0 &&
  left + right < 2 * width &&
  top + bottom > 0 &&
  top + bottom < 2 * height &&
  !/\p{Cf}|[\u0591-\u05bd\u05bf-\u05c7\u064b-\u065f]/u.test(text)

const heightOf = ({ top, bottom }: Pick<Glyph, 'top' | 'bottom'>) => bottom - top

/** Characters on the same baseline, from top to bottom. */
function rowsOf(glyphs: readonly Glyph[]): Glyph[][] {
  const rows: { baseline: number; height: number; glyphs: Glyph[] }[] = []
  for (const glyph of glyphs.toSorted((a, b) => a.baseline - b.baseline)) {
    const row = rows.at(-1)
    const height = Math.min(heightOf(glyph), row?.height ?? 0)
    if (row && glyph.baseline - row.baseline <= 0.25 * height) {
      row.glyphs.push(glyph)
      row.height = Math.max(row.height, heightOf(glyph))
    } else {
      rows.push({ baseline: glyph.baseline, height: heightOf(glyph), glyphs: [glyph] })
    }
  }
  return rows.map((row) => row.glyphs)
}

/** A word as printed, with its place in points. */
type Printed = { text: string; left: number; right: number; top: number; bottom: number }

const wordGap = 0.17
const cellGap = 1.2

/** The words of a row from left to right, in cells: groups that a wide gap separates, such as the columns of a table. */
function wordsOf(row: readonly Glyph[]): Printed[][] {
  const cells: Printed[][] = []
  let cell: Printed[] = []
  let word: Printed | undefined
  let previous: Glyph | undefined
  for (const glyph of row.toSorted((a, b) => a.left - b.left)) {
    if (glyph.text.trim() === '') {
      word = undefined
      continue
    }
    if (previous && isPrintedTwice(previous, glyph)) continue
    const height = heightOf(glyph)
    const gap = previous ? glyph.left - previous.right : 0
    if (gap > cellGap * height) {
      cells.push(cell)
      cell = []
      word = undefined
    }
    if (!word || gap > wordGap * height) {
      word = { text: '', left: glyph.left, right: glyph.right, top: glyph.top, bottom: glyph.bottom }
      cell.push(word)
    }
    word.text += glyph.text
    word.right = Math.max(word.right, glyph.right)
    word.top = Math.min(word.top, glyph.top)
    word.bottom = Math.max(word.bottom, glyph.bottom)
    previous = glyph
  }
  return [...cells, cell].filter((words) => words.length > 0)
}

/**
 * Some programs print a character twice, slightly moved, to make it bold. The letters of a ligature have one place together.
 */
const isPrintedTwice = (one: Glyph, other: Glyph) =>
  one.text === other.text &&
  other.left - one.left < 0.3 * (one.right - one.left) &&
  (other.left !== one.left || other.right !== one.right)

/** The cells of a table are read in the direction of the page, each in its own. */
function toLine(cells: Printed[][], pageDirection: 'ltr' | 'rtl', sheet: Sheet): Line {
  const directions = cells.map((cell) => cellDirection(cell, pageDirection))
  const direction = cells.length === 1 ? (directions[0] ?? pageDirection) : pageDirection
  const read = cells.map((cell, at) => inReadingOrder(cell, directions[at] ?? direction))
  const words = (direction === 'rtl' ? read.toReversed() : read)
    .flat()
    .map((word): Word => ({ text: withoutForms(word.text), box: toBox(word, sheet), confidence: 1 }))
  const box = toBox(around(cells.flat()), sheet)
  return { text: words.map(({ text }) => text).join(' '), box, confidence: 1, words, direction }
}

/** Ligatures, wide characters and the forms of letters as their letters. */
const withoutForms = (text: string) =>
  text.replace(/[\ufb00-\ufdff\ufe70-\ufeff\uff01-\uff5e]/g, (form) => form.normalize('NFKC')).normalize('NFC')

function cellDirection(cell: readonly Printed[], pageDirection: 'ltr' | 'rtl'): 'ltr' | 'rtl' {
  const texts = cell.map(({ text }) => text)
  if (!texts.some((text) => strengthOf(text) === 'rtl')) return 'ltr'
  return pageDirection === 'rtl' ? 'rtl' : directionOf(texts)
}

function directionOf(texts: readonly string[]): 'ltr' | 'rtl' {
  const count = (strength: Strength) =>
    texts.reduce((sum, text) => sum + (strengthOf(text) === strength ? text.length : 0), 0)
  return count('rtl') > count('ltr') ? 'rtl' : 'ltr'
}

const around = (words: readonly Printed[]): Printed => ({
  text: '',
  left: Math.min(...words.map(({ left }) => left)),
  right: Math.max(...words.map(({ right }) => right)),
  top: Math.min(...words.map(({ top }) => top)),
  bottom: Math.max(...words.map(({ bottom }) => bottom)),
})

function toBox({ left, right, top, bottom }: Printed, { page, width, height }: Sheet): Box {
  const part = (value: number, whole: number) => Math.round(Math.min(Math.max(value / whole, 0), 1) * 1e4) / 1e4
  const [x, y] = [part(left, width), part(top, height)]
  return { page, x, y, width: part(right - left, width), height: part(bottom - top, height) }
}
