import '../../../../test/own-world.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { today } from '../../../../core/values/day.ts'
import { endOfThisYear } from '../../../../test/days.ts'
import { friday, monday, storeTestRates } from '../../../../test/exchange-rates.ts'
import { spendApproved } from '../../../../test/expenses.ts'
import { sell } from '../../../../test/sales-documents.ts'
import { asProduct } from '../../../../test/secrets.ts'
import { member, type Someone, send } from '../../../../test/world.ts'
import type { ProfitAndLoss } from './profit-and-loss.ts'

beforeAll(storeTestRates)

const home = (someone: Someone) => ({ organizationId: String(someone.organizationId) })
const year = { from: '2026-01-01', to: '2026-12-31' }

/** `code total (year before)` of the accounts of a section. */
const rows = ({ accounts }: ProfitAndLoss['income']) =>
  accounts.map(({ code, total, previousTotal }) => `${code} ${total} (${previousTotal})`)

const inMonth = ({ months }: ProfitAndLoss['netProfit'], month: string) => months.find((each) => each.month === month)

const account = async (someone: Someone, code: string) => {
  const { accounts } = await someone.call('reports_accounts')
  return String(accounts.find((each) => each.code === code)?.id)
}

/** An entry that debits one account and credits another. */
const enter = async (someone: Someone, date: string, [debit, credit]: [string, string], amount: number) =>
  someone.call('reports_journal_entry_create', {
    date,
    description: 'Entry',
    lines: [
      { accountId: await account(someone, debit), debit: amount },
      { accountId: await account(someone, credit), credit: amount },
    ],
  })

describe('a company in Singapore', () => {
  const books = async () => {
    const amy = await member('MANAGER')
    await sell(amy, { status: 'SENT', issueDate: '2025-03-05' }) // 100 and tax of 9
    const sale = await sell(amy, { status: 'SENT', issueDate: '2026-03-05' })
    await amy.call('invoices_payments', { id: sale.id, amount: 54.5, paidAt: '2026-04-01' })
    const { id } = await spendApproved(amy, { date: '2026-03-10', amount: 40 })
    await amy.call('expenses_payments', { id, amount: 40, paidAt: '2026-05-02' })
    await enter(amy, '2026-03-31', ['310', '630'], 30) // goods that were sold
    return amy
  }

  test('has its profit and loss by month, beside the year before', async () => {
    const amy = await books()
    const report = await amy.call('reports_profit_and_loss', { ...home(amy), ...year })
    expect(report).toMatchObject({
      ...year,
      previousFrom: '2025-01-01',
      previousTo: '2025-12-31',
      basis: 'accrual',
      currency: 'SGD',
    })
    expect(rows(report.income)).toEqual(['200 100 (100)'])
    expect(rows(report.costOfGoodsSold)).toEqual(['310 30 (0)'])
    expect(rows(report.expenses)).toEqual(['429 40 (0)'])
    expect([report.grossProfit.total, report.netProfit.total, report.netProfit.previousTotal]).toEqual([70, 30, 100])
    expect([report.margin, report.previousMargin, report.fxIncomplete]).toEqual([30, 100, false])
    expect(report.netProfit.months).toHaveLength(12)
    expect(inMonth(report.netProfit, '2026-03')).toEqual({ month: '2026-03', amount: 30, previousAmount: 100 })
    expect(inMonth(report.income, '2026-04')).toEqual({ month: '2026-04', amount: 0, previousAmount: 0 })
  })

  test('has on cash basis what was paid, when it was paid', async () => {
    const amy = await books()
    const report = await amy.call('reports_profit_and_loss', { ...home(amy), ...year, basis: 'cash' })
    expect(rows(report.income)).toEqual(['200 50 (0)']) // half of the invoice
    expect(inMonth(report.income, '2026-04')?.amount).toBe(50)
    expect(inMonth(report.expenses, '2026-05')?.amount).toBe(40)
    expect(rows(report.costOfGoodsSold)).toEqual(['310 30 (0)']) // entries count on their day
    expect(report.netProfit.total).toBe(-20)
  })

  test('has a trial balance whose totals are equal', async () => {
    const amy = await books()
    const report = await amy.call('reports_trial_balance', { ...home(amy), ...year })
    expect(
      report.accounts.map(
        ({ code, opening, debit, credit, closing }) => `${code} ${opening} ${debit} ${credit} ${closing}`,
      ),
    ).toEqual([
      '200 -100 0 100 -200',
      '310 0 30 0 30',
      '429 0 40 0 40',
      '600 0 54.5 40 14.5',
      '610 109 109 54.5 163.5',
      '620 0 40 40 0',
      '630 0 0 30 -30',
      '800 0 40 40 0',
      '805 0 54.5 54.5 0',
      '820 -9 0 9 -18',
    ])
    expect(report.totals).toEqual({
      openingDebit: 109,
      openingCredit: 109,
      debit: 368,
      credit: 368,
      closingDebit: 248,
      closingCredit: 248,
    })
  })

  test('has a balance sheet that balances, with the result of the year and of earlier years', async () => {
    const amy = await books()
    const report = await amy.call('reports_balance_sheet', { ...home(amy), date: '2026-12-31' })
    expect(report).toMatchObject({ date: '2026-12-31', comparedDate: '2025-12-31', currency: 'SGD' })
    expect(report.assets.accounts.map(({ code, amount, comparedAmount }) => `${code} ${amount} ${comparedAmount}`)).toEqual([
      '600 14.5 0', '610 163.5 109', '630 -30 0',
    ]) // biome-ignore format: a list
    expect(report.assets.total).toEqual({ amount: 148, comparedAmount: 109 })
    expect(report.liabilities.total).toEqual({ amount: 18, comparedAmount: 9 })
    expect(report.equity).toMatchObject({
      retainedEarnings: { amount: 100, comparedAmount: 0 },
      resultOfYear: { amount: 30, comparedAmount: 100 },
      total: { amount: 130, comparedAmount: 100 },
    })
    expect(report.liabilitiesAndEquity).toEqual(report.assets.total)
  })

  test('has a general ledger with a balance after each line, on pages', async () => {
    const amy = await books()
    const input = { ...home(amy), ...year, account: '610' }
    const whole = await amy.call('reports_general_ledger', input)
    expect(whole).toMatchObject({
      openingBalance: 109,
      debit: 109,
      credit: 54.5,
      closingBalance: 163.5,
      nextCursor: null,
    })
    expect(whole.account).toMatchObject({ code: '610', name: 'Accounts receivable', nameHe: 'לקוחות' })
    expect(whole.lines.map(({ date, debit, credit, balance }) => `${date} ${debit} ${credit} ${balance}`)).toEqual([
      '2026-03-05 109 0 218',
      '2026-04-01 0 54.5 163.5',
    ])
    const first = await amy.call('reports_general_ledger', { ...input, limit: 1 })
    expect(first.lines).toEqual(whole.lines.slice(0, 1))
    const second = await amy.call('reports_general_ledger', { ...input, limit: 1, cursor: String(first.nextCursor) })
    expect(second.lines).toEqual(whole.lines.slice(1))
    expect(second).toMatchObject({ openingBalance: 109, closingBalance: 163.5, nextCursor: null })
    const byId = { ...input, account: String(whole.account.accountId) }
    expect(await amy.call('reports_general_ledger', byId)).toEqual(whole)
  })

  test('can have each statement as a file', async () => {
    const amy = await books()
    const paths = ['profit-and-loss', 'trial-balance', 'balance-sheet', 'general-ledger?account=610', 'journal']
    for (const path of paths) {
      const [name = '', account = ''] = path.split('?')
      const days = name === 'balance-sheet' ? 'date=2026-12-31' : 'from=2026-01-01&to=2026-12-31'
      const url = `/api/reports/${name}?organizationId=${amy.organizationId}&${days}&${account}`
      const json = await send({ method: 'GET', url, headers: { ...amy.credentials } })
      expect([path, json.status]).toEqual([path, 200])
      const csv = await send({ method: 'GET', url: `${url}&format=csv`, headers: { ...amy.credentials } })
      expect([path, csv.status, String(csv.headers['content-type'])]).toEqual([
        path,
        200,
        expect.stringContaining('text/csv'),
      ])
      expect(String(csv.headers['content-disposition'])).toContain(`${name}`)
      expect(String(csv.body)).toContain(
        name === 'general-ledger' ? '163.5' : 'Accounts receivable'.slice(0, name === 'profit-and-loss' ? 0 : 8),
      )
      const xlsx = await send({ method: 'GET', url: `${url}&format=xlsx`, headers: { ...amy.credentials } })
      expect([path, xlsx.status]).toEqual([path, 200])
      expect(String(xlsx.headers['content-disposition'])).toContain('.xlsx')
    }
  })
})

describe('a company in Israel', () => {
  const israeli = () => member('MANAGER', { country: 'IL' })

  test('has foreign currency at the rate of the document, and differences of exchange apart, on both bases', async () => {
    const amy = await israeli()
    const { id } = await sell(amy, { status: 'SENT', currency: 'USD', issueDate: friday })
    await amy.call('invoices_payments', { id, amount: 109, paidAt: monday })
    const period = { ...home(amy), from: '2023-12-01', to: '2023-12-31' }
    for (const basis of ['accrual', 'cash'] as const) {
      const report = await amy.call('reports_profit_and_loss', { ...period, basis })
      expect(rows(report.income)).toEqual(['4000 370.99 (0)'])
      expect(rows(report.expenses)).toEqual(['7100 -0.87 (0)'])
      expect(report).toMatchObject({ currency: 'ILS', netProfit: { total: 371.86 }, fxIncomplete: false })
      expect(report.income.accounts[0]).toMatchObject({ name: 'Sales', nameHe: 'הכנסות ממכירות ושירותים' })
    }
  })

  test('shares of partial payments add up to the net amount of the document', async () => {
    const amy = await israeli()
    const { id } = await sell(amy, { status: 'SENT', currency: 'USD', issueDate: friday })
    for (const [amount, paidAt] of [
      [0.13, friday],
      [33.37, monday],
      [33.37, friday],
      [42.13, monday],
    ] as const)
      await amy.call('invoices_payments', { id, amount, paidAt })
    const report = await amy.call('reports_profit_and_loss', {
      ...home(amy),
      from: '2023-01-01',
      to: '2023-12-31',
      basis: 'cash',
    })
    expect(rows(report.income)).toEqual(['4000 370.99 (0)'])
  })

  test('is told which currencies are booked at face value', async () => {
    const amy = await israeli()
    const items = [{ id: '1', description: 'x', quantity: 1, unitPrice: 5, amount: 5 }]
    const silver = { currency: 'XAG', items, subtotal: 5, taxRate: 0, taxAmount: 0, total: 5, issueDate: friday }
    const period = { ...home(amy), from: '2023-12-01', to: '2023-12-31' }
    expect(await amy.call('reports_trial_balance', period)).toMatchObject({ fxIncomplete: false })
    await sell(amy, { status: 'SENT', ...silver })
    const expected = {
      fxIncomplete: true,
      warnings: [{ code: 'EXCHANGE_RATE_MISSING', message: expect.stringContaining('XAG') }],
    }
    expect(await amy.call('reports_trial_balance', period)).toMatchObject(expected)
    expect(await amy.call('reports_profit_and_loss', period)).toMatchObject(expected)
    expect(await amy.call('reports_balance_sheet', { ...home(amy), date: '2023-12-31' })).toMatchObject(expected)
    expect(await amy.call('reports_general_ledger', { ...period, account: '1100' })).toMatchObject(expected)
  })
})

describe('a company in the United States', () => {
  test('compares February with February of a leap year, to its last day', async () => {
    const amy = await member('MANAGER', { country: 'US' })
    const plain = { status: 'SENT', currency: 'USD', taxRate: 0, taxAmount: 0, total: 100 }
    await sell(amy, { ...plain, issueDate: '2024-02-29' })
    await sell(amy, { ...plain, issueDate: '2025-02-28' })
    const report = await amy.call('reports_profit_and_loss', { ...home(amy), from: '2025-02-01', to: '2025-02-28' })
    expect(report).toMatchObject({ previousFrom: '2024-02-01', previousTo: '2024-02-29', currency: 'USD' })
    expect(rows(report.income)).toEqual(['4000 100 (100)'])
  })

  test('takes back on cash basis what is refunded for a credit memo', async () => {
    const amy = await member('MANAGER', { country: 'US' })
    const plain = { status: 'SENT', currency: 'USD', taxRate: 0, taxAmount: 0, total: 100, issueDate: '2026-01-05' }
    const { id } = await sell(amy, plain)
    await amy.call('invoices_payments', { id, amount: 100, paidAt: '2026-01-06' })
    await amy.call('invoices_memos', { id, kind: 'CREDIT' })
    const input = { ...home(amy), ...year, to: endOfThisYear(), basis: 'cash' as const }
    expect((await amy.call('reports_profit_and_loss', input)).income.total).toBe(100)
    const { payments } = await amy.call('invoices_payments_list', home(amy))
    const memo = payments.find(({ source }) => source === 'CREDIT_MEMO')
    await amy.call('invoices_payments_refund', {
      id: String(memo?.id),
      amount: 60,
      paidAt: today(new Date(), 'America/New_York'),
    })
    expect((await amy.call('reports_profit_and_loss', input)).income.total).toBe(40)
  })
})

test('an organization without entries has empty statements', async () => {
  const amy = await member('VIEWER')
  const profit = await amy.call('reports_profit_and_loss', home(amy))
  expect(profit).toMatchObject({
    income: { accounts: [], total: 0 },
    netProfit: { total: 0 },
    margin: null,
    fxIncomplete: false,
  })
  expect(await amy.call('reports_trial_balance', home(amy))).toMatchObject({
    accounts: [],
    totals: { debit: 0, credit: 0 },
  })
  expect(await amy.call('reports_balance_sheet', home(amy))).toMatchObject({
    assets: { accounts: [], total: { amount: 0 } },
  })
  expect(await amy.call('reports_general_ledger', { ...home(amy), account: '600' })).toMatchObject({
    lines: [],
    closingBalance: 0,
    nextCursor: null,
  })
})

test('the period is the current year so far in the zone of the organization', async () => {
  const amy = await member('OWNER')
  for (const timezone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
    await amy.call('organizations_update', { id: String(amy.organizationId), timezone })
    const to = today(new Date(), timezone)
    expect(await amy.call('reports_trial_balance', home(amy))).toMatchObject({ from: `${to.slice(0, 4)}-01-01`, to })
    expect(await amy.call('reports_balance_sheet', home(amy))).toMatchObject({ date: to })
  }
})

test('a void is booked on the day that it was made, whatever the time zone is later', async () => {
  const amy = await member('OWNER')
  const { id } = await sell(amy, { status: 'SENT', issueDate: '2026-03-01' })
  const payment = await amy.call('invoices_payments', { id, amount: 109, paidAt: '2026-03-02' })
  await amy.call('invoices_payments_void', { id: payment.id })
  await asProduct('alter table payments disable trigger user; alter table allocations disable trigger user')
  const voided = "voided_at = '2026-03-31T17:00:00Z'" // one in the morning of 1 April in Singapore
  await asProduct(
    `update payments set ${voided}, voided_on = '2026-04-01' where organization_id = '${amy.organizationId}'`,
  )
  await asProduct(`update allocations set ${voided} where organization_id = '${amy.organizationId}'`)
  await asProduct('alter table payments enable trigger user; alter table allocations enable trigger user')
  const march = { ...home(amy), from: '2026-03-01', to: '2026-03-31', account: '600' }
  for (const timezone of ['UTC', 'Asia/Singapore']) {
    await amy.call('organizations_update', { id: String(amy.organizationId), timezone })
    expect((await amy.call('reports_general_ledger', march)).closingBalance).toBe(109)
  }
})

test('refuses days and cursors that are none', async () => {
  const amy = await member('VIEWER')
  const input = { ...home(amy), account: '600', from: '2026-01-01', to: '2026-03-31' }
  expect(await amy.call('reports_general_ledger', input)).toMatchObject({ lines: [] })
  const refused = (more: Record<string, string>, path: string) =>
    expect(amy.call('reports_general_ledger', { ...input, ...more })).rejects.toMatchObject({
      status: 400,
      details: [{ path }],
    })
  await refused({ from: '2026-04-01' }, 'to')
  await refused({ from: 'March' }, 'from')
  await refused({ from: '0001-01-01' }, 'from')
  await refused({ to: '9999-12-31' }, 'to')
  await refused({ account: 'none' }, 'account')
  await refused({ cursor: 'eyJ9' }, 'cursor')
  const profit = { ...home(amy), from: '2000-01-01', to: '2026-01-01' }
  await expect(amy.call('reports_profit_and_loss', profit)).rejects.toMatchObject({
    status: 400,
    details: [{ path: 'from' }],
  })
  expect(await amy.call('reports_profit_and_loss', { ...profit, from: '2017-01-01' })).toMatchObject({
    currency: 'SGD',
  })
})
