import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { type Someone, theApp } from '../world.ts'

/** The text of the PDF of a document as a client gets it, in its order and without direction marks. */
export async function printedText({ credentials }: Someone, id: string, query = ''): Promise<string> {
  const url = `/api/documents/${id}/pdf${query}`
  const answer = await theApp().server.inject({ method: 'GET', url, headers: { ...credentials } })
  if (answer.statusCode !== 200) throw new Error(`The PDF was answered with ${answer.statusCode}: ${answer.payload}`)
  const document = await getDocument({ data: new Uint8Array(answer.rawPayload), verbosity: 0 }).promise
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
