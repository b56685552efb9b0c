/** A message of the demo, before it is written down. */
export type Letter = {
  from: string
  subject: string
  text?: string
  html?: string
  files?: readonly LetterFile[]
  /** The content of an invitation to a meeting. */
  calendar?: string
  headers?: Readonly<Record<string, string>>
}
export type LetterFile = { name: string; type: string; content: Uint8Array; isInline?: true }

type Envelope = { to: string; messageId: string; date: Date }
type Part =
  | { type: string; headers?: readonly string[]; content: Uint8Array | string }
  | { kind: string; parts: Part[] }

/** The message as a mail server receives it (RFC 5322 and MIME). The same letter always has the same bytes. */
export function writeLetter(letter: Letter, { to, messageId, date }: Envelope): Buffer {
  const head = [
    `Message-ID: <${messageId}>`,
    `Date: ${date.toUTCString().replace('GMT', '+0000')}`,
    `From: ${letter.from}`,
    `To: ${to}`,
    `Subject: ${letter.subject}`,
    'MIME-Version: 1.0',
    ...Object.entries(letter.headers ?? {}).map(([name, value]) => `${name}: ${value}`),
  ]
  return Buffer.from(`${head.join('\r\n')}\r\n${written(bodyOf(letter), messageId)}`)
}

function bodyOf({ text, html, calendar, files = [] }: Letter): Part {
  const texts: Part[] = [
    ...(text === undefined ? [] : [{ type: 'text/plain; charset=utf-8', content: text }]),
    ...(html === undefined ? [] : [{ type: 'text/html; charset=utf-8', content: html }]),
    ...(calendar === undefined ? [] : [{ type: 'text/calendar; charset=utf-8; method=REQUEST', content: calendar }]),
  ]
  const body = joined('alternative', texts)
  return joined('mixed', [body, ...files.map(filePart)])
}

const joined = (kind: string, parts: Part[]): Part => (parts.length === 1 && parts[0] ? parts[0] : { kind, parts })

const filePart = ({ name, type, content, isInline }: LetterFile): Part => ({
  type,
  content,
  headers: [
    `Content-Disposition: ${isInline ? 'inline' : 'attachment'}; filename="${name}"`,
    ...(isInline ? [`Content-ID: <${name}>`] : []),
  ],
})

function written(part: Part, boundary: string): string {
  if ('kind' in part) {
    const own = `${part.kind}-${boundary.replace(/\W/g, '-')}`
    const parts = part.parts.map((each) => `--${own}\r\n${written(each, boundary)}\r\n`).join('')
    return `Content-Type: multipart/${part.kind}; boundary="${own}"\r\n\r\n${parts}--${own}--\r\n`
  }
  const { type, headers = [], content } = part
  const lines =
    Buffer.from(content)
      .toString('base64')
      .match(/.{1,76}/g) ?? []
  const head = [`Content-Type: ${type}`, 'Content-Transfer-Encoding: base64', ...headers]
  return `${head.join('\r\n')}\r\n\r\n${lines.join('\r\n')}`
}
