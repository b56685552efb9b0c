import type { Page } from '../reading.ts'
import { type Glyph, isUsable, withHebrew } from './glyphs.ts'
import { toLines } from './lines.ts'
import { outOfMemory, type Pdfium, withMemory } from './pdfium.ts'
import { contentOf } from './pictures.ts'

/** Pixels of a page: red, green and blue of each, row by row. */
export type Pixels = { data: Uint8Array; width: number; height: number }

/** The text of a page; or none, if it is a picture or its text is not what is printed. */
export type PageText = { isUsable: boolean; isBlank: boolean; page: Page }

const pointsPerInch = 72
/** What the reader draws and measures in. */
const readDots = 200
const pixelsMax = 12_000_000
const glyphsMax = 50_000

export function textOf(library: Pdfium, page: number, number: number): PageText {
  const [width, height] = [library._FPDF_GetPageWidth(page), library._FPDF_GetPageHeight(page)]
  const { isBlank, hasPicture } = contentOf(library, page, width * height)
  const all = withHebrew(glyphsOf(library, page, width, height))
  // Invisible text counts where it is the text of a scan, and not beside what a person can see.
  const visible = all.filter(({ isInvisible }) => !isInvisible)
  const glyphs = isUsable(visible, hasPicture) ? visible : all
  const usable = glyphs === visible || isUsable(all, hasPicture)
  const lines = usable ? toLines(glyphs, { page: number, width, height }) : []
  const pixels = (points: number) => Math.round((points / pointsPerInch) * readDots)
  return { isUsable: usable, isBlank, page: { number, width: pixels(width), height: pixels(height), lines } }
}

/** The characters of a page. Those that are not upright are left out: stamps, notes in the margin. */
function glyphsOf(library: Pdfium, page: number, width: number, height: number): Glyph[] {
  const text = library._FPDFText_LoadPage(page)
  if (!text) return []
  try {
    const place = placing(library, page, width, height)
    const count = Math.min(library._FPDFText_CountChars(text), glyphsMax)
    return withMemory(library, 32, (to) => {
      const glyphs: Glyph[] = []
      for (let at = 0; at < count; at++) {
        const glyph = glyphAt(library, text, at, to, place)
        if (glyph) glyphs.push(glyph)
      }
      return glyphs
    })
  } finally {
    library._FPDFText_ClosePage(text)
  }
}

function glyphAt(library: Pdfium, text: number, index: number, to: number, place: Placing): Glyph | null {
  if (library._FPDFText_IsGenerated(text, index) === 1) return null
  if (!library._FPDFText_GetLooseCharBox(text, index, to)) return null
  const [left = 0, top = 0, right = 0, bottom = 0] = library.HEAPF32.subarray(to >> 2, (to >> 2) + 4)
  if (!library._FPDFText_GetCharOrigin(text, index, to, to + 8)) return null
  const [originX = 0, originY = 0] = library.HEAPF64.subarray(to >> 3, (to >> 3) + 2)
  const turn = place.turn + library._FPDFText_GetCharAngle(text, index)
  if (Math.cos(turn) < 0.98) return null
  const [one, other] = [place.point(left, top), place.point(right, bottom)]
  const code = library._FPDFText_GetUnicode(text, index)
  const object = library._FPDFText_GetTextObject(text, index)
  return {
    text: toCharacter(code),
    left: Math.min(one.x, other.x),
    right: Math.max(one.x, other.x),
    top: Math.min(one.y, other.y),
    bottom: Math.max(one.y, other.y),
    baseline: place.point(originX, originY).y,
    isInvisible: object !== 0 && library._FPDFTextObj_GetTextRenderMode(object) === invisible,
    isMapped: library._FPDFText_HasUnicodeMapError(text, index) !== 1,
  }
}
const invisible = 3

/** PDFium marks a hyphen at the end of a line with the code 2. What is no character stays visible as such. */
function toCharacter(code: number): string {
  if (code === 2) return '-'
  const character = code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd'
  return /[^\P{C}\p{Cf}\s]/u.test(character) ? '\ufffd' : character
}

type Placing = { turn: number; point(x: number, y: number): { x: number; y: number } }

/** Where a point of the page is from the top left of the upright page, and by how much the page is turned clockwise. */
function placing(library: Pdfium, page: number, width: number, height: number): Placing {
  const fine = 1_000
  const device = (x: number, y: number) =>
    withMemory(library, 8, (to) => {
      library._FPDF_PageToDevice(page, 0, 0, Math.round(width * fine), Math.round(height * fine), 0, x, y, to, to + 4)
      const [deviceX = 0, deviceY = 0] = library.HEAP32.subarray(to >> 2, (to >> 2) + 2)
      return { x: deviceX / fine, y: deviceY / fine }
    })
  const far = 1_000
  const [zero, right, up] = [device(0, 0), device(far, 0), device(0, far)]
  const along = { x: (right.x - zero.x) / far, y: (right.y - zero.y) / far }
  const across = { x: (up.x - zero.x) / far, y: (up.y - zero.y) / far }
  return {
    turn: Math.atan2(along.y, along.x),
    point: (x, y) => ({ x: zero.x + x * along.x + y * across.x, y: zero.y + x * along.y + y * across.y }),
  }
}

/** Draws a page at so many dots per inch, or fewer if it is very large. */
export function render(library: Pdfium, page: number, dotsPerInch = readDots): Pixels {
  const [inchesWide, inchesHigh] = [library._FPDF_GetPageWidth(page), library._FPDF_GetPageHeight(page)].map(
    (points) => points / pointsPerInch,
  ) as [number, number]
  const dots = Math.min(dotsPerInch, Math.sqrt(pixelsMax / Math.max(inchesWide * inchesHigh, 0.01)))
  const width = Math.max(1, Math.floor(inchesWide * dots))
  const height = Math.max(1, Math.floor(inchesHigh * dots))
  return withMemory(library, width * height * 3, (at) => {
    const bitmap = library._FPDFBitmap_CreateEx(width, height, bgr, at, width * 3)
    if (!bitmap) throw outOfMemory()
    try {
      library._FPDFBitmap_FillRect(bitmap, 0, 0, width, height, 0xffffffff)
      library._FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, drawNotes | redFirst)
      return { data: library.HEAPU8.slice(at, at + width * height * 3), width, height }
    } finally {
      library._FPDFBitmap_Destroy(bitmap)
    }
  })
}
const bgr = 2
const drawNotes = 0x01
const redFirst = 0x10
