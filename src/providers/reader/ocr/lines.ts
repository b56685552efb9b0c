import type { Box, Line, Page, Word } from '../reading.ts'
import { inReadingOrder } from './hebrew.ts'
import { pointOf, type Raster, type Region } from './raster.ts'
import { median, type Piece } from './words.ts'

/** A region that has been read: its words from left to right, their columns in pixels along the region. */
export type ReadRegion = { region: Region; words: readonly Piece[] }

/** Joins the regions of a page into printed lines, from top to bottom. */
export function pageOf(regions: readonly ReadRegion[], { width, height }: Pick<Raster, 'width' | 'height'>): Page {
  const rows = rowsOf(regions.filter(({ words }) => words.length > 0))
  return { number: 1, width, height, lines: rows.map((row) => lineOf(row, width, height)) }
}

/** The direction of the text on the page: the middle one of all regions that are long enough to have one. */
function skewOf(regions: readonly Region[]): number {
  return median(regions.filter(({ width, height }) => width > height * 3).map(({ angle }) => angle))
}

type Placed = ReadRegion & { left: number; right: number; middle: number }

/** Regions side by side, each row from left to right, seen along the direction of the text on the page. */
function rowsOf(regions: readonly ReadRegion[]): Placed[][] {
  const skew = skewOf(regions.map(({ region }) => region))
  const [cos, sin] = [Math.cos(skew), Math.sin(skew)]
  const placed = regions.map((read): Placed => {
    const { x, y, width } = read.region
    const along = x * cos + y * sin
    return { ...read, left: along - width / 2, right: along + width / 2, middle: y * cos - x * sin }
  })
  const rows: Placed[][] = []
  for (const item of placed.toSorted((a, b) => a.middle - b.middle)) {
    const row = rows.findLast((candidate) => continues(candidate, item))
    if (row) row.push(item)
    else rows.push([item])
  }
  for (const row of rows) row.sort((a, b) => a.left - b.left)
  return rows.toSorted((a, b) => middleOf(a) - middleOf(b))
}

const middleOf = (row: readonly Placed[]) => row.reduce((sum, { middle }) => sum + middle, 0) / row.length

/** Whether an item stands beside the nearest item of a row, at its height and without covering any. */
function continues(row: readonly Placed[], item: Placed): boolean {
  let [nearest, distance] = [row[0] as Placed, Number.POSITIVE_INFINITY]
  for (const other of row) {
    const gap = Math.max(other.left - item.right, item.left - other.right)
    if (gap < -0.5 * Math.min(item.region.height, other.region.height)) return false
    if (gap < distance) [nearest, distance] = [other, gap]
  }
  const smaller = Math.min(nearest.region.height, item.region.height)
  return Math.abs(nearest.middle - item.middle) < smaller * 0.5
}

type Placement = { word: Word; left: number; right: number; height: number }

function lineOf(row: readonly Placed[], width: number, height: number): Line {
  const placed = row.flatMap(({ region, words: pieces, left }) =>
    pieces.map(({ text, confidence, from, to }): Placement & { text: string } => {
      const word = { text, confidence, box: boxOf(region, from, to, width, height) }
      return { text, word, left: left + from, right: left + to, height: region.height }
    }),
  )
  const rtl = letters(placed, /[\u05d0-\u05ea]/g) > letters(placed, /[A-Za-z]/g)
  const ordered = rtl ? inReadingOrder(placed, (a, b) => b.left - a.right < 1.5 * a.height) : placed
  const words = ordered.map(({ word }) => word)
  return {
    text: words.map(({ text }) => text).join(' '),
    confidence: words.reduce((sum, { confidence }) => sum + confidence, 0) / words.length,
    box: around(words.map(({ box }) => box)),
    direction: rtl ? 'rtl' : 'ltr',
    words,
  }
}

const letters = (words: readonly { text: string }[], kind: RegExp) =>
  words.reduce((sum, { text }) => sum + (text.match(kind)?.length ?? 0), 0)

/** A part of a region as an upright box in fractions of the page. */
function boxOf(region: Region, from: number, to: number, width: number, height: number): Box {
  const corners = [from, to].flatMap((along) => [0, region.height].map((across) => pointOf(region, along, across)))
  const [xs, ys] = [corners.map(({ x }) => x / width), corners.map(({ y }) => y / height)]
  return between(Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys))
}

const around = (boxes: readonly Box[]): Box =>
  between(
    Math.min(...boxes.map(({ x }) => x)),
    Math.min(...boxes.map(({ y }) => y)),
    Math.max(...boxes.map(({ x, width }) => x + width)),
    Math.max(...boxes.map(({ y, height }) => y + height)),
  )

function between(left: number, top: number, right: number, bottom: number): Box {
  const [x, y] = [within(left), within(top)]
  return { page: 1, x, y, width: within(right) - x, height: within(bottom) - y }
}

/** Within the page, with digits for a tenth of a pixel. */
const within = (value: number) => Math.round(Math.min(1, Math.max(0, value)) * 1e5) / 1e5
