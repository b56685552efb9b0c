import { expect, test } from 'vitest'
import { addItem, goods, sale, stockUp, trader } from '../../../test/trading.ts'
import { member } from '../../../test/world.ts'

const empty = {
  description: null, sku: null, barcode: null, unit: null, salePrice: null, purchasePrice: null, taxRate: null, taxCategory: null,
  lowStockThreshold: null,
} // biome-ignore format: a list of words

test('a new item has every field, with defaults', async () => {
  const amy = await member('CONTRIBUTOR')
  const created = await amy.call('logistics_items_create', { name: 'Lamp' })
  const instant = expect.stringMatching(/Z$/)
  expect(created).toEqual({
    id: created.id, organizationId: amy.organizationId, name: 'Lamp', kind: 'GOODS', ...empty, saleCurrency: 'SGD', purchaseCurrency: 'SGD',
    tracked: true, active: true, stockLevel: 0, averageCost: null, stockValue: null, isLow: false, createdAt: instant, updatedAt: instant,
  }) // biome-ignore format: a list of words
  expect(await amy.call('logistics_items_get', { id: created.id })).toEqual(created)
  const service = await amy.call('logistics_items_create', { name: 'Advice', kind: 'SERVICE' })
  expect(service).toMatchObject({ tracked: false, stockLevel: null })
})

const full = {
  name: 'מנורה', description: 'Brass', sku: 'L-1', barcode: '729', unit: 'piece', salePrice: 25.123456, saleCurrency: 'USD', purchasePrice: 10,
  purchaseCurrency: 'EUR', taxRate: 9, taxCategory: 'SR', lowStockThreshold: 2.5, tracked: true, active: false, kind: 'GOODS' as const,
} // biome-ignore format: a list of words

test('all fields are stored; PATCH changes the given ones, PUT empties the others, and what was read can be sent back', async () => {
  const amy = await member('CONTRIBUTOR')
  const created = await amy.call('logistics_items_create', full)
  expect(created).toMatchObject(full)
  const { id } = created
  const back = await amy.call('logistics_items_update', created as never)
  expect({ ...back, updatedAt: '' }).toEqual({ ...created, updatedAt: '' })
  expect(await amy.call('logistics_items_update_patch', { id, barcode: null, salePrice: 30 })).toMatchObject({
    ...full,
    barcode: null,
    salePrice: 30,
  })
  const kept = {
    name: full.name,
    kind: full.kind,
    tracked: true,
    saleCurrency: 'USD',
    purchaseCurrency: 'EUR',
    active: true,
  }
  expect(await amy.call('logistics_items_update', { id, unit: 'box' })).toMatchObject({
    ...empty,
    ...kept,
    unit: 'box',
  })
  expect(await amy.call('logistics_items_update_patch', { id, kind: 'SERVICE' })).toMatchObject({
    kind: 'SERVICE',
    tracked: false,
  })
})

test.each([
  ['name', ''], ['kind', 'THING'], ['salePrice', -1], ['salePrice', 1e16], ['purchasePrice', 'x'], ['taxRate', 101], ['lowStockThreshold', -1],
  ['saleCurrency', 'NOPE'], ['purchaseCurrency', ''], ['tracked', 'yes'], ['active', 1], ['sku', 'x'.repeat(101)],
])('%s cannot be %j', async (field, value) => {
  const amy = await member('CONTRIBUTOR')
  const { id } = await addItem(amy)
  const refused = { status: 400, details: [{ path: field }] }
  await expect(addItem(amy, { [field]: value })).rejects.toMatchObject(refused)
  await expect(amy.call('logistics_items_update_patch', { id, [field]: value } as never)).rejects.toMatchObject(refused)
}) // biome-ignore format: a list of words

test('an SKU is given once, whatever the case; none is no SKU', async () => {
  const amy = await member('CONTRIBUTOR')
  await addItem(amy, { sku: ' Ab-1 ' })
  const other = await addItem(amy, { sku: 'ab-2' })
  const taken = { status: 409, details: [{ code: 'ALREADY_EXISTS' }] }
  await expect(addItem(amy, { sku: 'AB-1' })).rejects.toMatchObject(taken)
  await expect(amy.call('logistics_items_update_patch', { id: other.id, sku: 'aB-1' })).rejects.toMatchObject(taken)
  for (const sku of ['', '  ', null]) expect((await addItem(amy, { sku })).sku).toBe(null)
  await addItem(await member('CONTRIBUTOR'), { sku: 'ab-1' })
})

test('a service is not tracked, and goods that moved stay tracked', async () => {
  const amy = await member('CONTRIBUTOR')
  const lamp = await addItem(amy)
  await expect(addItem(amy, { kind: 'SERVICE', tracked: true })).rejects.toMatchObject({ status: 400 })
  await amy.call('logistics_items_update_patch', { id: lamp.id, tracked: false })
  await amy.call('logistics_items_update_patch', { id: lamp.id, tracked: true })
  await stockUp(amy, lamp.id, 1, 10)
  for (const change of [{ tracked: false }, { kind: 'SERVICE' as const }])
    await expect(amy.call('logistics_items_update_patch', { id: lamp.id, ...change })).rejects.toMatchObject({
      status: 409,
    })
})

test('an item that something names is not deleted; another is', async () => {
  const all = await trader()
  const { amy, lamp } = all
  const [moved, ordered, unused] = [await addItem(amy), await addItem(amy), await addItem(amy)]
  await amy.call('invoices_create', goods(all, 1))
  await stockUp(amy, moved.id, 1, 10)
  await sale({ ...all, lamp: ordered }, 1)
  for (const { id } of [lamp, moved, ordered])
    await expect(amy.call('logistics_items_delete', { id })).rejects.toMatchObject({ status: 409 })
  await amy.call('logistics_items_delete', { id: unused.id })
  await expect(amy.call('logistics_items_get', { id: unused.id })).rejects.toMatchObject({ status: 404 })
})

test('the list searches in any script, pages, sorts and filters', async () => {
  const amy = await member('CONTRIBUTOR')
  const organizationId = String(amy.organizationId)
  const lamp = await addItem(amy, { name: 'מנורת שולחן', sku: 'B-2', lowStockThreshold: 5 })
  await addItem(amy, { name: 'chair', sku: 'A-1', description: 'oak 100%', active: false })
  await addItem(amy, { name: 'Advice', kind: 'SERVICE', barcode: '7290001' })
  await stockUp(amy, lamp.id, 3, 10)
  const names = async (query = {}) =>
    (await amy.call('logistics_items_list', query as never)).items.map(({ name }) => name)
  expect(await names()).toEqual(['Advice', 'chair', 'מנורת שולחן'])
  for (const home of [{}, { organizationId }])
    for (const [search, found] of [
      ['שולחן', 'מנורת שולחן'],
      ['a-1', 'chair'],
      ['0001', 'Advice'],
      ['OAK', 'chair'],
      ['ור', 'מנורת שולחן'],
      ['100%', 'chair'],
    ])
      expect(await names({ ...home, search }), search).toEqual([found])
  expect(await names({ sortBy: 'sku', sortOrder: 'desc' })).toEqual(['מנורת שולחן', 'chair', 'Advice'])
  expect(await names({ limit: 2, page: 2 })).toEqual(['מנורת שולחן'])
  expect(await names({ kind: 'SERVICE' })).toEqual(['Advice'])
  expect(await names({ active: 'false' })).toEqual(['chair'])
  expect(await names({ tracked: 'false' })).toEqual(['Advice'])
  expect(await names({ low: 'true' })).toEqual(['מנורת שולחן'])
  expect(await names({ low: 'false' })).toEqual(['Advice', 'chair'])
})

test('a sale price below the purchase price is a warning', async () => {
  const amy = await member('CONTRIBUTOR')
  expect((await addItem(amy)).warnings).toBeUndefined()
  expect((await addItem(amy, { salePrice: 5 })).warnings).toMatchObject([
    { code: 'PRICE_BELOW_COST', path: 'salePrice' },
  ])
  expect((await addItem(amy, { salePrice: 5, saleCurrency: 'USD', purchaseCurrency: 'EUR' })).warnings).toBeUndefined()
})
