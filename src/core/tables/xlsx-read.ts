import { type Cell, columnsMax, createRows, rowsMax, type Table, TableRefusal } from './table.ts'
import { openZip } from './unzip.ts'
import { attribute, readXml } from './xml.ts'

type Zip = ReturnType<typeof openZip>

/** A sheet has no more rows and columns than these, empty ones included. */
const [sheetRowsMax, sheetColumnsMax] = [1_048_576, 16_384]
const sharedTextsMax = 2_000_000

/** Reads one sheet of a spreadsheet: the named one, or the first that is visible. Of a formula its last result counts. */
export function readXlsx(
  bytes: Buffer,
  { sheet, limit = rowsMax }: { sheet?: string | undefined; limit?: number } = {},
): Table {
  const zip = openZip(bytes)
  const book = readWorkbook(zip)
  const chosen = chooseSheet(book.sheets, sheet)
  const xml = zip.read(chosen.path)
  if (xml === undefined) throw damaged()
  const strings = readSharedStrings(zip.read(book.stringsPath) ?? '')
  const isDateStyle = readDateStyles(zip.read(book.stylesPath) ?? '')
  const rows = readSheet(xml, { strings, isDateStyle, is1904: book.is1904 }, limit)
  return { rows, sheet: chosen.name, encoding: null }
}

type Sheet = { name: string; path: string; isHidden: boolean }

/** Where the parts of a spreadsheet are. */
function readWorkbook(zip: Zip) {
  const path = [...relations(zip, '')].find(({ type }) => type === 'officeDocument')?.path ?? 'xl/workbook.xml'
  const xml = zip.read(path)
  if (xml === undefined)
    throw new TableRefusal(
      'The file is an archive and no spreadsheet. Give a CSV file, or a spreadsheet saved as .xlsx.',
    )
  const related = [...relations(zip, path)]
  const byId = new Map(related.map((relation) => [relation.id, relation]))
  const sheets: Sheet[] = []
  let is1904 = false
  for (const part of readXml(xml)) {
    if (part.kind !== 'open') continue
    if (part.name === 'workbookPr') is1904 = /^(1|true|on)$/.test(attribute(part.attributes, 'date1904') ?? '')
    if (part.name !== 'sheet') continue
    const relation = byId.get(attribute(part.attributes, 'id') ?? '')
    if (relation?.type !== 'worksheet') continue // charts have no cells
    const isHidden = (attribute(part.attributes, 'state') ?? 'visible') !== 'visible'
    sheets.push({ name: attribute(part.attributes, 'name') ?? '', path: relation.path, isHidden })
  }
  const pathOf = (type: string) => related.find((relation) => relation.type === type)?.path ?? ''
  return { sheets, is1904, stringsPath: pathOf('sharedStrings'), stylesPath: pathOf('styles') }
}

/** The parts that a part refers to. Paths are relative to its folder, or absolute. */
function* relations(zip: Zip, path: string) {
  const slash = path.lastIndexOf('/')
  const [folder, file] = [path.slice(0, slash + 1), path.slice(slash + 1)]
  for (const part of readXml(zip.read(`${folder}_rels/${file}.rels`) ?? '')) {
    if (part.kind !== 'open' || part.name !== 'Relationship') continue
    if (attribute(part.attributes, 'TargetMode') === 'External') continue
    const target = attribute(part.attributes, 'Target') ?? ''
    const type = attribute(part.attributes, 'Type')?.split('/').at(-1) ?? ''
    yield { id: attribute(part.attributes, 'Id') ?? '', type, path: resolvePath(target, folder) }
  }
}

function resolvePath(target: string, folder: string): string {
  try {
    return decodeURIComponent(new URL(target, `file:///${folder}`).pathname.slice(1))
  } catch {
    throw damaged()
  }
}

function chooseSheet(sheets: readonly Sheet[], named: string | undefined): Sheet {
  const found =
    named === undefined
      ? (sheets.find(({ isHidden }) => !isHidden) ?? sheets[0])
      : sheets.find(({ name }) => name.trim().toLowerCase() === named.trim().toLowerCase())
  if (found) return found
  if (named === undefined) throw damaged()
  const names = sheets.slice(0, 20).map(({ name }) => `"${name}"`)
  throw new TableRefusal(`There is no sheet "${named}". The file has ${names.join(', ')}.`, 'FILE_UNREADABLE', 'sheet')
}

/** Texts that several cells share. Phonetic hints are not part of them. */
function readSharedStrings(xml: string): string[] {
  const strings: string[] = []
  let [text, inText, inHint] = ['', false, false]
  for (const part of readXml(xml, Number.POSITIVE_INFINITY)) {
    if (part.kind === 'text') {
      if (inText && !inHint) text += part.text
    } else if (part.name === 't') inText = part.kind === 'open' && !part.isEmpty
    else if (part.name === 'rPh') inHint = part.kind === 'open' && !part.isEmpty
    else if (part.name === 'si') {
      if (part.kind === 'close' || part.isEmpty) strings.push(text)
      text = ''
      if (strings.length > sharedTextsMax) refuseTexts()
    }
  }
  return strings
}

function refuseTexts(): never {
  throw new TableRefusal(
    `The spreadsheet has more than ${sharedTextsMax.toLocaleString('en')} different texts. Divide it into several files.`,
    'TABLE_TOO_LARGE',
  )
}

/** Which styles show a number as a date. */
function readDateStyles(xml: string): (style: number) => boolean {
  const formats = new Map<number, string>()
  const styles: boolean[] = []
  let inCells = false
  for (const part of readXml(xml)) {
    if (part.kind === 'text') continue
    if (part.name === 'cellXfs') inCells = part.kind === 'open' && !part.isEmpty
    if (part.kind !== 'open') continue
    const format = Number(attribute(part.attributes, 'numFmtId') ?? 0)
    if (part.name === 'numFmt') formats.set(format, attribute(part.attributes, 'formatCode') ?? '')
    if (part.name === 'xf' && inCells) styles.push(isDateFormat(format, formats.get(format)))
  }
  return (style) => styles[style] ?? false
}

/** Formats 14 to 22 and a few others are dates in every spreadsheet. Others are, if they show a day, month or year. */
function isDateFormat(format: number, code: string | undefined): boolean {
  if (code === undefined)
    return (format >= 14 && format <= 22) || (format >= 27 && format <= 36) || (format >= 50 && format <= 58)
  return /[ymd]/i.test(code.replace(/"[^"]*"|\[[^\]]*\]|\\.|_.|\*./g, ''))
}

type Meaning = { strings: readonly string[]; isDateStyle: (style: number) => boolean; is1904: boolean }

function readSheet(xml: string, meaning: Meaning, limit: number): Table['rows'] {
  const table = createRows(limit, sheetRowsMax)
  let [row, column, cellCount] = [0, -1, 0]
  let cells: Cell[] = []
  let cell: { type: string; style: number } | undefined
  let [value, inline, into] = ['', '', '' as '' | 'value' | 'inline']
  const endCell = () => {
    if (!cell) return
    const content = toCell(cell.type === 'inlineStr' ? inline : value, cell, meaning)
    if (content !== null) {
      if (column >= columnsMax) refuseColumns(row)
      while (cells.length < column) cells.push(null)
      cells[column] = content
    }
    cell = undefined
  }
  for (const part of readXml(xml, Number.POSITIVE_INFINITY)) {
    if (part.kind === 'text') {
      if (into === 'value') value += part.text
      else if (into === 'inline') inline += part.text
    } else if (part.kind === 'close') {
      if (part.name === 'c') endCell()
      else if (part.name === 'row') table.add(row, cells)
      else if (part.name === 'sheetData') break
      into = ''
    } else if (part.name === 'row') {
      row = rowAfter(row, attribute(part.attributes, 'r'))
      ;[cells, column, cellCount] = [[], -1, 0]
      if (part.isEmpty) table.add(row, cells)
    } else if (part.name === 'c') {
      cellCount += 1
      if (cellCount > sheetColumnsMax) refuseColumns(row)
      column = columnOf(attribute(part.attributes, 'r')) ?? column + 1
      ;[value, inline] = ['', '']
      cell = part.isEmpty ? undefined : toCellKind(part.attributes)
    } else if (!part.isEmpty) into = part.name === 'v' ? 'value' : part.name === 't' ? 'inline' : ''
  }
  return table.rows
}

function refuseColumns(row: number): never {
  throw new TableRefusal(
    `Row ${row} has more than ${columnsMax} columns; at most ${columnsMax} are accepted.`,
    'TABLE_TOO_LARGE',
  )
}

const toCellKind = (attributes: string) => ({
  type: attribute(attributes, 't') ?? 'n',
  style: Number(attribute(attributes, 's') ?? 0),
})

/** The number of the row after another: each has a number of its own, and they ascend. */
function rowAfter(row: number, number: string | undefined): number {
  if (number === undefined) return row + 1
  if (!/^\d{1,7}$/.test(number) || Number(number) <= row) throw damaged()
  return Number(number)
}

/** The index of the column in a reference such as BC12. */
function columnOf(reference: string | undefined): number | undefined {
  const letters = /^[A-Z]{1,3}/i.exec(reference ?? '')?.[0].toUpperCase()
  if (letters === undefined) return undefined
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
}

function toCell(text: string, { type, style }: { type: string; style: number }, meaning: Meaning): Cell {
  switch (type) {
    case 's':
      return meaning.strings[Number(text)] ?? null
    case 'str':
    case 'inlineStr':
      return text === '' ? null : text
    case 'b':
      return text === '' ? null : text.trim() === '1'
    case 'e':
      return { error: text }
    case 'd':
      return { day: text.slice(0, 10) }
    default:
      return toNumber(text.trim(), meaning.isDateStyle(style), meaning.is1904)
  }
}

function toNumber(text: string, isDate: boolean, is1904: boolean): Cell {
  if (text === '') return null
  const number = Number(Number(text).toPrecision(15)) // as a spreadsheet shows it: 0.1 + 0.2 is 0.3
  if (!Number.isFinite(number)) return text
  return isDate ? toDay(number, is1904) : number
}

/** Days are counted from 1 January 1900, with a 29 February 1900 that never was, or from 1 January 1904. */
function toDay(serial: number, is1904: boolean): Cell {
  const days = Math.floor(serial)
  if (days < 0 || days > 2_958_465) return serial
  const epoch = is1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, days < 60 ? 31 : 30)
  return { day: new Date(epoch + days * 86_400_000).toISOString().slice(0, 10) }
}

const damaged = () => new TableRefusal('The spreadsheet is damaged and cannot be read.')
