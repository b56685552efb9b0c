import { expect, test } from 'vitest'
import { reportFileOf } from '../../../test/report-file.ts'
import { sell } from '../../../test/sales-documents.ts'
import { registeredInSingapore, tradeInSingapore } from '../../../test/singapore-trade.ts'
import { downloadStatutory } from '../../../test/statutory/download.ts'
import { member, type Someone } from '../../../test/world.ts'

const home = (amy: Someone) => ({ organizationId: String(amy.organizationId) })
const listed = async (amy: Someone) =>
  (await amy.call('reports_statutory_files', home(amy))).files.map(({ file, period, report }) => [file, period, report])

test('each country lists its own files', async () => {
  expect(await listed(await member('VIEWER', { country: 'IL' }))).toEqual([
    ['il-uniform-file', 'any', null],
    ['il-pcn874', 'months', null],
    ['il-withholding-summary', 'any', null],
  ])
  expect(await listed(await member('VIEWER', { country: 'SG' }))).toEqual([
    ['sg-gst-f5', 'any', 'reports_gst_f5'],
    ['sg-iras-audit-file', 'any', 'reports_iras_audit_file'],
  ])
  expect(await listed(await member('VIEWER', { country: 'US' }))).toEqual([
    ['us-sales-tax', 'any', 'reports_sales_tax'],
    ['us-1099-nec', 'year', 'reports_1099_nec'],
  ])
})

test('the files of Singapore are those of their reports, with the same checklist', async () => {
  const amy = await registeredInSingapore()
  const days = await tradeInSingapore(amy)
  const f5 = await amy.call('reports_gst_f5', { ...home(amy), ...days })
  const checklist = await amy.call('reports_statutory_file', { ...home(amy), file: 'sg-gst-f5', ...days })
  expect(checklist.problems).toEqual(f5.problems)
  expect(checklist.totals.map(({ code, amount }) => [Number(code), amount])).toEqual(
    f5.boxes.map(({ box, declared }) => [box, declared]),
  )
  const csv = await downloadStatutory(amy, { file: 'sg-gst-f5', ...days })
  expect(csv.type).toContain('text/csv')
  const direct = await reportFileOf(amy, 'reports_gst_f5', { ...home(amy), ...days, format: 'csv' })
  expect(csv.bytes.toString()).toBe(direct.text)
  const audit = await amy.call('reports_iras_audit_file', { ...home(amy), ...days })
  const ofAudit = await amy.call('reports_statutory_file', { ...home(amy), file: 'sg-iras-audit-file', ...days })
  expect(ofAudit.problems).toEqual(audit.problems)
  expect(ofAudit.totals.find(({ code }) => code === 'SUPPLIES')?.amount).toBe(audit.supplies.total)
  const text = await downloadStatutory(amy, { file: 'sg-iras-audit-file', ...days })
  expect(text.bytes.toString()).toContain('CompInfoStart|')
})

test('the files of the United States are those of their reports; that of contractors is of a calendar year', async () => {
  const amy = await member('OWNER', { country: 'US' })
  await sell(amy, { status: 'SENT', issueDate: '2026-02-01' })
  const days = { from: '2026-01-01', to: '2026-12-31' }
  const report = await amy.call('reports_sales_tax', { ...home(amy), ...days })
  const checklist = await amy.call('reports_statutory_file', { ...home(amy), file: 'us-sales-tax', ...days })
  expect(checklist.problems).toEqual(report.problems)
  expect(checklist.totals.find(({ code }) => code === 'SALES')?.amount).toBe(report.totals.sales)
  const contractors = await amy.call('reports_statutory_file', { ...home(amy), file: 'us-1099-nec', ...days })
  expect(contractors.problems).toEqual((await amy.call('reports_1099_nec', { ...home(amy), year: 2026 })).problems)
  const quarter = { from: '2026-01-01', to: '2026-03-31' }
  await expect(
    amy.call('reports_statutory_file', { ...home(amy), file: 'us-1099-nec', ...quarter }),
  ).rejects.toMatchObject({ details: [{ path: 'to' }] })
})
