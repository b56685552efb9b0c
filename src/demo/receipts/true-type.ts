/** A point of an outline; the curve passes through it only if it is `on`. */
type Point = { x: number; y: number; on: boolean }

/** What a receipt needs of a TrueType font. Lengths are in units of the font, `unitsPerEm` for the font size. */
export type Font = {
  unitsPerEm: number
  /** The glyph of a character; 0, an empty box, if the font has none. */
  glyphOf(character: string): number
  advanceOf(glyph: number): number
  /** The closed contours of a glyph, as polygons. */
  polygonsOf(glyph: number): { x: number; y: number }[][]
}

/** Reads a TrueType font with a character map of format 4, as the fonts of the product have. */
export function readFont(bytes: Uint8Array): Font {
  const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const tables = tablesOf(data)
  const table = (tag: string) => {
    const offset = tables.get(tag)
    if (offset === undefined) throw new Error(`The font has no table ${tag}.`)
    return offset
  }
  const head = table('head')
  const hhea = table('hhea')
  const hmtx = table('hmtx')
  const loca = table('loca')
  const metrics = data.getUint16(hhea + 34)
  const isLong = data.getInt16(head + 50) === 1
  const locationOf = (glyph: number) =>
    table('glyf') + (isLong ? data.getUint32(loca + 4 * glyph) : 2 * data.getUint16(loca + 2 * glyph))
  const contoursOf = (glyph: number): Point[][] => {
    const at = locationOf(glyph)
    if (at === locationOf(glyph + 1)) return []
    return data.getInt16(at) >= 0 ? simpleContours(data, at) : compositeContours(data, at, contoursOf)
  }
  return {
    unitsPerEm: data.getUint16(head + 18),
    glyphOf: characterMap(data, table('cmap')),
    advanceOf: (glyph) => data.getUint16(hmtx + 4 * Math.min(glyph, metrics - 1)),
    polygonsOf: (glyph) => contoursOf(glyph).map(flatten),
  }
}

function tablesOf(data: DataView): Map<string, number> {
  const count = data.getUint16(4)
  const entries = Array.from({ length: count }, (_, at) => 12 + 16 * at)
  const tagAt = (at: number) => String.fromCharCode(...[0, 1, 2, 3].map((byte) => data.getUint8(at + byte)))
  return new Map(entries.map((at) => [tagAt(at), data.getUint32(at + 8)]))
}

/** Format 4 of the character map: segments of character codes, with a difference or a table of glyphs for each. */
function characterMap(data: DataView, cmap: number): Font['glyphOf'] {
  const maps = Array.from({ length: data.getUint16(cmap + 2) }, (_, at) => cmap + data.getUint32(cmap + 8 + 8 * at))
  const map = maps.find((at) => data.getUint16(at) === 4)
  if (map === undefined) throw new Error('The font has no character map of format 4.')
  const segments = data.getUint16(map + 6) / 2
  const ends = map + 14
  const starts = ends + 2 * segments + 2
  return (character) => {
    const code = character.codePointAt(0) ?? 0
    for (let at = 0; at < segments; at++) {
      if (code > data.getUint16(ends + 2 * at)) continue
      const start = data.getUint16(starts + 2 * at)
      if (code < start) return 0
      const difference = data.getUint16(starts + 2 * segments + 2 * at)
      const rangeAt = starts + 4 * segments + 2 * at
      const range = data.getUint16(rangeAt)
      if (range === 0) return (code + difference) & 0xffff
      const glyph = data.getUint16(rangeAt + range + 2 * (code - start))
      return glyph === 0 ? 0 : (glyph + difference) & 0xffff
    }
    return 0
  }
}

const flagsOf = { on: 1, shortX: 2, shortY: 4, repeat: 8, sameX: 16, sameY: 32 }

function simpleContours(data: DataView, start: number): Point[][] {
  const count = data.getInt16(start)
  const ends = Array.from({ length: count }, (_, at) => data.getUint16(start + 10 + 2 * at))
  const points = (ends.at(-1) ?? -1) + 1
  let at = start + 10 + 2 * count
  at += 2 + data.getUint16(at) // instructions
  const flags: number[] = []
  while (flags.length < points) {
    const flag = data.getUint8(at++)
    const times = flag & flagsOf.repeat ? data.getUint8(at++) + 1 : 1
    for (let time = 0; time < times; time++) flags.push(flag)
  }
  const coordinates = (short: number, same: number) => {
    let value = 0
    return flags.map((flag) => {
      if (flag & short) value += flag & same ? data.getUint8(at++) : -data.getUint8(at++)
      else if (!(flag & same)) {
        value += data.getInt16(at)
        at += 2
      }
      return value
    })
  }
  const xs = coordinates(flagsOf.shortX, flagsOf.sameX)
  const ys = coordinates(flagsOf.shortY, flagsOf.sameY)
  const all = flags.map((flag, nth) => ({ x: xs[nth] ?? 0, y: ys[nth] ?? 0, on: (flag & flagsOf.on) !== 0 }))
  return ends.map((end, nth) => all.slice(nth === 0 ? 0 : (ends[nth - 1] ?? 0) + 1, end + 1))
}

const partsOf = { words: 1, offsets: 2, scale: 8, more: 32, twoScales: 64, matrix: 128 }

/** A glyph of several others, moved: a letter and its accent. Scaled parts do not occur in the fonts of the product. */
function compositeContours(data: DataView, start: number, contoursOf: (glyph: number) => Point[][]): Point[][] {
  const contours: Point[][] = []
  let at = start + 10
  for (let flags = partsOf.more; flags & partsOf.more; ) {
    flags = data.getUint16(at)
    const glyph = data.getUint16(at + 2)
    const isWide = (flags & partsOf.words) !== 0
    const [x, y] = isWide
      ? [data.getInt16(at + 4), data.getInt16(at + 6)]
      : [data.getInt8(at + 4), data.getInt8(at + 5)]
    at += isWide ? 8 : 6
    if (flags & partsOf.scale) at += 2
    else if (flags & partsOf.twoScales) at += 4
    else if (flags & partsOf.matrix) at += 8
    const moved = flags & partsOf.offsets ? { x, y } : { x: 0, y: 0 }
    for (const contour of contoursOf(glyph))
      contours.push(contour.map((point) => ({ ...point, x: point.x + moved.x, y: point.y + moved.y })))
  }
  return contours
}

const stepsPerCurve = 6

/** A contour as a polygon: each quadratic curve becomes a few straight lines. */
function flatten(contour: Point[]): { x: number; y: number }[] {
  const explicit = contour.flatMap((point, at) => {
    const next = contour[(at + 1) % contour.length] ?? point
    return point.on || next.on ? [point] : [point, { ...between(point, next, 0.5), on: true }]
  })
  const first = explicit.findIndex(({ on }) => on)
  const points = [...explicit.slice(first), ...explicit.slice(0, first)]
  return points.flatMap((point, at) => {
    const before = points.at(at - 1) ?? point
    const after = points[(at + 1) % points.length] ?? point
    if (point.on) return [point]
    return Array.from({ length: stepsPerCurve - 1 }, (_, nth) => {
      const share = (nth + 1) / stepsPerCurve
      return between(between(before, point, share), between(point, after, share), share)
    })
  })
}

const between = (a: { x: number; y: number }, b: { x: number; y: number }, share: number) => ({
  x: a.x + (b.x - a.x) * share,
  y: a.y + (b.y - a.y) * share,
})
