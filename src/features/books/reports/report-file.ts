import { Readable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { invalid } from '../../../core/define/failure.ts'
import { defaulted, OneOf, type TSchema, Type } from '../../../core/define/schema.ts'
import { byteOrderMark, csvRow } from '../../../core/files/csv.ts'
import { type FileAnswer, inFormat, orFile } from '../../../core/files/file.ts'
import type { SheetColumn, SheetValue } from '../../../core/files/sheet.ts'
import { xlsxFile, xlsxType } from '../../../core/files/xlsx.ts'
import type { Language } from '../../../core/values/language.ts'

/** A column of a report: `key` is its name in a CSV file, `title` and `titleHe` are what people read in a spreadsheet. */
export type ReportColumn = { key: string; title: string; titleHe: string; type: SheetColumn['type'] }

export type ReportTable = {
  /** The name of the file without its ending, such as `income-2026-01-01-2026-12-31`, and of the sheet. */
  name: string
  columns: readonly ReportColumn[]
  /** The values of each row in the order of the columns. Amounts are numbers, days are text such as 2026-01-31. */
  rows: readonly (readonly SheetValue[])[]
}

export type FileFormat = 'csv' | 'xlsx'

/** The field `format` of a report. */
export const reportFormat = {
  format: defaulted(
    Type.Unsafe<'json' | FileFormat>({
      ...OneOf('json', 'csv', 'xlsx'),
      description: 'csv and xlsx answer a file with all rows of the report, whatever the page.',
    }),
    'json',
  ),
}

/** The output of a report: its JSON, or a file. */
export const reportOutput = <S extends TSchema>(report: S): S => orFile(report, 'text/csv', xlsxType)

/** The most rows of a file. */
export const fileRowsMax = 100_000

type Given = {
  format: FileFormat
  organizationId: string
  /** The language of the titles. A sheet in Hebrew is read from right to left. */
  language: Language
  /** The field that makes the report shorter, which a refusal names. */
  shortenBy?: string
}

/** A report as the answer of `format=csv` or `format=xlsx`. Formulas in text are not executed by spreadsheets. */
export function reportFile(table: ReportTable, { format, organizationId, language, shortenBy = 'from' }: Given) {
  const csv = csvFile(table, shortenBy)
  if (format === 'csv') return inFormat(csv)
  const { name, columns, rows } = table
  const rightToLeft = language === 'he'
  const titled = columns.map(({ title, titleHe, type }) => ({ title: rightToLeft ? titleHe : title, type }))
  const fileName = `${name}.xlsx`
  return inFormat(xlsxFile({ fileName, organizationId, sheet: { name, columns: titled, rightToLeft }, rows }))
}

/** The report as a CSV file. `shortenBy` is the field that a refusal names. */
export function csvFile(table: ReportTable, shortenBy = 'from'): FileAnswer {
  if (table.rows.length > fileRowsMax)
    throw invalid(shortenBy, `A file has at most ${fileRowsMax} rows, and this report has more. Ask for less.`)
  return csvOf(table)
}

/** Rows per turn of the event loop. */
const rowsPerTurn = 500

const csvOf = ({ name, columns, rows }: ReportTable): FileAnswer => ({
  fileName: `${name}.csv`,
  fileType: 'text/csv',
  open: async () => Readable.from(csvPieces(columns, rows)),
})

async function* csvPieces(columns: ReportTable['columns'], rows: ReportTable['rows']) {
  yield Buffer.from(byteOrderMark + csvRow(columns.map(({ key }) => key)))
  for (let at = 0; at < rows.length; at += rowsPerTurn) {
    const part = rows.slice(at, at + rowsPerTurn)
    yield Buffer.from(part.map(csvRow).join(''))
    await turn()
  }
}
