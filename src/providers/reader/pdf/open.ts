import { Failure } from '../../../core/define/failure.ts'
import { inspectPdf } from '../../../core/files/pdf-limits.ts'
import { type Page, Unreadable } from '../reading.ts'
import { type Glyph, isUsable, withHebrew } from './glyphs.ts'
import { toLines } from './lines.ts'
import { discardPdfium, objectTypes, type Pdfium, pdfErrors, pdfium, withMemory } from './pdfium.ts'

/** Pixels of a page: red, green and blue of each, row by row. */
export type Pixels = { data: Uint8Array; width: number; height: number }

export type Attachment = { name: string; bytes: Buffer }

/** The text of a page; or none, if it is a picture or its text is not what is printed. */
export type PageText = { isUsable: boolean; isBlank: boolean; page: Page }

export type Pdf = {
  pages: number
  /** Pages count from 1. */
  text(number: number): PageText
  render(number: number): Pixels
  attachments(): Attachment[]
  close(): void
}

const pagesMax = 50
/** The estimate counts pages that an update replaced, so a document is refused by it only far above the limit. */
const estimateMax = 10 * pagesMax
const pointsPerInch = 72
const dotsPerInch = 200
const pixelsMax = 12_000_000
const glyphsMax = 50_000
const attachmentsMax = 100
const attachmentMaxBytes = 10 * 1024 * 1024

/** Opens a PDF, which the caller closes. Throws `Unreadable` for one that is encrypted, damaged or beyond the limits. */
export async function openPdf(bytes: Buffer): Promise<Pdf> {
  await requireLimits(bytes)
  const library = await pdfium()
  const at = library.wasmExports.malloc(bytes.length)
  library.HEAPU8.set(bytes, at)
  const document = library._FPDF_LoadMemDocument(at, bytes.length, 0)
  const close = () => {
    if (document) library._FPDF_CloseDocument(document)
    library.wasmExports.free(at)
  }
  try {
    if (!document) throw notOpened(library._FPDF_GetLastError())
    const pages = library._FPDF_GetPageCount(document)
    if (pages > pagesMax) throw tooManyPages(pages)
    if (pages < 1) throw damaged()
  } catch (error) {
    close()
    throw error
  }
  return {
    pages: library._FPDF_GetPageCount(document),
    text: (number) => withPage(library, document, number, (page) => textOf(library, page, number)),
    render: (number) => withPage(library, document, number, (page) => render(library, page)),
    attachments: () => guarded(() => attachmentsOf(library, document)),
    close: () => guarded(close),
  }
}

/** What the document would expand to is counted before PDFium unpacks it (FLT-13). */
async function requireLimits(bytes: Buffer): Promise<void> {
  if (!bytes.subarray(0, 1_024).includes('%PDF-')) throw damaged()
  try {
    const { pages } = await inspectPdf(bytes)
    if (pages > estimateMax) throw tooManyPages(pages)
  } catch (error) {
    if (error instanceof Failure) throw new Unreadable('TOO_LARGE', error.message)
    throw error
  }
}

function withPage<T>(library: Pdfium, document: number, number: number, use: (page: number) => T): T {
  return guarded(() => {
    let page = library._FPDF_LoadPage(document, number - 1)
    if (!page) throw damaged()
    try {
      // Form fields and notes become part of the page, so that their text is read and drawn.
      if (library._FPDFPage_GetAnnotCount(page) > 0 && library._FPDFPage_Flatten(page, 0) === flattened) {
        library._FPDF_ClosePage(page)
        page = library._FPDF_LoadPage(document, number - 1)
        if (!page) throw damaged()
      }
      return use(page)
    } finally {
      if (page) library._FPDF_ClosePage(page)
    }
  })
}
const flattened = 1

/** An error of WebAssembly is a document that PDFium cannot take. */
function guarded<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof Unreadable) throw error
    discardPdfium()
    if (error instanceof Error && error.name === 'RuntimeError') throw damaged()
    throw error
  }
}

function textOf(library: Pdfium, page: number, number: number): PageText {
  const [width, height] = [library._FPDF_GetPageWidth(page), library._FPDF_GetPageHeight(page)]
  const { isBlank, hasPicture } = contentOf(library, page, width * height)
  const glyphs = withHebrew(glyphsOf(library, page, width, height))
  const usable = isUsable(glyphs, hasPicture)
  const lines = usable ? toLines(glyphs, { page: number, width, height }) : []
  const pixels = (points: number) => Math.round((points / pointsPerInch) * dotsPerInch)
  return { isUsable: usable, isBlank, page: { number, width: pixels(width), height: pixels(height), lines } }
}

/** Whether anything is on the page, and whether a picture covers more than half of it. */
function contentOf(library: Pdfium, page: number, area: number) {
  const count = library._FPDFPage_CountObjects(page)
  let pictures = 0
  for (let at = 0; at < Math.min(count, 2_000); at++) {
    const object = library._FPDFPage_GetObject(page, at)
    if (library._FPDFPageObj_GetType(object) !== objectTypes.image) continue
    pictures += withMemory(library, 16, (to) => {
      if (!library._FPDFPageObj_GetBounds(object, to, to + 4, to + 8, to + 12)) return 0
      const [left = 0, bottom = 0, right = 0, top = 0] = library.HEAPF32.subarray(to >> 2, (to >> 2) + 4)
      return Math.abs((right - left) * (top - bottom))
    })
  }
  return { isBlank: count === 0, hasPicture: pictures > area / 2 }
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
    text: code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd',
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

/** Draws a page at 200 dots per inch, or fewer if it is very large. */
function render(library: Pdfium, page: number): Pixels {
  const [inchesWide, inchesHigh] = [library._FPDF_GetPageWidth(page), library._FPDF_GetPageHeight(page)].map(
    (points) => points / pointsPerInch,
  ) as [number, number]
  const dots = Math.min(dotsPerInch, Math.sqrt(pixelsMax / Math.max(inchesWide * inchesHigh, 0.01)))
  const width = Math.max(1, Math.floor(inchesWide * dots))
  const height = Math.max(1, Math.floor(inchesHigh * dots))
  return withMemory(library, width * height * 3, (at) => {
    const bitmap = library._FPDFBitmap_CreateEx(width, height, bgr, at, width * 3)
    if (!bitmap) throw damaged()
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

function attachmentsOf(library: Pdfium, document: number): Attachment[] {
  const count = Math.min(library._FPDFDoc_GetAttachmentCount(document), attachmentsMax)
  return Array.from({ length: count }, (_, index) => attachmentAt(library, document, index)).filter(
    (attachment) => attachment !== null,
  )
}

function attachmentAt(library: Pdfium, document: number, index: number): Attachment | null {
  const attachment = library._FPDFDoc_GetAttachment(document, index)
  if (!attachment) return null
  const nameBytes = Math.min(library._FPDFAttachment_GetName(attachment, 0, 0), 2_000)
  const name = withMemory(library, nameBytes, (at) => {
    library._FPDFAttachment_GetName(attachment, at, nameBytes)
    return Buffer.from(library.HEAPU8.slice(at, at + Math.max(0, nameBytes - 2))).toString('utf16le')
  })
  const bytes = withMemory(library, 8, (size) => {
    if (!library._FPDFAttachment_GetFile(attachment, 0, 0, size)) return null
    const needed = library.HEAP32[size >> 2] ?? 0
    if (needed < 1 || needed > attachmentMaxBytes) return null
    return withMemory(library, needed, (at) =>
      library._FPDFAttachment_GetFile(attachment, at, needed, size)
        ? Buffer.from(library.HEAPU8.slice(at, at + needed))
        : null,
    )
  })
  return bytes && { name, bytes }
}

const damaged = () => new Unreadable('DAMAGED', 'The PDF is damaged and cannot be read.')

const tooManyPages = (pages: number) =>
  new Unreadable('TOO_MANY_PAGES', `The PDF has ${pages} pages; at most ${pagesMax} are read.`)

/** A document that only its owner's password protects opens without one. */
const notOpened = (code: number) =>
  code === pdfErrors.password || code === pdfErrors.security
    ? new Unreadable('ENCRYPTED', 'The PDF is protected with a password. Remove the protection and upload it again.')
    : damaged()
