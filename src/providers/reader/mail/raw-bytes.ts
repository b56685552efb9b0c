/**
 * Old programs write headers, and texts without a charset, in the encoding of their country instead of encoded words. The
 * parser takes such bytes for UTF-8, so they are converted before: all headers of the message, and a body that is one text.
 */
export function withReadableBytes(bytes: Buffer): Buffer {
  const end = endOfHeaders(bytes)
  const head = bytes.subarray(0, end)
  const body = bytes.subarray(end)
  const isText = !/^content-transfer-encoding:\s*(base64|quoted-printable)|^content-type:(?!\s*text\/(plain|html))|charset/im.test(head.toString('latin1')) // biome-ignore format: one line
  const readable = [isUtf8(head) ? head : Buffer.from(decoded(head)), isText && !isUtf8(body) ? Buffer.from(decoded(body)) : body] // biome-ignore format: one line
  return readable[0] === head && readable[1] === body ? bytes : Buffer.concat(readable)
}

function endOfHeaders(bytes: Buffer): number {
  const ends = [bytes.indexOf('\n\r\n'), bytes.indexOf('\n\n')].filter((at) => at >= 0)
  return ends.length > 0 ? Math.min(...ends) + 1 : bytes.length
}

function isUtf8(bytes: Buffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}

/** Hebrew if most bytes beyond ASCII are Hebrew letters, otherwise Western European. */
function decoded(bytes: Buffer): string {
  let [beyond, hebrew] = [0, 0]
  for (const byte of bytes) {
    if (byte < 0x80) continue
    beyond += 1
    if (byte >= 0xe0 && byte <= 0xfa) hebrew += 1
  }
  return new TextDecoder(hebrew * 2 > beyond ? 'windows-1255' : 'windows-1252').decode(bytes)
}
