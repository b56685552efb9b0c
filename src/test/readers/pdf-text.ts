import { printed } from '../documents/printed.ts'
import type { Someone } from '../world.ts'
import { textOf } from './text-of-pdf.ts'

/** The text of the PDF of a document as a client gets it, in its order and without direction marks. */
export async function printedText(someone: Someone, id: string, query = ''): Promise<string> {
  const { status, bytes } = await printed(someone, id, query)
  if (status !== 200) throw new Error(`The PDF was answered with ${status}: ${bytes.toString()}`)
  return textOf(bytes)
}
