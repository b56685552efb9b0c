import { Buffer } from 'node:buffer'

/** An object of a PDF by its number, with what is between `obj` and `endobj` as Latin-1. */
export type PdfObject = { number: number; body: string }

/** A PDF of Typst whose objects can be read and replaced. */
export type TypstPdf = {
  catalog: PdfObject
  metadata: PdfObject
  /** The number of the first object that can be added. */
  next: number
  /** The PDF with these objects in an incremental update at its end. */
  with(objects: readonly PdfObject[]): Uint8Array
}

/** Reads the catalog and the metadata. Typst writes objects uncompressed, none in an object stream. */
export function openTypstPdf(pdf: Uint8Array): TypstPdf {
  const text = Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength).toString('latin1')
  const trailer = text.slice(text.lastIndexOf('trailer'))
  const size = Number(found(/\/Size (\d+)/, trailer))
  const root = Number(found(/\/Root (\d+) 0 R/, trailer))
  const catalog = { number: root, body: bodyOf(text, root) }
  const number = Number(found(/\/Metadata (\d+) 0 R/, catalog.body))
  return {
    catalog,
    metadata: { number, body: bodyOf(text, number) },
    next: size,
    with: (objects) => updated(pdf, { trailer, size }, objects),
  }
}

type End = { trailer: string; size: number }

function updated(pdf: Uint8Array, { trailer, size }: End, objects: readonly PdfObject[]): Uint8Array {
  let update = '\n'
  let table = 'xref\n'
  for (const { number, body } of objects.toSorted((a, b) => a.number - b.number)) {
    table += `${number} 1\n${String(pdf.byteLength + update.length).padStart(10, '0')} 00000 n\r\n`
    update += `${number} 0 obj\n${body.trim()}\nendobj\n\n`
  }
  const newSize = Math.max(size, ...objects.map(({ number }) => number + 1))
  const previous = found(/startxref\s+(\d+)/, trailer)
  const next = trailer
    .slice(0, trailer.indexOf('startxref'))
    .replace(/\s*\/Prev \d+/, '')
    .replace(/\/Size \d+/, `/Size ${newSize}`)
    .replace(/>>\s*$/, `  /Prev ${previous}\n>>\n`)
  const end = `${table}${next}startxref\n${pdf.byteLength + update.length}\n%%EOF\n`
  return Buffer.concat([pdf, Buffer.from(update + end, 'latin1')])
}

/** The last version of an object. */
function bodyOf(text: string, number: number): string {
  const head = `\n${number} 0 obj\n`
  const from = text.lastIndexOf(head) + head.length
  return text.slice(from, text.indexOf('\nendobj', from))
}

/** A dictionary with further entries. */
export const withEntries = (dictionary: string, entries: string): string =>
  dictionary.replace(/>>\s*$/, `  ${entries}\n>>\n`)

/** The metadata after a change of its XMP. */
export function withXmp(object: string, change: (xmp: string) => string): string {
  const from = object.indexOf('stream\n') + 'stream\n'.length
  const xmp = change(object.slice(from, object.lastIndexOf('\nendstream')))
  return streamOf('/Type /Metadata\n  /Subtype /XML', xmp)
}

/** A stream with these entries; the data is Latin-1. */
export const streamOf = (entries: string, data: string): string =>
  `<<\n  /Length ${data.length}\n  ${entries}\n>>\nstream\n${data}\nendstream`

function found(pattern: RegExp, text: string): string {
  const [, value] = pattern.exec(text) ?? []
  if (value === undefined) throw new Error(`The PDF lacks ${pattern}.`)
  return value
}
