import { createHash } from 'node:crypto'

export const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex')

/** A text without what servers change: line ends, spaces at the end of lines, empty lines at the end. */
const withoutTransport = (text: string) =>
  text
    .replace(/\r\n?/g, '\n')
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .trim()

/** Of texts and files in their order. Each is preceded by its length, so that no two contents are written the same. */
export function contentHash(content: {
  text: string
  html: string
  parts: readonly { type: string; bytes: Buffer }[]
}): string {
  const hash = createHash('sha256')
  const add = (kind: string, bytes: Buffer) => hash.update(`${kind} ${bytes.length}\n`).update(bytes)
  add('text', Buffer.from(withoutTransport(content.text)))
  add('html', Buffer.from(withoutTransport(content.html)))
  for (const { type, bytes } of content.parts) add(type, isText(type) ? withoutLineEnds(bytes) : bytes)
  return hash.digest('hex')
}

const isText = (type: string) => /^text\/|xml$|json$/.test(type)
const withoutLineEnds = (bytes: Buffer) => Buffer.from(withoutTransport(bytes.toString('latin1')), 'latin1')
