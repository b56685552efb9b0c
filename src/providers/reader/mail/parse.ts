import PostalMime, { type Address, type Email } from 'postal-mime'
import { headersMaxBytes, levelsMax, requireLimits, tooManyHeaders, tooManyLevels, UnreadMail } from './limits.ts'
import { withReadableBytes } from './raw-bytes.ts'

export type Part = {
  name: string | null
  /** What the message says; the content may be something else. */
  mimeType: string
  isInline: boolean
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
  html: string
  parts: readonly Part[]
}

/** Parses a message, but not the messages inside it: they are parts. Throws `UnreadMail`. */
export async function parseMessage(bytes: Buffer): Promise<Message> {
  requireLimits(bytes)
  const email = await parsed(withReadableBytes(bytes))
  const headers = new Map<string, string>()
  for (const { key, value } of email.headers) if (!headers.has(key)) headers.set(key, value)
  const subject = clean(email.subject, 1_000)
  return {
    messageId: clean(email.messageId?.replace(/\s+/g, ''), 1_000),
    subject,
    from: senderOf(email.from ?? email.sender),
    sentAt: momentOf(email.date),
    header: (name) => headers.get(name),
    text: email.text ?? '',
    html: email.html ?? '',
    parts: email.attachments.map(({ filename, mimeType, disposition, contentId, content }) => ({
      name: clean(filename, 200),
      mimeType: mimeType.toLowerCase(),
      isInline: disposition !== 'attachment',
      contentId: contentId?.replace(/^<|>$/g, '') || null,
      bytes: typeof content === 'string' ? Buffer.from(content) : toBuffer(content),
    })),
  }
}

const toBuffer = (content: ArrayBuffer | Uint8Array) =>
  content instanceof Uint8Array
    ? Buffer.from(content.buffer, content.byteOffset, content.byteLength)
    : Buffer.from(content)

async function parsed(bytes: Buffer): Promise<Email> {
  try {
    return await PostalMime.parse(bytes, {
      forceRfc822Attachments: true, // their depth is counted together with that of archives
      maxNestingDepth: levelsMax,
      maxHeadersSize: headersMaxBytes,
    })
  } catch (error) {
    const sentence = error instanceof Error ? error.message : ''
    if (sentence.includes('nesting depth')) throw tooManyLevels()
    if (sentence.includes('header size')) throw tooManyHeaders()
    throw new UnreadMail('DAMAGED', 'The message is damaged and cannot be read.')
  }
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
  const line = (text ?? '').slice(0, max * 4).replace(/\p{Cc}+|\s+/gu, ' ').replace(/\p{Cs}/gu, '').trim() // biome-ignore format: one line
  return (
    line
      .slice(0, max)
      .replace(/\p{Cs}/gu, '')
      .trim() || null
  )
}
