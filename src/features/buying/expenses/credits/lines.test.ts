import { expect, test } from 'vitest'
import { endOfThisYear } from '../../../../test/days.ts'
import { spendApproved } from '../../../../test/expenses.ts'
import { expectSoundBooks } from '../../../../test/violations.ts'
import { member, type Someone } from '../../../../test/world.ts'

/** A company that deducts input tax, with an approved expense over two categories: meals without tax, chairs with 9 %. */
async function splitExpense() {
  const amy = await member('OWNER')
  const organizationId = String(amy.organizationId)
  await amy.call('organizations_update', { id: organizationId, taxNumber: 'M90000000X' })
  const category = async (code: string, name: string) => {
    const { id } = await amy.call('expense_categories_create', { name })
    const account = await amy.call('reports_account_create', { organizationId, code, name, type: 'EXPENSE' })
    await amy.call('reports_account_update', { id: account.id, categoryIds: [id], mappedFrom: '2025-01-01' })
    return id
  }
  const splits = [
    { categoryId: await category('7001', 'Meals'), amount: 50, taxAmount: 0 },
    { categoryId: await category('7002', 'Chairs'), amount: 109, taxAmount: 9 },
  ]
  const expense = await spendApproved(amy, { amount: 159, taxAmount: 9, splits })
  const [meals = '', chairs = ''] = expense.splits.map(({ id }) => id)
  return { amy, id: expense.id, meals, chairs }
}

/** The balances of both categories and of the input tax, and what the supplier is owed. */
async function balances(amy: Someone) {
  const query = { organizationId: String(amy.organizationId), from: '2026-01-01', to: endOfThisYear() }
  const { entries } = await amy.call('reports_journal', { ...query, limit: 1_000 })
  const sum = (name: string) =>
    entries
      .filter(({ accountName }) => accountName === name)
      .reduce((total, { debit, credit }) => total + Math.round(100 * (debit - credit)), 0) / 100
  return { meals: sum('Meals'), chairs: sum('Chairs'), tax: sum('GST input tax') }
}

const date = '2026-02-02'

test('a credit that names a line credits the category and the tax of that line alone', async () => {
  const { amy, id, meals, chairs } = await splitExpense()
  expect(await balances(amy)).toEqual({ meals: 50, chairs: 100, tax: 9 })
  const first = await amy.call('expenses_credits', { id, amount: 20, lineId: meals, date })
  expect(first.credits).toMatchObject([{ amount: 20, lineId: meals }])
  expect(await balances(amy)).toEqual({ meals: 30, chairs: 100, tax: 9 })
  await amy.call('expenses_credits', { id, amount: 54.5, lineId: chairs, date })
  expect(await balances(amy)).toEqual({ meals: 30, chairs: 50, tax: 4.5 })
  const rest = await amy.call('expenses_credits', { id, lineId: chairs, date })
  expect(rest.credits.map(({ amount, lineId }) => [amount, lineId])).toEqual([
    [20, meals],
    [54.5, chairs],
    [54.5, chairs],
  ])
  expect(await balances(amy)).toEqual({ meals: 30, chairs: 0, tax: 0 })
  await expectSoundBooks()
})

test('a credit without a line is spread over what is left of the lines', async () => {
  const { amy, id, meals } = await splitExpense()
  await amy.call('expenses_credits', { id, lineId: meals, date })
  expect(await balances(amy)).toEqual({ meals: 0, chairs: 100, tax: 9 })
  const { credits } = await amy.call('expenses_credits', { id, amount: 54.5, taxAmount: 4.5, date })
  expect(credits.at(-1)).toMatchObject({ amount: 54.5, lineId: null })
  expect(await balances(amy)).toEqual({ meals: 0, chairs: 50, tax: 4.5 })
  expect(await amy.call('expenses_credits', { id, date })).toMatchObject({ openBalance: 0 })
  expect(await balances(amy)).toEqual({ meals: 0, chairs: 0, tax: 0 })
  await expectSoundBooks()
})

test('without any credit of a line it is spread over all lines in proportion', async () => {
  const { amy, id } = await splitExpense()
  await amy.call('expenses_credits', { id, amount: 79.5, taxAmount: 4.5, date })
  expect(await balances(amy)).toEqual({ meals: 25, chairs: 50, tax: 4.5 })
})

test('more than is left of the line, and an unknown line, are refused', async () => {
  const { amy, id, meals } = await splitExpense()
  const credit = (more: object) => amy.call('expenses_credits', { id, date, ...more })
  const over = { status: 400, details: [{ path: 'amount', code: 'AMOUNT_OVER_OPEN' }] }
  const unknown = { status: 400, details: [{ path: 'lineId', code: 'UNKNOWN_REFERENCE' }] }
  await expect(credit({ amount: 50.01, lineId: meals })).rejects.toMatchObject(over)
  await expect(credit({ amount: 50, lineId: '9' })).rejects.toMatchObject(unknown)
  expect(await credit({ amount: 40, lineId: meals })).toMatchObject({ creditedAmount: 40 })
  await expect(credit({ amount: 10.01, lineId: meals })).rejects.toMatchObject(over)
  const { credits } = await credit({ lineId: meals })
  expect(credits.at(-1)).toMatchObject({ amount: 10 })
  await expect(credit({ lineId: meals })).rejects.toMatchObject({ status: 409, details: [{ code: 'CREDITED' }] })
  await amy.call('expenses_credits_void', { id, creditId: credits[0]?.id ?? '' })
  expect(await credit({ amount: 40, lineId: meals })).toMatchObject({ creditedAmount: 50 })
  await expectSoundBooks()
})

test('an expense without splits has no line to name', async () => {
  const amy = await member('OWNER')
  const { id } = await spendApproved(amy)
  expect((await amy.call('expenses_credits', { id, amount: 1, date })).credits).toMatchObject([{ lineId: null }])
  const named = amy.call('expenses_credits', { id, amount: 1, lineId: '1', date })
  await expect(named).rejects.toMatchObject({ status: 400, details: [{ path: 'lineId', code: 'UNKNOWN_REFERENCE' }] })
})
