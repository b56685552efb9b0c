import { textMax } from '../../core/outside/receipt-reader.ts'
import { looksLikeXml, readXml } from './einvoice/read-xml.ts'
import { readImage } from './ocr/ocr.ts'
import { type Hints, type Page, type Reading, Unreadable } from './reading.ts'

/** Reads a receipt or an invoice, by the type that its content shows. */
export async function readDocument(bytes: Buffer, contentType: string, hints: Hints): Promise<Reading> {
  if (contentType.startsWith('image/') && contentType !== 'image/svg+xml') return readPicture(bytes, hints)
  if (looksLikeXml(bytes)) return readXml(bytes)
  throw new Unreadable(
    'UNSUPPORTED_TYPE',
    `Files of type ${contentType} cannot be read. Send a picture, a PDF or an e-invoice.`,
  )
}

async function readPicture(bytes: Buffer, _hints: Hints): Promise<Reading> {
  const page = await readImage(bytes)
  if (page.lines.length === 0) throw new Unreadable('NO_TEXT', 'No text was found in the picture.')
  return { providerId: 'kontor-ocr', fields: {}, checks: [], pages: 1, text: textOf([page]) }
}

const textOf = (pages: readonly Page[]) =>
  pages
    .flatMap(({ lines }) => lines.map(({ text }) => text))
    .join('\n')
    .slice(0, textMax)
