import { beforeAll, expect, test } from 'vitest'
import { friday, storeTestRates } from '../../../test/exchange-rates.ts'
import { spendApproved } from '../../../test/expenses.ts'
import { approvedPayslip } from '../../../test/payroll/rows.ts'
import { sell } from '../../../test/sales-documents.ts'
import { member, type Someone, withKey } from '../../../test/world.ts'

beforeAll(storeTestRates)

const year = 2026
const home = ({ organizationId }: Someone) => ({ organizationId: String(organizationId) })
const registered = async () => {
  const amy = await member('OWNER')
  await amy.call('organizations_update', {
    id: home(amy).organizationId,
    registrationNumber: '201403121W',
    taxNumber: '201403121W',
  })
  return amy
}
const sale = (amount: number, more: object = {}) => ({
  items: [{ id: '1', description: 'Consulting', quantity: 1, unitPrice: amount, amount }],
  ...{
    subtotal: amount,
    taxRate: 9,
    taxAmount: amount * 0.09,
    total: amount * 1.09,
    issueDate: `${year}-03-02`,
    status: 'SENT' as const,
  },
  ...more,
})
const explained = async (amy: Someone, of = year) => {
  const { netTotal, netOfTax, toProfitAndLoss } = await amy.call('dashboard_get', {
    ...home(amy),
    year: of,
    explain: true,
  })
  const period = { from: `${of}-01-01`, to: `${of}-12-31` }
  const { netProfit } = (await amy.call('reports_profit_and_loss', {
    ...home(amy),
    ...period,
  } as never)) as unknown as { netProfit: { total: number } }
  if (!toProfitAndLoss || !netOfTax) throw new Error('The dashboard explains nothing.')
  const sum = toProfitAndLoss.lines.reduce(
    (total, { amount }) => total + Math.round(amount * 100),
    Math.round(netTotal * 100),
  )
  expect(toProfitAndLoss).toMatchObject({ netTotal, netProfit: netProfit.total })
  expect(sum).toBe(Math.round(netProfit.total * 100))
  return { netOfTax, lines: Object.fromEntries(toProfitAndLoss.lines.map(({ code, amount }) => [code, amount])) }
}

test('a year without anything needs no explanation', async () => {
  const amy = await registered()
  expect(await explained(amy)).toEqual({ netOfTax: { revenue: 0, expenses: 0, net: 0 }, lines: {} })
})

test('the dashboard explains its figures only if it is asked to', async () => {
  const amy = await registered()
  const plain = await amy.call('dashboard_get', { ...home(amy), year })
  expect(plain).not.toHaveProperty('netOfTax')
  expect(plain).not.toHaveProperty('toProfitAndLoss')
})

test('paid and open sales, drafts, expenses and their tax lead to the net profit line by line', async () => {
  const amy = await registered()
  await sell(amy, sale(1_000, { status: 'PAID', paymentDate: `${year}-03-05` }))
  await sell(amy, sale(500))
  await sell(amy, sale(250, { status: 'DRAFT' }))
  await spendApproved(amy, { amount: 109, taxAmount: 9, taxRate: 9, date: `${year}-04-01` })
  expect(await explained(amy)).toEqual({
    netOfTax: { revenue: 1_500, expenses: 100, net: 1_400 },
    lines: { OPEN_INVOICES: 545, SALES_TAX: -135, INPUT_TAX: 9 },
  })
})

test('credits, foreign currencies, payroll and entries by hand are lines of their own, and everything adds up', async () => {
  const amy = await registered()
  await sell(amy, sale(100, { currency: 'USD', taxRate: 0, taxAmount: 0, total: 100, issueDate: friday }))
  const { id } = await sell(amy, sale(1_000, { status: 'PAID', paymentDate: `${year}-03-05` }))
  const credited = { items: sale(100).items, subtotal: 100, taxAmount: 9, total: 109 }
  await amy.call('invoices_memos', { id, kind: 'CREDIT', reason: 'Discount', ...credited })
  await approvedPayslip(amy)
  const { accounts } = await amy.call('reports_accounts', home(amy))
  const accountId = (purpose: string) => String(accounts.find((each) => each.purpose === purpose)?.id)
  await amy.call('reports_journal_entry_create', {
    ...{ ...home(amy), date: `${year}-05-01`, description: 'Rent' },
    lines: [
      { accountId: accountId('EXPENSES'), debit: 70 },
      { accountId: accountId('CASH'), credit: 70 },
    ],
  })
  const { lines } = await explained(amy)
  expect(lines).toMatchObject({ ENTRIES_BY_HAND: -70, PAYROLL: expect.any(Number) })
  await explained(amy, Number(friday.slice(0, 4)))
})

test('a key without the scope of the reports gets the dashboard, and no net profit', async () => {
  const amy = await registered()
  const key = await withKey(amy, ['invoices:read'])
  await key.call('dashboard_get', { ...home(amy), year })
  await expect(key.call('dashboard_get', { ...home(amy), year, explain: true })).rejects.toMatchObject({
    status: 403,
    details: [{ code: 'SCOPE' }],
  })
  await (await withKey(amy, ['invoices:read', 'reports:read'])).call('dashboard_get', { ...home(amy), explain: true })
})
