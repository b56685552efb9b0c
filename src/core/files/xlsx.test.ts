import { buffer } from 'node:stream/consumers'
import { strFromU8, unzipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import type { SheetValue } from './sheet.ts'
import { xlsxFile } from './xlsx.ts'

const columns = [
  { title: 'Name', type: 'text' },
  { title: 'Day', type: 'date' },
  { title: 'Amount', type: 'money' },
] as const

const write = async (rows: readonly (readonly SheetValue[])[], { rightToLeft = false, name = 'Report' } = {}) => {
  const file = xlsxFile({ fileName: 'a.xlsx', organizationId: 'o', sheet: { name, columns, rightToLeft }, rows })
  return buffer(await file.open())
}

const partsOf = (bytes: Uint8Array) =>
  Object.fromEntries(Object.entries(unzipSync(bytes)).map(([name, content]) => [name, strFromU8(content)]))

describe('a spreadsheet', () => {
  test('has a bold header, numbers as numbers, days as days and text as text', async () => {
    const parts = partsOf(
      await write([
        ['Globex', '2026-01-31', 12.5],
        [null, null, null],
        ['', '2026-02-30', -3],
      ]),
    )
    const sheet = parts['xl/worksheets/sheet1.xml'] ?? ''
    const strings = [...(parts['xl/sharedStrings.xml'] ?? '').matchAll(/<t[^>]*>([^<]*)</g)].map(([, each]) => each)
    expect(strings).toEqual(['Name', 'Day', 'Amount', 'Globex', '2026-02-30'])
    expect(sheet).toMatch(/<c r="A2"[^>]*t="s"[^>]*><v>3<\/v>/)
    expect(sheet).toMatch(/<c r="B2" s="\d+"[^>]*><v>46053<\/v>/) // 46053 days after 1899-12-30
    expect(sheet).toMatch(/<c r="C2" s="\d+"[^>]*><v>12.5<\/v>/)
    expect(sheet).toMatch(/<c r="C4" s="\d+"[^>]*><v>-3<\/v>/)
    expect(sheet).not.toContain('<f>')
    expect(parts['xl/styles.xml']).toMatch(/<b\/>/)
    expect(parts['xl/styles.xml']).toContain('yyyy-mm-dd')
  })

  test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '＝1', '=HYPERLINK("http://evil")'])(
    'THR: %j is text and never a formula',
    async (value) => {
      const parts = partsOf(await write([[value, value, value]]))
      const sheet = parts['xl/worksheets/sheet1.xml'] ?? ''
      expect(sheet).not.toContain('<f')
      for (const cell of ['A2', 'B2', 'C2']) expect(sheet).toMatch(new RegExp(`<c r="${cell}"[^>]*t="s"`))
    },
  )

  test('is read from right to left in Hebrew', async () => {
    const sheetOf = async (rightToLeft: boolean) =>
      partsOf(await write([['שלום', null, 1]], { rightToLeft }))['xl/worksheets/sheet1.xml'] ?? ''
    expect(await sheetOf(true)).toContain('rightToLeft="1"')
    expect(await sheetOf(false)).not.toContain('rightToLeft="1"')
  })

  test('has the same bytes for the same input, at any time', async () => {
    const one = await write([['Globex', '2026-01-31', 12.5]])
    await new Promise((done) => setTimeout(done, 2_100)) // a ZIP file counts time in steps of two seconds
    expect((await write([['Globex', '2026-01-31', 12.5]])).equals(one)).toBe(true)
  })

  test('cuts what a cell or the name of a sheet cannot hold', async () => {
    const parts = partsOf(await write([['x'.repeat(40_000), null, 1]], { name: `[a]/b:*?${'c'.repeat(40)}` }))
    expect(parts['xl/sharedStrings.xml']).toContain('x'.repeat(32_767))
    expect(parts['xl/sharedStrings.xml']).not.toContain('x'.repeat(32_768))
    expect(parts['xl/workbook.xml']).toMatch(/name="a b c+"/)
  })

  test('of 100,000 rows is written in a thread, and the event loop stays free', async () => {
    const rows = Array.from({ length: 100_000 }, (_, index) => [`Customer ${index}`, '2026-01-31', index / 100])
    let longest = 0
    const began = performance.now()
    let last = began
    const timer = setInterval(() => {
      longest = Math.max(longest, performance.now() - last)
      last = performance.now()
    }, 1)
    const bytes = await write(rows)
    clearInterval(timer)
    const took = performance.now() - began // longer on a busy machine, on which a pause is longer too
    expect(partsOf(bytes)['xl/worksheets/sheet1.xml']).toContain('<c r="A100001"')
    expect(longest).toBeLessThan(Math.max(150, took / 10))
  })
})
