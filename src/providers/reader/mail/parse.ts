import type { Address, Email } from 'postal-mime'
import { decodeHead, decodeLeaf } from './decode.ts'
import { requireLimits } from './limits.ts'
import { type Leaf, splitMessage } from './split.ts'

export type Part = {
  name: string | null
  /** What the message says; the content may be something else. */
  mimeType: string
  contentId: string | null
  bytes: Buffer
}

export type Message = {
  messageId: string | null
  subject: string | null
  from: { address: string; name: string | null } | null
  sentAt: string | null
  /** The first header of this name, in lower case; undefined if there is none. */
  header(name: string): string | undefined
  text: string
  /** Empty if no part is HTML. */
  html: string
  parts: readonly Part[]
}

/** Parses a message, but not the messages inside it: they are parts. Throws `UnreadMail`. */
export async function parseMessage(bytes: Buffer): Promise<Message> {
  requireLimits(bytes)
  const { head, leaves } = splitMessage(bytes)
  const email = await decodeHead(head)
  const headers = new Map<string, string>()
  for (const { key, value } of email.headers) if (!headers.has(key)) headers.set(key, value)
  const texts: Text[] = []
  const parts: Part[] = []
  for (const leaf of leaves) {
    const decoded = await decodeLeaf(leaf)
    if (decoded.html) texts.push({ kind: 'html', text: decoded.html, leaf })
    else if (decoded.text) texts.push({ kind: 'plain', text: decoded.text, leaf })
    parts.push(...decoded.attachments.map(toPart))
  }
  return {
    messageId: clean(email.messageId?.replace(/\s+/g, ''), 1_000),
    subject: clean(email.subject, 1_000),
    from: senderOf(email.from ?? email.sender),
    sentAt: momentOf(email.date),
    header: (name) => headers.get(name),
    text: plainOf(texts),
    html: htmlOf(texts),
    parts,
  }
}

type Text = { kind: 'html' | 'plain'; text: string; leaf: Leaf }

const plainOf = (texts: readonly Text[]) =>
  texts
    .filter(({ kind }) => kind === 'plain')
    .map(({ text }) => text)
    .join('\n')

/** All texts in their order, each in HTML: a plain text that has no HTML as its alternative is converted. */
function htmlOf(texts: readonly Text[]): string {
  const inHtml = texts.filter(({ kind }) => kind === 'html')
  if (inHtml.length === 0) return ''
  const covered = new Set(inHtml.map(({ leaf }) => leaf.alternative))
  return texts
    .filter(({ kind, leaf }) => kind === 'html' || leaf.alternative === null || !covered.has(leaf.alternative))
    .map(({ kind, text }) => (kind === 'html' ? text : escaped(text)))
    .join('\n')
}

const escaped = (text: string) =>
  `<div>${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replace(/\r?\n/g, '<br>')}</div>`

const toPart = ({ filename, mimeType, contentId, content }: Email['attachments'][number]): Part => ({
  name: clean(filename, 200),
  mimeType: mimeType.toLowerCase(),
  contentId: contentId?.trim().replace(/^<|>$/g, '') || null,
  bytes: toBuffer(content),
})

function toBuffer(content: ArrayBuffer | Uint8Array | string): Buffer {
  if (typeof content === 'string' || content instanceof ArrayBuffer) return Buffer.from(content as string)
  return Buffer.from(content.buffer, content.byteOffset, content.byteLength)
}

function senderOf(address: Address | undefined): Message['from'] {
  const mailbox = address?.group ? address.group[0] : address
  const found = clean(mailbox?.address, 320)
  return found === null ? null : { address: found, name: clean(mailbox?.name, 200) }
}

/** The time of the Date header, if it is one that a database can store. */
function momentOf(date: string | undefined): string | null {
  const ms = Date.parse(date ?? '')
  return ms > Date.UTC(1970, 0, 1) && ms < Date.UTC(2200, 0, 1) ? new Date(ms).toISOString() : null
}

/** A text of one line, without characters that databases and file names refuse; null if nothing is left. */
export function clean(text: string | null | undefined, max: number): string | null {
  const line = (text ?? '')
    .slice(0, max * 4)
    .replace(/\p{Cc}+|\s+/gu, ' ')
    .replace(/\p{Cs}/gu, '')
    .trim()
  return (
    line
      .slice(0, max)
      .replace(/\p{Cs}/gu, '')
      .trim() || null
  )
}
