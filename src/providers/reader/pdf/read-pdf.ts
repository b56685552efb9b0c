import { isEInvoice, readXml } from '../einvoice/read-xml.ts'
import { factsOf, numbered } from '../page-facts.ts'
import type { Check, Fields, Hints, Page, Reading } from '../reading.ts'
import { Unreadable } from '../reading.ts'
import type { Attachment } from './attachments.ts'
import { openPdf } from './open.ts'
import type { PageText, Pixels } from './page.ts'

/** What reading a PDF needs beside this folder. */
export type PdfReaders = {
  /** Recognises the text of a page that is a picture. */
  readPixels(pixels: Pixels): Promise<Page>
  /** Finds the fields in the text. */
  extract(pages: readonly Page[], hints: Hints): { fields: Fields; checks: readonly Check[] }
}

/** Of many pages that are pictures, the first ones and the last are recognised: a total is on one of them. */
const recognisedFirst = 5

/**
 * Reads a PDF: exactly from an e-invoice that is attached to it, else from its text, and pages without text by recognising
 * them. An attached e-invoice is the invoice, whatever the pages say.
 */
export async function readPdf(bytes: Buffer, hints: Hints, { readPixels, extract }: PdfReaders): Promise<Reading> {
  const pdf = await openPdf(bytes)
  try {
    const attached = (await readAttached(pdf.attachments())) ?? (await readAttached(pdf.associatedFiles()))
    if (attached) return { ...attached, pages: pdf.pages }
    const texts = Array.from({ length: pdf.pages }, (_, at) => pdf.text(at + 1))
    const pictures = toRecognise(texts)
    const pages: Page[] = []
    for (const { page } of texts) {
      pages.push(pictures.has(page.number) ? numbered(await readPixels(pdf.render(page.number)), page.number) : page)
    }
    if (pages.every(({ lines }) => lines.length === 0)) throw new Unreadable('NO_TEXT', 'The PDF shows no text.')
    const providerId = pictures.size > 0 ? 'kontor-ocr' : 'kontor-pdf'
    return { providerId, ...extract(pages, hints), ...factsOf(pages), pages: pdf.pages }
  } finally {
    pdf.close()
  }
}

/** The reading of the first attached e-invoice that can be read. */
async function readAttached(files: readonly Attachment[]): Promise<Reading | null> {
  for (const { bytes } of files.toSorted((a, b) => rank(a.name) - rank(b.name))) {
    if (!isEInvoice(bytes)) continue
    try {
      return await readXml(bytes)
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error
    }
  }
  return null
}

/** The names that the standards require come first, should there be several. */
const names = ['factur-x.xml', 'xrechnung.xml', 'zugferd-invoice.xml']
const rank = (name: string) => (names.indexOf(name.toLowerCase()) + names.length + 1) % (names.length + 1)

function toRecognise(texts: readonly PageText[]): Set<number> {
  const pictures = texts.filter(({ isUsable, isBlank }) => !isUsable && !isBlank).map(({ page }) => page.number)
  return new Set([...pictures.slice(0, recognisedFirst), ...pictures.slice(-1)])
}
