type Cell = string | number | null

/** Spreadsheets read Hebrew in a CSV file if it begins with this mark. */
export const byteOrderMark = '\ufeff'

/** A row of a CSV file (RFC 4180). */
export const csvRow = (cells: readonly Cell[]): string => `${cells.map(toCell).join(',')}\r\n`

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
