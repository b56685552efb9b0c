import { describe, expect, test } from 'vitest'
import { addDays, today } from '../../../core/values/day.ts'
import { countries } from '../../../countries/countries.ts'
import { asProduct, within } from '../../../test/secrets.ts'
import { member, type Someone, theApp } from '../../../test/world.ts'

const create = (amy: Someone, more: Record<string, unknown> = {}) =>
  amy.call('reports_account_create', { code: '1015', name: 'Till', type: 'ASSET', ...more })

test.each(['IL', 'SG', 'US'] as const)(
  'an organization of %s starts with the chart of its country',
  async (country) => {
    const amy = await member('VIEWER', { country })
    const { accounts } = await amy.call('reports_accounts', { organizationId: String(amy.organizationId) })
    expect(accounts.map(({ code, name, nameHe, type, purpose }) => ({ code, name, nameHe, type, purpose }))).toEqual(
      countries[country].accounts.map(({ purpose = null, taxCategories: _, categories: __, ...account }) => ({
        ...account,
        purpose,
      })),
    )
    const { categories: first } = await amy.call('expense_categories_list')
    for (const account of accounts) {
      const { taxCategories = [], categories = [] } =
        countries[country].accounts.find(({ code }) => code === account.code) ?? {}
      expect(account).toMatchObject({ active: true, bankAccountIds: [] })
      expect(account.categoryIds.map((id) => first.find((each) => each.id === id)?.name)).toEqual(categories)
      expect(account.taxCategories).toEqual(taxCategories.toSorted())
    }
  },
)

test('an expense category is not booked to an account that the journal keeps by itself', async () => {
  const amy = await member('MANAGER')
  const { accounts } = await amy.call('reports_accounts')
  const { id: categoryId } = await amy.call('expense_categories_create', { name: 'Fuel' })
  for (const { id, type, purpose } of accounts) {
    if (type !== 'ASSET' || purpose === null) continue
    const mapped = amy.call('reports_account_update', { id, categoryIds: [categoryId] })
    await expect(mapped).rejects.toMatchObject({ status: 400, details: [{ code: 'CONTROL_ACCOUNT' }] })
  }
  const till = await create(amy, { categoryIds: [categoryId] })
  const moved = amy.call('reports_account_update', { id: till.id, purpose: 'CASH' })
  await expect(moved).rejects.toMatchObject({ details: [{ code: 'CONTROL_ACCOUNT' }] })
})

test('a manager adds an account, and it reads back as created', async () => {
  const amy = await member('MANAGER')
  const created = await create(amy, { nameHe: 'קופה' })
  expect(created).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    organizationId: amy.organizationId,
    code: '1015',
    name: 'Till',
    nameHe: 'קופה',
    type: 'ASSET',
    purpose: null,
    active: true,
    categoryIds: [],
    taxCategories: [],
    bankAccountIds: [],
    createdAt: expect.stringMatching(/Z$/),
    updatedAt: expect.stringMatching(/Z$/),
  })
  const { accounts } = await amy.call('reports_accounts')
  expect(accounts.find(({ id }) => id === created.id)).toEqual(created)
  expect(accounts.map(({ code }) => code)).toEqual(accounts.map(({ code }) => code).sort())
})

test('a code belongs to one account of an organization', async () => {
  const [amy, eve] = [await member('MANAGER'), await member('MANAGER')]
  const { id } = await create(amy)
  await create(eve)
  await expect(create(amy)).rejects.toMatchObject({ status: 409, details: [{ code: 'ALREADY_EXISTS' }] })
  const other = await create(amy, { code: '1016' })
  await expect(amy.call('reports_account_update', { id: other.id, code: '1015' })).rejects.toMatchObject({
    status: 409,
  })
  expect(await amy.call('reports_account_update', { id, code: '1017' })).toMatchObject({ code: '1017', name: 'Till' })
})

test.each([{ code: '' }, { code: '-1' }, { code: 'a b' }, { name: '' }, { type: 'CASH' }, { taxCategories: [''] }])(
  'an account with %j is refused',
  async (wrong) => {
    const amy = await member('MANAGER')
    await create(amy)
    await expect(create(amy, { code: '1016', ...wrong })).rejects.toMatchObject({ status: 400 })
  },
)

test('an account that the journal needs stays active; another one can be deactivated and activated again', async () => {
  const amy = await member('MANAGER')
  const { accounts } = await amy.call('reports_accounts')
  const { id } = await create(amy)
  expect(await amy.call('reports_account_update', { id, active: false })).toMatchObject({ active: false })
  expect(await amy.call('reports_account_update', { id, active: true })).toMatchObject({ active: true })
  const cash = String(accounts.find(({ purpose }) => purpose === 'CASH')?.id)
  await expect(amy.call('reports_account_update', { id: cash, active: false })).rejects.toMatchObject({
    status: 409,
    details: [{ code: 'ACCOUNT_WITH_PURPOSE_IS_ACTIVE' }],
  })
  expect(await amy.call('reports_account_update', { id: cash, name: 'Main bank' })).toMatchObject({ name: 'Main bank' })
})

test('a category, a tax category and a bank account are booked to one account at a time', async () => {
  const amy = await member('MANAGER')
  const { categories } = await amy.call('expense_categories_list')
  const categoryIds = [String(categories[0]?.id), String(categories[1]?.id)].sort()
  const bank = await amy.call('bank_accounts_create', { accountName: 'Main', bankName: 'DBS' })
  const mapping = { categoryIds, taxCategories: ['SR', 'ZR'], bankAccountIds: [bank.id] }
  const first = await create(amy, mapping)
  expect(first).toMatchObject(mapping)
  const second = await create(amy, { code: '1016', taxCategories: ['ZR'], categoryIds: [categoryIds[0]] })
  expect(second).toMatchObject({ taxCategories: ['ZR'], categoryIds: [categoryIds[0]], bankAccountIds: [] })
  const { accounts } = await amy.call('reports_accounts')
  const mapped = accounts.find(({ id }) => id === first.id)
  expect(mapped).toMatchObject({ taxCategories: ['SR'], categoryIds: [categoryIds[1]], bankAccountIds: [bank.id] })
  const income = await create(amy, { code: '4015', type: 'INCOME', taxCategories: ['ZR'] })
  expect(income.taxCategories).toEqual(['ZR']) // the net amount; the other account has the tax
  const emptied = await amy.call('reports_account_update', { id: first.id, categoryIds: [], taxCategories: [] })
  expect(emptied).toMatchObject({ taxCategories: [], categoryIds: [], bankAccountIds: [bank.id] })
})

test.each([
  ['INCOME', 'bankAccountIds'],
  ['LIABILITY', 'categoryIds'],
  ['EQUITY', 'taxCategories'],
] as const)('an account of the type %s takes no %s', async (type, path) => {
  const amy = await member('MANAGER')
  const bank = await amy.call('bank_accounts_create', { accountName: 'Main', bankName: 'DBS' })
  const category = await amy.call('expense_categories_create', { name: 'Books' })
  const values = { bankAccountIds: [bank.id], categoryIds: [category.id], taxCategories: ['SR'] }
  const mapping = { [path]: values[path] }
  const { id } = await create(amy, mapping)
  const refusal = { status: 400, details: [{ path }] }
  await expect(create(amy, { ...mapping, type, code: '1016' })).rejects.toMatchObject(refusal)
  expect(await amy.call('reports_account_update', { id, ...mapping })).toMatchObject(mapping)
})

test('an account to which something is mapped cannot be deactivated before', async () => {
  const amy = await member('MANAGER')
  const { id } = await create(amy, { taxCategories: ['SR'] })
  await expect(amy.call('reports_account_update', { id, active: false })).rejects.toMatchObject({
    status: 409,
    details: [{ code: 'IN_USE' }],
  })
  expect(await amy.call('reports_account_update', { id, active: false, taxCategories: [] })).toMatchObject({
    active: false,
    taxCategories: [],
  })
})

test('nothing is mapped to an account that is not active', async () => {
  const amy = await member('MANAGER')
  const refusal = {
    status: 409,
    message: expect.stringContaining('is not active'),
    details: [{ code: 'INACTIVE_ACCOUNT' }],
  }
  await expect(create(amy, { active: false, taxCategories: ['SR'] })).rejects.toMatchObject(refusal)
  const { id } = await create(amy, { active: false })
  await expect(amy.call('reports_account_update', { id, taxCategories: ['SR'] })).rejects.toMatchObject(refusal)
  expect(await amy.call('reports_account_update', { id, taxCategories: ['SR'], active: true })).toMatchObject({
    active: true,
  })
})

test('the type of an account cannot change, and the same one can be written back', async () => {
  const amy = await member('MANAGER')
  const created = await create(amy)
  await expect(amy.call('reports_account_update', { id: created.id, type: 'INCOME' })).rejects.toMatchObject({
    status: 400,
    details: [{ path: 'type' }],
  })
  expect(await amy.call('reports_account_update', created)).toMatchObject({ type: 'ASSET' })
})

test('codes that differ only in case are the same', async () => {
  const amy = await member('MANAGER')
  const { id } = await create(amy, { code: 'Till' })
  const other = await create(amy, { code: 'Desk' })
  const refusal = { status: 409, details: [{ code: 'ALREADY_EXISTS' }] }
  await expect(create(amy, { code: 'TILL' })).rejects.toMatchObject(refusal)
  await expect(amy.call('reports_account_update', { id: other.id, code: 'till' })).rejects.toMatchObject(refusal)
  expect(await amy.call('reports_account_update', { id, code: 'TILL' })).toMatchObject({ code: 'TILL' })
})

test('a deleted category or bank account leaves its mapping', async () => {
  const amy = await member('MANAGER')
  const bank = await amy.call('bank_accounts_create', { accountName: 'Main', bankName: 'DBS' })
  const { id } = await create(amy, { bankAccountIds: [bank.id] })
  await amy.call('bank_accounts_delete', { id: bank.id })
  expect(await amy.call('reports_account_update', { id })).toMatchObject({ bankAccountIds: [] })
})

describe('a purpose', () => {
  const purposeOf = async (amy: Someone, wanted: string) => {
    const { accounts } = await amy.call('reports_accounts')
    return accounts.find(({ purpose }) => purpose === wanted)
  }

  test('moves to an account of a type that fits, and to no other', async () => {
    const amy = await member('MANAGER')
    const { id } = await create(amy)
    const wrong = await create(amy, { code: '4015', type: 'INCOME' })
    await expect(amy.call('reports_account_update', { id: wrong.id, purpose: 'CASH' })).rejects.toMatchObject({
      status: 400,
      details: [{ path: 'purpose' }],
    })
    expect(await amy.call('reports_account_update', { id, purpose: 'CASH' })).toMatchObject({ purpose: 'CASH' })
    expect((await purposeOf(amy, 'CASH'))?.id).toBe(id)
  })

  test('is never without an account, and an account has one purpose', async () => {
    const amy = await member('MANAGER')
    const cash = await purposeOf(amy, 'CASH')
    const id = String(cash?.id)
    expect(await amy.call('reports_account_update', { ...cash, id })).toMatchObject({ purpose: 'CASH' })
    await expect(amy.call('reports_account_update', { id, purpose: null })).rejects.toMatchObject({
      status: 409,
      message: expect.stringContaining('Give the purpose to another account'),
    })
    await expect(amy.call('reports_account_update', { id, purpose: 'RECEIVABLES' })).rejects.toMatchObject({
      status: 409,
      message: expect.stringContaining('has the purpose CASH'),
    })
    await expect(
      within(amy.organizationId, (_, connection) =>
        connection.query("update accounts set purpose = null where purpose = 'CASH'"),
      ),
    ).rejects.toMatchObject({
      constraint: 'purpose_has_account',
    })
    expect((await purposeOf(amy, 'CASH'))?.id).toBe(id)
  })

  test('does not move to an account that is not active', async () => {
    const amy = await member('MANAGER')
    const { id } = await create(amy, { active: false })
    await expect(amy.call('reports_account_update', { id, purpose: 'CASH' })).rejects.toMatchObject({
      status: 409,
      details: [{ code: 'INACTIVE_ACCOUNT' }],
    })
    const moved = await amy.call('reports_account_update', { id, purpose: 'CASH', active: true })
    expect(moved).toMatchObject({ purpose: 'CASH', active: true })
  })
})

test('a mapping begins today or before', async () => {
  const amy = await member('MANAGER')
  const day = today(new Date(), 'Asia/Singapore')
  const { id } = await create(amy, { taxCategories: ['SR'], mappedFrom: day })
  const later = { id, taxCategories: [], mappedFrom: addDays(day, 1) }
  await expect(amy.call('reports_account_update', later)).rejects.toMatchObject({
    status: 400,
    details: [{ path: 'mappedFrom' }],
  })
  expect(await amy.call('reports_account_update', { ...later, mappedFrom: addDays(day, -9) })).toMatchObject({
    taxCategories: [],
  })
})

test('only managers change the chart', async () => {
  const amy = await member('MANAGER')
  const bob = await member('CONTRIBUTOR', { of: amy })
  const { id } = await create(amy)
  await expect(create(bob, { code: '1016' })).rejects.toMatchObject({ status: 403 })
  await expect(bob.call('reports_account_update', { id, name: 'Mine' })).rejects.toMatchObject({ status: 403 })
  expect((await bob.call('reports_accounts')).accounts.length).toBeGreaterThan(30)
})

test('a change of an account is audited with the values before and after', async () => {
  const amy = await member('MANAGER')
  const { id } = await create(amy)
  await amy.call('reports_account_update', { id, name: 'Till 2' })
  const [row] = await asProduct(
    `select detail from audit_log where object_id = '${id}' and operation = 'reports_account_update'`,
  )
  expect(row?.detail).toMatchObject({ from: { name: 'Till', code: '1015' }, to: { name: 'Till 2', code: '1015' } })
})

test('an organization with a chart, mappings and entries can be deleted', async () => {
  const amy = await member('OWNER')
  const [one, two] = [await create(amy, { taxCategories: ['SR'] }), await create(amy, { code: '1016' })]
  const lines = [
    { accountId: one.id, debit: 5 },
    { accountId: two.id, credit: 5 },
  ]
  await amy.call('reports_journal_entry_create', { date: '2026-01-31', description: 'x', lines })
  await amy.call('organizations_delete', { id: String(amy.organizationId) })
  const left = await theApp().system.raw.query('select from accounts where organization_id = $1', [amy.organizationId])
  expect(left.rowCount).toBe(0)
})
