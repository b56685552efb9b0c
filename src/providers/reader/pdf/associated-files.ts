import { inflateSync } from 'node:zlib'
import type { Attachment } from './attachments.ts'

// PDFium lists the files of the name tree alone. A file may instead be associated with the document (PDF/A-3: /AF of the
// catalog), so these few objects are looked up here.

const filesMax = 20
const fileMaxBytes = 10 * 1024 * 1024
const objectsMax = 200_000

/** The dictionary of an object, and where its stream begins if it has one. */
type PdfObject = { text: string; streamAt: number | null }
type Objects = ReadonlyMap<number, PdfObject>

/** The files that /AF of the catalog names. */
export function associatedFiles(bytes: Buffer): Attachment[] {
  if (!/\/AF\b|\/ObjStm/.test(bytes.toString('latin1'))) return []
  const objects = objectsOf(bytes)
  const catalog = [...objects.values()].findLast(({ text }) => /\/Type\s*\/Catalog\b/.test(text))
  const listed = /\/AF\s*(\[[^\]]*\]|\d+ \d+ R)/.exec(catalog?.text ?? '')?.[1] ?? ''
  const list = listed.startsWith('[') ? listed : (objects.get(Number.parseInt(listed, 10))?.text ?? '')
  return referencesIn(list)
    .slice(0, filesMax)
    .flatMap((number) => fileOf(bytes, objects, objects.get(number)))
}

const referencesIn = (text: string) => [...text.matchAll(/(\d+) \d+ R\b/g)].map(([, number]) => Number(number))

function fileOf(bytes: Buffer, objects: Objects, specification: PdfObject | undefined): Attachment[] {
  const files = /\/EF\s*(<<[\s\S]*?>>|\d+ \d+ R)/.exec(specification?.text ?? '')?.[1] ?? ''
  const held = files.startsWith('<<') ? files : (objects.get(Number.parseInt(files, 10))?.text ?? '')
  const [number] = referencesIn(held)
  const stream = number === undefined ? undefined : objects.get(number)
  const content = stream && contentOf(bytes, stream)
  const name = /\/U?F\s*\(([^)]{0,200})\)/.exec(specification?.text ?? '')?.[1] ?? ''
  return content ? [{ name, bytes: content }] : []
}

/** The objects by number; of several versions the last one. Those in object streams have no stream of their own. */
function objectsOf(bytes: Buffer): Objects {
  const whole = bytes.toString('latin1')
  const objects = new Map<number, PdfObject>()
  for (const found of whole.matchAll(/(?:^|[\r\n\s])(\d{1,10}) \d{1,5} obj\b/g)) {
    if (objects.size > objectsMax) break
    const from = found.index + found[0].length
    const end = whole.indexOf('endobj', from)
    const text = whole.slice(from, end < 0 ? undefined : Math.min(end, from + 100_000))
    const stream = /stream(\r\n|\n)/.exec(text)
    const dictionary = stream ? text.slice(0, stream.index) : text
    const streamAt = stream ? from + stream.index + stream[0].length : null
    const object = { text: dictionary, streamAt }
    objects.set(Number(found[1]), object)
    if (/\/Type\s*\/ObjStm\b/.test(dictionary))
      for (const [number, inner] of packed(bytes, object)) objects.set(number, inner)
  }
  return objects
}

/** The objects in an object stream: pairs of number and offset, then the objects. */
function packed(bytes: Buffer, stream: PdfObject): [number, PdfObject][] {
  const text = contentOf(bytes, stream)?.toString('latin1') ?? ''
  const first = Number(/\/First\s+(\d+)/.exec(stream.text)?.[1] ?? 0)
  const numbers = text.slice(0, first).trim().split(/\s+/).map(Number)
  return Array.from({ length: Math.floor(numbers.length / 2) }, (_, at) => {
    const [number = 0, offset = 0, , next] = numbers.slice(at * 2, at * 2 + 4)
    const end = next === undefined ? undefined : first + next
    return [number, { text: text.slice(first + offset, end), streamAt: null }]
  })
}

/** The unpacked bytes of a stream; null for one that is too large or packed in another way. */
function contentOf(bytes: Buffer, { text, streamAt }: PdfObject): Buffer | null {
  if (streamAt === null) return null
  const end = bytes.indexOf('endstream', streamAt)
  const raw = bytes.subarray(streamAt, end < 0 ? bytes.length : end)
  if (!/\/Filter\b/.test(text)) return raw.length > fileMaxBytes ? null : trimmed(raw)
  if (!/\/Filter\s*\[?\s*\/(FlateDecode|Fl)\s*\]?/.test(text)) return null
  try {
    return inflateSync(raw, { maxOutputLength: fileMaxBytes, finishFlush: 2 }) // Z_SYNC_FLUSH: bytes may follow the data
  } catch {
    return null
  }
}

/** Without the line break before `endstream`. */
const trimmed = (raw: Buffer) =>
  raw.subarray(0, raw.length - (/\r?\n$/.exec(raw.toString('latin1', Math.max(0, raw.length - 2)))?.[0].length ?? 0))
