import { expect, test } from 'vitest'
import { spendApproved } from '../../../../test/expenses.ts'
import { reportFileOf } from '../../../../test/report-file.ts'
import { sell } from '../../../../test/sales-documents.ts'
import { registeredInSingapore, tradeInSingapore, untaxed } from '../../../../test/singapore-trade.ts'
import { member, type Someone, theApp } from '../../../../test/world.ts'

const organizationId = (amy: Someone) => String(amy.organizationId)
const f5 = (amy: Someone, more = {}) =>
  amy.call('reports_gst_f5', { organizationId: organizationId(amy), quarter: '2026-Q1', ...more })

type Report = Awaited<ReturnType<typeof f5>>
const amounts = ({ boxes }: Report) => Object.fromEntries(boxes.map(({ box, amount }) => [box, amount]))
const codes = ({ problems }: Report) => problems.map(({ code }) => code)
const sum = (numbers: readonly number[]) => Math.round(numbers.reduce((all, each) => all + each * 100, 0)) / 100

test('the boxes have what the documents of the quarter add up to, credits deducted, in Singapore dollars', async () => {
  const amy = await registeredInSingapore()
  const days = await tradeInSingapore(amy)
  const found = await f5(amy, { ...days, quarter: undefined })
  // 100.40 + 100 (receipt) + 135 (dollars at 1.35) + 100 - 50 (credit note) + 10 (debit note)
  expect(amounts(found)).toEqual({
    ...{ 1: 395.4, 2: 70, 3: 40, 4: 505.4, 5: 220, 6: 35.59, 7: 17.1, 8: 18.49 },
    ...{ 9: 0, 10: 0, 11: 0, 12: 0, 13: 525.4, 14: 0, 15: 0, 16: 0, 17: 0, 18: 18.49, 19: 0, 20: 18.49, 21: 0 },
  })
  expect(found.boxes.filter(({ box }) => [1, 4, 6].includes(box)).map(({ declared }) => declared)).toEqual([
    395, 505, 35.59,
  ])
  expect(found.notInAnyBox).toEqual({ supplies: 20, purchases: 134 })
  expect(found).toMatchObject({ ...days, currency: 'SGD', gstNumber: 'M90364879X', problemsIncomplete: false })
})

test('the boxes agree with the tax report and with the accounts for tax', async () => {
  const amy = await registeredInSingapore()
  const days = await tradeInSingapore(amy)
  const found = await f5(amy, { ...days, quarter: undefined })
  const boxes = amounts(found)
  const period = { organizationId: organizationId(amy), ...days }
  const { totals } = await amy.call('reports_tax_compliance', period)
  expect(sum([boxes[4] ?? 0, found.notInAnyBox.supplies])).toBe(totals.output.base)
  expect(sum([boxes[5] ?? 0, found.notInAnyBox.purchases])).toBe(totals.input.base)
  expect([boxes[6], boxes[7], boxes[8]]).toEqual([totals.output.tax, totals.input.tax, totals.payable])
  const { entries } = await amy.call('reports_journal', { ...period, limit: 1_000 })
  const { accounts } = await amy.call('reports_accounts', { organizationId: organizationId(amy) })
  const booked = (purpose: string) => {
    const code = accounts.find((account) => account.purpose === purpose)?.code
    return sum(entries.filter(({ accountCode }) => accountCode === code).map(({ debit, credit }) => debit - credit))
  }
  expect(boxes[6]).toBe(-booked('OUTPUT_TAX'))
  expect(boxes[7]).toBe(booked('INPUT_TAX'))
})

test('a category under another name is in the box that the e-invoice reports it for', async () => {
  const amy = await registeredInSingapore()
  await amy.call('organizations_update', { id: organizationId(amy), address: '1 Raffles Place, Singapore 048616' })
  const { id: customerId } = await amy.call('customers_create', {
    ...{ organizationId: organizationId(amy), name: 'Globex', country: 'SG', kind: 'ORGANIZATION' },
    ...{ address: '2 Raffles Place, Singapore 048617', registrationNumber: '202400023C' },
  })
  const reported = async (category: string) => {
    const given = { customerId, status: 'SENT', issueDate: '2026-01-15', ...untaxed(70, category) }
    const { id } = await sell(amy, given)
    const url = `/api/documents/${id}/einvoice?format=pint`
    const { payload } = await theApp().server.inject({ method: 'GET', url, headers: { ...amy.credentials } })
    return /<cac:TaxCategory>\s*<cbc:ID>([^<]*)/.exec(payload)?.[1] ?? payload
  }
  expect([await reported('zero rated'), await reported('exempt')]).toEqual(['ZR', 'ES33'])
  expect(await reported('FOO')).toContain('FOO is no GST category')
  const found = await f5(amy)
  expect([amounts(found)[2], amounts(found)[3], found.notInAnyBox.supplies]).toEqual([70, 70, 70])
  expect(codes(found)).toEqual(['TAX_CATEGORY_UNKNOWN', 'BOXES_BY_HAND'])
})

test('the checklist names what would be rejected, and nothing of a document that is complete', async () => {
  const amy = await registeredInSingapore()
  const { id: customerId } = await amy.call('customers_create', {
    ...{ organizationId: organizationId(amy), name: 'Globex', country: 'SG', kind: 'ORGANIZATION' },
    ...{ address: '2 Raffles Place', registrationNumber: '202400023C' },
  })
  const given = { customerId, status: 'SENT', issueDate: '2026-01-15' }
  await sell(amy, given)
  expect(codes(await f5(amy))).toEqual(['BOXES_BY_HAND'])
  const unnamed = await sell(amy, { ...given, ...untaxed(70) })
  const unknown = await sell(amy, { ...given, ...untaxed(70, 'XX') })
  const rateless = await sell(amy, { ...given, currency: 'JPY', ...untaxed(1000, 'ZR') })
  const bill = await spendApproved(amy, { amount: 109, taxAmount: 9, taxRate: 9, vendor: 'Acme', date: '2026-02-01' })
  const { problems, notInAnyBox } = await f5(amy)
  expect(notInAnyBox.supplies).toBe(140)
  const ofDocument = (id: string) =>
    problems.filter(({ documentId }) => documentId === id).map(({ code, severity }) => [severity, code])
  expect(ofDocument(unnamed.id)).toEqual([['REJECTED', 'TAX_CATEGORY_MISSING']])
  expect(ofDocument(unknown.id)).toEqual([['REJECTED', 'TAX_CATEGORY_UNKNOWN']])
  expect(ofDocument(rateless.id)).toContainEqual(['REJECTED', 'EXCHANGE_RATE_MISSING'])
  expect(ofDocument(bill.id)).toEqual([
    ['REJECTED', 'SUPPLIER_TAX_NUMBER_MISSING'],
    ['REJECTED', 'DOCUMENT_NUMBER_MISSING'],
  ])
  expect(codes(await f5(amy, { quarter: undefined, from: '2026-01-01', to: '2026-01-31' }))).toContain('PERIOD')
})

test('an organization that is not registered, or not in Singapore, is told so', async () => {
  const amy = await member('OWNER', { country: 'SG' })
  expect(codes(await f5(amy))).toEqual(['GST_NUMBER_MISSING', 'UEN_MISSING', 'BOXES_BY_HAND'])
  const eve = await member('OWNER', { country: 'US' })
  expect(codes(await f5(eve))).toContain('COUNTRY')
})

test('comes as a file; without a period it is the last quarter that has ended', async () => {
  const amy = await registeredInSingapore()
  await sell(amy, { status: 'SENT', issueDate: '2026-01-15' })
  const input = { organizationId: organizationId(amy), quarter: '2026-Q1', format: 'csv' }
  const { text, fileName } = await reportFileOf(amy, 'reports_gst_f5', input)
  expect(fileName).toBe('gst-f5-2026-01-01-2026-03-31.csv')
  expect(text).toContain('6,"Output tax due",9,9,1\r\n')
  const { from, to } = await f5(amy, { quarter: undefined })
  const quarters = [
    /^\d{4}-01-01 \d{4}-03-31$/,
    /^\d{4}-04-01 \d{4}-06-30$/,
    /^\d{4}-07-01 \d{4}-09-30$/,
    /^\d{4}-10-01 \d{4}-12-31$/,
  ]
  expect(quarters.some((quarter) => quarter.test(`${from} ${to}`))).toBe(true)
  expect(Date.parse(to)).toBeGreaterThan(Date.now() - 94 * 86_400_000)
  expect(Date.parse(to)).toBeLessThan(Date.now() + 86_400_000)
  await expect(f5(amy, { quarter: undefined, from: '2026-01-01' })).rejects.toMatchObject({ status: 400 })
  await expect(f5(amy, { quarter: undefined, from: '2026-02-01', to: '2026-01-31' })).rejects.toMatchObject({
    status: 400,
  })
})
