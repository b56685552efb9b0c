import '../../../test/own-world.ts'
import { expect, test } from 'vitest'
import { today } from '../../../core/values/day.ts'
import { friday, monday, storeTestRates } from '../../../test/exchange-rates.ts'
import { expectSoundBooks } from '../../../test/violations.ts'
import { member, type Someone, theApp } from '../../../test/world.ts'
import { storeRates } from '../exchange-rates/store.ts'

type Spent = { amount: number; date: string; currency?: string; vendor?: string | null }

const spend = (someone: Someone, { currency = 'SGD', ...more }: Spent) =>
  someone.call('expenses_create', { organizationId: String(someone.organizationId), currency, ...more })

async function approve(someone: Someone, spent: Spent) {
  const { id } = await spend(someone, spent)
  await someone.call('expenses_status', { id, status: 'APPROVED' })
  return id
}

const dashboard = (someone: Someone, year: number) =>
  someone.call('dashboard_get', { organizationId: String(someone.organizationId), year })

const clean = expectSoundBooks

test('expenses count in the year of their date, and a credit in the year of its own', async () => {
  const amy = await member('OWNER')
  const old = await approve(amy, { amount: 100, date: '2025-12-31', vendor: 'Rail' })
  await approve(amy, { amount: 50, date: '2026-01-01', vendor: 'Rail' })
  await approve(amy, { amount: 40, date: '2026-10-31', vendor: null })
  await spend(amy, { amount: 7, date: '2025-12-31' })
  await spend(amy, { amount: 14, date: '2026-01-01' })
  await amy.call('expenses_credits', { id: old, amount: 30, date: '2026-01-15' })
  const before = await dashboard(amy, 2025)
  expect(before).toMatchObject({
    ...{ expenseTotal: 100, approvedExpensesCount: 1, pendingExpensesTotal: 7, pendingExpensesCount: 1 },
    expensesByVendor: [{ name: 'Rail', total: 100, count: 1 }],
  })
  expect(before.expensesByMonth.at(-1)).toEqual({ month: '2025-12', total: 100 })
  const after = await dashboard(amy, 2026)
  expect(after).toMatchObject({
    ...{ expenseTotal: 60, approvedExpensesCount: 2, expenseGrowth: -40, netTotal: -60 },
    ...{ pendingExpensesTotal: 14, pendingExpensesCount: 1, pendingExpensesGrowth: 100 },
    expensesByVendor: [
      { name: 'Unknown vendor', total: 40, count: 1 },
      { name: 'Rail', total: 20, count: 1 },
    ],
  })
  expect(after.expensesByMonth[0]).toEqual({ month: '2026-01', total: 20 })
  expect(after.expensesByMonth[9]).toEqual({ month: '2026-10', total: 40 })
  await clean()
})

test('an expense in a foreign currency counts at the rate of its day, a pending one at that of today', async () => {
  await storeTestRates()
  const ecb = { source: 'ECB', base: 'EUR', date: today(new Date(), 'Asia/Jerusalem') } as const
  const rates = Object.entries({ EUR: '1', USD: '1', ILS: '4' }).map(([currency, rate]) => ({ ...ecb, currency, rate }))
  await theApp().system.use((db) => storeRates(db, rates))
  const amy = await member('OWNER', { country: 'IL' })
  await approve(amy, { amount: 100, currency: 'USD', date: friday, vendor: 'Pixelmill' })
  await approve(amy, { amount: 100, currency: 'USD', date: monday, vendor: 'Pixelmill' })
  await approve(amy, { amount: 10, currency: 'ILS', date: monday, vendor: 'Kiosk' })
  await spend(amy, { amount: 100, currency: 'USD', date: monday })
  expect(await dashboard(amy, 2023)).toMatchObject({
    ...{ expenseTotal: 752.78, approvedExpensesCount: 3, pendingExpensesCount: 1 }, // 370.99 + 371.79 + 10
    pendingExpensesTotal: 400,
    expensesByVendor: [
      { name: 'Pixelmill', total: 742.78, count: 2 },
      { name: 'Kiosk', total: 10, count: 1 },
    ],
  })
  await clean()
})

test('a changed, rejected or deleted expense leaves nothing behind in the sums', async () => {
  const amy = await member('OWNER')
  const id = await approve(amy, { amount: 100, date: '2026-03-31', vendor: 'Rail' })
  await amy.call('expenses_update_patch_2', { id, amount: 80, vendor: 'Bus', date: '2026-04-01' })
  expect(await dashboard(amy, 2026)).toMatchObject({ expenseTotal: 0, pendingExpensesTotal: 80, expensesByVendor: [] })
  await amy.call('expenses_status', { id, status: 'APPROVED' })
  expect(await dashboard(amy, 2026)).toMatchObject({
    ...{ expenseTotal: 80, pendingExpensesTotal: 0 },
    expensesByVendor: [{ name: 'Bus', total: 80, count: 1 }],
  })
  await amy.call('expenses_delete_delete', { id })
  const other = (await spend(amy, { amount: 20, date: '2026-03-31' })).id
  await amy.call('expenses_status', { id: other, status: 'REJECTED' })
  expect(await dashboard(amy, 2026)).toMatchObject({
    ...{ expenseTotal: 0, pendingExpensesTotal: 0, pendingExpensesCount: 0, approvedExpensesCount: 0 },
    expensesByVendor: [],
  })
  await clean()
})

test('payments of expenses are the outflow of the cash flow, and what a supplier pays back is inflow', async () => {
  const amy = await member('OWNER')
  const id = await approve(amy, { amount: 100, date: '2025-12-31' })
  await amy.call('expenses_payments', { id, amount: 60, paidAt: '2025-12-31' })
  await amy.call('expenses_payments', { id, amount: 50, paidAt: '2026-01-02', allowUnallocated: true })
  expect((await dashboard(amy, 2025)).cashFlowByMonth[11]).toEqual({
    month: '2025-12',
    inflow: 0,
    outflow: 60,
    net: -60,
  })
  expect((await dashboard(amy, 2026)).cashFlowByMonth[0]).toEqual({
    month: '2026-01',
    inflow: 0,
    outflow: 50,
    net: -50,
  })
  const { payments } = await amy.call('expenses_payments_list', { expenseId: id, open: 'true' })
  await amy.call('expenses_payments_refund', { id: payments[0]?.id ?? '', paidAt: '2026-01-20', amount: 10 })
  const january = { month: '2026-01', inflow: 10, outflow: 50, net: -40 }
  expect((await dashboard(amy, 2026)).cashFlowByMonth[0]).toEqual(january)
  await clean()
})
