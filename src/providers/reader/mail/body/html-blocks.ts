import { Parser } from 'htmlparser2'
import type { BodyBlock } from '../../../../core/outside/mail-reader.ts'

export type Link = { text: string }

/** What an HTML body holds. `isQuoted` says of each block whether it stands in a quotation. */
export type HtmlBody = { blocks: QuotableBlock[]; links: Link[]; pictures: Set<string> }
export type QuotableBlock = BodyBlock & { isQuoted: boolean }

const htmlMax = 3 * 1024 * 1024
const depthMax = 1_000
const linksMax = 500
/** More than are kept in the end, because quotations are removed later. */
const blocksMax = 10_000
const textMax = 1024 * 1024

/** Their content is no text of the message. */
const dropped = new Set(['head', 'title', 'style', 'script', 'noscript', 'template', 'object', 'iframe', 'svg', 'math', 'select', 'textarea', 'audio', 'video', 'map']) // biome-ignore format: one line
const breaking = new Set(['address', 'article', 'aside', 'blockquote', 'body', 'br', 'center', 'dd', 'div', 'dl', 'dt', 'fieldset', 'figure', 'footer', 'form', 'header', 'hr', 'li', 'main', 'nav', 'ol', 'p', 'pre', 'section', 'table', 'tbody', 'tfoot', 'thead', 'ul', 'caption']) // biome-ignore format: one line
const heading = /^h[1-6]$/
/** Not a font size of zero: layouts use it, and set another one inside. */
const hidden = /display\s*:\s*none|visibility\s*:\s*hidden|(max-height|opacity)\s*:\s*0(?![.\d])/i

/** A row of a table that is being read. A row with a table inside is there for the layout only. */
type Row = { cells: string[]; isLayout: boolean; inCell: boolean; isHeading: boolean }

/** Reads HTML as a person sees it, without loading anything. Rows of the innermost tables are rows. */
export function htmlBlocks(html: string): HtmlBody {
  const body: HtmlBody = { blocks: [], links: [], pictures: new Set() }
  const rows: Row[] = []
  let [depth, droppedFrom, quotes, length] = [0, 0, 0, 0]
  let text = ''
  let inHeading = false
  let link: Link | undefined

  const add = (block: BodyBlock, size: number) => {
    if (body.blocks.length >= blocksMax || length > textMax) return
    length += size
    body.blocks.push({ ...block, isQuoted: quotes > 0 })
  }
  /** Ends a line: in a cell of a row it stays in the cell. */
  const endLine = () => {
    const row = rows.at(-1)
    if (row?.inCell && !row.isLayout) {
      if (text !== '' && !text.endsWith('\n')) text += '\n'
      return
    }
    flush()
  }
  const flush = () => {
    for (const line of linesOf(text)) add({ kind: inHeading ? 'heading' : 'text', text: line }, line.length)
    text = ''
  }
  const endCell = (row: Row) => {
    const lines = linesOf(text)
    text = ''
    if (row.isLayout) for (const line of lines) add({ kind: inHeading ? 'heading' : 'text', text: line }, line.length)
    else if (lines.length > 0) row.cells.push(lines.join('\n'))
    row.inCell = false
  }
  const endRow = () => {
    const row = rows.pop()
    if (!row) return
    endCell(row)
    const [only] = row.cells
    if (row.cells.length > 1) add({ kind: 'row', cells: row.cells }, row.cells.join('').length)
    else if (only) for (const line of only.split('\n')) add({ kind: row.isHeading ? 'heading' : 'text', text: line }, line.length) // biome-ignore format: one line
  }
  /** A table begins inside a row: what the row has so far is text. */
  const toLayout = (row: Row) => {
    if (!row.isLayout) {
      for (const cell of row.cells.splice(0)) for (const line of cell.split('\n')) add({ kind: 'text', text: line }, line.length) // biome-ignore format: one line
      row.isLayout = true
    }
    flush()
  }

  const parser = new Parser(
    {
      onopentag(name, attributes) {
        depth += 1
        if (depth > depthMax || droppedFrom > 0) return
        if (dropped.has(name) || 'hidden' in attributes || hidden.test(attributes.style ?? '')) {
          droppedFrom = depth
          return
        }
        const row = rows.at(-1)
        if (name === 'table' && row) toLayout(row)
        if (name === 'tr') {
          if (!row || row.isLayout) flush()
          rows.push({ cells: [], isLayout: false, inCell: false, isHeading: false })
        } else if ((name === 'td' || name === 'th') && row) {
          endCell(row)
          row.inCell = true
        } else if (name === 'img') {
          const source = attributes.src ?? ''
          if (/^cid:/i.test(source)) body.pictures.add(decodedId(source.slice(4)))
          if (link) link.text += ` ${attributes.alt ?? ''}`
        } else if (name === 'a' && /^\s*https?:/i.test(attributes.href ?? '')) {
          link = { text: '' }
          if (body.links.length < linksMax) body.links.push(link)
        } else if (heading.test(name)) {
          endLine()
          inHeading = true
          if (row) row.isHeading = true
        } else if (breaking.has(name)) endLine()
        if (name === 'blockquote') quotes += 1
      },
      ontext(data) {
        if (droppedFrom > 0 || text.length > textMax) return
        text += data.replace(/\s+/g, ' ')
        if (link && link.text.length < 200) link.text += data
      },
      onclosetag(name) {
        const at = depth--
        if (at > depthMax) return
        if (droppedFrom > 0) {
          if (at === droppedFrom) droppedFrom = 0
          return
        }
        if (name === 'tr') endRow()
        else if (heading.test(name)) {
          endLine()
          inHeading = false
        } else if (breaking.has(name)) endLine()
        if (name === 'a') link = undefined
        if (name === 'blockquote') quotes = Math.max(0, quotes - 1)
      },
    },
    { decodeEntities: true, lowerCaseTags: true, lowerCaseAttributeNames: true },
  )
  const whole = html.slice(0, htmlMax)
  // What is nested deeper than on any page is not read.
  for (let at = 0; at < whole.length && depth <= depthMax; at += chunk) parser.write(whole.slice(at, at + chunk))
  if (depth <= depthMax) parser.end()
  while (rows.length > 0) endRow()
  flush()
  return body
}

const chunk = 64 * 1024

const decodedId = (id: string) => {
  try {
    return decodeURIComponent(id)
  } catch {
    return id
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
