import { expect, vi } from 'vitest'
import { addDays, addMonths, firstDay, monthOf, today } from '../../core/values/day.ts'
import { downloadStatutory } from '../statutory/download.ts'
import { readPcn874 } from '../statutory/pcn874.ts'
import { ofType, readUniformFile } from '../statutory/uniform-file.ts'
import type { Someone } from '../world.ts'

/** The statutory files of the Israeli company fit its journal and its tax report. */
export async function expectStatutoryFiles(owner: Someone) {
  const organizationId = String(owner.organizationId)
  const now = today(new Date(), 'Asia/Jerusalem')
  const years = { from: addMonths(now, -25), to: now }
  // While the journal is added up for the first time, callers are told to try again.
  const download = () => downloadStatutory(owner, { file: 'il-uniform-file', ...years })
  const { bytes, fileName } = await vi.waitFor(download, { timeout: 60_000, interval: 2_000 })
  expect(fileName).toMatch(/^uniform-file-.*\.zip$/)
  const contents = readUniformFile(bytes)
  for (const code of ['B100', 'B110', 'C100', 'D110', 'D120', 'M100'])
    expect(ofType(contents, code).length, code).toBeGreaterThan(0)
  const { totals } = await owner.call('reports_journal', { organizationId, ...years })
  const side = (code: string) =>
    ofType(contents, 'B100')
      .filter((line) => line[1366] === code)
      .reduce((sum, line) => sum + Number(line[1368]), 0) / 100
  expect([side('1'), side('2')]).toEqual([totals.debit, totals.credit])
  const tax = await owner.call('reports_tax_compliance', { organizationId, ...years })
  const vat = (types: string[]) =>
    ofType(contents, 'C100')
      .filter((header) => types.includes(String(header[1203])))
      .reduce((sum, header) => sum + Number(header[1222]), 0) / 100
  expect(vat(['305', '320']) - vat(['330'])).toBeCloseTo(tax.totals.output.tax, 6)
  const { accounts } = await owner.call('reports_trial_balance', { organizationId, ...years })
  for (const account of accounts) {
    const own = ofType(contents, 'B110').find((record) => record[1403] === account.code)
    const closing = [1414, 1415].reduce((sum, field) => sum + Number(own?.[field]), 0) - Number(own?.[1416])
    expect([account.code, closing / 100]).toEqual([account.code, account.closing])
  }
  const month = monthOf(addMonths(now, -2))
  const period = { from: firstDay(month), to: addDays(addMonths(firstDay(month), 1), -1) }
  const report = readPcn874((await downloadStatutory(owner, { file: 'il-pcn874', ...period })).bytes)
  const exact = await owner.call('reports_tax_compliance', { organizationId, ...period })
  const records = report.records.length
  expect(Math.abs(report.vat - exact.totals.output.tax)).toBeLessThanOrEqual(records / 2 + 1)
  expect(Math.abs(report.inputVat - exact.totals.input.tax)).toBeLessThanOrEqual(records / 2 + 1)
  const checklist = await owner.call('reports_statutory_file', { organizationId, file: 'il-uniform-file', ...years })
  expect(checklist.totals.find(({ code }) => code === 'C100')?.count).toBe(ofType(contents, 'C100').length)
  expect([...new Set(checklist.problems.map(({ code }) => code))].toSorted()).toEqual(['SOFTWARE_NOT_REGISTERED'])
}
