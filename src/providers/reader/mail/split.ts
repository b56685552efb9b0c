import { headersMaxBytes, levelsMax, partsMax, tooManyHeaders, tooManyLevels, tooManyParts } from './limits.ts'

/** A part that has no parts itself: its headers and its content as they are in the message. */
export type Leaf = {
  head: Buffer
  body: Buffer
  /** The closest set of alternatives that it is one of, by number. */
  alternative: number | null
}

type Counted = { leaves: Leaf[]; parts: number; headerBytes: number; alternatives: number }

/** Splits a message into its parts, without decoding or copying anything. Messages inside it are leaves. */
export function splitMessage(bytes: Buffer): { head: Buffer; leaves: readonly Leaf[] } {
  const counted: Counted = { leaves: [], parts: 0, headerBytes: 0, alternatives: 0 }
  walk(bytes, counted, { level: 0, alternative: null })
  return { head: bytes.subarray(0, endOfHead(bytes)), leaves: counted.leaves }
}

function walk(
  bytes: Buffer,
  counted: Counted,
  { level, alternative }: { level: number; alternative: number | null },
): void {
  if (level > levelsMax) throw tooManyLevels()
  const end = endOfHead(bytes)
  const head = bytes.subarray(0, end)
  counted.headerBytes += head.length
  if (counted.headerBytes > headersMaxBytes) throw tooManyHeaders()
  const body = bytes.subarray(end + lineEndAt(bytes, end))
  const type = fieldOf(head, 'content-type')
  if (!/^\s*multipart\//i.test(type)) return void counted.leaves.push({ head, body, alternative })
  const boundary = boundaryIn(type)
  if (boundary === undefined) return
  const among = /^\s*multipart\/alternative/i.test(type) ? ++counted.alternatives : alternative
  for (const part of partsOf(body, boundary)) {
    counted.parts += 1
    if (counted.parts > partsMax) throw tooManyParts()
    walk(part, counted, { level: level + 1, alternative: among })
  }
}

/** Where the empty line after the headers begins. */
function endOfHead(bytes: Buffer): number {
  if (lineEndAt(bytes, 0) > 0) return 0
  const ends = [bytes.indexOf('\n\r\n'), bytes.indexOf('\n\n')].filter((at) => at >= 0)
  return ends.length > 0 ? Math.min(...ends) + 1 : bytes.length
}

/** The length of the line end at a place: 0 if there is none. */
const lineEndAt = (bytes: Buffer, at: number) =>
  bytes[at] === 10 ? 1 : bytes[at] === 13 && bytes[at + 1] === 10 ? 2 : 0

/** The parts between the lines of a boundary. What comes before the first and after the last is not for people. */
function* partsOf(body: Buffer, boundary: string): Generator<Buffer> {
  const mark = Buffer.from(`--${boundary}`, 'latin1')
  let start: number | undefined
  for (let at = body.indexOf(mark); at >= 0; at = body.indexOf(mark, at + mark.length)) {
    if (at > 0 && body[at - 1] !== 10) continue
    const next = body.indexOf(10, at)
    const lineEnd = next < 0 ? body.length : next
    if (lineEnd - at > mark.length + restMax) continue
    const rest = body.toString('latin1', at + mark.length, lineEnd).trimEnd()
    if (rest !== '' && rest !== '--') continue
    if (start !== undefined) yield body.subarray(start, Math.max(start, at - (body[at - 2] === 13 ? 2 : 1)))
    start = lineEnd + 1
    if (rest === '--') return
  }
  if (start !== undefined && start < body.length) yield body.subarray(start)
}

/** Spaces that may follow a boundary. */
const restMax = 100

/** The fields of headers, each with its continuation lines. */
export function* fieldsOf(head: Buffer): Generator<{ name: string; field: string }> {
  for (const [field, name = ''] of head.toString('latin1').matchAll(/^([^\s:]+)[ \t]*:.*(?:\r?\n[ \t].*)*/gm))
    yield { name: name.toLowerCase(), field }
}

/** The value of the first field of a name, in one line. */
export function fieldOf(head: Buffer, name: string): string {
  for (const { name: one, field } of fieldsOf(head))
    if (one === name) return field.slice(field.indexOf(':') + 1).replace(/\r?\n/g, '')
  return ''
}

function boundaryIn(type: string): string | undefined {
  const [, quoted, bare] =
    /;\s*boundary(?:\*0?\*?)?\s*=\s*(?:"((?:[^"\\]|\\.){1,500})"|([^\s";]{1,500}))/i.exec(type) ?? []
  return quoted?.replace(/\\(.)/g, '$1').trimEnd() ?? bare
}
