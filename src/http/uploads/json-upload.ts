import { Failure, invalid } from '../../core/define/failure.ts'
import { createBase64 } from '../../core/files/base64.ts'
import type { Received } from '../../core/files/file.ts'
import { type Receiver, tooLarge } from '../../core/files/receive.ts'

/** A file of 20 MiB in base64 and the other fields. */
export const jsonMaxBytes = 28 * 1024 * 1024
const remainderMaxBytes = 1024 * 1024
const keyMaxLength = 12

const [quote, backslash, colon, comma] = [0x22, 0x5c, 0x3a, 0x2c]
const opening = [0x7b, 0x5b]
const closing = [0x7d, 0x5d]
const blanks = [0x20, 0x09, 0x0a, 0x0d]

/**
 * Reads a JSON body and writes the string at `file.base64` straight into a scratch file, so that an upload takes no memory.
 * The remainder, with an empty string in its place, goes to the usual JSON parser. The scanner only has to find where the
 * string begins and ends.
 */
export async function readJsonUpload(
  source: AsyncIterable<Buffer>,
  open: () => Promise<Receiver>,
): Promise<{ text: string; received?: Received }> {
  const remainder = createRemainder()
  const position = createPosition()
  let file: ReturnType<typeof createBase64Writer> | undefined
  let mode: 'between' | 'text' | 'file' = 'between'
  let escaped = false
  let total = 0

  /** Scans one piece; returns the index at which the string of the file begins, if it begins in this piece. */
  function scan(piece: Buffer, from: number): number | undefined {
    for (let at = from; at < piece.length; at++) {
      const byte = piece[at] ?? 0
      if (mode === 'text') {
        if (escaped) escaped = false
        else if (byte === backslash) escaped = true
        else if (byte === quote) mode = 'between'
        if (mode === 'text') position.character(byte)
        continue
      }
      if (byte === quote && position.isFile()) return at
      if (byte === quote) {
        mode = 'text'
        position.startString()
      } else position.symbol(byte)
    }
    return undefined
  }

  try {
    for await (const piece of source) {
      total += piece.length
      if (total > jsonMaxBytes) throw tooLarge()
      let at = 0
      while (at < piece.length) {
        if (mode === 'file' && file) {
          const end = piece.indexOf(quote, at)
          await file.take(piece.toString('latin1', at, end === -1 ? piece.length : end))
          at = end === -1 ? piece.length : end + 1
          if (end !== -1) mode = 'between'
          continue
        }
        const begins = scan(piece, at)
        remainder.add(piece.subarray(at, begins ?? piece.length))
        at = (begins ?? piece.length) + 1
        if (begins === undefined) break
        if (file) throw invalid('file.base64', 'file.base64 appears twice in the body.')
        remainder.add(Buffer.from('""'))
        file = createBase64Writer(await open())
        mode = 'file'
        position.symbol(comma)
      }
    }
    const received = await file?.finish()
    return { text: remainder.text(), ...(received && { received }) }
  } catch (error) {
    await file?.discard()
    throw error
  }
}

/** The position of the scanner in the JSON: nesting depth, and the keys of the two outer levels. */
function createPosition() {
  const keys: string[] = []
  let depth = 0
  let last = ''
  let before = 0
  return {
    /** Whether a string that starts now is the value of `file.base64`. */
    isFile: () => depth === 2 && before === colon && keys[1] === 'file' && keys[2] === 'base64',
    startString() {
      last = ''
      before = quote
    },
    character(byte: number) {
      if (last.length < keyMaxLength) last += String.fromCharCode(byte)
    },
    symbol(byte: number) {
      if (blanks.includes(byte)) return
      before = byte
      if (byte === colon && depth < 3) keys[depth] = last
      if (opening.includes(byte)) {
        depth += 1
        keys.length = Math.min(keys.length, depth)
      }
      if (closing.includes(byte)) depth -= 1
    },
  }
}

function createRemainder() {
  const pieces: Buffer[] = []
  let size = 0
  return {
    add(piece: Buffer) {
      size += piece.length
      if (size > remainderMaxBytes) {
        const message = 'The body without its file is larger than 1 MiB.'
        throw new Failure('VALIDATION', message, { details: [{ path: '', message, code: 'BODY_TOO_LARGE' }] })
      }
      pieces.push(Buffer.from(piece)) // a copy, since the piece is a view that would keep its larger buffer in memory
    },
    text: () => Buffer.concat(pieces).toString(),
  }
}

/** Decodes the base64 text as it arrives. JSON writers may escape two characters of base64: `\/` and `\u002b`. */
function createBase64Writer(receiver: Receiver) {
  const base64 = createBase64('file.base64')
  let incomplete = ''
  return {
    async take(text: string) {
      const all = incomplete + text
      const [partialEscape = ''] = /\\(u[0-9a-f]{0,3})?$/i.exec(all) ?? []
      incomplete = partialEscape
      await receiver.write(base64.decode(decodeEscapes(all.slice(0, all.length - partialEscape.length))))
    },
    async finish() {
      base64.decode(incomplete)
      base64.end()
      return receiver.finish()
    },
    discard: () => receiver.discard(),
  }
}

const decodeEscapes = (text: string) =>
  text.includes('\\')
    ? text.replace(/\\u00([0-9a-f]{2})|\\\//gi, (_, hex?: string) =>
        hex ? String.fromCharCode(Number.parseInt(hex, 16)) : '/',
      )
    : text
