import { beforeAll, describe, expect, test } from 'vitest'
import { endOfThisYear } from '../../../../test/days.ts'
import { friday, storeTestRates } from '../../../../test/exchange-rates.ts'
import { spend, spendApproved } from '../../../../test/expenses.ts'
import { reportFileOf } from '../../../../test/report-file.ts'
import { sell } from '../../../../test/sales-documents.ts'
import { member, type Someone } from '../../../../test/world.ts'
import type { TaxReport } from './tax.ts'

beforeAll(storeTestRates)

const all = (amy: Someone) => ({ organizationId: String(amy.organizationId), from: '2020-01-01', to: endOfThisYear() })
const report = (amy: Someone, more = {}) => amy.call('reports_tax_compliance', { ...all(amy), ...more })

/** `period side rate category base tax` of each row. */
const rows = ({ rows: found }: TaxReport) =>
  found.map(({ period, side, rate, category, base, tax }) => [period, side, rate, category, base, tax])

/** The balance of the journal on the account with a purpose. */
async function booked(amy: Someone, purpose: string) {
  const { accounts } = await amy.call('reports_accounts', { organizationId: String(amy.organizationId) })
  const account = String(accounts.find((each) => each.purpose === purpose)?.code)
  const { totals } = await amy.call('reports_journal', { ...all(amy), account })
  return Math.round((totals.debit - totals.credit) * 100) / 100
}

async function expectReconciled(amy: Someone, { totals: { output, input } }: TaxReport) {
  expect(output.tax).toBe(0 - (await booked(amy, 'OUTPUT_TAX')))
  expect(input.tax).toBe(await booked(amy, 'INPUT_TAX'))
}

const registered = async (country: 'IL' | 'SG', taxNumber: string) => {
  const amy = await member('OWNER', { country })
  await amy.call('organizations_update', { id: String(amy.organizationId), taxNumber })
  return amy
}

describe('Singapore', () => {
  test('output and input tax by rate, category and quarter; credits are deducted and drafts left out', async () => {
    const amy = await registered('SG', 'M90000000X')
    const items = [
      { id: '1', description: 'Here', quantity: 1, unitPrice: 30, amount: 30, taxRate: 9 },
      { id: '2', description: 'Abroad', quantity: 1, unitPrice: 70, amount: 70, taxRate: 0, taxCategory: 'ZR' },
    ]
    const mixed = { items, subtotal: 100, taxAmount: 2.7, total: 102.7 }
    const first = await sell(amy, { status: 'SENT', issueDate: '2026-01-15', ...mixed })
    await sell(amy, { status: 'SENT', issueDate: '2026-04-01', customerId: first.customerId })
    await sell(amy, { status: 'DRAFT', issueDate: '2026-04-01', customerId: first.customerId })
    const credited = await sell(amy, { status: 'SENT', issueDate: '2026-04-02', customerId: first.customerId })
    await spendApproved(amy, { amount: 54.5, taxAmount: 4.5, taxRate: 9, vendor: 'Acme', date: '2026-02-01' })
    await spend(amy, { amount: 109, taxAmount: 9, taxRate: 9, vendor: 'Acme', date: '2026-02-01' })
    expect(rows(await report(amy))).toEqual([
      ['2026-01', 'OUTPUT', 9, null, 30, 2.7],
      ['2026-01', 'OUTPUT', 0, 'ZR', 70, 0],
      ['2026-01', 'INPUT', 9, null, 50, 4.5],
      ['2026-04', 'OUTPUT', 9, null, 200, 18],
    ])
    await amy.call('invoices_memos', { id: credited.id, kind: 'CREDIT', reason: 'Returned' })
    const found = await report(amy)
    expect(found).toMatchObject({ country: 'SG', currency: 'SGD', periodMonths: 3 })
    expect(found.rows[2]).toMatchObject({ from: '2026-01-01', to: '2026-03-31' })
    expect(found.totals).toEqual({
      output: { base: 200, tax: 11.7, creditedBase: 100, creditedTax: 9 },
      input: { base: 50, tax: 4.5, creditedBase: 0, creditedTax: 0 },
      payable: 7.2,
    })
    await expectReconciled(amy, found)
    expect(rows(await report(amy, { period: 'month', to: '2026-03-31' })).map(([period]) => period)).toEqual([
      '2026-01',
      '2026-01',
      '2026-02',
    ])
    const expense = found.problems.find(({ documentType }) => documentType === 'EXPENSE')
    expect(expense?.problems.map(({ code }) => code)).toEqual([
      'SUPPLIER_TAX_NUMBER_MISSING',
      'DOCUMENT_NUMBER_MISSING',
    ])
  })
})

test('a bill with an amount of tax and no rate has the rate of the country that gives the amount, if one does', async () => {
  const amy = await registered('SG', 'M90000000X')
  const bill = { vendor: 'Acme', date: '2026-02-01' }
  const first = await spendApproved(amy, { ...bill, amount: 33.33, taxAmount: 2.75 }) // 30.58 at 9 %
  await spendApproved(amy, { ...bill, amount: 105, taxAmount: 5 })
  await amy.call('expenses_credits', { id: first.id, amount: 33.33, date: '2026-02-02' })
  await spendApproved(amy, { ...bill, amount: 109, taxAmount: 9, date: '2026-02-03' })
  const found = await report(amy)
  expect(rows(found)).toEqual([
    ['2026-01', 'INPUT', 9, null, 100, 9],
    ['2026-01', 'INPUT', null, null, 100, 5],
  ])
  await expectReconciled(amy, found)
})

describe('Israel', () => {
  test('two months, shekels, and the allocation number that is missing above the threshold', async () => {
    const amy = await registered('IL', '516179157')
    const { id: customerId } = await amy.call('customers_create', {
      organizationId: String(amy.organizationId),
      name: 'גלובקס',
      country: 'IL',
      kind: 'ORGANIZATION',
    })
    const items = [{ id: '1', description: 'ייעוץ', quantity: 1, unitPrice: 30_000, amount: 30_000 }]
    const large = { items, subtotal: 30_000, taxRate: 18, taxAmount: 5_400, total: 35_400 }
    const invoice = await sell(amy, { customerId, status: 'SENT', currency: 'ILS', issueDate: '2026-01-15', ...large })
    const bill = { amount: 35_400, taxAmount: 5_400, taxRate: 18, currency: 'ILS', date: '2026-02-28', vendor: 'ספק' }
    const expense = await spendApproved(amy, { ...bill, vendorTaxNumber: '516179157', documentNumber: '7' })
    const found = await report(amy)
    expect(rows(found)).toEqual([
      ['2026-01', 'OUTPUT', 18, null, 30_000, 5_400],
      ['2026-01', 'INPUT', 18, null, 30_000, 5_400],
    ])
    expect(found.rows[0]).toMatchObject({ to: '2026-02-28', categoryName: 'חייב במע"מ', documentIds: [invoice.id] })
    const codes = (id: string) =>
      found.problems.find(({ documentId }) => documentId === id)?.problems.map(({ code }) => code)
    expect(codes(invoice.id)).toEqual(expect.arrayContaining(['CUSTOMER_NUMBER_MISSING', 'ALLOCATION_NUMBER_MISSING']))
    expect(codes(expense.id)).toEqual(['ALLOCATION_NUMBER_MISSING'])
    await expectReconciled(amy, found)
    await amy.call('invoices_manual_allocation', { id: invoice.id, allocationNumber: '123456789' })
    const later = (await report(amy)).problems.find(({ documentId }) => documentId === invoice.id)
    expect(later?.problems.map(({ code }) => code)).not.toContain('ALLOCATION_NUMBER_MISSING')
  })

  test('a document in a foreign currency counts in shekels at its rate', async () => {
    const amy = await registered('IL', '516179157')
    await sell(amy, { status: 'SENT', currency: 'USD', issueDate: friday })
    const found = await report(amy)
    expect(rows(found)).toEqual([['2023-11', 'OUTPUT', 9, null, 370.99, 33.39]])
    await expectReconciled(amy, found)
  })

  test('an organization that counts in dollars reports in shekels', async () => {
    const amy = await registered('IL', '516179157')
    await amy.call('organizations_update', { id: String(amy.organizationId), currency: 'USD' })
    await sell(amy, { status: 'SENT', currency: 'USD', issueDate: friday })
    const found = await report(amy)
    expect(found.currency).toBe('ILS')
    expect(rows(found)).toEqual([['2023-11', 'OUTPUT', 9, null, 370.99, 33.39]])
  })
})

test('the United States: no input tax is deducted, and an empty organization reports nothing', async () => {
  const amy = await member('OWNER', { country: 'US' })
  expect(await report(amy)).toMatchObject({ rows: [], problems: [], problemsIncomplete: false, totals: { payable: 0 } })
  await sell(amy, { status: 'SENT', currency: 'USD', issueDate: '2026-05-05' })
  await spendApproved(amy, { amount: 109, taxAmount: 9, taxRate: 9, currency: 'USD', date: '2026-05-06' })
  const found = await report(amy)
  expect(rows(found).filter(([, side]) => side === 'OUTPUT')).toEqual([['2026-04', 'OUTPUT', 9, null, 100, 9]])
  expect(found.totals.input.tax).toBe(0)
  const { text } = await reportFileOf(amy, 'reports_tax_compliance', { ...all(amy), format: 'csv' })
  expect(text).toContain('"2026-04-01","2026-06-30","OUTPUT",9,')
})

describe('entries by hand on accounts of tax', () => {
  test('are a line of their own, which no document explains, and leave rows and totals alone', async () => {
    const amy = await registered('SG', 'M90000000X')
    await sell(amy, { status: 'SENT', issueDate: '2026-01-15' })
    const before = await report(amy)
    expect([before.manualEntries, before.warnings]).toEqual([[], undefined])
    const organizationId = String(amy.organizationId)
    const { accounts } = await amy.call('reports_accounts', { organizationId })
    const account = (purpose: string) => String(accounts.find((each) => each.purpose === purpose)?.id)
    const enter = (date: string, purpose: string, amount: number) =>
      amy.call('reports_journal_entry_create', {
        ...{ organizationId, date, description: 'GST paid' },
        lines: [
          { accountId: account(purpose), ...(amount < 0 ? { debit: -amount } : { credit: amount }) },
          { accountId: account('CASH'), ...(amount < 0 ? { credit: -amount } : { debit: amount }) },
        ],
      })
    const first = await enter('2026-02-28', 'OUTPUT_TAX', -9)
    const second = await enter('2026-03-01', 'OUTPUT_TAX', 2.5)
    await enter('2026-03-02', 'INPUT_TAX', -4)
    await enter('2026-03-02', 'RECEIVABLES', -4)
    const undone = await enter('2026-03-03', 'INPUT_TAX', -7)
    await amy.call('reports_journal_entry_reverse', { id: undone.id, date: '2026-03-03' })
    const after = await report(amy, { to: '2026-03-31' })
    expect([after.rows, after.totals]).toEqual([before.rows, before.totals])
    expect(after.manualEntries).toMatchObject([
      { side: 'OUTPUT', currency: 'SGD', amount: -6.5, count: 2, entryIds: [first.id, second.id] },
      { side: 'INPUT', currency: 'SGD', amount: 4, count: 3 },
    ])
    expect(after.warnings).toMatchObject([{ code: 'TAX_UNEXPLAINED', path: 'manualEntries' }])
    expect((await report(amy, { to: '2026-02-27' })).manualEntries).toEqual([])
    const balance = -(await booked(amy, 'OUTPUT_TAX'))
    expect(balance).toBe(after.totals.output.tax - 6.5)
    const { text } = await reportFileOf(amy, 'reports_tax_compliance', { ...all(amy), to: '2026-03-31', format: 'csv' })
    expect(text.split('\r\n').filter((row) => row.includes('by hand'))).toHaveLength(2)
  })
})
