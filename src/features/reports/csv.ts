import { Readable } from 'node:stream'
import type { FileAnswer } from '../../core/files/file.ts'

type Cell = string | number | null

/** A table as CSV (RFC 4180), with a byte order mark, so that spreadsheets read Hebrew. */
export function toCsv(header: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return `\ufeff${[header, ...rows].map((row) => `${row.map(toCell).join(',')}\r\n`).join('')}`
}

/**
 * A spreadsheet executes text that begins like a formula; an apostrophe before it makes it text. All text is quoted, because
 * some spreadsheets separate cells at a semicolon.
 */
function toCell(value: Cell): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const text = /^[\s]*[=+\-@＝＋－＠]|^[\t\r\n]/.test(value) ? `'${value}` : value
  return `"${text.replaceAll('"', '""')}"`
}

export const csvFile = (fileName: string, csv: string): FileAnswer => {
  const bytes = Buffer.from(csv)
  return { fileName, fileType: 'text/csv', fileSize: bytes.byteLength, open: async () => Readable.from([bytes]) }
}
