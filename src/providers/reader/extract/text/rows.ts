import type { Box, Page, Word } from '../../reading.ts'

/** A word with its text in plain characters and its place in the text of the row. */
export type Token = { text: string; start: number; end: number; box: Box; confidence: number }

/** A printed line in plain characters. Segments are its parts between wide gaps, such as the columns of a table. */
export type Row = {
  page: number
  index: number
  text: string
  tokens: readonly Token[]
  segments: readonly Segment[]
  box: Box
  /** The height of the print in pixels. */
  height: number
  rightToLeft: boolean
}

export type Segment = { text: string; start: number; end: number; box: Box; height: number }

/** Characters without width, which mark the direction of text or join letters. */
const invisible = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g

/** Text with one form for each character: no full-width forms, one kind of quotation mark and of dash. */
export function plain(text: string): string {
  return text
    .replace(invisible, '')
    .normalize('NFKC')
    .replace(/[\u0591-\u05bd\u05bf\u05c1\u05c2]/g, '')
    .replace(/[“”„‟″״]|''/g, '"')
    .replace(/[‘’‚‛′׳`´]/g, "'")
    .replace(/[‐‑‒–—―−־]/g, '-')
    .replace(/[、﹐]/g, ',')
    .replace(/[。]/g, '.')
    .replace(/\s+/g, ' ')
    .trim()
}

/** More than any printed line has; the rest of a longer one is left out, so that a made-up file cannot keep the reader busy. */
const longestRow = 400
/** Of a longer document the first and the last rows are read: the vendor is at the start, the total at the end. */
const mostRows = 2_000

export function rowsOf(pages: readonly Page[]): Row[] {
  const lines = pages.flatMap((page) => page.lines.map((line) => ({ page, line })))
  const read = lines.length > mostRows ? [...lines.slice(0, mostRows / 2), ...lines.slice(-mostRows / 2)] : lines
  const rows: Row[] = []
  for (const { page, line } of read) {
    const words = line.words.length > 0 ? line.words : [line]
    const row = rowOf(page, words, rows.length, line.direction === 'rtl')
    if (row) rows.push(row)
  }
  return rows
}

function rowOf(page: Page, words: readonly Word[], index: number, rightToLeft: boolean): Row | undefined {
  const tokens: Token[] = []
  let text = ''
  for (const word of words) {
    if (text.length >= longestRow) break
    const clean = plain(word.text.slice(0, longestRow))
    if (clean === '') continue
    if (text !== '') text += ' '
    tokens.push({
      text: clean,
      start: text.length,
      end: text.length + clean.length,
      box: word.box,
      confidence: word.confidence,
    })
    text += clean
  }
  if (tokens.length === 0) return undefined
  const box = around(tokens.map((token) => token.box))
  const height = median(tokens.map((token) => token.box.height)) * page.height
  return { page: page.number, index, text, tokens, segments: segmentsOf(tokens, text, page), box, height, rightToLeft }
}

function segmentsOf(tokens: readonly Token[], text: string, page: Page): Segment[] {
  const segments: Segment[] = []
  let first = 0
  for (let at = 1; at <= tokens.length; at++) {
    const before = tokens[at - 1]
    const next = tokens[at]
    if (before && next && !isWideGap(before.box, next.box, page)) continue
    const part = tokens.slice(first, at)
    const start = part[0]?.start ?? 0
    const end = part.at(-1)?.end ?? 0
    const height = median(part.map((token) => token.box.height)) * page.height
    segments.push({ text: text.slice(start, end), start, end, box: around(part.map((token) => token.box)), height })
    first = at
  }
  return segments
}

/** A gap between columns is wider than any space between words, about twice the height of the print. */
function isWideGap(one: Box, other: Box, page: Page): boolean {
  const gap = Math.max(other.x - (one.x + one.width), one.x - (other.x + other.width)) * page.width
  return gap > 2 * Math.min(one.height, other.height) * page.height
}

/** The smallest box that holds all of these, which are on one page. */
export function around(boxes: readonly Box[]): Box {
  const x = Math.min(...boxes.map((box) => box.x))
  const y = Math.min(...boxes.map((box) => box.y))
  const right = Math.max(...boxes.map((box) => box.x + box.width))
  const bottom = Math.max(...boxes.map((box) => box.y + box.height))
  return { page: boxes[0]?.page ?? 1, x, y, width: right - x, height: bottom - y }
}

/** Where a part of the text of a row is printed. Inside of a word the place is in proportion to its characters. */
export function boxOf(row: Row, start: number, end: number): Box {
  const parts: Box[] = []
  for (const token of row.tokens) {
    const from = Math.max(start, token.start)
    const to = Math.min(end, token.end)
    if (from < to) parts.push(partOf(token, from, to, row.rightToLeft))
  }
  return parts.length > 0 ? around(parts) : row.box
}

function partOf(token: Token, from: number, to: number, rightToLeft: boolean): Box {
  const length = token.end - token.start
  const width = (token.box.width * (to - from)) / length
  const isMirrored = rightToLeft && /[\u05d0-\u05ea]/.test(token.text)
  const skipped = isMirrored ? token.end - to : from - token.start
  return { ...token.box, x: token.box.x + (token.box.width * skipped) / length, width }
}

/** How sure the engine is of a part of the row: as sure as of its least sure word. */
export function sureness(row: Row, start: number, end: number): number {
  const within = row.tokens.filter((token) => token.start < end && start < token.end)
  return Math.min(1, ...within.map((token) => token.confidence))
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}

/** Whether two rows are printed at the same height of a page, as when a label and its amount were found apart. */
export function isBeside(one: Row, other: Row): boolean {
  if (one.page !== other.page) return false
  const top = Math.max(one.box.y, other.box.y)
  const bottom = Math.min(one.box.y + one.box.height, other.box.y + other.box.height)
  return bottom - top > 0.4 * Math.min(one.box.height, other.box.height)
}

/** The words below a place, in the nearest row that has any there; rows of other columns may lie between. */
export function wordsBelow<R extends Row>(rows: readonly R[], row: R, box: Box): InColumn<R> | undefined {
  return inColumn(rows.slice(row.index + 1, row.index + 4), row, box)
}

/** The words above a place. */
export function wordsAbove<R extends Row>(rows: readonly R[], row: R, box: Box): InColumn<R> | undefined {
  return inColumn(rows.slice(Math.max(0, row.index - 3), row.index).reverse(), row, box)
}

type InColumn<R> = { row: R; start: number; end: number }

function inColumn<R extends Row>(near: readonly R[], row: R, box: Box): InColumn<R> | undefined {
  for (const other of near) {
    const gap = Math.max(other.box.y - (row.box.y + row.box.height), row.box.y - (other.box.y + other.box.height))
    if (other.page !== row.page || gap > 2 * row.box.height) return undefined
    const words = other.tokens.filter((token) => isInColumn(token.box, box))
    const [first, last] = [words[0], words.at(-1)]
    if (first && last) return { row: other, start: first.start, end: last.end }
  }
  return undefined
}

const isInColumn = (one: Box, other: Box): boolean => one.x < other.x + other.width && other.x < one.x + one.width
