import PostalMime, { type Email } from 'postal-mime'
import { UnreadMail } from './limits.ts'
import { fieldOf, fieldsOf, type Leaf } from './split.ts'

/** Parses headers alone. */
export const decodeHead = (head: Buffer): Promise<Email> => parsed(Buffer.concat([inUtf8(head), emptyLine]))

/**
 * Decodes one part: a text, or a file with its name. Content without a transfer encoding is given to the parser in base64,
 * because it takes seconds for a hundred thousand lines of it, and it keeps line ends that way.
 */
export function decodeLeaf({ head, body }: Leaf): Promise<Email> {
  const encoding = fieldOf(head, 'content-transfer-encoding').trim().toLowerCase()
  const isEncoded = /^"?(base64|quoted-printable)/.test(encoding)
  const fields = [...fieldsOf(inUtf8(head))]
    .filter(({ name }) => (isEncoded ? name.startsWith('content-') : /^content-(?!transfer)/.test(name)))
    .map(({ field }) => `${field}\r\n`)
  if (isEncoded) return parsed(Buffer.concat([Buffer.from(fields.join(''), 'latin1'), emptyLine, body]))
  const type = fieldOf(head, 'content-type')
  const isPlain = /^\s*(text\/(plain|html)|$)/i.test(type) && !/charset/i.test(type)
  const content = isPlain ? inUtf8(body) : body
  const start = Buffer.from(`${fields.join('')}Content-Transfer-Encoding: base64\r\n\r\n`, 'latin1')
  return parsed(Buffer.concat([start, Buffer.from(content.toString('base64'))]))
}

const emptyLine = Buffer.from('\r\n')

async function parsed(bytes: Buffer): Promise<Email> {
  try {
    // A message inside is given as a file: the levels are counted together with those of archives.
    return await PostalMime.parse(bytes, { forceRfc822Attachments: true })
  } catch {
    throw new UnreadMail('DAMAGED', 'The message is damaged and cannot be read.')
  }
}

/**
 * Old programs write headers, and texts without a charset, in the encoding of their country. Bytes that are no UTF-8 are
 * Hebrew if most of those beyond ASCII are Hebrew letters, otherwise Western European.
 */
function inUtf8(bytes: Buffer): Buffer {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return bytes
  } catch {
    let [beyond, hebrew] = [0, 0]
    for (const byte of bytes) {
      if (byte < 0x80) continue
      beyond += 1
      if (byte >= 0xe0 && byte <= 0xfa) hebrew += 1
    }
    return Buffer.from(new TextDecoder(hebrew * 2 > beyond ? 'windows-1255' : 'windows-1252').decode(bytes))
  }
}
