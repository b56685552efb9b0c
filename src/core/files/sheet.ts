import writeExcelFile, { type Cell as SheetCell } from 'write-excel-file/node'

/** `date` is a calendar day such as 2026-01-31; `money` is shown with two decimals. */
export type SheetColumn = { title: string; type: 'text' | 'number' | 'money' | 'date' }
export type SheetValue = string | number | null
export type Sheet = { name: string; columns: readonly SheetColumn[]; rightToLeft: boolean }

/**
 * An XLSX file with one sheet: a bold header that stays in place, and typed cells. Text is always a cell of text, so a
 * spreadsheet never executes it. The same input gives the same bytes.
 */
export async function writeSheet(
  { name, columns, rightToLeft }: Sheet,
  rows: readonly (readonly SheetValue[])[],
): Promise<Buffer> {
  const header = columns.map(({ title }): SheetCell => ({ value: title, type: String, fontWeight: 'bold' }))
  const body = rows.map((row) => columns.map(({ type }, index) => toCell(type, row[index] ?? null)))
  const file = writeExcelFile([header, ...body], {
    sheet: toSheetName(name),
    columns: columns.map(({ title, type }) => ({ width: Math.max(title.length + 2, widths[type]) })),
    stickyRowsCount: 1,
    rightToLeft,
  })
  return withoutTimes(await file.toBuffer())
}

const widths = { text: 18, number: 10, money: 14, date: 12 }

/** The most characters that a cell of a spreadsheet holds. */
const textMax = 32_767

function toCell(type: SheetColumn['type'], value: SheetValue): SheetCell {
  if (value === null || value === '') return null
  if (typeof value === 'number') return Number.isFinite(value) ? toNumber(type, value) : null
  const day = type === 'date' ? dayOf(value) : undefined
  if (day) return { value: day, type: Date, format: 'yyyy-mm-dd' }
  return { value: value.slice(0, textMax), type: String }
}

const toNumber = (type: SheetColumn['type'], value: number): SheetCell =>
  type === 'money' ? { value, type: Number, format: '#,##0.00' } : { value, type: Number }

/** The day as midnight UTC, which the file stores as a whole number. */
function dayOf(text: string): Date | undefined {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return undefined
  const day = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text) ? day : undefined
}

/** A sheet has a name of at most 31 characters, without some of them. */
const toSheetName = (name: string) =>
  [...name.replace(/[[\]/\\:*?']+/g, ' ').trim()].join('').slice(0, 31).trim() || 'Report'

/** 1980-01-01 00:00, the first moment that a ZIP file knows. */
const [noTime, firstDay] = [0, 0x21]

/** Replaces the times of the entries, which are those of writing, by a fixed one. */
function withoutTimes(zip: Buffer): Buffer {
  const end = zip.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'))
  const count = zip.readUInt16LE(end + 10)
  let at = zip.readUInt32LE(end + 16)
  for (let entry = 0; entry < count; entry++) {
    const local = zip.readUInt32LE(at + 42)
    for (const time of [at + 12, local + 10]) {
      zip.writeUInt16LE(noTime, time)
      zip.writeUInt16LE(firstDay, time + 2)
    }
    at += 46 + zip.readUInt16LE(at + 28) + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32)
  }
  return zip
}
