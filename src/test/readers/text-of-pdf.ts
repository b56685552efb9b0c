import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'

/** The text of a PDF in its order, without direction marks. */
export async function textOf(bytes: Buffer): Promise<string> {
  const document = await getDocument({ data: new Uint8Array(bytes), verbosity: 0 }).promise
  const pages = await Promise.all(
    Array.from({ length: document.numPages }, async (_, at) => (await document.getPage(at + 1)).getTextContent()),
  )
  const items = pages.flatMap(({ items: each }) => each.map((item) => ('str' in item ? item.str : '')))
  await document.destroy()
  return items
    .join(' ')
    .replace(/[\u200b-\u200f\u2066-\u2069]/g, '')
    .replace(/\s+/g, ' ')
}
