import { Unreadable } from '../reading.ts'

/**
 * PDFium compiled to WebAssembly. It runs in a memory of its own, executes no scripts and has no access to files or the
 * network. These are the functions in use, with the C types as numbers; pointers are offsets in `HEAPU8`.
 */
export type Pdfium = {
  HEAPU8: Uint8Array
  HEAP32: Int32Array
  HEAPF32: Float32Array
  HEAPF64: Float64Array
  wasmExports: { malloc(bytes: number): number; free(at: number): void; memory: { grow(pages: number): number } }
  _FPDF_InitLibraryWithConfig(config: object): void
  _FPDF_LoadMemDocument(at: number, bytes: number, password: number): number
  _FPDF_GetLastError(): number
  _FPDF_CloseDocument(document: number): void
  _FPDF_GetPageCount(document: number): number
  _FPDF_LoadPage(document: number, index: number): number
  _FPDF_ClosePage(page: number): void
  _FPDF_GetPageWidth(page: number): number
  _FPDF_GetPageHeight(page: number): number
  _FPDF_PageToDevice(
    page: number,
    x: number,
    y: number,
    width: number,
    height: number,
    rotate: number,
    pageX: number,
    pageY: number,
    toX: number,
    toY: number,
  ): number
  _FPDFPage_GetAnnotCount(page: number): number
  _FPDFPage_Flatten(page: number, usage: number): number
  _FPDFPage_CountObjects(page: number): number
  _FPDFPage_GetObject(page: number, index: number): number
  _FPDFPageObj_GetType(object: number): number
  _FPDFPageObj_GetBounds(object: number, left: number, bottom: number, right: number, top: number): number
  _FPDFFormObj_CountObjects(form: number): number
  _FPDFFormObj_GetObject(form: number, index: number): number
  _FPDFImageObj_GetImagePixelSize(object: number, width: number, height: number): number
  _FPDFTextObj_GetTextRenderMode(object: number): number
  _FPDFText_LoadPage(page: number): number
  _FPDFText_ClosePage(text: number): void
  _FPDFText_CountChars(text: number): number
  _FPDFText_GetUnicode(text: number, index: number): number
  _FPDFText_IsGenerated(text: number, index: number): number
  _FPDFText_HasUnicodeMapError(text: number, index: number): number
  _FPDFText_GetTextObject(text: number, index: number): number
  _FPDFText_GetCharAngle(text: number, index: number): number
  _FPDFText_GetLooseCharBox(text: number, index: number, rectangle: number): number
  _FPDFText_GetCharOrigin(text: number, index: number, x: number, y: number): number
  _FPDFBitmap_CreateEx(width: number, height: number, format: number, at: number, stride: number): number
  _FPDFBitmap_FillRect(bitmap: number, left: number, top: number, width: number, height: number, color: number): void
  _FPDFBitmap_Destroy(bitmap: number): void
  _FPDF_RenderPageBitmap(
    bitmap: number,
    page: number,
    x: number,
    y: number,
    width: number,
    height: number,
    rotate: number,
    flags: number,
  ): void
  _FPDFDoc_GetAttachmentCount(document: number): number
  _FPDFDoc_GetAttachment(document: number, index: number): number
  _FPDFAttachment_GetName(attachment: number, at: number, bytes: number): number
  _FPDFAttachment_GetFile(attachment: number, at: number, bytes: number, needed: number): number
}

/** The codes of `FPDF_GetLastError`. */
export const pdfErrors = { password: 4, security: 5 }
/** The codes of `FPDFPageObj_GetType`. */
export const objectTypes = { image: 3, form: 5 }

let loaded: Pdfium | undefined

/** The library, loaded when it is first needed. */
export async function pdfium(): Promise<Pdfium> {
  loaded ??= await load()
  return loaded
}

/** After an error inside the library its memory cannot be trusted: the next document gets a new one. */
export function discardPdfium(): void {
  loaded = undefined
}

/** The memory of the library, once it is loaded. */
export const heapBytes = (): number => loaded?.HEAPU8.byteLength ?? 0

export const isInUse = (library: Pdfium) => library === loaded

async function load(): Promise<Pdfium> {
  const { PDFiumModule } = await import('@hyzyla/pdfium')
  const silent = { print() {}, printErr() {} }
  const library = (await PDFiumModule(silent as object)) as unknown as Pdfium
  limitMemory(library)
  library._FPDF_InitLibraryWithConfig({
    version: 2,
    m_pIsolate: null,
    m_pUserFontPaths: null,
    m_v8EmbedderSlot: 0,
    m_pPlatform: null,
  })
  return library
}

const memoryMaxBytes = 384 * 1024 * 1024
const memoryPageBytes = 65_536

/** A document that needs more fails, and not the process. */
function limitMemory(library: Pdfium): void {
  const { memory } = library.wasmExports
  const grow = memory.grow.bind(memory)
  memory.grow = (pages) => {
    if (library.HEAPU8.length + pages * memoryPageBytes > memoryMaxBytes)
      throw new RangeError('PDFium is out of memory.')
    return grow(pages)
  }
}

export const outOfMemory = () => new Unreadable('TOO_LARGE', 'The PDF needs too much memory to be read.')

/** Lends memory of the library to `use`. */
export function withMemory<T>({ wasmExports }: Pdfium, bytes: number, use: (at: number) => T): T {
  const at = wasmExports.malloc(Math.max(bytes, 8))
  if (at === 0) throw outOfMemory()
  try {
    return use(at)
  } finally {
    wasmExports.free(at)
  }
}
