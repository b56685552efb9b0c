import { Unreadable } from '../reading.ts'
import { objectTypes, type Pdfium, withMemory } from './pdfium.ts'

/** A page scanned with 600 dots per inch has 35 million. */
const pixelsMax = 50_000_000
const objectsMax = 2_000
const depthMax = 3

/**
 * Whether anything is on the page, and whether pictures cover more than half of it. A picture with too many pixels is refused
 * before it is unpacked (FLT-13).
 */
export function contentOf(library: Pdfium, page: number, area: number): { isBlank: boolean; hasPicture: boolean } {
  const count = library._FPDFPage_CountObjects(page)
  let covered = 0
  for (let at = 0; at < Math.min(count, objectsMax); at++) {
    const object = library._FPDFPage_GetObject(page, at)
    if (isPicture(library, object, depthMax)) covered += areaOf(library, object)
  }
  return { isBlank: count === 0, hasPicture: covered > area / 2 }
}

/** A picture, or a form with one: scanners often wrap the picture of a page in a form. */
function isPicture(library: Pdfium, object: number, depth: number): boolean {
  const type = library._FPDFPageObj_GetType(object)
  if (type === objectTypes.image) {
    requirePixels(library, object)
    return true
  }
  if (type !== objectTypes.form || depth === 0) return false
  const count = Math.min(library._FPDFFormObj_CountObjects(object), objectsMax)
  let found = false
  for (let at = 0; at < count; at++) {
    if (isPicture(library, library._FPDFFormObj_GetObject(object, at), depth - 1)) found = true
  }
  return found
}

function requirePixels(library: Pdfium, object: number): void {
  const pixels = withMemory(library, 8, (to) => {
    if (!library._FPDFImageObj_GetImagePixelSize(object, to, to + 4)) return 0
    const [width = 0, height = 0] = library.HEAP32.subarray(to >> 2, (to >> 2) + 2)
    return width * height
  })
  if (pixels > pixelsMax) throw new Unreadable('TOO_LARGE', 'The PDF has a picture with too many pixels.')
}

const areaOf = (library: Pdfium, object: number) =>
  withMemory(library, 16, (to) => {
    if (!library._FPDFPageObj_GetBounds(object, to, to + 4, to + 8, to + 12)) return 0
    const [left = 0, bottom = 0, right = 0, top = 0] = library.HEAPF32.subarray(to >> 2, (to >> 2) + 4)
    return Math.abs((right - left) * (top - bottom))
  })
