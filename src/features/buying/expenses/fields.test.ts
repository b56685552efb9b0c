import { beforeAll, describe, expect, test } from 'vitest'
import { spend } from '../../../test/expenses.ts'
import { member, operationNamed, type Someone } from '../../../test/world.ts'

let amy: Someone
let categoryId: string
beforeAll(async () => {
  amy = await member('OWNER')
  categoryId = (await amy.call('expense_categories_list')).categories[0]?.id ?? ''
})

const person = async (someone = amy) =>
  someone.call('customers_create', {
    organizationId: String(someone.organizationId),
    name: 'Dana',
    country: 'SG',
    kind: 'INDIVIDUAL',
  })
const company = async (someone = amy, name = 'Globex') =>
  someone.call('customers_create', { organizationId: String(someone.organizationId), name, country: 'SG' })

test('an expense with the required fields alone has defaults and nulls in the others', async () => {
  const created = await spend(amy, { source: undefined })
  const shown = {
    id: created.id, organizationId: amy.organizationId, description: null, amount: 100, currency: 'SGD',
    date: '2026-01-31', category: null, vendor: null, paymentMethod: null, paidAmount: 0, creditedAmount: 0,
    openBalance: 100, payments: [], source: 'MANUAL', status: 'DRAFT', attachments: [], customers: [],
    createdBy: { id: amy.userId, name: expect.any(String), email: `${amy.userId}@example.test` },
    createdAt: expect.stringMatching(/Z$/), updatedAt: expect.stringMatching(/Z$/),
  } // biome-ignore format: a list of words
  expect(created).toEqual(shown)
  const { expenses } = await amy.call('expenses_list', { organizationId: String(amy.organizationId) })
  expect(expenses.find(({ id }) => id === created.id)).toEqual(shown)
  expect(await amy.call('expenses_get', { id: created.id })).toEqual({
    ...shown, title: null, taxAmount: null, taxRate: null, notes: null, emailMessageId: null, order: null, orderId: null,
    categoryId: null, supplierId: null, supplier: null, claimantId: null, claimant: null, dueDate: null,
    documentNumber: null, vendorTaxNumber: null, vatAllocationNumber: null, deductibleTaxAmount: 0,
    exchangeRate: null, exchangeRateDate: null, splits: [], credits: [], revision: 0, statusReason: null, reviewedBy: null, reviewedAt: null,
  }) // biome-ignore format: a list of words
})

test('every field that is written is read again', async () => {
  const org = await member('OWNER')
  await org.call('organizations_update', { id: String(org.organizationId), taxNumber: 'M90000000X' })
  const { categories } = await org.call('expense_categories_list')
  const [supplier, claimant, customer] = [await company(org), await person(org), await company(org, 'Initech')]
  const category = categories[0]
  const written = {
    title: 'Lunch', vendor: 'Globex', notes: 'with Initech', amount: 109, currency: 'SGD', date: '2026-01-30',
    taxAmount: 9, taxRate: 9, paymentMethod: 'CARD', supplierId: supplier.id, claimantId: claimant.id,
    categoryId: category?.id, dueDate: '2026-02-28', documentNumber: 'A-1', vendorTaxNumber: 'M2', vatAllocationNumber: '123456789',
    deductibleTaxAmount: 6,
  } // biome-ignore format: a list of words
  const { id } = await spend(org, { ...written, source: 'EMAIL', customerIds: [customer.id, customer.id] })
  const shown = {
    ...written,
    source: 'EMAIL',
    status: 'PENDING_REVIEW',
    description: 'Lunch',
    category: { id: category?.id, name: category?.name, color: category?.color },
    supplier: { id: supplier.id, name: 'Globex' },
    claimant: { id: claimant.id, name: 'Dana' },
    customers: [{ customerId: customer.id, customer: { id: customer.id, name: 'Initech' } }],
    openBalance: 109,
  }
  expect(await org.call('expenses_get', { id })).toMatchObject(shown)
  const approved = await org.call('expenses_status', { id, status: 'APPROVED', reason: 'as agreed' })
  expect(approved).toMatchObject({
    ...shown,
    status: 'APPROVED',
    statusReason: 'as agreed',
    reviewedBy: { id: org.userId, email: `${org.userId}@example.test` },
    reviewedAt: expect.stringMatching(/Z$/),
  })
})

test('each field of PATCH changes alone, and null empties it', async () => {
  const { id } = await spend(amy, { amount: 109 })
  const changes: Record<string, unknown> = {
    title: 'Lunch', vendor: 'Somebody', categoryId, notes: 'x', taxAmount: 9, taxRate: 9, paymentMethod: 'CARD',
    dueDate: '2026-02-28', documentNumber: 'A-1', vendorTaxNumber: 'M2', vatAllocationNumber: '123',
    supplierId: (await company()).id, claimantId: (await person()).id,
  } // biome-ignore format: a list of words
  for (const [field, value] of Object.entries(changes)) {
    const before = await amy.call('expenses_get', { id })
    const { updatedAt: _, ...after } = await amy.call('expenses_update_patch_2', { id, [field]: value })
    expect(after).toMatchObject({ [field]: value, amount: before.amount, status: 'DRAFT' })
    const emptied = await amy.call('expenses_update_patch_2', { id, [field]: null })
    expect(emptied).toMatchObject({ [field]: null })
  }
  for (const [field, value] of [
    ['amount', 12.5],
    ['currency', 'USD'],
    ['date', '2026-03-01'],
  ] as const)
    expect(await amy.call('expenses_update_patch_2', { id, [field]: value })).toMatchObject({ [field]: value })
})

test('a vendor on record is the supplier; a supplier gives the name of the vendor', async () => {
  const supplier = await company(amy, 'Wayne Ltd')
  const byName = await spend(amy, { vendor: 'wayne LTD' })
  expect(await amy.call('expenses_get', { id: byName.id })).toMatchObject({
    supplierId: supplier.id,
    vendor: 'wayne LTD',
  })
  const byId = await spend(amy, { supplierId: supplier.id })
  expect(byId.vendor).toBe('Wayne Ltd')
  const renamed = await amy.call('expenses_update_patch_2', { id: byName.id, vendor: 'Somebody else' })
  expect(renamed).toMatchObject({ supplierId: null, vendor: 'Somebody else' })
  const put = await amy.call('expenses_update_put', { id: byId.id, title: 'Lunch' })
  expect(put).toMatchObject({ supplierId: null, vendor: null, title: 'Lunch' })
})

test('the description and the date are as given in other forms', async () => {
  const created = await spend(amy, { currency: 'sgd', date: '2026-01-31T20:00:00Z', title: '  Lunch  ' })
  expect(created).toMatchObject({ currency: 'SGD', date: '2026-02-01', description: 'Lunch' }) // Singapore is ahead of UTC
})

describe('a bad value is refused', () => {
  const bad: [string, unknown, string?][] = [
    ['amount', 0], ['amount', -1], ['amount', 'abc'], ['amount', null], ['amount', 1e18],
    ['currency', ''], ['currency', 'XXQ'], ['currency', null],
    ['date', ''], ['date', '2026-02-30'], ['date', 'yesterday'], ['date', null],
    ['source', 'FAX'],
    ['taxAmount', -1], ['taxAmount', 100.01], ['taxRate', -1], ['taxRate', 101], ['deductibleTaxAmount', 1],
    ['dueDate', 'later'],
    ['categoryId', 'nope'], ['supplierId', 'nope'], ['claimantId', 'nope'], ['customerIds', ['nope']], ['customerIds', ['']],
    ['splits', [{ categoryId: null, amount: 99 }]], ['splits', [{ categoryId: null, amount: 0 }, { categoryId: null, amount: 100 }]],
    ['splits', [{ categoryId: 'nope', amount: 100 }]],
    ['colour', 'red', 'colour'],
  ] // biome-ignore format: a list of words
  test.each(bad)('%s %j', async (field, value, named) => {
    expect((await spend(amy)).id).toBeDefined()
    const input = {
      amount: 100,
      currency: 'SGD',
      date: '2026-01-31',
      organizationId: amy.organizationId,
      [field]: value,
    }
    const reply = await amy.request(operationNamed('expenses_create'), input)
    expect(reply).toMatchObject({ status: 400, body: { error: { code: 'VALIDATION' } } })
    if (named) expect(JSON.stringify(reply.body)).toContain(named)
  })

  test('splits whose taxes do not add up to the tax', async () => {
    const splits = (tax: number) => [
      { categoryId: null, amount: 60, taxAmount: tax },
      { categoryId, amount: 40, taxAmount: 4 },
    ]
    expect(await spend(amy, { taxAmount: 9, splits: splits(5) })).toMatchObject({ amount: 100 })
    await expect(spend(amy, { taxAmount: 9, splits: splits(4) })).rejects.toMatchObject({ status: 400 })
  })

  test('a reference to a row of another organization, and a claimant who is a company', async () => {
    const eve = await member('OWNER')
    const foreign = { ...(await company(eve)), categories: (await eve.call('expense_categories_list')).categories }
    const own = [{ supplierId: (await company()).id }, { claimantId: (await person()).id }, { categoryId }]
    for (const given of [...own, { customerIds: [(await company()).id] }])
      expect(await spend(amy, given)).toMatchObject({ status: 'DRAFT' })
    const other = [
      { supplierId: foreign.id },
      { claimantId: (await person(eve)).id },
      { categoryId: foreign.categories[0]?.id },
      { customerIds: [foreign.id] },
      { claimantId: (await company()).id },
    ]
    for (const given of other) {
      const field = Object.keys(given)[0]
      await expect(spend(amy, given)).rejects.toMatchObject({ status: 400, details: [{ path: field }] })
    }
  })
})

test('an amount that is finer than the currency is rounded on a draft and refused otherwise', async () => {
  const draft = await spend(amy, { amount: 10.005 })
  expect(draft).toMatchObject({ amount: 10.01, warnings: [{ code: 'ROUNDED', path: 'amount' }] })
  expect(await spend(amy, { amount: 10, source: 'SCAN' })).toMatchObject({ amount: 10 })
  await expect(spend(amy, { amount: 10.005, source: 'SCAN' })).rejects.toMatchObject({ status: 400 })
  await expect(spend(amy, { amount: 100.5, currency: 'JPY', source: 'EMAIL' })).rejects.toMatchObject({ status: 400 })
  const { id } = await spend(amy, { source: 'SCAN' })
  await expect(amy.call('expenses_update_patch_2', { id, amount: 10.005 })).rejects.toMatchObject({ status: 400 })
  await expect(spend(amy, { amount: 0.001 })).rejects.toMatchObject({ status: 400 })
  expect(await spend(amy, { amount: 1.234, currency: 'KWD', source: 'SCAN' })).toMatchObject({ amount: 1.234 })
})

test('PUT writes what was read, also with splits, and keeps the status', async () => {
  const { id } = await spend(amy, {
    splits: [
      { categoryId, amount: 60, description: 'Chairs' },
      { categoryId: null, amount: 40 },
    ],
    taxRate: 9,
  })
  const before = await amy.call('expenses_get', { id })
  expect(before.splits).toMatchObject([
    { id: '1', categoryId, category: { id: categoryId }, amount: 60, taxAmount: null, description: 'Chairs' },
    { id: '2', categoryId: null, category: null, amount: 40, description: null },
  ])
  expect(await amy.call('expenses_update_put', before)).toEqual(before)
  const emptied = await amy.call('expenses_update_put', { id })
  expect(emptied).toMatchObject({ amount: 100, currency: 'SGD', date: '2026-01-31', splits: [], taxRate: null })
})

test('customers are linked and unlinked', async () => {
  const [one, two] = [await company(amy, 'One'), await company(amy, 'Two')]
  const { id } = await spend(amy)
  const link = (customerIds: string[]) => amy.call('expenses_customers', { id, customerIds })
  expect((await link([one.id])).customers.map(({ customerId }) => customerId)).toEqual([one.id])
  expect((await link([one.id, two.id])).customers).toHaveLength(2)
  await expect(link([])).rejects.toMatchObject({ status: 400 })
  await expect(link(['nope'])).rejects.toMatchObject({ status: 400 })
  await amy.call('expenses_customers_delete', { id, customerId: one.id })
  expect((await amy.call('expenses_get', { id })).customers.map(({ customerId }) => customerId)).toEqual([two.id])
  await expect(amy.call('expenses_customers_delete', { id, customerId: one.id })).rejects.toMatchObject({ status: 404 })
})

test('a claimant of an expense is not deleted, and its supplier stays a supplier; a linked customer is', async () => {
  const [supplier, claimant, customer] = [await company(amy, 'Keep'), await person(), await company(amy, 'Gone')]
  const { id } = await spend(amy, { supplierId: supplier.id, claimantId: claimant.id, customerIds: [customer.id] })
  await expect(amy.call('customers_delete', { id: claimant.id })).rejects.toMatchObject({ status: 409 })
  await expect(amy.call('suppliers_delete', { id: supplier.id })).rejects.toMatchObject({ status: 409 })
  await amy.call('customers_delete', { id: supplier.id })
  expect(await amy.call('suppliers_get', { id: supplier.id })).toMatchObject({ isCustomer: false })
  await amy.call('customers_delete', { id: customer.id })
  expect((await amy.call('expenses_get', { id })).customers).toEqual([])
})

test('a deleted category is taken from its expenses, approved ones included', async () => {
  const category = await amy.call('expense_categories_create', {
    organizationId: String(amy.organizationId),
    name: 'Fuel',
  })
  const { id } = await spend(amy, { categoryId: category.id })
  await amy.call('expenses_status', { id, status: 'APPROVED' })
  await amy.call('expenses_delete', { id: category.id })
  expect(await amy.call('expenses_get', { id })).toMatchObject({ category: null, categoryId: null, status: 'APPROVED' })
})
