import { beforeAll, expect, test } from 'vitest'
import { addDays, today } from '../../../core/values/day.ts'
import { sell } from '../../../test/sales-documents.ts'
import { statementCounter } from '../../../test/statements.ts'
import { member, type Someone, theApp } from '../../../test/world.ts'

let amy: Someone
const day = (days: number) => addDays(today(new Date(), 'UTC'), days)

beforeAll(async () => {
  amy = await member('MANAGER')
  const add = async (name: string) => (await amy.call('customers_create', { name, country: 'SG' })).id
  const [late, owing, asleep] = [await add('Late'), await add('Owing'), await add('Asleep')]
  const forgotten = await add('Forgotten')
  await add('New')
  const old = await sell(amy, { customerId: asleep, status: 'SENT', issueDate: day(-500), dueDate: day(-490) })
  await amy.call('invoices_payments', { id: old.id, amount: 109, paidAt: day(-480) })
  await sell(amy, { customerId: late, status: 'SENT', issueDate: day(-40), dueDate: day(-3) })
  await sell(amy, { customerId: late, status: 'SENT', issueDate: day(-30), dueDate: day(20) })
  await sell(amy, { customerId: late, status: 'SENT', issueDate: day(-30), dueDate: day(20), currency: 'USD' })
  await sell(amy, { customerId: late, issueDate: day(-1) })
  await sell(amy, { customerId: owing, status: 'UNSENT', issueDate: day(-10) })
  await theApp().system.raw.query(`update customers set created_at = now() - interval '2 years' where id = $1`, [
    forgotten,
  ])
})

const list = (input: object = {}) => amy.call('customers_list', input as never)

test.each([
  ['all', ['Asleep', 'Forgotten', 'Late', 'New', 'Owing']],
  ['openBalance', ['Late', 'Owing']],
  ['late', ['Late']],
  ['inactive', ['Asleep', 'Forgotten']],
])('the view %s shows its customers, and is counted', async (view, expected) => {
  const { customers, pagination, counts, ids } = await list({
    view,
    sortBy: 'name',
    sortOrder: 'asc',
    counts: true,
    ids: true,
  })
  expect(customers.map(({ name }) => name)).toEqual(expected)
  expect(pagination.total).toBe(expected.length)
  expect(ids).toEqual(customers.map(({ id }) => id))
  expect(counts).toEqual({ all: 5, openBalance: 2, late: 1, inactive: 2 })
})

test('on request each customer has what they owe by currency and the day of their last document', async () => {
  const { customers } = await list({ balances: true, sortBy: 'name', sortOrder: 'asc' })
  expect(
    customers.map(({ name, openBalances, lastDocumentDate }) => ({ name, openBalances, lastDocumentDate })),
  ).toEqual([
    { name: 'Asleep', openBalances: [], lastDocumentDate: day(-500) },
    { name: 'Forgotten', openBalances: [], lastDocumentDate: null },
    {
      name: 'Late',
      openBalances: [
        { currency: 'SGD', amount: 218, lateAmount: 109 },
        { currency: 'USD', amount: 109, lateAmount: 0 },
      ],
      lastDocumentDate: day(-30),
    },
    { name: 'New', openBalances: [], lastDocumentDate: null },
    { name: 'Owing', openBalances: [{ currency: 'SGD', amount: 109, lateAmount: 0 }], lastDocumentDate: day(-10) },
  ])
  expect((await list()).customers[0]).not.toHaveProperty('openBalances')
})

test('balances cost no statement, and a listed customer can be sent back', async () => {
  const statements = statementCounter()
  const usual = await statements(() => list())
  expect(await statements(() => list({ balances: true }))).toBe(usual)
  expect(await statements(() => list({ balances: true, counts: true, ids: true }))).toBe(usual + 2)
  const [first] = (await list({ balances: true })).customers
  expect(await amy.call('customers_update_patch', { ...first, notes: 'read' } as never)).toMatchObject({
    notes: 'read',
  })
})
