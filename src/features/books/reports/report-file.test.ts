import { buffer, text } from 'node:stream/consumers'
import { strFromU8, unzipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import type { FileAnswer } from '../../../core/files/file.ts'
import { fileRowsMax, type ReportTable, reportFile } from './report-file.ts'

const table: ReportTable = {
  name: 'income-2026',
  columns: [
    { key: 'customer', title: 'Customer', titleHe: 'לקוח', type: 'text' },
    { key: 'total', title: 'Total', titleHe: 'סך הכול', type: 'money' },
  ],
  rows: [
    ['=cmd()', 10.5],
    ['קפה "גן"', -2],
  ],
}
const file = (format: 'csv' | 'xlsx', language: 'en' | 'he' = 'en', given = table): FileAnswer =>
  reportFile(given, { format, language, organizationId: 'o' })

describe('a report as a file', () => {
  test('of CSV begins with the keys of its columns, and formulas are text', async () => {
    const answer = file('csv', 'he')
    expect(answer).toMatchObject({ fileName: 'income-2026.csv', fileType: 'text/csv' })
    const content = Buffer.from(await buffer(await answer.open())).toString()
    expect(content).toBe('\ufeff"customer","total"\r\n"\'=cmd()",10.5\r\n"קפה ""גן""",-2\r\n')
  })

  test('of XLSX has titles in the language, from right to left in Hebrew', async () => {
    const answer = file('xlsx', 'he')
    expect(answer.fileName).toBe('income-2026.xlsx')
    const parts = unzipSync(await buffer(await answer.open()))
    const part = (name: string) => strFromU8(parts[name] ?? new Uint8Array())
    expect(part('xl/sharedStrings.xml')).toContain('סך הכול')
    expect(part('xl/worksheets/sheet1.xml')).toContain('rightToLeft="1"')
    const english = unzipSync(await buffer(await file('xlsx').open()))
    expect(strFromU8(english['xl/sharedStrings.xml'] ?? new Uint8Array())).toContain('Customer')
  })

  test.each(['csv', 'xlsx'] as const)('of %s has at most 100,000 rows', async (format) => {
    const rows = Array.from({ length: fileRowsMax }, (_, index) => [`c${index}`, index])
    expect(file(format, 'en', { ...table, rows }).fileName).toBe(`income-2026.${format}`)
    const more = { ...table, rows: [...rows, ['one more', 1]] }
    expect(() => file(format, 'en', more)).toThrow('at most 100000 rows')
  })

  test('of CSV with many rows is complete', async () => {
    const rows = Array.from({ length: 1_234 }, (_, index) => [`c${index}`, index])
    const content = await text(await file('csv', 'en', { ...table, rows }).open())
    expect(content.trimEnd().split('\r\n')).toHaveLength(1_235)
  })
})
