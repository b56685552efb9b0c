import { Failure } from '../../../core/define/failure.ts'
import { inspectPdf } from '../../../core/files/pdf-limits.ts'
import { Unreadable } from '../reading.ts'
import { associatedFiles } from './associated-files.ts'
import { type Attachment, attachmentsOf } from './attachments.ts'
import { type PageText, type Pixels, render, textOf } from './page.ts'
import { discardPdfium, isInUse, outOfMemory, type Pdfium, pdfErrors, pdfium } from './pdfium.ts'

export type Pdf = {
  pages: number
  /** Pages count from 1. */
  text(number: number): PageText
  render(number: number, dotsPerInch?: number): Pixels
  /** The files in the name tree, and those that are only associated with the document. */
  attachments(): Attachment[]
  associatedFiles(): Attachment[]
  close(): void
}

const pagesMax = 50
/** The estimate counts pages that an update replaced, so a document is refused by it only far above the limit. */
const estimateMax = 10 * pagesMax

/** Opens a PDF, which the caller closes. Throws `Unreadable` for one that is encrypted, damaged or beyond the limits. */
export async function openPdf(bytes: Buffer): Promise<Pdf> {
  await requireLimits(bytes)
  const pdf = await openPrinted(bytes)
  if (pdf.pages <= pagesMax) return pdf
  pdf.close()
  throw tooManyPages(pdf.pages)
}

/** Opens a PDF that was printed here, however long it is. The caller closes it. */
export async function openPrinted(bytes: Buffer): Promise<Pdf> {
  const library = await pdfium()
  const { document, close } = guarded(() => load(library, bytes))
  const pages = guarded(() => library._FPDF_GetPageCount(document))
  if (pages < 1) {
    close()
    throw damaged()
  }
  return {
    pages,
    text: (number) => withPage(library, document, number, (page) => textOf(library, page, number)),
    render: (number, dotsPerInch) => withPage(library, document, number, (page) => render(library, page, dotsPerInch)),
    attachments: () => guarded(() => attachmentsOf(library, document)),
    associatedFiles: () => associatedFiles(bytes),
    close,
  }
}

function load(library: Pdfium, bytes: Buffer): { document: number; close(): void } {
  const at = library.wasmExports.malloc(bytes.length)
  if (at === 0) throw outOfMemory()
  library.HEAPU8.set(bytes, at)
  const document = library._FPDF_LoadMemDocument(at, bytes.length, 0)
  if (!document) {
    library.wasmExports.free(at)
    throw notOpened(library._FPDF_GetLastError())
  }
  const close = () => {
    if (!isInUse(library)) return // after an error its memory is given up as a whole
    library._FPDF_CloseDocument(document)
    library.wasmExports.free(at)
  }
  return { document, close }
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

const damaged = () => new Unreadable('DAMAGED', 'The PDF is damaged and cannot be read.')

const tooManyPages = (pages: number) =>
  new Unreadable('TOO_MANY_PAGES', `The PDF has ${pages} pages; at most ${pagesMax} are read.`)

/** A document that only its owner's password protects opens without one. */
const notOpened = (code: number) =>
  code === pdfErrors.password || code === pdfErrors.security
    ? new Unreadable('ENCRYPTED', 'The PDF is protected with a password. Remove the protection and upload it again.')
    : damaged()
