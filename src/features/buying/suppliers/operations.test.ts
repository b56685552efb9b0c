import { expect, test } from 'vitest'
import { newId } from '../../../core/values/id.ts'
import { goods, purchase, trader } from '../../../test/trading.ts'
import { member, type Someone, theApp } from '../../../test/world.ts'

const acme = { name: 'Acme', country: 'SG' }
const instant = expect.stringMatching(/Z$/)

const empty = {
  email: null, phone: null, address: null, registrationNumber: null, notes: null, taxNumber: null, gstNumber: null,
  paymentTermsDays: null, defaultCategoryId: null, defaultCurrency: null, withholdingRate: null, withholdingValidUntil: null,
  bankDetails: null, is1099: false,
} // biome-ignore format: a list of words

test('a new supplier has every field, with defaults', async () => {
  const amy = await member('CONTRIBUTOR')
  const created = await amy.call('suppliers_create', acme)
  expect(created).toEqual({
    id: created.id, organizationId: amy.organizationId, ...acme, ...empty, kind: 'ORGANIZATION', status: 'ACTIVE', isCustomer: false,
    displayName: 'Acme', supplierOrganization: null, activeOrderCount: 0, totalOrderCount: 0, _count: { expenses: 0, orders: 0 },
    createdAt: instant, updatedAt: instant,
  }) // biome-ignore format: a list of words
  expect(await amy.call('suppliers_get', { id: created.id })).toEqual(created)
})

const full = async (amy: Someone) => {
  const { categories } = await amy.call('expense_categories_list')
  return {
    name: 'ספק בע״מ', country: 'IL', email: 'a@x.test', phone: '+972', address: 'Haifa', registrationNumber: '513456789', notes: 'slow',
    taxNumber: '513', gstNumber: 'G1', paymentTermsDays: 30, defaultCategoryId: String(categories[0]?.id), defaultCurrency: 'ILS',
    withholdingRate: 12.5, withholdingValidUntil: '2099-12-31', is1099: true, isCustomer: true,
    bankDetails: { bankName: 'Leumi', branchCode: '800', accountNumber: '123456', accountName: 'Supplier', iban: null, swiftCode: 'LUMIILIT' },
  } // biome-ignore format: a list of words
}

test('all fields are stored; PATCH changes the given ones, PUT empties the others, and what was read can be sent back', async () => {
  const amy = await member('CONTRIBUTOR')
  const given = await full(amy)
  const created = await amy.call('suppliers_create', { ...given, kind: 'INDIVIDUAL' })
  expect(created).toMatchObject({ ...given, kind: 'INDIVIDUAL' })
  const { id } = created
  const back = await amy.call('suppliers_update', created as never)
  expect({ ...back, updatedAt: '', warnings: 0 }).toEqual({ ...created, updatedAt: '', warnings: 0 })
  expect(await amy.call('suppliers_update_patch', { id, phone: null, status: 'INACTIVE' })).toMatchObject({
    ...given,
    phone: null,
    status: 'INACTIVE',
  })
  expect(await amy.call('suppliers_update', { id, notes: 'only' })).toMatchObject({
    ...empty,
    notes: 'only',
    name: given.name,
    country: 'IL',
    status: 'INACTIVE',
    isCustomer: true,
  })
})

test.each([
  ['name', ''], ['email', 'nope'], ['paymentTermsDays', -1], ['paymentTermsDays', 3651], ['paymentTermsDays', 1.5], ['withholdingRate', 101],
  ['withholdingRate', -1], ['withholdingValidUntil', '2026-02-30'], ['withholdingValidUntil', 'soon'], ['defaultCategoryId', newId()],
  ['defaultCategoryId', 'nope'], ['defaultCurrency', 'NOPE'], ['defaultCurrency', ''], ['bankDetails', 'x'], ['bankDetails', { colour: 'red' }],
  ['is1099', 'yes'], ['status', 'GONE'], ['kind', 'ROBOT'], ['country', 5],
])('%s cannot be %j', async (field, value) => {
  const amy = await member('CONTRIBUTOR')
  const { id } = await amy.call('suppliers_create', acme)
  const refused = { status: 400, details: [{ path: expect.stringMatching(new RegExp(`^${field}`)) }] }
  if (field !== 'status')
    await expect(amy.call('suppliers_create', { ...acme, [field]: value } as never)).rejects.toMatchObject(refused)
  if (field !== 'kind')
    await expect(amy.call('suppliers_update_patch', { id, [field]: value } as never)).rejects.toMatchObject(refused)
}) // biome-ignore format: a list of words

test('a certificate that ended and a bank account with a doubtful number are warnings', async () => {
  const amy = await member('CONTRIBUTOR')
  const { warnings } = await amy.call('suppliers_create', {
    ...acme,
    withholdingValidUntil: '2020-01-01',
    bankDetails: { iban: 'GB00' },
  })
  expect(warnings?.map(({ code, path }) => [code, path])).toEqual(
    expect.arrayContaining([
      ['CERTIFICATE_EXPIRED', 'withholdingValidUntil'],
      [expect.any(String), 'bankDetails.iban'],
    ]),
  )
})

test('the list searches in any script, pages, sorts and filters', async () => {
  const amy = await member('CONTRIBUTOR')
  for (const [name, email] of [['אלפא', 'c@x.test'], ['Beta', 'b@x.test'], ['gamma', 'a@x.test']])
    await amy.call('suppliers_create', { ...acme, name: String(name), email: String(email) })
  await amy.call('customers_create', { name: 'No supplier', country: 'SG' })
  const names = async (query = {}) =>
    (await amy.call('suppliers_list', query as never)).suppliers.map(({ name }) => name)
  expect(await names()).toEqual(['gamma', 'Beta', 'אלפא'])
  expect(await names({ search: 'אלפ' })).toEqual(['אלפא'])
  expect(await names({ search: 'B@X' })).toEqual(['Beta'])
  expect(await names({ search: '%' })).toEqual([])
  expect(await names({ sortBy: 'name', sortOrder: 'asc' })).toEqual(['Beta', 'gamma', 'אלפא'])
  expect(await names({ sortBy: 'email', sortOrder: 'desc' })).toEqual(['אלפא', 'Beta', 'gamma'])
  expect(await names({ page: 2, limit: 2 })).toEqual(['אלפא'])
  expect(await names({ status: 'INACTIVE' })).toEqual([])
  expect(await names({ kind: 'ORGANIZATION', inSystem: 'false' })).toHaveLength(3)
}) // biome-ignore format: a list of words

test('supplierOrganization is the organization here with the same number and country', async () => {
  const [amy, eve] = [await member('OWNER'), await member('OWNER')]
  const registrationNumber = `R${newId().slice(-8)}`
  await eve.call('organizations_update', { id: String(eve.organizationId), registrationNumber })
  const created = await amy.call('suppliers_create', { ...acme, registrationNumber })
  expect(created.supplierOrganization).toMatchObject({ id: eve.organizationId })
  expect((await amy.call('suppliers_list', { inSystem: 'true' })).suppliers).toHaveLength(1)
})

test('one record is customer and supplier: each deletes its own side', async () => {
  const amy = await member('OWNER')
  const both = await amy.call('suppliers_create', { ...acme, isCustomer: true })
  expect(await amy.call('customers_get', { id: both.id })).toMatchObject({ isSupplier: true, name: 'Acme' })
  await amy.call('suppliers_delete', { id: both.id })
  await expect(amy.call('suppliers_get', { id: both.id })).rejects.toMatchObject({ status: 404 })
  expect(await amy.call('customers_get', { id: both.id })).toMatchObject({ isSupplier: false })
  await amy.call('customers_update_patch', { id: both.id, isSupplier: true })
  await amy.call('customers_delete', { id: both.id })
  await expect(amy.call('customers_get', { id: both.id })).rejects.toMatchObject({ status: 404 })
  expect(await amy.call('suppliers_get', { id: both.id })).toMatchObject({ isCustomer: false })
  await amy.call('suppliers_delete', { id: both.id })
  const { rows } = await theApp().system.raw.query('select from customers where id = $1', [both.id])
  expect(rows).toEqual([])
})

test('with documents it stays a customer, with expenses or orders a supplier', async () => {
  const all = await trader()
  const { amy, customer, supplier } = all
  await amy.call('invoices_create', goods(all, 1))
  await amy.call('customers_update_patch', { id: customer.id, isSupplier: true })
  await expect(amy.call('customers_delete', { id: customer.id })).rejects.toMatchObject({ status: 409 })
  await expect(amy.call('suppliers_update_patch', { id: customer.id, isCustomer: false })).rejects.toMatchObject({
    status: 409,
  })
  await amy.call('customers_update_patch', { id: customer.id, isSupplier: false })
  const { id } = await purchase(all, 1, { status: 'DRAFT' })
  await amy.call('suppliers_update_patch', { id: supplier.id, isCustomer: true })
  await expect(amy.call('suppliers_delete', { id: supplier.id })).rejects.toMatchObject({ status: 409 })
  await expect(amy.call('customers_update_patch', { id: supplier.id, isSupplier: false })).rejects.toMatchObject({
    status: 409,
  })
  await amy.call('orders_delete', { id })
  await amy.call('customers_update_patch', { id: supplier.id, isSupplier: false })
  expect(await amy.call('customers_get', { id: supplier.id })).toMatchObject({ isSupplier: false })
})

test('orders and expenses are counted as they are now', async () => {
  const all = await trader()
  const { amy, customer, lamp, supplier } = all
  const first = await purchase(all, 1)
  await purchase(all, 1, { status: 'DRAFT' })
  await amy.call('orders_cancel', { id: first.id })
  await amy.call('expenses_create', {
    organizationId: String(amy.organizationId),
    amount: 5,
    currency: 'SGD',
    date: '2026-01-31',
    supplierId: supplier.id,
  })
  const counts = { activeOrderCount: 1, totalOrderCount: 2, _count: { expenses: 1, orders: 2 } }
  expect(await amy.call('suppliers_get', { id: supplier.id })).toMatchObject(counts)
  expect((await amy.call('suppliers_list', { search: 'Acme' })).suppliers).toMatchObject([counts])
  const lines = [{ itemId: lamp.id, quantity: 1 }]
  const sold = await amy.call('orders_create', { kind: 'SALES', customerId: customer.id, lines, status: 'OPEN' })
  expect(await amy.call('customers_get', { id: customer.id })).toMatchObject({
    activeOrderCount: 1,
    totalOrderCount: 1,
  })
  await amy.call('orders_close', { id: sold.id })
  expect(await amy.call('customers_get', { id: customer.id })).toMatchObject({
    activeOrderCount: 0,
    totalOrderCount: 1,
  })
})

test('a bill of the supplier takes its terms: the due date and the category, unless the caller says otherwise', async () => {
  const amy = await member('OWNER')
  const { categories } = await amy.call('expense_categories_list')
  const [usual, other] = [String(categories[0]?.id), String(categories[1]?.id)]
  const { id: supplierId } = await amy.call('suppliers_create', {
    ...acme,
    paymentTermsDays: 30,
    defaultCategoryId: usual,
  })
  const bill = { organizationId: String(amy.organizationId), amount: 5, currency: 'SGD', date: '2026-01-31' }
  const read = async (more = {}) =>
    amy.call('expenses_get', { id: (await amy.call('expenses_create', { ...bill, ...more })).id })
  expect(await read({ supplierId })).toMatchObject({ dueDate: '2026-03-02', categoryId: usual })
  expect(await read({ vendor: 'acme' })).toMatchObject({ supplierId, dueDate: '2026-03-02', categoryId: usual })
  expect(await read({ supplierId, dueDate: '2026-02-01', categoryId: other })).toMatchObject({
    dueDate: '2026-02-01',
    categoryId: other,
  })
  expect(await read()).toMatchObject({ dueDate: null, categoryId: null })
})

test('the audit trail says where the money goes now, and shows only the last digits', async () => {
  const amy = await member('OWNER')
  const { id } = await amy.call('suppliers_create', { ...acme, bankDetails: { accountNumber: '11112222' } })
  await amy.call('suppliers_update_patch', { id, bankDetails: { accountNumber: '33334444' } })
  const { rows } = await theApp().system.raw.query(
    "select detail::text as text from audit_log where operation = 'suppliers_update_patch' and object_id = $1",
    [id],
  )
  expect(String(rows[0]?.text)).toContain('…4444')
  expect(String(rows[0]?.text)).not.toContain('33334444')
})
