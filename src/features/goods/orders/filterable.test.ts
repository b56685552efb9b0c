import { expect, test } from 'vitest'
import { member, type Someone } from '../../../test/world.ts'
import { filterCatalog } from '../../work/automations/filters/objects.ts'

/** One of each object: lamps are ordered, received, billed, sold and invoiced. */
async function trade(amy: Someone) {
  const { id: categoryId } = await amy.call('expense_categories_create', { name: 'Lamps' })
  const lamp = { name: 'Lamp', sku: 'L-1', salePrice: 25, purchasePrice: 10, lowStockThreshold: 50 }
  const { id: itemId } = await amy.call('logistics_items_create', lamp)
  const supplier = { name: 'Acme', country: 'SG', paymentTermsDays: 30, defaultCategoryId: categoryId }
  const { id: supplierId } = await amy.call('suppliers_create', supplier)
  const { id: customerId } = await amy.call('customers_create', { name: 'Globex', country: 'SG' })
  const order = (fields: object) =>
    amy.call('orders_create', { kind: 'PURCHASE', status: 'OPEN', lines: [{ itemId, quantity: 10 }], ...fields })
  const bought = await order({ supplierId })
  await amy.call('orders_receive', { id: bought.id })
  const bill = { amount: 100, currency: 'SGD', date: '2026-01-31', supplierId, orderId: bought.id, categoryId }
  await amy.call('expenses_create', { organizationId: String(amy.organizationId), ...bill })
  const sold = await order({ kind: 'SALES', customerId, lines: [{ itemId, quantity: 3 }] })
  const { invoice } = await amy.call('orders_invoice', { id: sold.id })
  await amy.call('invoices_update', { id: invoice.id, status: 'SENT' })
}

const found = (amy: Someone, spec: object) =>
  amy.call('automations_preview', { organizationId: String(amy.organizationId), spec } as never)

const objects = ['Supplier', 'Item', 'StockMovement', 'Order', 'OrderLine']

test('every relation of suppliers, items, movements, orders and lines finds rows', async () => {
  const amy = await member('OWNER')
  await trade(amy)
  const relations = objects.flatMap((root) =>
    Object.entries(filterCatalog[root]?.morphisms ?? {}).map(([name, to]) => ({ root, name, to })),
  )
  expect(relations.length).toBeGreaterThan(12)
  for (const { root, name, to } of relations) {
    const as = to === root ? 'Other' : to
    const spec = {
      root,
      follows: [{ from: root, name, as }],
      predicates: [],
      extract: [{ as: 'n', path: `${root}.id`, fn: 'count' }],
      shape: 'scalar',
    }
    const { scalar } = await found(amy, spec)
    expect(Number(scalar), `${root}.${name}`).toBeGreaterThan(0)
  }
})

test('amounts, quantities and flags can be filtered and added up', async () => {
  const amy = await member('OWNER')
  await trade(amy)
  const low = await found(amy, {
    ...{ root: 'Item', follows: [], predicates: [{ object: 'Item', field: 'isLow', op: 'eq', value: true }] },
    extract: [{ as: 'name', path: 'Item.name' }, { as: 'level', path: 'Item.stockLevel' }],
  }) // biome-ignore format: a list
  expect(low.sample).toEqual([{ name: 'Lamp', level: 7 }])
  const ordered = await found(amy, {
    ...{ root: 'Order', follows: [{ from: 'Order', name: 'lines' }] },
    predicates: [{ object: 'Order', field: 'kind', op: 'eq', value: 'PURCHASE' }],
    extract: [{ as: 'total', path: 'Order.total' }, { as: 'quantity', path: 'OrderLine.quantity' }],
  }) // biome-ignore format: a list
  expect(ordered.sample).toEqual([{ total: 100, quantity: 10 }])
})
