import { beforeAll, describe, expect, test } from 'vitest'
import { endOfThisYear } from '../../../../test/days.ts'
import { friday, monday, storeTestRates } from '../../../../test/exchange-rates.ts'
import { spend, spendApproved } from '../../../../test/expenses.ts'
import { reportFileOf } from '../../../../test/report-file.ts'
import { sell } from '../../../../test/sales-documents.ts'
import { member, type Someone } from '../../../../test/world.ts'
import type { IncomeReport } from './income.ts'

beforeAll(storeTestRates)

const year = (amy: Someone) => ({ organizationId: String(amy.organizationId), from: '2020-01-01', to: endOfThisYear() })
const income = (amy: Someone, groupBy = 'month', more = {}) =>
  amy.call('reports_income', { ...year(amy), groupBy: groupBy as 'month', ...more })
const spending = (amy: Someone, groupBy = 'month', more = {}) =>
  amy.call('reports_expenses', { ...year(amy), groupBy: groupBy as 'month', ...more })

const rows = ({ rows: all }: IncomeReport) =>
  all.map(({ name, net, tax, total, count }) => [name, net, tax, total, count])

/** The sum of the accounts of these types in the journal of the period, as income or expense. */
async function booked(amy: Someone, type: 'INCOME' | 'EXPENSE', purposes: readonly string[]) {
  const { accounts } = await amy.call('reports_accounts', { organizationId: String(amy.organizationId) })
  const codes = accounts
    .filter((each) => each.type === type && (each.purpose === null || purposes.includes(each.purpose)))
    .map(({ code }) => code)
  const { entries } = await amy.call('reports_journal', { ...year(amy), limit: 1_000 })
  const own = entries.filter(({ accountCode }) => codes.includes(String(accountCode)))
  const sum = own.reduce((all, { debit, credit }) => all + debit - credit, 0)
  return Math.round((type === 'INCOME' ? -sum : sum) * 100) / 100
}

describe('income', () => {
  test('by customer has the documents of each on every page, also of customers with the same amount', async () => {
    const amy = await member('MANAGER')
    const documents = new Map<string, string[]>()
    for (const count of [1, 2, 1, 1]) {
      const { id, customerId } = await sell(amy, { status: 'SENT', issueDate: '2026-01-31' })
      const more = count === 2 ? [(await sell(amy, { customerId, status: 'SENT', issueDate: '2026-01-31' })).id] : []
      documents.set(String(customerId), [id, ...more].toSorted())
    }
    const pages = []
    for (const page of [1, 2, 3, 4]) pages.push(await income(amy, 'customer', { page, limit: 1 }))
    const listed = pages.flatMap(({ rows: [row] }) => (row ? [[String(row.key), row.documentIds] as const] : []))
    expect(new Map(listed)).toEqual(documents)
    expect(listed[0]?.[1]).toHaveLength(2) // the largest first
    expect(pages.map(({ pagination }) => pagination.total)).toEqual([4, 4, 4, 4])
  })

  test('is by month, net of credit memos, without drafts and payment requests', async () => {
    const amy = await member('MANAGER')
    const first = await sell(amy, { status: 'SENT', issueDate: '2026-01-31' })
    const { customerId } = first
    const second = await sell(amy, { customerId, status: 'SENT', issueDate: '2026-02-01' })
    await sell(amy, { customerId, status: 'DRAFT', issueDate: '2026-02-01' })
    await sell(amy, { customerId, status: 'SENT', documentType: 'PAYMENT_REQUEST', issueDate: '2026-02-02' })
    const items = [{ id: '1', description: 'Consulting', quantity: 1, unitPrice: 50, amount: 50 }]
    const memo = await amy.call('invoices_memos', { id: first.id, kind: 'CREDIT', items })
    const month = String(memo.issueDate).slice(0, 7)
    const report = await income(amy)
    expect(rows(report).slice(0, 2)).toEqual([
      ['2026-01', 100, 9, 109, 1],
      ['2026-02', 100, 9, 109, 1],
    ])
    expect(report.rows.find(({ key }) => key === month)).toMatchObject({ net: -50, tax: -4.5, documentIds: [memo.id] })
    expect(report.rows[1]?.documentIds).toEqual([second.id])
    expect(report.totals).toMatchObject({ net: 150, tax: 13.5, total: 163.5 })
    expect(report.totals.net).toBe(await booked(amy, 'INCOME', ['REVENUE']))
    expect(rows(await income(amy, 'customer'))).toEqual([['Globex', 150, 13.5, 163.5, 3]])
    expect(rows(await income(amy, 'type'))).toEqual([
      ['INVOICE', 200, 18, 218, 2],
      ['CREDIT_MEMO', -50, -4.5, -54.5, 1],
    ])
    expect(await income(amy, 'month', { from: '2026-02-01', to: '2026-02-28' })).toMatchObject({ totals: { net: 100 } })
  })

  test('in a foreign currency counts at the rate of the document, and entries by hand are apart', async () => {
    const amy = await member('MANAGER', { country: 'IL' })
    await sell(amy, { status: 'SENT', currency: 'USD', issueDate: friday })
    const { accounts } = await amy.call('reports_accounts', { organizationId: String(amy.organizationId) })
    const code = (purpose: string) => String(accounts.find((each) => each.purpose === purpose)?.id)
    await amy.call('reports_journal_entry_create', {
      organizationId: String(amy.organizationId),
      date: monday,
      description: 'Correction',
      lines: [
        { accountId: code('CASH'), debit: 10, credit: 0 },
        { accountId: code('REVENUE'), debit: 0, credit: 10 },
      ],
    })
    const report = await income(amy, 'account')
    expect(report.rows).toMatchObject([
      { name: expect.stringContaining('4000 '), net: 370.99, tax: 33.39, total: 404.38 },
    ])
    expect(report.manualEntries).toBe(10)
    expect(report.totals.net + report.manualEntries).toBe(await booked(amy, 'INCOME', ['REVENUE']))
  })

  test('of one document in several accounts is divided with its tax', async () => {
    const amy = await member('MANAGER')
    await amy.call('reports_account_create', {
      organizationId: String(amy.organizationId),
      code: '215',
      name: 'Abroad',
      type: 'INCOME',
      taxCategories: ['ZR'],
      mappedFrom: '2020-01-01',
    })
    const items = [
      { id: '1', description: 'Here', quantity: 1, unitPrice: 30, amount: 30, taxRate: 9 },
      { id: '2', description: 'Abroad', quantity: 1, unitPrice: 70, amount: 70, taxRate: 0, taxCategory: 'ZR' },
    ]
    await sell(amy, { status: 'SENT', items, subtotal: 100, taxAmount: 2.7, total: 102.7, taxRate: 9 })
    const report = await income(amy, 'account')
    expect(report.rows.map(({ name, net }) => [name, net])).toEqual([
      ['215 Abroad', 70],
      [expect.stringMatching(/^200 /), 30],
    ])
    expect(report.totals).toMatchObject({ net: 100, tax: 2.7, total: 102.7 })
  })

  test('of an empty organization is nothing, and a period must not end before it begins', async () => {
    const amy = await member('VIEWER')
    expect(await income(amy)).toMatchObject({ rows: [], totals: { net: 0, total: 0 }, fxIncomplete: false })
    await expect(income(amy, 'month', { to: '2019-12-31' })).rejects.toMatchObject({ status: 400 })
  })

  test('comes as a file', async () => {
    const amy = await member('MANAGER')
    await sell(amy, { status: 'SENT', issueDate: '2026-01-31' })
    const { text, fileName } = await reportFileOf(amy, 'reports_income', { ...year(amy), format: 'csv' })
    expect(fileName).toBe(`income-2020-01-01-${endOfThisYear()}.csv`)
    expect(text).toContain('"2026-01","2026-01","SGD",100,9,0,0,109,1')
  })
})

describe('expenses', () => {
  test('are by month, vendor and category with the deducted tax; drafts do not count, and credits are deducted', async () => {
    const amy = await member('OWNER')
    await amy.call('organizations_update', { id: String(amy.organizationId), taxNumber: 'M90000000X' })

    const { categories } = await amy.call('expense_categories_list')
    const [one, two] = categories
    const tax = { taxAmount: 9, taxRate: 9 }
    const first = await spendApproved(amy, {
      amount: 109,
      ...tax,
      vendor: 'Acme',
      categoryId: one?.id,
      date: '2026-01-05',
    })
    await spendApproved(amy, {
      ...{ amount: 109, vendor: 'acme', date: '2026-02-05' },
      splits: [
        { categoryId: one?.id ?? null, amount: 43.6, taxAmount: 3.6 },
        { categoryId: two?.id ?? null, amount: 65.4, taxAmount: 5.4 },
      ],
    })
    await spend(amy, { amount: 999, vendor: 'Acme', date: '2026-02-05' })
    await amy.call('expenses_credits', { id: first.id, amount: 54.5, date: '2026-03-01' })
    const report = await spending(amy)
    expect(rows(report)).toEqual([
      ['2026-01', 100, 9, 109, 1],
      ['2026-02', 100, 9, 109, 1],
      ['2026-03', -50, -4.5, -54.5, 1],
    ])
    expect(report.totals.net).toBe(await booked(amy, 'EXPENSE', ['EXPENSES']))
    expect((await spending(amy, 'vendor')).rows.map(({ net, count }) => [net, count])).toEqual([[150, 3]])
    const byCategory = await spending(amy, 'category')
    expect(byCategory.rows.map(({ name, net, tax: own }) => [name, net, own])).toEqual([
      [one?.name, 90, 8.1],
      [two?.name, 60, 5.4],
    ])
  })
})
