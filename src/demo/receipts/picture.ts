import { crc32, deflateSync } from 'node:zlib'
import type { Font } from './true-type.ts'

/** A picture in shades of grey: 0 is black, 255 white. */
export type Picture = { width: number; height: number; pixels: Uint8Array }

export const blankPicture = (width: number, height: number): Picture => ({
  width,
  height,
  pixels: new Uint8Array(width * height).fill(255),
})

type Line = { x: number; y: number; size: number }

/** The width of a text in pixels. */
export const widthOf = (font: Font, text: string, size: number): number =>
  [...text].reduce((sum, character) => sum + font.advanceOf(font.glyphOf(character)), 0) * (size / font.unitsPerEm)

/** Draws a text from left to right, with its base line at `y`. */
export function drawText(picture: Picture, font: Font, text: string, { x, y, size }: Line) {
  let left = x
  for (const character of text) {
    copy(picture, glyphPicture(font, character, size), { left: Math.round(left), top: Math.round(y - size) })
    left += widthOf(font, character, size)
  }
}

/** Glyphs that were drawn before, by font, size and character: drawing them is what takes time. */
const drawn = new Map<Font, Map<string, Picture>>()

function glyphPicture(font: Font, character: string, size: number): Picture {
  const known = drawn.get(font) ?? new Map<string, Picture>()
  drawn.set(font, known)
  const key = `${size} ${character}`
  const found = known.get(key)
  if (found) return found
  const scale = size / font.unitsPerEm
  const picture = blankPicture(Math.ceil(widthOf(font, character, size)) + 2, Math.ceil(size * 1.4))
  fill(
    picture,
    font
      .polygonsOf(font.glyphOf(character))
      .map((polygon) => polygon.map((point) => ({ x: point.x * scale, y: size - point.y * scale }))),
  )
  known.set(key, picture)
  return picture
}

/** Copies the dark parts of a picture into another. */
function copy(target: Picture, { width, height, pixels }: Picture, { left, top }: { left: number; top: number }) {
  for (let y = 0; y < height; y++)
    for (let x = Math.max(0, -left); x < Math.min(width, target.width - left); x++) {
      const at = (top + y) * target.width + left + x
      target.pixels[at] = Math.min(target.pixels[at] ?? 255, pixels[y * width + x] ?? 255)
    }
}

export function drawRule({ width, pixels }: Picture, y: number, { margin, dash }: { margin: number; dash: number }) {
  for (let x = margin; x < width - margin; x++)
    if (Math.floor(x / dash) % 2 === 0) pixels[Math.round(y) * width + x] = 90
}

const rowsPerPixel = 4

type Polygon = readonly { x: number; y: number }[]

/** Fills polygons with black. A pixel that is covered in part becomes grey. */
function fill({ width, height, pixels }: Picture, polygons: readonly Polygon[]) {
  const ys = polygons.flatMap((polygon) => polygon.map(({ y }) => y))
  if (ys.length === 0) return
  const first = Math.max(0, Math.floor(Math.min(...ys)))
  const last = Math.min(height - 1, Math.ceil(Math.max(...ys)))
  for (let row = first; row <= last; row++)
    for (let part = 0; part < rowsPerPixel; part++) {
      const crossings = crossingsAt(polygons, row + (part + 0.5) / rowsPerPixel)
      let winding = 0
      for (const [at, { x, up }] of crossings.entries()) {
        winding += up ? 1 : -1
        const next = crossings[at + 1]
        if (winding !== 0 && next) darken(pixels.subarray(row * width, (row + 1) * width), x, next.x)
      }
    }
}

/** Where the edges of polygons cross a horizontal line, from left to right. */
function crossingsAt(polygons: readonly Polygon[], y: number): { x: number; up: boolean }[] {
  const crossings: { x: number; up: boolean }[] = []
  for (const polygon of polygons)
    for (const [at, a] of polygon.entries()) {
      const b = polygon[(at + 1) % polygon.length] ?? a
      if (a.y <= y === b.y <= y) continue
      crossings.push({ x: a.x + ((y - a.y) / (b.y - a.y)) * (b.x - a.x), up: a.y > b.y })
    }
  return crossings.sort((one, other) => one.x - other.x)
}

/** Darkens the pixels of a row between two places, by their covered part. */
function darken(row: Uint8Array, from: number, to: number) {
  for (let x = Math.max(0, Math.floor(from)); x < Math.min(row.length, to); x++) {
    const covered = Math.min(to, x + 1) - Math.max(from, x)
    row[x] = Math.max(0, (row[x] ?? 255) - Math.round((covered * 235) / rowsPerPixel))
  }
}

/** The bytes of a picture as a PNG file. */
export function toPng({ width, height, pixels }: Picture): Uint8Array {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 0, 0, 0, 0], 8) // eight bits of grey; no filter, no interlacing
  const rows = Buffer.alloc((width + 1) * height) // each row begins with the number of its filter: none
  for (let y = 0; y < height; y++) rows.set(pixels.subarray(y * width, (y + 1) * width), y * (width + 1) + 1)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows, { level: 6 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const checksum = Buffer.alloc(4)
  checksum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, checksum])
}
