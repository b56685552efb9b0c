import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { addDays, addMonths, firstDay, monthOf, today } from '../core/values/day.ts'
import { storeBundledRates } from '../features/exchange-rates/bundled.ts'
import { readXml } from '../providers/reader/einvoice/read-xml.ts'
import { checkUbl, claimedBy } from '../test/einvoices/check/check-ubl.ts'
import { downloadStatutory } from '../test/statutory/download.ts'
import { readPcn874 } from '../test/statutory/pcn874.ts'
import { ofType, readUniformFile } from '../test/statutory/uniform-file.ts'
import { Someone, testConfig, theApp } from '../test/world.ts'
import { demoAccess } from './demo.ts'

/** What the demo can be downloaded as: the demo is recorded once for all of it, because that takes longest. */
const dataDir = mkdtempSync(join(tmpdir(), 'kontor-demo-'))
let authorization: string
beforeAll(async () => {
  await theApp().system.use((db) => storeBundledRates(db)) // as the program does at its start
  const access = await demoAccess(testConfig({ KONTOR_DATA: dataDir }), theApp(), () => {})
  authorization = `Bearer ${access?.apiKey}`
}, 600_000)
afterAll(() => rmSync(dataDir, { recursive: true }))

async function galil(): Promise<Someone> {
  const { organizationId, userId } = await theApp().system.use((db) =>
    db
      .selectFrom('organizations')
      .innerJoin('memberships', 'memberships.organizationId', 'organizations.id')
      .select(['organizations.id as organizationId', 'memberships.userId'])
      .where('country', '=', 'IL')
      .where('role', '=', 'OWNER')
      .executeTakeFirstOrThrow(),
  )
  return new Someone(userId, { authorization }, organizationId)
}

test('the statutory files of the Israeli company fit its journal and its tax report', async () => {
  const owner = await galil()
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
}, 600_000)

type Listed = { id: string; documentType: string; status: string; invoiceNumber: string; invoiceDate: string; currency: string; total: number; taxAmount: number; items: { amount: number }[] } // biome-ignore format: one line

test('every invoice and memo of the demo is an e-invoice that passes the checks and reads back with the same figures', async () => {
  const get = (url: string) => theApp().server.inject({ method: 'GET', url, headers: { authorization } })
  const seen: Record<string, number> = {}
  for (const { id: organizationId, country } of await listed('/api/organizations')) {
    const documents = (await listed(`/api/documents?organizationId=${organizationId}&limit=100&page=PAGE`)) as Listed[]
    for (const document of documents.filter(isInvoice)) {
      const answer = await get(`/api/documents/${document.id}/einvoice`)
      expect(answer.statusCode, `${document.invoiceNumber}: ${answer.payload.slice(0, 1_000)}`).toBe(200)
      const specification = claimedBy(answer.rawPayload)
      expect(await checkUbl(answer.rawPayload, specification), document.invoiceNumber).toEqual([])
      await expectSame(answer.rawPayload, document)
      const kind = `${country} ${specification} ${document.documentType}`
      seen[kind] = (seen[kind] ?? 0) + 1
    }
  }
  expect(Object.keys(seen)).toEqual(expect.arrayContaining(['SG pint INVOICE', 'SG pint CREDIT_MEMO', 'IL core INVOICE', 'US bis INVOICE'])) // biome-ignore format: one line

  /** All pages of a list that has pages. */
  async function listed(url: string) {
    const rows: { id: string; country?: string }[] = []
    for (let page = 1, last = 1; page <= last; page++) {
      const { pagination, ...answer } = JSON.parse((await get(url.replace('PAGE', String(page)))).payload)
      last = pagination?.totalPages ?? 1
      rows.push(...(Array.isArray(answer) ? answer : Object.values(answer).filter(Array.isArray).flat()))
    }
    return rows
  }
}, 600_000)

const isInvoice = ({ documentType, status }: Listed) =>
  status !== 'DRAFT' && documentType !== 'RECEIPT' && documentType !== 'PAYMENT_REQUEST'

async function expectSame(
  bytes: Buffer,
  { documentType, invoiceNumber, invoiceDate, currency, total, taxAmount, items }: Listed,
) {
  // biome-ignore format: one line
  const { fields } = await readXml(bytes)
  const sign = documentType === 'CREDIT_MEMO' ? -1 : 1
  expect(fields).toMatchObject({ documentNumber: { value: invoiceNumber }, date: { value: invoiceDate }, currency: { value: currency } }) // biome-ignore format: one line
  expect(Number(fields.total?.value)).toBe(sign * total)
  expect(Number(fields.taxAmount?.value) + 0).toBe(sign * taxAmount + 0)
  const amounts = (fields.items?.value ?? []).slice(0, items.length).map(({ amount }) => Number(amount))
  expect(amounts).toEqual(items.map(({ amount }) => sign * amount))
}
