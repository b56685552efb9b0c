import { beforeAll, expect, test } from 'vitest'
import { statementCounter } from '../../../../test/statements.ts'
import { member, type Someone } from '../../../../test/world.ts'

let amy: Someone
let bob: Someone
let ids: Record<string, string>

beforeAll(async () => {
  amy = await member('MANAGER')
  bob = await member('CONTRIBUTOR', { of: amy })
  const spend = async (who: Someone, more: object = {}) =>
    (
      await who.call('expenses_create', {
        amount: 20,
        currency: 'SGD',
        date: '2026-02-01',
        vendor: 'Shell',
        ...more,
      } as never)
    ).id
  const setStatus = (id: string | undefined, status: string) =>
    amy.call('expenses_status', { id: String(id), status } as never)
  ids = {
    scanned: await spend(bob, { source: 'SCAN' }),
    owed: await spend(amy),
    paid: await spend(amy),
    rejected: await spend(amy, { documentNumber: '7' }),
    bill: await spend(amy, { documentNumber: '7' }),
    again: await spend(bob, { documentNumber: '7', vendor: 'SHELL' }),
    other: await spend(bob, { documentNumber: '7', vendor: 'Esso' }),
  }
  await setStatus(ids.owed, 'APPROVED')
  await setStatus(ids.paid, 'APPROVED')
  await amy.call('expenses_payments', { id: String(ids.paid), amount: 20, paidAt: '2026-02-02' })
  await setStatus(ids.rejected, 'REJECTED')
})

const list = (who: Someone, input: object = {}) => who.call('expenses_list', input as never)

const views = {
  all: ['again', 'bill', 'other', 'owed', 'paid', 'rejected', 'scanned'],
  toReview: ['scanned'],
  mine: ['bill', 'owed', 'paid', 'rejected'],
  approvedUnpaid: ['owed'],
  rejected: ['rejected'],
  duplicates: ['again', 'bill'],
}

test.each(Object.entries(views))('the view %s shows its expenses', async (view, expected) => {
  const { expenses, pagination, ids: all } = await list(amy, { view, ids: true })
  expect(expenses.map(({ id }) => Object.keys(ids).find((name) => ids[name] === id)).sort()).toEqual(expected)
  expect(pagination.total).toBe(expected.length)
  expect(all).toEqual(expenses.map(({ id }) => id))
})

test('views are counted for the person who asks', async () => {
  const counts = { all: 7, toReview: 1, mine: 4, approvedUnpaid: 1, rejected: 1, duplicates: 2 }
  expect((await list(amy, { counts: true })).counts).toEqual(counts)
  expect((await list(bob, { counts: true })).counts).toEqual({ ...counts, mine: 3 })
})

test('a view is combined with filters and a search', async () => {
  const search = await list(amy, { view: 'mine', search: 'Shell', status: 'APPROVED', ids: true })
  expect(search.pagination.total).toBe(2)
  expect(search.ids?.toSorted()).toEqual([ids.owed, ids.paid].toSorted())
})

test('counts and ids cost one statement each', async () => {
  const statements = statementCounter()
  const usual = await statements(() => list(amy))
  expect(await statements(() => list(amy, { counts: true, ids: true }))).toBe(usual + 2)
})
