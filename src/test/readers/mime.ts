/** Reads a mail as a mail program does, as far as the tests need it: headers, parts, encoded words, file names. */
export type Part = { headers: Map<string, string>; body: Buffer; parts: Part[] }

export function readMime(raw: Buffer): Part {
  const end = raw.indexOf('\r\n\r\n')
  const headers = readHeaders(raw.subarray(0, end).toString('latin1'))
  const body = raw.subarray(end + 4)
  const boundary = parameter(headers.get('content-type') ?? '', 'boundary')
  const parts = boundary ? split(body, boundary).map(readMime) : []
  return { headers, body: boundary ? Buffer.alloc(0) : decoded(body, headers.get('content-transfer-encoding')), parts }
}

/** The parts with content, in order. */
export const leaves = (part: Part): Part[] => (part.parts.length > 0 ? part.parts.flatMap(leaves) : [part])

function readHeaders(text: string) {
  const lines = text.replace(/\r\n[ \t]+/g, ' ').split('\r\n')
  const headers = new Map<string, string>()
  for (const line of lines) {
    const colon = line.indexOf(':')
    const name = line.slice(0, colon).toLowerCase()
    if (headers.has(name)) throw new Error(`There are two headers ${name}`)
    headers.set(name, line.slice(colon + 1).trim())
  }
  return headers
}

/** RFC 2047: `=?UTF-8?B?...?=`; white space between two encoded words is removed. */
export const words = (text = '') =>
  text
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, kind: string, inner: string) =>
      (kind.toLowerCase() === 'b'
        ? Buffer.from(inner, 'base64')
        : quotedPrintable(inner.replaceAll('_', ' '))
      ).toString('latin1'),
    )
    .replace(/[\x80-\xff]+/g, (bytes) => Buffer.from(bytes, 'latin1').toString('utf8'))

/** RFC 2231: `filename*0*=utf-8''...; filename*1*=...`, else `filename="..."`. */
export function parameter(header: string, name: string): string | undefined {
  const pieces = [...header.matchAll(new RegExp(`${name}\\*(?:(\\d+)\\*)?=([^;]+)`, 'g'))]
  if (pieces.length > 0) {
    const text = pieces.map(([, , piece = '']) => piece.trim()).join('')
    return decodeURIComponent(text.replace(/^utf-8''/i, ''))
  }
  const plain = new RegExp(`${name}=(?:"([^"]*)"|([^;\\s]+))`).exec(header)
  return plain ? words(plain[1] ?? plain[2]) : undefined
}

const split = (body: Buffer, boundary: string) =>
  body
    .toString('latin1')
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => Buffer.from(part.replace(/^\r\n/, '').replace(/\r\n$/, ''), 'latin1'))

function decoded(body: Buffer, encoding = '7bit'): Buffer {
  switch (encoding.toLowerCase()) {
    case 'base64':
      return Buffer.from(body.toString('latin1'), 'base64')
    case 'quoted-printable':
      return quotedPrintable(body.toString('latin1').replace(/=\r\n/g, ''))
    default:
      return body
  }
}

const quotedPrintable = (text: string) =>
  Buffer.from(
    text.replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  )
