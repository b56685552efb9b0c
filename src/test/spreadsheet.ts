import { strToU8, zipSync } from 'fflate'

type SheetCell = string | number | boolean | null | { xml: string }
type Sheet = { name?: string; rows: SheetCell[][]; state?: 'hidden' }

/** A spreadsheet as programs write it: shared texts, numbers, dates by style 1, and whatever XML a cell is given. */
export function xlsx(sheets: Sheet[], { date1904 = false, more = {} as Record<string, string> } = {}): Buffer {
  const texts: string[] = []
  const shared = (text: string) => {
    if (!texts.includes(text)) texts.push(text)
    return texts.indexOf(text)
  }
  const cell = (content: SheetCell, reference: string) => {
    if (content === null) return ''
    if (typeof content === 'object') return content.xml.replace('<c', `<c r="${reference}"`)
    if (typeof content === 'number') return `<c r="${reference}"><v>${content}</v></c>`
    if (typeof content === 'boolean') return `<c r="${reference}" t="b"><v>${Number(content)}</v></c>`
    return `<c r="${reference}" t="s"><v>${shared(content)}</v></c>`
  }
  const sheetXml = ({ rows }: Sheet) =>
    `<worksheet><sheetData>${rows.map((cells, r) => `<row r="${r + 1}">${cells.map((each, c) => cell(each, `${letters(c)}${r + 1}`)).join('')}</row>`).join('')}</sheetData></worksheet>`
  const parts = sheets.map(sheetXml)
  const files: Record<string, string> = {
    '_rels/.rels':
      '<Relationships><Relationship Id="rId1" Type="http://x/officeDocument" Target="xl/workbook.xml"/></Relationships>',
    'xl/workbook.xml': `<?xml version="1.0"?><workbook><workbookPr date1904="${Number(date1904)}"/><sheets>${sheets.map(({ name = 'Sheet', state }, n) => `<sheet name="${name}" sheetId="${n + 1}" ${state ? `state="${state}"` : ''} r:id="rId${n + 1}"/>`).join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${sheets.map((_, n) => `<Relationship Id="rId${n + 1}" Type="http://x/worksheet" Target="worksheets/sheet${n + 1}.xml"/>`).join('')}<Relationship Id="rIdS" Type="http://x/sharedStrings" Target="/xl/sharedStrings.xml"/><Relationship Id="rIdT" Type="http://x/styles" Target="styles.xml"/></Relationships>`,
    'xl/styles.xml':
      '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="dd/mm/yyyy"/><numFmt numFmtId="165" formatCode="#,##0.00 &quot;days&quot;"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs></styleSheet>',
    'xl/sharedStrings.xml': `<sst>${texts.map((text) => `<si><t>${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</t></si>`).join('')}</sst>`,
    ...Object.fromEntries(parts.map((part, n) => [`xl/worksheets/sheet${n + 1}.xml`, part])),
    ...more,
  }
  return Buffer.from(zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)]))))
}

const letters = (index: number): string =>
  index < 26 ? String.fromCharCode(65 + index) : letters(Math.floor(index / 26) - 1) + letters(index % 26)
