import { beforeAll, describe, expect, test } from 'vitest'
import { spend } from '../../../../test/expenses.ts'
import { member, person, Someone } from '../../../../test/world.ts'

/** Expenses of one organization by title, for a filter each. */
let amy: Someone
const ids: Record<string, string> = {}
let categoryId: string
let customerId: string

beforeAll(async () => {
  amy = await member('OWNER')
  const { categories } = await amy.call('expense_categories_list')
  categoryId = categories[1]?.id ?? ''
  customerId = (await amy.call('customers_create', { name: 'Initech', country: 'SG' })).id
  const made = [
    { title: 'hummus', vendor: 'מסעדת הגליל', amount: 10, date: '2026-01-01' },
    { title: 'percent', vendor: 'Rail', notes: '50%_off', amount: 20, date: '2026-01-02', customerIds: [customerId] },
    { title: 'letters', vendor: 'acme', notes: '50x1off', amount: 30, date: '2026-01-03', categoryId },
    { title: 'numbered', documentNumber: 'INV-77', amount: 40, date: '2026-01-04', source: 'SCAN' },
    { title: 'yen', vendor: 'Zoo', amount: 3_000, currency: 'JPY', date: '2026-01-05', source: 'EMAIL' },
  ]
  for (const each of made) ids[each.title] = (await spend(amy, each)).id
  await amy.call('expenses_status', { id: ids.letters ?? '', status: 'APPROVED' })
})

const titles = async (query: Record<string, unknown>, someone = amy) => {
  const { expenses, pagination } = await someone.call('expenses_list', query)
  expect(pagination.total).toBe(expenses.length)
  return expenses.map(({ description }) => description)
}

describe.each(['one organization', 'all organizations of the caller'])('the filters of a list over %s', (reach) => {
  const list = (query: Record<string, unknown>) =>
    titles({ ...query, ...(reach === 'one organization' && { organizationId: String(amy.organizationId) }) })

  test.each([
    [{}, ['yen', 'numbered', 'letters', 'percent', 'hummus']],
    [{ search: 'הגליל' }, ['hummus']],
    [{ search: 'גל' }, ['hummus']],
    [{ search: 'RAIL' }, ['percent']],
    [{ search: '0%_o' }, ['percent']],
    [{ search: '%' }, ['percent']],
    [{ search: '_' }, ['percent']],
    [{ search: 'inv-7' }, ['numbered']],
    [{ search: '\\' }, []],
    [{ search: 'nothing of this' }, []],
    [{ status: 'APPROVED' }, ['letters']],
    [{ status: 'DRAFT' }, ['percent', 'hummus']],
    [{ status: 'REJECTED' }, []],
    [{ source: 'SCAN' }, ['numbered']],
    [{ source: 'MANUAL', search: 'off' }, ['letters', 'percent']],
    [{ dateFrom: '2026-01-04' }, ['yen', 'numbered']],
    [{ dateTo: '2026-01-02' }, ['percent', 'hummus']],
    [{ dateFrom: '2026-01-02', dateTo: '2026-01-02' }, ['percent']],
    [{ dateFrom: '2026-01-03', dateTo: '2026-01-01' }, []],
    [{ minAmount: '30' }, ['yen', 'numbered', 'letters']],
    [{ maxAmount: '20.00' }, ['percent', 'hummus']],
    [{ minAmount: '20', maxAmount: '30' }, ['letters', 'percent']],
    [{ search: '', status: '', categoryId: '', minAmount: '' }, ['yen', 'numbered', 'letters', 'percent', 'hummus']],
  ])('%j', async (query, expected) => expect(await list(query)).toEqual(expected))

  test('by category and by customer', async () => {
    expect(await list({ categoryId })).toEqual(['letters'])
    expect(await list({ customerId })).toEqual(['percent'])
    for (const query of [{ categoryId: 'nope' }, { customerId: 'nope' }, { customerId: ids.yen }])
      expect(await list(query)).toEqual([])
  })

  test.each([
    [{ sortBy: 'date', sortOrder: 'asc' }, ['hummus', 'percent', 'letters', 'numbered', 'yen']],
    [{ sortBy: 'amount', sortOrder: 'asc' }, ['hummus', 'percent', 'letters', 'numbered', 'yen']],
    [{ sortBy: 'amount' }, ['yen', 'numbered', 'letters', 'percent', 'hummus']],
    [{ sortBy: 'createdAt', sortOrder: 'asc' }, ['hummus', 'percent', 'letters', 'numbered', 'yen']],
    [{ sortBy: 'createdAt' }, ['yen', 'numbered', 'letters', 'percent', 'hummus']],
    [{ sortBy: 'vendor', sortOrder: 'asc' }, ['letters', 'percent', 'yen', 'hummus', 'numbered']],
    [{ sortBy: 'vendor', sortOrder: 'desc' }, ['hummus', 'yen', 'percent', 'letters', 'numbered']],
  ])('%j', async (query, expected) => expect(await list(query)).toEqual(expected))
})

test('pages follow each other without gaps, and a page past the end is empty', async () => {
  const seen: string[] = []
  for (const page of [1, 2, 3]) {
    const { expenses, pagination } = await amy.call('expenses_list', { page, limit: 2 })
    expect(pagination).toEqual({ page, limit: 2, total: 5, totalPages: 3 })
    seen.push(...expenses.map(({ id }) => id))
  }
  expect(seen).toEqual(['yen', 'numbered', 'letters', 'percent', 'hummus'].map((title) => ids[title]))
  expect(await amy.call('expenses_list', { page: 9, limit: 2 })).toMatchObject({
    expenses: [],
    pagination: { total: 5 },
  })
  expect((await amy.call('expenses_list')).pagination).toMatchObject({ page: 1, limit: 25 })
})

test.each([
  { page: 0 }, { page: -1 }, { limit: 0 }, { limit: 101 }, { dateFrom: 'soon' }, { dateTo: '2026-02-30' },
  { minAmount: 'much' }, { maxAmount: '1e3' }, { sortBy: 'title' }, { sortOrder: 'up' }, { status: 'PAID' }, { source: 'FAX' },
])('%j is refused', async (query) => {
  expect(await amy.call('expenses_list')).toMatchObject({ pagination: { total: 5 } })
  await expect(amy.call('expenses_list', query as never)).rejects.toMatchObject({ status: 400 })
}) // biome-ignore format: a list of words

test('a list shows the organizations of the caller and no other', async () => {
  const founder = await person('Zoe')
  const mine = []
  for (const name of ['One', 'Two']) {
    const { id } = await founder.call('organizations_create', { name, country: 'SG' })
    mine.push(new Someone(founder.userId, founder.credentials, id))
  }
  for (const each of mine) await spend(each, { title: `of ${each.organizationId}` })
  const all = await titles({ sortOrder: 'asc' }, founder)
  expect(all.sort()).toEqual(mine.map(({ organizationId }) => `of ${organizationId}`).sort())
  const [first] = mine
  expect(await titles({ organizationId: String(first?.organizationId) }, founder)).toEqual([
    `of ${first?.organizationId}`,
  ])
  const foreign = founder.call('expenses_list', { organizationId: String(amy.organizationId) })
  await expect(foreign).rejects.toMatchObject({ status: 403 })
})
