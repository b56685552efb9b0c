/** The content of a cell: text, or what a spreadsheet stores as a number, a yes or no, a day, or an error. */
export type Cell = string | number | boolean | null | { day: string } | { error: string }

/** The rows of a file with something in them. `row` is the number that a spreadsheet shows beside it. */
export type Table = { rows: { row: number; cells: Cell[] }[]; sheet: string | null; encoding: string | null }

export const rowsMax = 100_000
export const columnsMax = 200
/** Empty rows take time as well. */
const emptyRowsMax = 100_000
/** Few files have more; the memory of a thread is limited. */
const cellsMax = 4_000_000

/** A refusal of the file as a whole. A thread reports it as data. */
export class TableRefusal extends Error {
  readonly code: RefusalCode
  readonly path: string
  constructor(message: string, code: RefusalCode = 'FILE_UNREADABLE', path = 'file') {
    super(message)
    this.code = code
    this.path = path
  }
}
export type RefusalCode =
  | 'FILE_EMPTY'
  | 'FILE_EXPANDS'
  | 'FILE_UNREADABLE'
  | 'TABLE_TOO_LARGE'
  | 'UNKNOWN_COLUMN'
  | 'XML_ENTITIES'

/** Collects rows, and refuses a table with too many of them, or too many without content. */
export function createRows(limit = rowsMax, emptyMax = emptyRowsMax) {
  const rows: Table['rows'] = []
  let [cellCount, emptyCount] = [0, 0]
  return {
    rows,
    add(row: number, cells: Cell[]) {
      while (cells.length > 0 && isEmpty(cells.at(-1))) cells.pop()
      if (cells.length === 0) {
        emptyCount += 1
        if (emptyCount > emptyMax)
          throw new TableRefusal(
            `The file has more than ${emptyMax.toLocaleString('en')} rows without content. Delete them.`,
            'TABLE_TOO_LARGE',
          )
        return
      }
      if (cells.length > columnsMax)
        throw new TableRefusal(
          `Row ${row} has ${cells.length} columns; at most ${columnsMax} are accepted.`,
          'TABLE_TOO_LARGE',
        )
      cellCount += cells.length
      // the first one is the header
      if (rows.length > limit)
        throw new TableRefusal(
          `The file has more than ${limit.toLocaleString('en')} rows. Divide it into several files.`,
          'TABLE_TOO_LARGE',
        )
      if (cellCount > cellsMax)
        throw new TableRefusal(
          `The file has more than ${cellsMax.toLocaleString('en')} cells. Remove columns that are not needed, or divide it.`,
          'TABLE_TOO_LARGE',
        )
      rows.push({ row, cells })
    },
  }
}

export const isEmpty = (cell: Cell | undefined): boolean =>
  cell === null || cell === undefined || (typeof cell === 'string' && cell.trim() === '')

/** The letters of a column, as spreadsheets name them: 0 is A, 26 is AA. */
export function columnLetters(index: number): string {
  const last = String.fromCharCode(65 + (index % 26))
  return index < 26 ? last : columnLetters(Math.floor(index / 26) - 1) + last
}
