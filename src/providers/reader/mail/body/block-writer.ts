import type { BodyBlock } from '../../../../core/outside/mail-reader.ts'

/** `isQuoted` says whether the block stands in a quotation. */
export type QuotableBlock = BodyBlock & { isQuoted: boolean }

/** More than are kept in the end, because quotations are removed later. */
const blocksMax = 10_000
const textMax = 1024 * 1024

const breaking = new Set([
  'address',
  'article',
  'aside',
  'blockquote',
  'body',
  'br',
  'center',
  'dd',
  'div',
  'dl',
  'dt',
  'fieldset',
  'figure',
  'footer',
  'form',
  'header',
  'hr',
  'li',
  'main',
  'nav',
  'ol',
  'p',
  'pre',
  'section',
  'table',
  'tbody',
  'tfoot',
  'thead',
  'ul',
  'caption',
])
const heading = /^h[1-6]$/

/** A row of a table that is being read. A row with a table inside is there for the layout only. */
type Row = { cells: string[]; isLayout: boolean; inCell: boolean; isHeading: boolean }

/** Makes blocks of the tags and texts of a page, in their order. */
export function createBlockWriter() {
  const blocks: QuotableBlock[] = []
  const rows: Row[] = []
  let [quotes, length] = [0, 0]
  let text = ''
  /** Whether the last line of the text has anything in it. Looking at the end of a growing text copies it each time. */
  let hasLine = false
  let inHeading = false

  function add(block: BodyBlock) {
    if (blocks.length >= blocksMax || length > textMax) return
    length += (block.kind === 'row' ? block.cells.join('') : block.text).length
    blocks.push({ ...block, isQuoted: quotes > 0 })
  }
  const addLines = (lines: readonly string[], isHeading = inHeading) => {
    for (const line of lines) add({ kind: isHeading ? 'heading' : 'text', text: line })
  }
  function flush() {
    addLines(linesOf(text))
    text = ''
  }
  /** In a cell of a row a line ends inside the cell. */
  function endLine() {
    const row = rows.at(-1)
    if (!row?.inCell || row.isLayout) flush()
    else if (hasLine) text += '\n'
    hasLine = false
  }
  function endCell(row: Row) {
    if (row.isLayout) flush()
    const lines = linesOf(text)
    text = ''
    if (lines.length > 0) row.cells.push(lines.join('\n'))
    row.inCell = false
  }
  function endRow() {
    const row = rows.pop()
    if (!row) return
    endCell(row)
    if (row.cells.length > 1) add({ kind: 'row', cells: row.cells })
    else addLines(row.cells.join('').split('\n').filter(Boolean), row.isHeading)
  }
  /** A table begins inside a row: what the row has so far is text. */
  function toLayout(row: Row) {
    addLines(row.cells.splice(0).flatMap((cell) => cell.split('\n')))
    row.isLayout = true
    flush()
  }

  return {
    blocks,
    open(name: string) {
      const row = rows.at(-1)
      if (name === 'table' && row) toLayout(row)
      if (name === 'tr') {
        if (!row || row.isLayout) flush()
        rows.push({ cells: [], isLayout: false, inCell: false, isHeading: false })
      } else if ((name === 'td' || name === 'th') && row) {
        endCell(row)
        row.inCell = true
      } else if (heading.test(name) || breaking.has(name)) endLine()
      if (heading.test(name)) {
        inHeading = true
        if (row) row.isHeading = true
      }
      if (name === 'blockquote') quotes += 1
    },
    text(data: string) {
      if (text.length > textMax) return
      text += data
      hasLine = true
    },
    close(name: string) {
      if (name === 'tr') endRow()
      else if (heading.test(name) || breaking.has(name)) endLine()
      if (heading.test(name)) inHeading = false
      if (name === 'blockquote') quotes = Math.max(0, quotes - 1)
    },
    end() {
      while (rows.length > 0) endRow()
      flush()
    },
  }
}

/** Lines without the spaces around them, and without characters that are not seen: soft hyphens, spaces without width. */
export const linesOf = (text: string): string[] =>
  text
    .replace(/\u00ad|\u034f|\u200b|\u2060|\ufeff/g, '')
    .replace(/[^\S\n]+/g, ' ')
    .split('\n')
    .map((line) => line.replace(/[\p{Cc}\p{Cs}]/gu, '').trim())
    .filter((line) => /[^\s\u200c\u200d]/.test(line))
