/** A part of a message: a text, a file, or further parts. */
export type MailPart = { type: string; headers?: Record<string, string>; encoding?: 'base64' | '7bit' | '8bit' } & (
  | { content: string | Buffer }
  | { parts: readonly MailPart[] }
)

export type MailFields = {
  /** What stands left of the @ in the Message-ID; null for a message without one. */
  id?: string | null
  from?: string
  to?: string
  subject?: string
  date?: Date
  /** Further headers, written as given. */
  headers?: Record<string, string>
}

export type AttachedFile = { name: string; type: string; content: Buffer | string; cid?: string; inline?: boolean }

export type Mail = MailFields & { text?: string; html?: string; files?: readonly AttachedFile[] }

let made = 0

/** A message as it comes from a mailbox: RFC 5322, with base64 for everything that is not ASCII. */
export function composeMail({ text, html, files = [], ...fields }: Mail): Buffer {
  const texts: MailPart[] = [
    ...(text === undefined ? [] : [{ type: 'text/plain; charset=utf-8', content: text }]),
    ...(html === undefined ? [] : [{ type: 'text/html; charset=utf-8', content: html }]),
  ]
  const body: MailPart = texts.length === 1 && texts[0] ? texts[0] : { type: 'multipart/alternative', parts: texts }
  const related = files.filter(({ cid }) => cid !== undefined)
  const attached = files.filter(({ cid }) => cid === undefined)
  const withPictures = related.length > 0 ? multipart('related', [body, ...related.map(filePart)]) : body
  const parts = [...(texts.length > 0 ? [withPictures] : []), ...attached.map(filePart)]
  const [only] = parts
  return writeMail(fields, parts.length === 1 && only ? only : multipart('mixed', parts))
}

/** A message of the given structure. */
export function writeMail(
  {
    id,
    from = 'Acme Ltd <billing@acme.example>',
    to = 'Bookkeeping <books@globex.example>',
    subject = 'Your invoice',
    date = new Date('2026-01-20T09:30:00Z'),
    headers = {},
  }: MailFields,
  root: MailPart,
): Buffer {
  const given = [
    ...(id === null ? [] : [`Message-ID: <${id ?? `message-${++made}`}@acme.example>`]),
    `From: ${words(from)}`,
    `To: ${words(to)}`,
    `Subject: ${words(subject)}`,
    `Date: ${date.toUTCString().replace('GMT', '+0000')}`,
    'MIME-Version: 1.0',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ]
  return Buffer.concat([Buffer.from(`${given.join('\r\n')}\r\n`), written(root)])
}

export const multipart = (kind: string, parts: readonly MailPart[]): MailPart => ({ type: `multipart/${kind}`, parts })

export const filePart = ({ name, type, content, cid, inline = cid !== undefined }: AttachedFile): MailPart => ({
  type,
  content,
  encoding: 'base64',
  headers: {
    'Content-Disposition': `${inline ? 'inline' : 'attachment'}; filename*=UTF-8''${encodeURIComponent(name)}`,
    ...(cid !== undefined && { 'Content-ID': `<${cid}>` }),
  },
})

/** A message inside a message, as a program that forwards as an attachment sends it. */
export const messagePart = (message: Buffer, name = 'message.eml'): MailPart => ({
  type: 'message/rfc822',
  content: message,
  encoding: '8bit',
  headers: { 'Content-Disposition': `attachment; filename="${name}"` },
})

function written(part: MailPart): Buffer {
  const headers = Object.entries(part.headers ?? {}).map(([name, value]) => `${name}: ${value}\r\n`)
  if ('parts' in part) {
    const boundary = `=_part_${++made}`
    const inner = part.parts.flatMap((one) => [Buffer.from(`--${boundary}\r\n`), written(one), Buffer.from('\r\n')])
    const head = `Content-Type: ${part.type}; boundary="${boundary}"\r\n${headers.join('')}\r\n`
    return Buffer.concat([Buffer.from(head), ...inner, Buffer.from(`--${boundary}--\r\n`)])
  }
  const bytes = Buffer.isBuffer(part.content) ? part.content : Buffer.from(part.content)
  const encoding = part.encoding ?? 'base64'
  const head = `Content-Type: ${part.type}\r\nContent-Transfer-Encoding: ${encoding}\r\n${headers.join('')}\r\n`
  const body = encoding === 'base64' ? bytes.toString('base64').replace(/.{76}/g, '$&\r\n') : bytes
  return Buffer.concat([Buffer.from(head), Buffer.from(body)])
}

/** Text beyond ASCII as encoded words (RFC 2047); an address stays as it is. */
function words(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return text
  const [, name = text, address = ''] = /^(.*?)\s*(<[^>]*>)?$/.exec(text) ?? []
  return `=?utf-8?B?${Buffer.from(name).toString('base64')}?= ${address}`.trim()
}
