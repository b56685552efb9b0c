import { addressParser, decodeWords } from 'postal-mime'
import { toLine } from '../../core/values/line.ts'

export type Headers = {
  messageId: string | null
  /** The address of the sender; the text of the header if there is none in it. */
  from: string | null
  subject: string | null
  /** When the last server received the message; else when it was written. */
  receivedAt: Date | null
}

/** Reads the beginning of a message, as far as it is about what a list shows. */
export function readHeaders(bytes: Buffer): Headers {
  const { text, isKnown } = textOf(bytes)
  const fields = fieldsOf(text)
  const first = (name: string) => fields.find((field) => field.name === name)?.value
  const dates = [
    ...fields.filter(({ name }) => name === 'received').map(({ value }) => value.slice(value.lastIndexOf(';') + 1)),
    ...fields.filter(({ name }) => name === 'date').map(({ value }) => value),
  ]
  return {
    messageId: first('message-id')?.match(/<[^<>\s]+>/)?.[0] ?? (first('message-id') || null),
    from: senderOf(first('from')),
    subject: subjectOf(first('subject'), isKnown),
    receivedAt: dates.map(toInstant).find((date) => date !== null) ?? null,
  }
}

/** Null if it is written in letters whose encoding the message itself would have to tell. */
function subjectOf(value = '', isKnown: boolean): string | null {
  if (!isKnown && /[\u0080-\u00ff]/.test(value)) return null
  return toLine(decodeWords(value), charactersMax) || null
}

function senderOf(value = ''): string | null {
  const [sender] = addressParser(value, { flatten: true })
  return sender?.address || toLine(decodeWords(value), charactersMax) || null
}

/** Fields up to the empty line. A value that continues on the next line is joined. */
function fieldsOf(text: string): { name: string; value: string }[] {
  const [head = ''] = text.replace(/^(\r?\n)+/, '').split(/\r?\n\r?\n/, 1)
  return head
    .replace(/\r?\n[ \t]+/g, ' ')
    .split(/\r?\n/)
    .flatMap((line) => {
      const colon = line.indexOf(':')
      if (colon < 1) return []
      return [{ name: line.slice(0, colon).trim().toLowerCase(), value: line.slice(colon + 1, valueMax).trim() }]
    })
}

/** Headers should be ASCII, and may be UTF-8; others are written by old programs. */
function textOf(bytes: Buffer): { text: string; isKnown: boolean } {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), isKnown: true }
  } catch {
    return { text: bytes.toString('latin1'), isKnown: false }
  }
}

function toInstant(text: string): Date | null {
  const instant = new Date(
    text
      .replace(/\([^()]*\)/g, ' ')
      .trim()
      .slice(0, 100),
  )
  return Number.isNaN(instant.getTime()) ? null : instant
}

const charactersMax = 1000
const valueMax = 4000
