import { CsvError, parse } from 'csv-parse/sync'
import { decodeText } from './decode.ts'
import { createRows, rowsMax, type Table, TableRefusal } from './table.ts'

const separators = [',', ';', '\t'] as const

/** Reads a CSV file. What begins with = is text like any other. */
export function readCsv(bytes: Buffer, limit = rowsMax): Table {
  const { text, encoding } = decodeText(bytes)
  const table = createRows(limit)
  try {
    let row = 0
    // records are handed over one by one, so that a limit ends the reading
    parse(text, {
      delimiter: separatorOf(text),
      relax_column_count: true,
      relax_quotes: true,
      record_delimiter: ['\r\n', '\n', '\r'],
      on_record: (cells: string[]) => {
        row += 1
        table.add(row, cells)
        return null
      },
    })
  } catch (error) {
    if (error instanceof CsvError && error.code === 'CSV_QUOTE_NOT_CLOSED')
      throw new TableRefusal(`A quotation mark is opened and not closed, in or after line ${error.lines ?? '?'}.`)
    if (error instanceof CsvError) throw new TableRefusal(`The file is not a valid CSV file: ${error.message}`)
    throw error
  }
  return { rows: table.rows, sheet: null, encoding }
}

/** Where separators are looked for. The first line with any is at the beginning. */
const headMax = 1_000_000

/**
 * The separator that the first line with any has most often outside of quotation marks. Those count only around a whole field:
 * inside of one they are part of a word, as in many Hebrew abbreviations.
 */
function separatorOf(text: string): string {
  const counts = { ',': 0, ';': 0, '\t': 0 }
  const head = text.slice(0, headMax)
  let isStart = true
  for (let at = 0; at < head.length; at++) {
    if (isStart && head[at] === '"') at = afterQuoted(head, at)
    const character = head[at] ?? ''
    const isEnd = character === '\n' || character === '\r'
    if (isSeparator(character)) counts[character] += 1
    if (isEnd && separators.some((separator) => counts[separator] > 0)) break
    isStart = isEnd || isSeparator(character)
  }
  const [most] = separators.toSorted((a, b) => counts[b] - counts[a])
  return most ?? ','
}

/** The index after the quotation mark that ends what the one at `start` opens. */
function afterQuoted(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && (text[at] !== '"' || text[at + 1] === '"')) at += text[at] === '"' ? 2 : 1
  return at + 1
}

const isSeparator = (character: string): character is (typeof separators)[number] =>
  separators.some((separator) => separator === character)
