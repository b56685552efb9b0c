import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { type Someone, theApp } from '../world.ts'

/** The PDF of a document as a client gets it. */
export async function printed(someone: Someone, id: string, query = '') {
  const url = `/api/documents/${id}/pdf${query}`
  const answer = await theApp().server.inject({ method: 'GET', url, headers: { ...someone.credentials } })
  return { status: answer.statusCode, headers: answer.headers, bytes: answer.rawPayload }
}

/** The original of a document. */
export const originalOf = async (someone: Someone, id: string): Promise<Buffer> =>
  (await printed(someone, id, '?copy=false')).bytes

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
