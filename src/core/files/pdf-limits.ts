import { Readable } from 'node:stream'
import { createInflate } from 'node:zlib'
import { invalid } from '../define/failure.ts'
import { createCounter, type ExpansionCounter } from './expansion.ts'

const streamsMax = 20_000
/** Object streams are lists of small things; of a longer one the beginning is looked at. */
const objectsMaxBytes = 4 * 1024 * 1024
/** How far before its bytes a stream says how it is packed. */
const dictionaryBytes = 2_048

/**
 * About how many pages a document has, and what its packed streams unpack to. The document is not parsed: pages are counted
 * by their marks, also inside packed object streams. A decoder still stops after the pages it wants.
 */
export async function inspectPdf(bytes: Buffer): Promise<{ pages: number; expandedBytes: number }> {
  const counter = createCounter(() => bytes.length)
  let pages = pagesIn(bytes.toString('latin1'))
  let streams = 0
  for (const { start, dictionary } of packedStreams(bytes)) {
    if (++streams > streamsMax) throw invalid('file', 'The document has too many parts.', 'FILE_EXPANDS')
    if (/Flate[\s\S]*Flate/.test(filterOf(dictionary))) {
      throw invalid('file', 'The document is packed more than once over.', 'FILE_EXPANDS')
    }
    const end = bytes.indexOf('endstream', start)
    const packed = bytes.subarray(start, end < 0 ? bytes.length : end)
    const text = await inflated(packed, counter, /\/ObjStm/.test(dictionary) ? objectsMaxBytes : 0)
    pages += pagesIn(text)
  }
  return { pages, expandedBytes: counter.total() }
}

function* packedStreams(bytes: Buffer) {
  for (let at = bytes.indexOf('stream'); at >= 0; at = bytes.indexOf('stream', at + 6)) {
    if (bytes.toString('latin1', at - 3, at) === 'end') continue
    const before = bytes.toString('latin1', Math.max(0, at - dictionaryBytes), at)
    const dictionary = before.slice(before.lastIndexOf(' obj') + 1)
    const line = bytes[at + 6] === 0x0d ? 2 : 1
    if (/\/(FlateDecode|Fl)\b/.test(dictionary)) yield { start: at + 6 + line, dictionary }
  }
}

const filterOf = (dictionary: string) => /\/Filter\s*(\[[^\]]*\]|\/\w+)/.exec(dictionary)?.[1] ?? ''

/**
 * Unpacks a stream, counts it and keeps its beginning. It may be followed by blanks or be damaged at its end: what comes
 * out before that counts.
 */
async function inflated(packed: Buffer, counter: ExpansionCounter, keptBytes: number): Promise<string> {
  const inflate = createInflate()
  let text = ''
  try {
    for await (const piece of Readable.from([packed]).pipe(inflate) as AsyncIterable<Buffer>) {
      counter.add(piece.length)
      if (text.length < keptBytes) text += piece.toString('latin1')
    }
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && String(error.code).startsWith('Z_'))) throw error
  } finally {
    inflate.destroy()
  }
  return text
}

/** Pages by their marks, or what a page tree says of itself where that is more: kids may be the same page many times. */
function pagesIn(text: string): number {
  const marked = [...text.matchAll(/\/Type\s*\/Page(?![A-Za-z])/g)].length
  const trees = [...text.matchAll(/\/Count\s+(\d{1,9})\b/g)].filter(({ index }) =>
    /\/Type\s*\/Pages\b/.test(text.slice(Math.max(0, index - nearby), index + nearby)),
  )
  return Math.max(marked, ...trees.map(([, count]) => Number(count)))
}
const nearby = 300
