import '../../../test/own-world.ts'
import { expect, test } from 'vitest'
import { withTransaction } from '../../../core/run/transaction-context.ts'
import { addDays, daysBetween, today } from '../../../core/values/day.ts'
import { sell } from '../../../test/sales-documents.ts'
import { violations } from '../../../test/violations.ts'
import { whenAvailable } from '../../../test/when-available.ts'
import { member, type Someone, theApp } from '../../../test/world.ts'
import { storeRates } from '../exchange-rates/store.ts'
import { monthsOf } from './dashboard.ts'
import { readFigures } from './figures.ts'

const dashboard = (someone: Someone, year = 2026) =>
  someone.call('dashboard_get', { organizationId: String(someone.organizationId), year })

const customer = async (someone: Someone, name: string) =>
  (await someone.call('customers_create', { organizationId: String(someone.organizationId), name, country: 'SG' })).id

/** A document over an amount without tax. */
const over = (someone: Someone, amount: number, more: Record<string, unknown> = {}) =>
  sell(someone, {
    items: [{ id: '1', description: 'Consulting', quantity: 1, unitPrice: amount, amount }],
    subtotal: amount,
    taxRate: 0,
    taxAmount: 0,
    total: amount,
    ...more,
  })

/** Stores rates as published by the European Central Bank: units of each currency for one euro. */
const publish = (date: string, rates: Record<string, string>) =>
  theApp().system.use((db) =>
    storeRates(
      db,
      Object.entries({ EUR: '1', ...rates }).map(([currency, rate]) => ({
        source: 'ECB' as const, base: 'EUR', date, currency, rate,
      })), // biome-ignore format: a row
    ),
  )

const month = <T extends { month: string }>(months: T[], name: string) => {
  const found = months.find((each) => each.month === name)
  if (!found) throw new Error(`There is no ${name}.`)
  return found
}

test('the dashboard of an organization without documents has zeros for twelve months', async () => {
  const amy = await member('VIEWER')
  const empty = { month: expect.any(String) }
  const shown = await dashboard(amy)
  expect(shown).toEqual({
    totalInvoices: 0,
    totalRevenue: 0,
    outstandingAmount: 0,
    openBalance: 0,
    pendingAmount: 0,
    invoicesByStatus: { draft: 0, unsent: 0, sent: 0, paid: 0 },
    revenueByMonth: monthsOf(2026).map((each) => ({ month: each, revenue: 0, sent: 0, unsent: 0, draft: 0 })),
    revenueByCustomer: [],
    growth: 0,
    displayCurrency: 'SGD',
    exchangeRateDate: today(new Date(), 'Asia/Singapore'),
    pendingPaymentsList: [],
    expenseTotal: 0,
    expensesByMonth: Array(12).fill({ ...empty, total: 0 }),
    expensesByVendor: [],
    paidInvoicesCount: 0,
    approvedExpensesCount: 0,
    expenseGrowth: 0,
    netTotal: 0,
    netGrowth: 0,
    marginPercent: 0,
    pendingExpensesTotal: 0,
    pendingExpensesCount: 0,
    pendingExpensesGrowth: 0,
    cashFlowByMonth: monthsOf(2026).map((each) => ({ month: each, inflow: 0, outflow: 0, net: 0 })),
    lowStockItemsCount: 0,
    activeItemsCount: 0,
    _diagnostics: [],
  })
})

test('the dashboard shows revenue, outstanding and pending amounts by status, month and customer', async () => {
  const amy = await member('CONTRIBUTOR')
  const [globex, initech] = [await customer(amy, 'Globex'), await customer(amy, 'Initech')]
  await over(amy, 100, { customerId: globex, issueDate: '2026-01-05', status: 'PAID', paymentDate: '2026-02-01' })
  await over(amy, 50, { customerId: globex, issueDate: '2026-01-31', status: 'PAID', paymentDate: '2026-02-03' })
  const invoiceReceipt = { documentType: 'INVOICE_RECEIPT', issueDate: '2026-03-01', paymentDate: '2026-03-01' }
  await over(amy, 400, { customerId: initech, status: 'PAID', ...invoiceReceipt })
  const sent = await over(amy, 80, { customerId: globex, issueDate: '2026-03-02', status: 'SENT' })
  await amy.call('invoices_payments', { id: sent.id, amount: 30, paidAt: '2026-04-01', method: 'CASH' })
  await over(amy, 20, { customerId: globex, issueDate: '2026-03-03', status: 'UNSENT' })
  await over(amy, 7, { customerId: globex, issueDate: '2026-05-01' })
  const shown = await dashboard(amy)
  expect(shown).toMatchObject({
    totalInvoices: 6,
    totalRevenue: 550,
    outstandingAmount: 50,
    pendingAmount: 27,
    invoicesByStatus: { draft: 1, unsent: 1, sent: 1, paid: 3 },
    revenueByCustomer: [
      { name: 'Initech', revenue: 400, count: 1 },
      { name: 'Globex', revenue: 150, count: 2 },
    ],
    growth: 100,
    paidInvoicesCount: 3,
    netTotal: 550,
    netGrowth: 100,
    marginPercent: 100,
  })
  expect(month(shown.revenueByMonth, '2026-01')).toEqual({
    month: '2026-01',
    revenue: 150,
    sent: 0,
    unsent: 0,
    draft: 0,
  })
  expect(month(shown.revenueByMonth, '2026-03')).toEqual({
    month: '2026-03',
    revenue: 400,
    sent: 50,
    unsent: 20,
    draft: 0,
  })
  expect(month(shown.revenueByMonth, '2026-05')).toMatchObject({ revenue: 0, draft: 7 })
  expect(month(shown.cashFlowByMonth, '2026-02')).toEqual({ month: '2026-02', inflow: 150, outflow: 0, net: 150 })
  expect(month(shown.cashFlowByMonth, '2026-04')).toMatchObject({ inflow: 30 })
  expect(shown).not.toHaveProperty('fxIncomplete')
})

test('a document belongs to the year of its issue date', async () => {
  const amy = await member('CONTRIBUTOR')
  for (const issueDate of ['2024-12-31', '2025-01-01', '2025-12-31', '2026-01-01'])
    await over(amy, Number(issueDate.slice(8)), { issueDate, status: 'PAID', paymentDate: '2025-06-01' })
  const years = [2024, 2025, 2026].map(async (year) => {
    const { totalRevenue, totalInvoices, growth, cashFlowByMonth } = await dashboard(amy, year)
    return { totalRevenue, totalInvoices, growth, inflow: month(cashFlowByMonth, `${year}-06`).inflow }
  })
  expect(await Promise.all(years)).toEqual([
    { totalRevenue: 31, totalInvoices: 1, growth: 100, inflow: 0 },
    { totalRevenue: 32, totalInvoices: 2, growth: 3.23, inflow: 64 },
    { totalRevenue: 1, totalInvoices: 1, growth: -96.88, inflow: 0 },
  ])
  expect((await dashboard(amy, 2027)).growth).toBe(-100)
})

test('the default year is the current year in the time zone of the organization', async () => {
  const newYear = new Date('2026-12-31T12:00:00Z')
  for (const [timezone, year, day] of [
    ['Pacific/Kiritimati', 2027, '2027-01-01'],
    ['Pacific/Pago_Pago', 2026, '2026-12-31'],
  ] as const) {
    const amy = await member('OWNER')
    await amy.call('organizations_update', { id: String(amy.organizationId), timezone })
    const read = withTransaction(theApp().confined, { organizationId: amy.organizationId }, ({ db }) =>
      readFigures(db, { year: undefined, now: newYear }),
    )
    expect(await read).toMatchObject({ year, today: day })
    const shown = await amy.call('dashboard_get', { organizationId: String(amy.organizationId) })
    expect(shown.revenueByMonth[0]?.month).toBe(`${today(new Date(), timezone).slice(0, 4)}-01`)
  }
})

test.each([1999, 2101, 2026.5, 'now'])('the year %s is refused', async (year) => {
  const amy = await member('VIEWER')
  const query = { organizationId: String(amy.organizationId), year: year as number }
  await expect(amy.call('dashboard_get', query)).rejects.toMatchObject({ status: 400 })
})

test('documents in other currencies are converted at the rate of their issue date or the newest rate before it', async () => {
  await publish('2025-03-06', { USD: '1.25', SGD: '1.5', JPY: '150' })
  await publish('2025-03-10', { USD: '1.20', SGD: '1.5', JPY: '160' })
  const amy = await member('CONTRIBUTOR')
  const globex = await customer(amy, 'Globex')
  const paid = { customerId: globex, status: 'PAID', paymentDate: '2025-03-10' }
  await over(amy, 10, { ...paid, issueDate: '2025-03-08' }) // SGD
  await over(amy, 100, { ...paid, issueDate: '2025-03-08', currency: 'USD' }) // 120.00: the rates of Thursday
  await over(amy, 100, { ...paid, issueDate: '2025-03-10', currency: 'USD' }) // 125.00
  await over(amy, 1001, { ...paid, issueDate: '2025-03-11', currency: 'JPY' }) // 9.384375, rounded to 9.38
  const shown = await dashboard(amy, 2025)
  expect(shown).toMatchObject({
    displayCurrency: 'SGD',
    totalRevenue: 264.38,
    exchangeRateDate: '2025-03-10',
    fxConverted: true,
    revenueByCustomer: [{ name: 'Globex', revenue: 264.38, count: 4 }],
    _diagnostics: [
      'JPY to SGD: days 1, without a rate 0; newest rate of 2025-03-10 (ECB).',
      'USD to SGD: days 1, without a rate 0; newest rate of 2025-03-10 (ECB).',
    ],
  })
  // Payments count at the rate of the day of payment.
  expect(month(shown.cashFlowByMonth, '2025-03').inflow).toBe(10 + 125 + 125 + 9.38)
  expect(shown).not.toHaveProperty('fxIncomplete')
})

test('drafts are converted at the current rate, regardless of their date', async () => {
  const day = today(new Date(), 'Asia/Singapore')
  await publish('2020-05-04', { USD: '1', SGD: '9' })
  await publish(day, { USD: '1', SGD: '2' })
  const amy = await member('CONTRIBUTOR')
  await over(amy, 100, { issueDate: '2020-05-04', currency: 'USD' })
  expect(await dashboard(amy, 2020)).toMatchObject({ pendingAmount: 200, exchangeRateDate: day })
})

test('FLT-18: amounts in a currency without a rate count at face value, and the dashboard names the currency', async () => {
  await publish('2021-03-04', { USD: '1', SGD: '1.5' })
  const amy = await member('CONTRIBUTOR')
  const paid = { issueDate: '2021-03-04', status: 'PAID', paymentDate: '2021-03-04' }
  await over(amy, 100, { ...paid, currency: 'USD' })
  await over(amy, 1000, { ...paid, currency: 'XPF' })
  await over(amy, 10, { ...paid, issueDate: '2021-03-05', currency: 'KWD' })
  expect(await dashboard(amy, 2021)).toMatchObject({
    totalRevenue: 1160,
    fxIncomplete: true,
    fxMissingCurrencies: ['KWD', 'XPF'],
    exchangeRateDate: '2021-03-04',
  })
})

test('a credit memo reduces the revenue once its invoice is paid', async () => {
  const amy = await member('CONTRIBUTOR')
  const globex = await customer(amy, 'Globex')
  const line = (amount: number) => [{ id: '1', description: 'Rebate', quantity: 1, unitPrice: amount, amount }]
  const year = Number(today(new Date(), 'Asia/Singapore').slice(0, 4))
  const summary = async () => {
    const { totalRevenue, revenueByCustomer, totalInvoices, paidInvoicesCount, outstandingAmount } = await dashboard(
      amy,
      year,
    )
    return { totalRevenue, revenueByCustomer, totalInvoices, paidInvoicesCount, outstandingAmount }
  }
  const open = await over(amy, 100, { customerId: globex, status: 'SENT' })
  await amy.call('invoices_memos', { id: open.id, kind: 'CREDIT', items: line(30) })
  expect(await summary()).toEqual({
    totalRevenue: 0,
    revenueByCustomer: [],
    totalInvoices: 1,
    paidInvoicesCount: 0,
    outstandingAmount: 70,
  })
  await amy.call('invoices_payments', { id: open.id, amount: 70, paidAt: `${year}-01-01` })
  expect(await summary()).toEqual({
    totalRevenue: 70,
    revenueByCustomer: [{ name: 'Globex', revenue: 70, count: 1 }],
    totalInvoices: 1,
    paidInvoicesCount: 1,
    outstandingAmount: 0,
  })
  const all = await over(amy, 500, { customerId: globex, status: 'PAID' })
  await amy.call('invoices_memos', { id: all.id, kind: 'CREDIT' })
  expect(await summary()).toMatchObject({ totalRevenue: 70, paidInvoicesCount: 2 })
  // A credit is not a payment.
  const { cashFlowByMonth } = await dashboard(amy, year)
  expect(cashFlowByMonth.reduce((sum, { inflow }) => sum + inflow, 0)).toBe(570)
  const request = await over(amy, 40, { customerId: globex, documentType: 'PAYMENT_REQUEST', status: 'PAID' })
  await expect(amy.call('invoices_memos', { id: request.id, kind: 'CREDIT' })).rejects.toMatchObject({ status: 409 })
  expect(await summary()).toMatchObject({ totalRevenue: 70, totalInvoices: 3, paidInvoicesCount: 2 })
})

test('a payment that is voided on its day is neither revenue nor cash flow, and a receipt never counts as revenue', async () => {
  const amy = await member('MANAGER')
  const { id } = await over(amy, 100, { status: 'SENT' })
  const day = today(new Date(), 'Asia/Singapore')
  const year = Number(day.slice(0, 4))
  const paid = { id, paymentDate: day, paymentMethod: 'CASH', generateReceipt: true, sendReceiptEmail: false }
  const { payment } = await amy.call('invoices_mark_paid', paid)
  const before = await dashboard(amy, year)
  expect(before).toMatchObject({ totalInvoices: 1, totalRevenue: 100, paidInvoicesCount: 1 })
  expect(month(before.cashFlowByMonth, day.slice(0, 7)).inflow).toBe(100)
  await amy.call('invoices_payments_void', { id: String(payment?.id) })
  const after = await dashboard(amy, year)
  expect(after).toMatchObject({ totalInvoices: 1, totalRevenue: 0, outstandingAmount: 100, revenueByCustomer: [] })
  expect(month(after.cashFlowByMonth, day.slice(0, 7)).inflow).toBe(0)
})

test('the open balance is of issued documents of all years, as customers have it, whichever year is shown', async () => {
  const amy = await member('CONTRIBUTOR')
  const customerId = await customer(amy, 'Globex')
  await publish('2023-05-05', { USD: '1', SGD: '1.337' })
  await over(amy, 10, { customerId, issueDate: '2023-05-05', currency: 'USD', status: 'SENT' })
  await over(amy, 100, { customerId, issueDate: '2024-03-01', status: 'SENT' })
  const { id } = await over(amy, 70, { customerId, issueDate: '2025-03-01', status: 'UNSENT' })
  await amy.call('invoices_payments', { id, amount: 20, paidAt: '2025-04-01' })
  await over(amy, 999, { customerId, issueDate: '2025-03-02' })
  await over(amy, 30, { customerId, issueDate: '2025-03-03', documentType: 'PAYMENT_REQUEST', status: 'SENT' })
  await over(amy, 500, { customerId, issueDate: '2025-03-04', status: 'PAID' })
  for (const year of [2023, 2025, 2026]) expect(await dashboard(amy, year)).toMatchObject({ openBalance: 193.37 })
  expect(await dashboard(amy, 2025)).toMatchObject({ outstandingAmount: 30 })
  const { customers } = await amy.call('customers_list', { balances: true })
  expect(customers.map(({ openBalances }) => openBalances)).toEqual([
    [
      expect.objectContaining({ currency: 'SGD', amount: 180 }),
      expect.objectContaining({ currency: 'USD', amount: 10 }),
    ],
  ])
})

test('payments to suppliers are outflow', async () => {
  const amy = await member('VIEWER')
  await theApp().system.raw.query(
    `insert into payments (organization_id, id, direction, amount_minor, currency, minor_digits, paid_at, source)
     values ($1, gen_random_uuid(), 'INCOMING', 4050, 'SGD', 2, '2026-06-30', 'PAYMENT')`,
    [amy.organizationId],
  )
  const { cashFlowByMonth } = await dashboard(amy)
  expect(month(cashFlowByMonth, '2026-06')).toEqual({ month: '2026-06', inflow: 0, outflow: 40.5, net: -40.5 })
})

test('pending payments are sorted by due date, with the days overdue in the time zone of the organization', async () => {
  for (const timezone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
    const amy = await member('OWNER')
    await amy.call('organizations_update', { id: String(amy.organizationId), timezone })
    const day = today(new Date(), timezone)
    const never = await over(amy, 5, { status: 'UNSENT' })
    const later = await over(amy, 6, { status: 'SENT', dueDate: addDays(day, 1) })
    const late = await over(amy, 8, { status: 'SENT', dueDate: '2026-01-01', currency: 'USD' })
    await amy.call('invoices_payments', { id: late.id, amount: 3, paidAt: '2026-01-01' })
    await over(amy, 9, { status: 'PAID', dueDate: '2026-01-01' })
    await over(amy, 9, { dueDate: '2026-01-01' })
    const { pendingPaymentsList } = await dashboard(amy, Number(day.slice(0, 4)))
    const shared = { customerName: 'Globex', currency: 'SGD', daysOverdue: 0 }
    const { id, invoiceNumber } = late
    expect(pendingPaymentsList).toEqual([
      {
        id, invoiceNumber, customerName: 'Globex', dueDate: '2026-01-01', currency: 'USD', total: 8, openBalance: 5,
        daysOverdue: daysBetween('2026-01-01', day),
      }, // biome-ignore format: a row
      expect.objectContaining({ ...shared, id: later.id, dueDate: addDays(day, 1), total: 6, openBalance: 6 }),
      expect.objectContaining({ ...shared, id: never.id, dueDate: null, total: 5, openBalance: 5 }),
    ])
  }
})

test('pending payments are those of the year, even if hundreds of documents of other years are due before', async () => {
  const amy = await member('CONTRIBUTOR')
  const old = await over(amy, 1, { status: 'SENT', issueDate: '2025-01-05', dueDate: '2025-01-10' })
  await theApp().system.raw.query(
    `with copies as (
       insert into documents select (jsonb_populate_record(d, jsonb_build_object('id', gen_random_uuid(), 'sequence', d.sequence + n, 'number', 'old ' || n))).*
       from documents d, generate_series(1, 300) n where d.id = $1 returning id)
     insert into document_lines select (jsonb_populate_record(l, jsonb_build_object('document_id', c.id))).*
     from document_lines l, copies c where l.document_id = $1`,
    [old.id],
  )
  const never = await over(amy, 2, { status: 'SENT', issueDate: '2026-01-05' })
  const later = await over(amy, 3, { status: 'SENT', issueDate: '2026-01-06', dueDate: '2026-03-01' })
  const sooner = await over(amy, 4, { status: 'SENT', issueDate: '2026-01-07', dueDate: '2026-02-01' })
  const pending = async (year: number) => (await dashboard(amy, year)).pendingPaymentsList
  const ids = async (year: number) => (await pending(year)).map(({ id }) => id)
  expect(await ids(2026)).toEqual([sooner.id, later.id, never.id])
  expect(await ids(2025)).toHaveLength(50)
  expect((await pending(2025)).every(({ dueDate }) => dueDate === '2025-01-10')).toBe(true)
})

test('the dashboard shows the ten customers with the most revenue, with their current names', async () => {
  const amy = await member('CONTRIBUTOR')
  for (let n = 1; n <= 12; n++) {
    const customerId = await customer(amy, `Customer ${n}`)
    await over(amy, n, { customerId, status: 'PAID', issueDate: '2026-01-05', paymentDate: '2026-01-05' })
    if (n === 12) await amy.call('customers_update', { id: customerId, name: 'Umbrella' })
  }
  const { revenueByCustomer } = await dashboard(amy)
  expect(revenueByCustomer.map(({ revenue }) => revenue)).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3])
  expect(revenueByCustomer[0]?.name).toBe('Umbrella')
})

test('the sums follow a draft that is changed, issued or deleted', async () => {
  const amy = await member('CONTRIBUTOR')
  const draft = await over(amy, 100, { issueDate: '2026-03-05' })
  const gone = await over(amy, 11, { issueDate: '2026-03-05' })
  expect(month((await dashboard(amy)).revenueByMonth, '2026-03').draft).toBe(111)
  await amy.call('invoices_delete', { id: gone.id })
  await amy.call('invoices_update', { id: draft.id, issueDate: '2026-04-05', status: 'SENT' })
  const { revenueByMonth, invoicesByStatus } = await dashboard(amy)
  expect(month(revenueByMonth, '2026-03').draft).toBe(0)
  expect(month(revenueByMonth, '2026-04')).toMatchObject({ draft: 0, sent: 100 })
  expect(invoicesByStatus).toEqual({ draft: 0, unsent: 0, sent: 1, paid: 0 })
})

test('after a change of the organization currency, earlier amounts are shown in the new one', async () => {
  await publish('2022-02-28', { USD: '1', SGD: '2' })
  const amy = await member('OWNER')
  await over(amy, 100, { issueDate: '2022-02-10', status: 'PAID', paymentDate: '2022-02-28' })
  await over(amy, 30, { issueDate: '2022-02-28', status: 'PAID', paymentDate: '2022-02-28', currency: 'USD' })
  await amy.call('organizations_update', { id: String(amy.organizationId), currency: 'USD' })
  const shown = await dashboard(amy, 2022)
  expect(shown).toMatchObject({ displayCurrency: 'USD', totalRevenue: 80 })
  expect(month(shown.cashFlowByMonth, '2022-02').inflow).toBe(80)
})

test('a rate that was fixed to the former organization currency is not used for the new one', async () => {
  for (const day of ['2022-03-31', '2022-12-30']) await publish(day, { USD: '1', SGD: '2', GBP: '0.5' })
  const amy = await member('OWNER')
  const customerId = await customer(amy, 'Globex')
  const paid = { status: 'PAID', paymentDate: '2022-03-31', issueDate: '2022-03-31', customerId }
  await over(amy, 10, { ...paid, currency: 'GBP' }) // 20.00 at the end of the month
  await over(amy, 30, { ...paid, currency: 'USD' })
  await over(amy, 7, { ...paid, status: 'SENT', currency: 'USD' })
  expect(await dashboard(amy, 2022)).toMatchObject({ totalRevenue: 100, outstandingAmount: 14 })
  await amy.call('organizations_update', { id: String(amy.organizationId), currency: 'USD' })
  expect(await dashboard(amy, 2022)).toMatchObject({
    totalRevenue: 50,
    outstandingAmount: 7,
    revenueByCustomer: [{ name: 'Globex', revenue: 50, count: 2 }],
  })
  await over(amy, 5, { ...paid, currency: 'GBP' }) // 10.00, at a rate that is fixed to USD
  await amy.call('organizations_update', { id: String(amy.organizationId), currency: 'SGD' })
  expect(await dashboard(amy, 2022)).toMatchObject({ totalRevenue: 120, outstandingAmount: 14 })
})

test('a document with a fixed rate is converted at that rate', async () => {
  const amy = await member('CONTRIBUTOR')
  await publish('2023-05-05', { USD: '1', SGD: '1.337' })
  const { id } = await over(amy, 100, { issueDate: '2023-05-05', currency: 'USD', status: 'SENT' })
  expect(await dashboard(amy, 2023)).toMatchObject({ outstandingAmount: 133.7, exchangeRateDate: '2023-05-05' })
  await amy.call('invoices_update', { id, status: 'PAID' })
  await amy.call('invoices_memos', { id, kind: 'CREDIT' })
  const year = Number(today(new Date(), 'Asia/Singapore').slice(0, 4))
  expect((await dashboard(amy, 2023)).revenueByCustomer).toEqual([{ name: 'Globex', revenue: 133.7, count: 1 }])
  expect(await dashboard(amy, year)).toMatchObject({ totalRevenue: -133.7 })
})

test('concurrent writers do not lose any update of the sums', async () => {
  const amy = await member('CONTRIBUTOR')
  const customerId = await customer(amy, 'Globex')
  const more = { customerId, issueDate: '2026-01-05', paymentDate: '2026-01-05' }
  const written = Array.from({ length: 24 }, (_, n) =>
    whenAvailable(() => over(amy, 10, { ...more, status: n % 2 ? 'PAID' : 'DRAFT', currency: n % 3 ? 'SGD' : 'USD' })),
  )
  const drafts = (await Promise.all(written)).filter(({ status }) => status === 'DRAFT')
  await Promise.all(drafts.map(({ id }) => whenAvailable(() => amy.call('invoices_update', { id, status: 'SENT' }))))
  await Promise.all(
    drafts.map(({ id }) =>
      whenAvailable(() => amy.call('invoices_payments', { id, amount: 10, paidAt: '2026-01-06' })),
    ),
  )
  expect(await dashboard(amy)).toMatchObject({
    invoicesByStatus: { draft: 0, unsent: 0, sent: 0, paid: 24 },
    revenueByCustomer: [{ name: 'Globex', count: 24 }],
  })
  expect((await violations()).filter(({ id }) => id === 'SUMS')).toEqual([])
})

test('the dashboard shows nothing of another organization', async () => {
  const amy = await member('CONTRIBUTOR')
  const eve = await member('CONTRIBUTOR')
  await over(amy, 100, { issueDate: '2026-01-05', status: 'PAID', paymentDate: '2026-01-05' })
  await over(amy, 100, { issueDate: '2026-01-06', status: 'SENT' })
  const { _diagnostics, ...shown } = await dashboard(eve)
  expect(shown).toMatchObject({ totalInvoices: 0, totalRevenue: 0, revenueByCustomer: [], pendingPaymentsList: [] })
  expect(shown.cashFlowByMonth.every(({ inflow }) => inflow === 0)).toBe(true)
})

test('an organization with drafts and an unallocated payment can be deleted', async () => {
  const amy = await member('OWNER')
  const id = String(amy.organizationId)
  await over(amy, 100)
  const money = { organizationId: id, amount: 5, currency: 'SGD', paidAt: '2026-01-31' }
  await amy.call('invoices_payments_create', money)
  expect(await amy.call('organizations_delete', { id })).toEqual({ success: true })
})

test('payment requests and receipts that were cancelled or converted do not count, for the dashboard and the customer', async () => {
  const amy = await member('MANAGER')
  const customerId = await customer(amy, 'Globex')
  const request = { customerId, documentType: 'PAYMENT_REQUEST', status: 'SENT', issueDate: '2026-01-05' }
  const [kept, cancelled, converted] = [await over(amy, 10, request), await over(amy, 20, request), await over(amy, 40, request)]
  const receipt = await over(amy, 80, { ...request, documentType: 'RECEIPT' })
  expect(await dashboard(amy)).toMatchObject({ totalInvoices: 4, invoicesByStatus: { sent: 4 } })
  await amy.call('invoices_cancel', { id: cancelled.id })
  await amy.call('invoices_cancel', { id: receipt.id })
  const invoice = await amy.call('invoices_convert', { id: converted.id, documentType: 'INVOICE' })
  expect(await dashboard(amy)).toMatchObject({
    totalInvoices: 2, // the request that is open and the invoice
    outstandingAmount: 10 + (invoice.status === 'SENT' ? 40 : 0),
  })
  const { _count } = await amy.call('customers_get', { id: customerId })
  expect(_count.invoices).toBe(2)
  expect((await amy.call('customers_list')).customers.find(({ id }) => id === customerId)?._count.invoices).toBe(2)
  expect((await violations()).filter(({ id }) => id === 'SUMS')).toEqual([])
  expect(kept.status).toBe('SENT')
}) // biome-ignore format: a row

test.each([
  ['SGD', 100],
  ['CHF', 150],
])(
  'a voided payment in %s counts on its day, and negatively on the day of the void, as in the journal',
  async (currency, booked) => {
    const amy = await member('MANAGER')
    const organizationId = String(amy.organizationId)
    const now = today(new Date(), 'Asia/Singapore')
    const before = addDays(now, -40)
    await publish(before, { SGD: '1.5', CHF: '1' })
    await publish(now, { SGD: '1.6', CHF: '1' })
    const { id } = await over(amy, 100, { status: 'SENT', currency, issueDate: before })
    const payment = await amy.call('invoices_payments', { id, amount: 100, paidAt: before })
    await amy.call('invoices_payments_void', { id: payment.id })
    const flow = async (day: string) =>
      month((await dashboard(amy, Number(day.slice(0, 4)))).cashFlowByMonth, day.slice(0, 7))
    const { entries } = await amy.call('reports_journal', { organizationId, from: before, to: now })
    const cashOn = (day: string) =>
      entries
        .filter(({ accountCode, date }) => accountCode === '600' && date === day)
        .reduce((sum, { debit, credit }) => sum + debit - credit, 0)
    expect(cashOn(before)).toBe(booked)
    for (const day of [before, now])
      expect(await flow(day)).toMatchObject({ inflow: cashOn(day), outflow: 0, net: cashOn(day) })
    expect(cashOn(now)).toBe(-cashOn(before))
    await amy.call('organizations_update', { id: organizationId, timezone: 'Pacific/Pago_Pago' })
    expect((await violations()).filter(({ id: rule }) => rule === 'SUMS')).toEqual([])
    expect(await flow(now)).toMatchObject({ net: cashOn(now) }) // a day that was counted stays
  },
)
