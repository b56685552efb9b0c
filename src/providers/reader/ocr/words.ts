import type { Raster } from './raster.ts'
import type { Character } from './recognized.ts'

/** A word in a picture of one line, with the columns that it covers. */
export type Piece = { text: string; confidence: number; from: number; to: number }

/**
 * The words of a line. The recogniser often leaves out the space between words, so wide gaps without ink also separate words.
 */
export function wordsOf(characters: readonly Character[], picture: Raster): Piece[] {
  const ink = inkOf(picture)
  const printed = characters.filter(({ text }) => text.trim() !== '')
  const gaps = printed.slice(1).map((next, index) => {
    const previous = printed[index] ?? next
    return widestGap(ink, previous.column, next.column)
  })
  const usual = median(gaps.map(({ from, to }) => to - from))
  const widest = Math.max(picture.height * 0.22, usual * 2.2 + picture.height * 0.08)
  const words: Piece[] = []
  let word: Character[] = []
  let from = Math.max(0, ink.indexOf(1))
  printed.forEach((character, index) => {
    word.push(character)
    const next = printed[index + 1]
    const gap = gaps[index]
    if (next && gap) {
      const spaced = characters[characters.indexOf(character) + 1] !== next
      const limit = insideNumber(character.text, next.text) ? widest * 1.6 : widest
      if (!spaced && gap.to - gap.from <= limit) return
      words.push(pieceOf(word, from, gap.from))
      from = gap.to
    } else words.push(pieceOf(word, from, ink.lastIndexOf(1) + 1 || picture.width))
    word = []
  })
  return words
}

/** Points and commas stand alone in wide print, so a gap beside them seldom separates two numbers. */
const insideNumber = (before: string, after: string) =>
  (/\d/.test(before) && /[.,]/.test(after)) || (/[.,]/.test(before) && /\d/.test(after))

export function pieceOf(characters: readonly Character[], from: number, to: number): Piece {
  const scores = characters.map(({ confidence }) => confidence)
  const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length
  // One doubtful character spoils a word, an amount above all, so the worst counts as much as all together.
  const confidence = (mean + Math.min(...scores)) / 2
  return { text: characters.map(({ text }) => text.trim()).join(''), confidence, from, to: Math.max(to, from + 1) }
}

/** The widest run of columns without ink between two columns, or the middle between them if there is none. */
function widestGap(ink: Uint8Array, left: number, right: number): { from: number; to: number } {
  const middle = Math.round((left + right) / 2)
  let best = { from: middle, to: middle }
  let start = -1
  for (let column = Math.floor(left); column <= Math.ceil(right); column++) {
    const blank = ink[column] === 0
    if (blank && start < 0) start = column
    if (blank && column < Math.ceil(right)) continue
    if (start >= 0 && column - start > best.to - best.from) best = { from: start, to: column }
    start = -1
  }
  return best
}

/** 1 for each column with ink. Ink is the rarer of dark and light pixels, split by Otsu's method. */
function inkOf({ data, width, height }: Raster): Uint8Array {
  const grey = new Uint8Array(width * height)
  for (let i = 0; i < grey.length; i++) {
    grey[i] = 0.3 * (data[i * 3] ?? 0) + 0.59 * (data[i * 3 + 1] ?? 0) + 0.11 * (data[i * 3 + 2] ?? 0)
  }
  const threshold = otsu(grey)
  let dark = 0
  for (const value of grey) if (value <= threshold) dark += 1
  const inkIsDark = dark * 2 <= grey.length
  const ink = new Uint8Array(width)
  const [top, bottom] = [Math.round(height * 0.12), Math.round(height * 0.88)]
  for (let column = 0; column < width; column++) {
    let count = 0
    for (let row = top; row < bottom; row++) {
      if ((grey[row * width + column] ?? 0) <= threshold === inkIsDark) count += 1
    }
    if (count >= 2) ink[column] = 1
  }
  return ink
}

/** The grey value that separates dark from light with the greatest variance between both. */
function otsu(grey: Uint8Array): number {
  const histogram = new Float64Array(256)
  let total = 0
  for (const value of grey) {
    histogram[value] = (histogram[value] ?? 0) + 1
    total += value
  }
  let [count, sum, best, threshold] = [0, 0, -1, 127]
  for (let value = 0; value < 256; value++) {
    count += histogram[value] ?? 0
    sum += value * (histogram[value] ?? 0)
    const rest = grey.length - count
    if (count === 0 || rest === 0) continue
    const between = count * rest * (sum / count - (total - sum) / rest) ** 2
    if (between > best) [best, threshold] = [between, value]
  }
  return threshold
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}
