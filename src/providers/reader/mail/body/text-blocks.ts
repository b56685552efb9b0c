import { linesOf, type QuotableBlock } from './block-writer.ts'

const linesMax = 20_000
const lineMax = 2_000

/** The lines of a text body. Columns that are separated by tabs or several spaces are the cells of a row. */
export function textBlocks(text: string): QuotableBlock[] {
  const blocks: QuotableBlock[] = []
  for (const line of text.slice(0, linesMax * 100).split(/\r?\n/, linesMax)) {
    const [, marks = '', rest = ''] = /^((?:>[ \t]?)*)(.*)$/.exec(line.slice(0, lineMax)) ?? []
    const isQuoted = marks !== ''
    const cells = rest
      .trim()
      .split(/\t+| {2,}/)
      .flatMap(linesOf)
    const [only] = cells
    if (cells.length > 1 && cells.some((cell) => /\d/.test(cell))) blocks.push({ kind: 'row', cells, isQuoted })
    else if (only !== undefined && !/^[-=_*─━. ]+$/.test(rest))
      blocks.push({ kind: 'text', text: cells.join(' '), isQuoted })
  }
  return blocks
}
