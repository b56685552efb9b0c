import { Failure, invalid } from '../../core/define/failure.ts'
import { createBase64 } from '../../core/files/base64.ts'
import type { Received } from '../../core/files/file.ts'
import { type Receiver, tooLarge } from '../../core/files/receive.ts'

/** A file of 20 MiB in base64, and room for what goes with it. */
export const jsonMaxBytes = 28 * 1024 * 1024
const restMaxBytes = 1024 * 1024
const keyMax = 12

const [quote, backslash, colon, comma] = [0x22, 0x5c, 0x3a, 0x2c]
const opening = [0x7b, 0x5b]
const closing = [0x7d, 0x5d]
const blanks = [0x20, 0x09, 0x0a, 0x0d]

/**
 * Reads a JSON body whose text at `file.base64` goes straight into a file, so that an upload costs no memory. What is left
 * is JSON with an empty text in its place, for the usual parser; this scanner only has to know where that text begins.
 */
export async function readJsonUpload(
  source: AsyncIterable<Buffer>,
  open: () => Promise<Receiver>,
): Promise<{ text: string; received?: Received }> {
  const rest = createRest()
  const place = createPlace()
  let file: ReturnType<typeof createFileText> | undefined
  let mode: 'between' | 'text' | 'file' = 'between'
  let escaped = false
  let total = 0

  /** Follows the scanner through one piece; returns where the text of the file begins, if it does. */
  function follow(piece: Buffer, from: number): number | undefined {
    for (let at = from; at < piece.length; at++) {
      const byte = piece[at] ?? 0
      if (mode === 'text') {
        if (escaped) escaped = false
        else if (byte === backslash) escaped = true
        else if (byte === quote) mode = 'between'
        if (mode === 'text') place.letter(byte)
        continue
      }
      if (byte === quote && place.isFile()) return at
      if (byte === quote) {
        mode = 'text'
        place.opens()
      } else place.sign(byte)
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
        const begins = follow(piece, at)
        rest.add(piece.subarray(at, begins ?? piece.length))
        at = (begins ?? piece.length) + 1
        if (begins === undefined) break
        if (file) throw invalid('file.base64', 'file.base64 stands twice in the body.')
        rest.add(Buffer.from('""'))
        file = createFileText(await open())
        mode = 'file'
        place.sign(comma)
      }
    }
    const received = await file?.finish()
    return { text: rest.text(), ...(received && { received }) }
  } catch (error) {
    await file?.discard()
    throw error
  }
}

/** Where in the JSON the scanner is, as far as it must know: the key above and the key at hand. */
function createPlace() {
  const keys: string[] = []
  let depth = 0
  let last = ''
  let before = 0
  return {
    /** Whether a text that opens now is the value of `file.base64`. */
    isFile: () => depth === 2 && before === colon && keys[1] === 'file' && keys[2] === 'base64',
    opens() {
      last = ''
      before = quote
    },
    letter(byte: number) {
      if (last.length < keyMax) last += String.fromCharCode(byte)
    },
    sign(byte: number) {
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

function createRest() {
  const pieces: Buffer[] = []
  let size = 0
  return {
    add(piece: Buffer) {
      size += piece.length
      if (size > restMaxBytes) {
        const message = 'The body without its file is larger than 1 MiB.'
        throw new Failure('VALIDATION', message, { details: [{ path: '', message, code: 'BODY_TOO_LARGE' }] })
      }
      pieces.push(Buffer.from(piece)) // a copy: the piece is part of a larger buffer that would stay with it
    },
    text: () => Buffer.concat(pieces).toString(),
  }
}

/** The letters of the file as they arrive. Writers of JSON may escape two of them: `\/` and `\u002b`. */
function createFileText(receiver: Receiver) {
  const base64 = createBase64('file.base64')
  let open = ''
  return {
    async take(text: string) {
      const all = open + text
      const [unfinished = ''] = /\\(u[0-9a-f]{0,3})?$/i.exec(all) ?? []
      open = unfinished
      await receiver.write(base64.decode(unescaped(all.slice(0, all.length - unfinished.length))))
    },
    async finish() {
      base64.decode(open)
      base64.end()
      return receiver.finish()
    },
    discard: () => receiver.discard(),
  }
}

const unescaped = (text: string) =>
  text.includes('\\')
    ? text.replace(/\\u00([0-9a-f]{2})|\\\//gi, (_, hex?: string) =>
        hex ? String.fromCharCode(Number.parseInt(hex, 16)) : '/',
      )
    : text
