import { TableRefusal } from './table.ts'

/** The text of a file in UTF-8, UTF-16, windows-1255 (Hebrew) or windows-1252 (Western Europe), and which one it is. */
export function decodeText(bytes: Buffer): { text: string; encoding: string } {
  const encoding = encodingOf(bytes)
  const text = decoded(bytes, encoding)
  if (text === undefined || /[^\P{Cc}\t\n\v\f\r\u0080-\u009f]/u.test(text))
    throw new TableRefusal('The file is not a table. Give a CSV file, or a spreadsheet saved as .xlsx.')
  return { text, encoding }
}

function encodingOf(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  const unmarked = utf16WithoutMark(bytes)
  if (unmarked) return unmarked
  if (decoded(bytes, 'utf-8') !== undefined) return 'utf-8'
  return isHebrew(bytes) ? 'windows-1255' : 'windows-1252'
}

/** The mark at the beginning is not part of the text; the decoder removes it. */
function decoded(bytes: Buffer, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** Separators and digits have a zero byte in UTF-16, always on the same side, and text in other encodings has none. */
function utf16WithoutMark(bytes: Buffer): string | undefined {
  if (bytes.length % 2 !== 0) return undefined
  const zeros = [0, 0]
  const end = Math.min(bytes.length, 4_096)
  for (let at = 0; at < end; at++) if (bytes[at] === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1
  const [even = 0, odd = 0] = zeros
  if (odd > end / 20 && even === 0) return 'utf-16le'
  if (even > end / 20 && odd === 0) return 'utf-16be'
  return undefined
}

/**
 * The Hebrew letters of windows-1255 are accented letters of windows-1252. Hebrew words consist of them, while in other
 * languages an accented letter stands between plain ones.
 */
function isHebrew(bytes: Buffer): boolean {
  const isLetter = (byte = 0) => byte >= 0xe0 && byte <= 0xfa
  let [together, alone] = [0, 0]
  for (let at = 0; at < bytes.length; at++) {
    if ((bytes[at] ?? 0) < 0x80) continue
    if (isLetter(bytes[at]) && (isLetter(bytes[at - 1]) || isLetter(bytes[at + 1]))) together += 1
    else alone += 1
  }
  return together > alone
}
