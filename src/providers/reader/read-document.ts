import { looksLikeXml, readXml } from './einvoice/read-xml.ts'
import { extract } from './extract/extract.ts'
import { readImagePages, readPixels } from './ocr/ocr.ts'
import { factsOf } from './page-facts.ts'
import { readPdf } from './pdf/read-pdf.ts'
import { type Hints, type Reading, Unreadable } from './reading.ts'

/** Reads a receipt or an invoice, by the type that its content shows. */
export async function readDocument(bytes: Buffer, contentType: string, hints: Hints): Promise<Reading> {
  if (contentType === 'application/pdf') return readPdf(bytes, hints, { readPixels, extract })
  if (looksLikeXml(bytes) && contentType !== 'image/svg+xml') return readXml(bytes)
  if (contentType.startsWith('image/') && contentType !== 'image/svg+xml') return readPicture(bytes, hints)
  if (xmlTypes.includes(contentType))
    throw new Unreadable('DAMAGED', 'The file should be XML, but its content is something else. Ask for it again.')
  const sentence = `Files of type ${contentType} cannot be read. Send a picture, a PDF or an e-invoice.`
  throw new Unreadable('UNSUPPORTED_TYPE', sentence)
}

const xmlTypes = ['application/xml', 'text/xml']

async function readPicture(bytes: Buffer, hints: Hints): Promise<Reading> {
  const pages = await readImagePages(bytes)
  if (pages.every(({ lines }) => lines.length === 0))
    throw new Unreadable(
      'NO_TEXT',
      'No text was found. Send a sharper picture with more light, or enter the values by hand.',
    )
  return { providerId: 'kontor-ocr', ...extract(pages, hints), ...factsOf(pages), pages: pages.length }
}
