import { open } from 'node:fs/promises'

const headBytes = 64 * 1024

/** The media type of a file by its bytes; its name only decides between kinds of plain text (THR-14, THR-16). */
export async function contentType(path: string, fileName = ''): Promise<string> {
  const head = await headOf(path)
  const { fileTypeFromFile } = await import('file-type') // large, so loaded with the first upload
  const known = await fileTypeFromFile(path).catch(() => undefined) // truncated or crafted: then the type is unknown
  return typeOf(known?.mime, head, fileName)
}

/** The same for a file in memory. */
export async function contentTypeOf(bytes: Buffer, fileName = ''): Promise<string> {
  const { fileTypeFromBuffer } = await import('file-type')
  const known = await fileTypeFromBuffer(bytes).catch(() => undefined)
  return typeOf(known?.mime, bytes.subarray(0, headBytes), fileName)
}

function typeOf(known: string | undefined, head: Buffer, fileName: string): string {
  if (known && known !== 'application/xml') return known
  const text = asText(head)
  return text === undefined ? (known ?? 'application/octet-stream') : kindOfText(text, fileName)
}

export async function headOf(path: string, bytes = headBytes): Promise<Buffer> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

/** The beginning as text; undefined for invalid UTF-8 or characters that are not text. */
function asText(head: Buffer): string | undefined {
  const utf16 = (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff)
  const encoding = utf16 ? (head[0] === 0xff ? 'utf-16le' : 'utf-16be') : 'utf-8'
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(head, { stream: true })
    return /[^\P{Cc}\t\n\v\f\r]/u.test(text) ? undefined : text
  } catch {
    return undefined
  }
}

// What a browser recognizes as a page, after white space and comments.
const htmlStart =
  /^(<!doctype\s+html|<(html|head|body|script|iframe|title|style|table|font|div|span|img|a|br|p|h[1-6]|b|form|link|meta|base|object|embed|video|audio)[\s/>])/i

function kindOfText(text: string, fileName: string): string {
  const start = text.replace(/^(\s|<!--[\s\S]*?-->)+/, '')
  const inXml = start.replace(/^(<\?[\s\S]*?\?>|<!doctype\s+svg[^>[]*(\[[^\]]*\]\s*)?>|<!--[\s\S]*?-->|\s)+/i, '')
  if (/^<(\w+:)?svg[\s/>]/i.test(inXml)) return 'image/svg+xml'
  if (/^<html[\s>]/i.test(inXml) || htmlStart.test(start)) return 'text/html'
  if (start.startsWith('<?xml')) return 'application/xml'
  if (/^([{[]\s*)+("|[}\]]|-?\d|true|false|null|$)/.test(start)) return 'application/json'
  return /\.csv$/i.test(fileName) || looksTabular(text) ? 'text/csv' : 'text/plain'
}

/** Whether there are several lines, each with as many separators as the first. */
function looksTabular(text: string): boolean {
  const lines = text
    .split(/\r?\n/)
    .slice(0, 10)
    .filter((line) => line !== '')
  return [',', ';', '\t'].some((separator) => {
    const counts = lines.map((line) => line.split(separator).length)
    return lines.length > 2 && (counts[0] ?? 0) > 2 && counts.every((count) => count === counts[0])
  })
}

const inert = new Set([
  'application/pdf', 'application/zip', 'application/gzip', 'application/json', 'text/plain', 'text/csv', 'image/png',
  'image/jpeg', 'image/gif', 'image/webp', 'image/tiff', 'image/heic', 'image/heif', 'image/bmp', 'image/avif',
]) // biome-ignore format: a list of words

/** The media type a file is sent with: its own if a browser only displays it, otherwise application/octet-stream. */
export const servedType = (fileType: string): string => {
  if (!inert.has(fileType)) return 'application/octet-stream'
  return fileType.startsWith('text/') ? `${fileType}; charset=utf-8` : fileType
}
