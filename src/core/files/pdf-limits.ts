import { Readable } from 'node:stream'
import { createInflate } from 'node:zlib'
import { invalid } from '../define/failure.ts'
import { createExpansionCounter, type ExpansionCounter } from './expansion.ts'

const streamsMax = 20_000
/** Object streams are lists of small objects; only the beginning of a longer one is searched for pages. */
const objectsMaxBytes = 4 * 1024 * 1024
/** How far before a stream its dictionary may begin. */
const dictionaryBytes = 2_048

/**
 * Estimates the number of pages of a document and the size of its unpacked streams. The document is not parsed: page
 * objects are counted by their type entry, also inside packed object streams. A decoder must still limit its pages.
 */
export async function inspectPdf(bytes: Buffer): Promise<{ pages: number; expandedBytes: number }> {
  const counter = createExpansionCounter(() => bytes.length)
  let pages = pagesIn(bytes.toString('latin1'))
  let streams = 0
  for (const { start, dictionary } of packedStreams(bytes)) {
    if (++streams > streamsMax)
      throw invalid('file', `The document has more than ${streamsMax} packed streams.`, 'FILE_EXPANDS')
    if (/Flate[\s\S]*Flate/.test(filterOf(dictionary))) {
      throw invalid('file', 'The document has streams that are compressed more than once.', 'FILE_EXPANDS')
    }
    const end = bytes.indexOf('endstream', start)
    const packed = fromLetters(bytes.subarray(start, end < 0 ? bytes.length : end), filterOf(dictionary))
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

/** A stream may be written as letters after it was compressed; its first filter says how. */
function fromLetters(stream: Buffer, filter: string): Buffer {
  const [, name] = /^\[\s*\/(\w+)/.exec(filter) ?? []
  if (name === 'ASCIIHexDecode' || name === 'AHx') {
    return Buffer.from(stream.toString('latin1').replace(/>[\s\S]*$|\s+/g, ''), 'hex')
  }
  return name === 'ASCII85Decode' || name === 'A85' ? fromBase85(stream) : stream
}

/** Four bytes for each five letters; `z` is four zeros. */
function fromBase85(letters: Buffer): Buffer {
  const bytes = Buffer.alloc(letters.length * 4)
  let length = 0
  let value = 0
  let count = 0
  for (const letter of letters) {
    if (letter === tilde) break
    if (letter === letterZ && count === 0) length += 4
    else if (letter >= firstDigit && letter < firstDigit + 85) {
      value = value * 85 + letter - firstDigit
      count += 1
    }
    if (count < 5) continue
    length = bytes.writeUInt32BE(value % 2 ** 32, length)
    value = 0
    count = 0
  }
  if (count > 1) {
    const last = Buffer.alloc(4)
    last.writeUInt32BE(Math.min((value + 1) * 85 ** (5 - count) - 1, 2 ** 32 - 1))
    length += last.copy(bytes, length, 0, count - 1)
  }
  return bytes.subarray(0, length)
}
const tilde = 0x7e
const letterZ = 0x7a
const firstDigit = 0x21

/**
 * Unpacks a stream, counts its bytes and returns its beginning. The stream may be followed by blanks or be damaged at its
 * end: the bytes unpacked before that count.
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

/** The number of page objects, or the count of a page tree if that is larger: a tree may list the same page many times. */
function pagesIn(text: string): number {
  const marked = [...text.matchAll(/\/Type\s*\/Page(?![A-Za-z])/g)].length
  const trees = [...text.matchAll(/\/Count\s+(\d{1,9})\b/g)].filter(({ index }) =>
    /\/Type\s*\/Pages\b/.test(text.slice(Math.max(0, index - nearby), index + nearby)),
  )
  return Math.max(marked, ...trees.map(([, count]) => Number(count)))
}
const nearby = 300
