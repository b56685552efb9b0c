import { expect, test } from 'vitest'
import { spendApproved } from '../../../../test/expenses.ts'
import { reportFileOf } from '../../../../test/report-file.ts'
import { sell } from '../../../../test/sales-documents.ts'
import { line, untaxed } from '../../../../test/singapore-trade.ts'
import { member, type Someone, theApp } from '../../../../test/world.ts'

const home = (amy: Someone) => ({ organizationId: String(amy.organizationId) })
const report = (amy: Someone, more = {}) =>
  amy.call('reports_sales_tax', { ...home(amy), from: '2026-01-01', to: '2026-12-31', ...more })
type Report = Awaited<ReturnType<typeof report>>

const shipTo = (state: string) => ({ countrySpecificData: { shipTo: { state } } })
const rows = (found: Report) =>
  found.rows.map(({ state, rate, taxable, exempt, tax }) => [state, rate, taxable, exempt, tax])
const codes = ({ problems }: Report) => problems.map(({ code }) => code)

async function american() {
  const amy = await member('OWNER', { country: 'US' })
  const { id: customerId } = await amy.call('customers_create', { ...home(amy), name: 'Globex', country: 'US' })
  return { amy, given: { customerId, status: 'SENT', currency: 'USD', issueDate: '2026-01-15' } }
}

const newYork = { items: [line(1_250)], subtotal: 1_250, taxRate: 8.875, taxAmount: 110.94, total: 1_360.94 }

test('sales of every type by state and rate, credits deducted, in dollars', async () => {
  const { amy, given } = await american()
  await sell(amy, { ...given, issueDate: '2025-12-31', ...newYork, ...shipTo('NY') })
  await sell(amy, { ...given, ...newYork, ...shipTo('ny') })
  const items = [line(1_250, { taxRate: 8.875 }), { ...line(400, { taxRate: 0, taxCategory: 'NON_TAXABLE' }), id: '2' }]
  const mixed = { items, subtotal: 1_650, taxRate: null, taxAmount: 110.94, total: 1_760.94 }
  const second = await sell(amy, { ...given, ...mixed, ...shipTo('NY') })
  await sell(amy, {
    ...given,
    ...shipTo('TX'),
    documentType: 'INVOICE_RECEIPT',
    status: 'PAID',
    paymentMethod: 'CHECK',
  })
  await sell(amy, { ...given, ...shipTo('TX'), documentType: 'PAYMENT_REQUEST' })
  await sell(amy, { ...given, ...shipTo('TX'), status: 'DRAFT' })
  await sell(amy, { ...given, ...shipTo('TX'), currency: 'EUR', exchangeRate: 1.1 })
  await sell(amy, { ...given, ...untaxed(500), ...shipTo('OR') })
  await spendApproved(amy, { amount: 109, taxAmount: 9, taxRate: 9, currency: 'USD', date: '2026-02-01' })
  const before = await report(amy)
  expect(rows(before)).toEqual([
    ['NY', 8.875, 2_500, 0, 221.88],
    ['NY', 0, 0, 400, 0],
    ['OR', 0, 0, 500, 0],
    ['TX', 9, 210, 0, 18.9],
  ])
  expect(before.states.find(({ state }) => state === 'NY')).toMatchObject({
    sales: 2_900,
    taxable: 2_500,
    tax: 221.88,
    count: 2,
  })
  expect(before.rows[1]?.documentIds).toEqual([second.id])
  const memo = { id: second.id, items: [line(250, { taxRate: 8.875 })], reason: 'Returned' }
  const { issueDate } = await amy.call('invoices_memos', { ...memo, kind: 'CREDIT' })
  const after = await report(amy, { to: issueDate })
  expect(rows(after)[0]).toEqual(['NY', 8.875, 2_250, 0, 199.69])
  expect(after.rows[0]?.creditedTax).toBe(22.19)
  const { totals } = await amy.call('reports_tax_compliance', {
    ...home(amy),
    from: '2026-01-01',
    to: String(issueDate),
  })
  expect([after.totals.sales, after.totals.tax]).toEqual([totals.output.base, totals.output.tax])
  expect(codes(after)).not.toContain('STATE_MISSING')
})

test('the state is that of the shipping address, or of the address of the customer', async () => {
  const { amy, given } = await american()
  const { id: customerId } = await amy.call('customers_create', {
    ...{ ...home(amy), name: 'Initech', country: 'US', address: '4120 Freidrich Ln, Austin, TX 78744-1234' },
  })
  await sell(amy, { ...given, customerId })
  expect(rows(await report(amy))).toEqual([['TX', 9, 100, 0, 9]])
  await sell(amy, { ...given, customerId, countrySpecificData: { shipTo: '1 Pike St\nSeattle, WA 98101' } })
  expect(rows(await report(amy))).toEqual([
    ['TX', 9, 100, 0, 9],
    ['WA', 9, 100, 0, 9],
  ])
})

test('the checklist names sales without a state, tax where there is none, and states in which tax may be due', async () => {
  const { amy, given } = await american()
  await sell(amy, { ...given, ...shipTo('NY') })
  expect(codes(await report(amy))).toEqual([])
  const unplaced = await sell(amy, given)
  const wrong = await sell(amy, { ...given, ...shipTo('OR') })
  const { id: abroad } = await amy.call('customers_create', { ...home(amy), name: 'Ünder', country: 'DE' })
  await sell(amy, { ...given, customerId: abroad, ...untaxed(10) })
  await sell(amy, { ...given, ...untaxed(100_000), ...shipTo('GA') })
  await sell(amy, { ...given, ...untaxed(400_000), ...shipTo('TX') })
  const { problems } = await report(amy)
  expect(problems.map(({ severity, code, documentId }) => [severity, code, documentId])).toEqual([
    ['REJECTED', 'STATE_MISSING', unplaced.id],
    ['CHECK', 'TAX_RATE', wrong.id],
  ])
  await sell(amy, { ...given, ...untaxed(0.01), ...shipTo('GA') })
  const nexus = (await report(amy)).problems.filter(({ code }) => code === 'NEXUS')
  expect(nexus.map(({ message }) => message)).toEqual([expect.stringContaining('to GA exceed 100,000 dollars')])
  const sue = await member('OWNER', { country: 'SG' })
  expect(codes(await report(sue))).toEqual(['COUNTRY'])
})

test('tax that was charged on one sale hides no nexus in a state without a rate in the table', async () => {
  const { amy, given } = await american()
  await amy.call('settings_update', {
    id: String(amy.organizationId),
    salesTaxRates: [{ state: 'WI', rate: 5.5, since: '2020-01-01' }],
  })
  await sell(amy, { ...given, ...untaxed(600_000), ...shipTo('CA') })
  await sell(amy, { ...given, ...shipTo('CA') })
  const { problems } = await report(amy)
  expect(problems.map(({ code }) => code)).toEqual(['STATE_NOT_IN_TABLE', 'NEXUS'])
  expect(problems[1]?.message).toContain('the table of rates has no rate of it')
})

test("documents are compared with the organization's own table of rates by day, and its states give no warning of nexus", async () => {
  const { amy, given } = await american()
  const texas = [
    { state: 'TX', rate: 9, since: '2026-01-10' },
    { state: 'TX', rate: 8, since: '2020-01-01' },
  ]
  const id = String(amy.organizationId)
  await sell(amy, { ...given, issueDate: '2026-01-05', ...shipTo('TX') })
  await sell(amy, { ...given, ...untaxed(200_000), ...shipTo('GA') })
  expect(codes(await report(amy))).toEqual(['NEXUS'])
  const { salesTaxRates } = await amy.call('settings_update', { id, salesTaxRates: texas })
  expect(salesTaxRates.map(({ rate }) => rate)).toEqual([8, 9])
  await sell(amy, { ...given, ...shipTo('TX') })
  expect(codes(await report(amy))).toEqual(['RATE_DIFFERS', 'NEXUS'])
  const missing = await sell(amy, { ...given, ...untaxed(10), ...shipTo('TX') })
  await sell(amy, { ...given, ...untaxed(10, 'RESALE'), ...shipTo('TX') })
  const elsewhere = await sell(amy, { ...given, ...shipTo('NY') })
  await amy.call('settings_update', { id, salesTaxRates: [...texas, { state: 'GA', rate: 0, since: '2026-01-01' }] })
  const { problems } = await report(amy)
  expect(problems.map(({ code, documentId }) => [code, documentId])).toEqual([
    ['RATE_DIFFERS', expect.any(String)],
    ['TAX_NOT_CHARGED', missing.id],
    ['STATE_NOT_IN_TABLE', elsewhere.id],
  ])
})

test('a table of rates with an unknown state, no day or two rates of a day is refused; the database refuses it too', async () => {
  const { amy } = await american()
  const id = String(amy.organizationId)
  const row = { state: 'TX', rate: 8.25, since: '2026-01-01' }
  const put = (...salesTaxRates: (typeof row)[]) => amy.call('settings_update', { id, salesTaxRates })
  expect((await put(row)).salesTaxRates).toEqual([row])
  for (const wrong of [
    [{ ...row, state: 'XX' }],
    [{ ...row, since: 'soon' }],
    [{ ...row, rate: 101 }],
    [row, { ...row, rate: 9 }],
  ])
    await expect(put(...wrong)).rejects.toMatchObject({ status: 400 })
  expect((await amy.call('settings_get', { id })).salesTaxRates).toEqual([row])
  const store = (rates: unknown) =>
    theApp().system.raw.query('update organization_settings set sales_tax_rates = $2 where organization_id = $1', [
      id,
      JSON.stringify(rates),
    ])
  await store([row, { ...row, state: 'NY' }])
  for (const wrong of [
    {},
    [1],
    [{ ...row, rate: '8' }],
    [{ ...row, rate: 101 }],
    [{ ...row, state: 'tx' }],
    [row, row],
    [{ state: 'TX', rate: 1 }],
  ])
    await expect(store(wrong)).rejects.toThrow('sales_tax_rates_are_valid')
})

test('comes as a file', async () => {
  const { amy, given } = await american()
  await sell(amy, { ...given, ...newYork, ...shipTo('NY') })
  const input = { ...home(amy), quarter: '2026-Q1', format: 'csv' }
  const { text, fileName } = await reportFileOf(amy, 'reports_sales_tax', input)
  expect(fileName).toBe('sales-tax-2026-01-01-2026-03-31.csv')
  expect(text).toContain('"NY",8.875,"USD",1250,1250,0,110.94,0,1\r\n')
})
