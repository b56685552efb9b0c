import { newId } from '../values/id.ts'
import { recogniseColumns } from './columns.ts'
import { readCsv } from './csv-read.ts'
import { clearOrderOf } from './dates.ts'
import { createDuplicateFinder } from './duplicates.ts'
import { type Column, type Field, type Reading, type ReadRecords, type RowProblem, shownMax } from './field.ts'
import { decimalMarkOf } from './numbers.ts'
import { type Cell, isEmpty, type Table, TableRefusal } from './table.ts'
import { type Conventions, toValue } from './values.ts'
import { readXlsx } from './xlsx-read.ts'

/** Reads a CSV or XLSX file as records: every cell is checked and converted to the type of its field. */
export function readRecords(bytes: Buffer, reading: Reading): ReadRecords {
  const { rows, sheet, encoding } = readTable(bytes, reading)
  const [header, ...data] = rows
  if (!header) throw new TableRefusal('The file has no rows.', 'FILE_EMPTY')
  const columns = recogniseColumns(header.cells, reading)
  const read = columns.flatMap((column) => {
    const field = reading.fields.find(({ name }) => name === column.field)
    return field ? [{ field, column, at: indexOfLetters(column.column) }] : []
  })
  const missing = missingFields(reading, columns)
  const conventions = conventionsOf(data, read, reading)
  const shape = { sheet, encoding, dateOrder: conventions.dateOrder, columns, missing, rowCount: data.length }
  return { ...shape, ...toRecords(missing.length > 0 ? [] : data, read, reading, conventions) }
}

/** The type of a file is decided by its bytes, whatever it is called. */
function readTable(bytes: Buffer, { sheet, rowsMax }: Reading): Table {
  const begins = (text: string) => bytes.subarray(0, text.length).toString('latin1') === text
  if (begins('PK\x03\x04')) return readXlsx(bytes, { sheet, ...(rowsMax && { limit: rowsMax }) })
  if (begins('\xd0\xcf\x11\xe0'))
    throw new TableRefusal('The file is a spreadsheet of an old format or with a password. Save it as .xlsx or CSV.')
  if (begins('%PDF')) throw new TableRefusal('The file is a PDF. Give a CSV file, or a spreadsheet saved as .xlsx.')
  if (sheet !== undefined)
    throw new TableRefusal('A CSV file has no sheets. Leave sheet out.', 'FILE_UNREADABLE', 'sheet')
  return readCsv(bytes, rowsMax)
}

type ReadColumn = { field: Field; column: Column; at: number }

const indexOfLetters = (letters: string) =>
  [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1

function missingFields({ fields, oneOf = [] }: Reading, columns: readonly Column[]): string[] {
  const has = (name: string) => columns.some(({ field }) => field === name)
  const required = fields.filter((field) => field.required && !has(field.name)).map(({ name }) => name)
  return [...required, ...oneOf.filter((names) => !names.some(has)).map((names) => names.join(' or '))]
}

/** How the file writes numbers and dates. Cells that can be read in one way only decide for all. */
function conventionsOf(rows: Table['rows'], read: readonly ReadColumn[], reading: Reading): Conventions {
  const marks = new Set<unknown>()
  const orders = new Set<unknown>()
  const numeric = read.filter(({ field: { type } }) => type === 'DECIMAL' || type === 'INTEGER' || type === 'AMOUNT')
  const dated = read.filter(({ field: { type } }) => type === 'DAY')
  for (const { cells } of rows) {
    for (const { at } of numeric) marks.add(decimalMarkOf(cells[at] ?? null))
    for (const { at } of dated) orders.add(clearOrderOf(cells[at] ?? null))
  }
  const usual = reading.usualOrder
  const isOrderMixed = orders.has('DMY') && orders.has('MDY')
  const clear = orders.has('DMY') ? 'DMY' : orders.has('MDY') ? 'MDY' : usual
  return {
    decimalMark: marks.has(',') && !marks.has('.') ? ',' : '.',
    dateOrder: reading.dateOrder ?? (isOrderMixed ? usual : clear),
    isOrderGiven: reading.dateOrder !== undefined,
    isOrderMixed: isOrderMixed && reading.dateOrder === undefined,
    currency: reading.currency,
  }
}

function toRecords(rows: Table['rows'], read: readonly ReadColumn[], reading: Reading, conventions: Conventions) {
  const pieces: string[] = []
  const problems: RowProblem[] = []
  const firstRows: ReadRecords['firstRows'] = []
  let [problemCount, wrongRowCount] = [0, 0]
  const duplicateOf = createDuplicateFinder(reading.identity, { country: reading.country })
  const labelOf = (name: string) => read.find(({ field }) => field.name === name)?.column
  for (const { row, cells } of rows) {
    const { values, wrong } = toRecord(cells, read, reading, conventions)
    const same = wrong.length === 0 ? duplicateOf(row, values) : undefined
    if (same)
      wrong.push({
        field: same.fields[0] ?? null,
        message: `the row is the same record as row ${same.row} (by ${same.fields.join(' and ')})`,
      })
    for (const { field, message } of wrong) {
      const column = field === null ? undefined : labelOf(field)
      if (problems.length < shownMax)
        problems.push({ row, column: column ? column.header || column.column : null, field, message })
    }
    problemCount += wrong.length
    if (wrong.length > 0) wrongRowCount += 1
    else pieces.push(JSON.stringify({ row, id: newId(), ...values }))
    if (firstRows.length < shownMax) firstRows.push({ row, isWrong: wrong.length > 0 })
  }
  return { records: `[${pieces.join(',')}]`, problems, firstRows, problemCount, wrongRowCount }
}

type Wrong = { field: string | null; message: string }

function toRecord(cells: readonly Cell[], read: readonly ReadColumn[], reading: Reading, conventions: Conventions) {
  const values: Record<string, unknown> = {}
  const wrong: Wrong[] = []
  for (const { field, at } of read) {
    const cell = cells[at] ?? null
    if (isEmpty(cell)) {
      if (field.required) wrong.push({ field: field.name, message: 'the cell is empty' })
      continue
    }
    const result = toValue(cell, field, conventions)
    if ('problem' in result) wrong.push({ field: field.name, message: result.problem })
    else values[field.name] = result.value
  }
  for (const names of reading.oneOf ?? [])
    if (wrong.length === 0 && !names.some((name) => name in values))
      wrong.push({ field: null, message: `the row has no ${names.join(' or ')}` })
  return { values, wrong }
}
