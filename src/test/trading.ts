import { expect } from 'vitest'
import { member, type Someone, theApp } from './world.ts'

/** A company that buys and sells lamps: its item, its supplier and its customer. */

export type Trader = Awaited<ReturnType<typeof trader>>

export async function trader({
  country = 'SG',
  item = {},
}: {
  country?: 'SG' | 'IL' | 'US'
  item?: Record<string, unknown>
} = {}) {
  const amy = await member('OWNER', { country })
  const lamp = await addItem(amy, item)
  const supplier = await amy.call('suppliers_create', { name: 'Acme', country })
  const customer = await amy.call('customers_create', { name: 'Globex', country })
  return { amy, lamp, supplier, customer }
}

export const addItem = (amy: Someone, more: Record<string, unknown> = {}) =>
  amy.call('logistics_items_create', { name: 'Lamp', salePrice: 25, purchasePrice: 10, ...more })

/** The stock of an item: how many, what they are worth, and what one costs on average. */
export async function stockOf(amy: Someone, itemId: string) {
  const { levels } = await amy.call('logistics_stock_levels', { organizationId: String(amy.organizationId), itemId })
  const [level] = levels
  if (!level) throw new Error('The item is not tracked.')
  return level
}

/** The movements of an item, oldest first, as `IN 5 = 50`. */
export async function movesOf(amy: Someone, itemId: string): Promise<string[]> {
  const { rows } = await theApp().system.raw.query<{ kind: string; quantity: string; valueMinor: number }>(
    'select kind, quantity, value_minor as "valueMinor" from stock_movements where item_id = $1 order by sequence',
    [itemId],
  )
  expect(amy.organizationId).toBeDefined()
  return rows.map(({ kind, quantity, valueMinor }) => `${kind} ${Number(quantity)} = ${Number(valueMinor) / 100}`)
}

export const stockUp = (amy: Someone, itemId: string, quantity: number, unitCost?: number) =>
  amy.call('logistics_stock_movements_create', {
    itemId,
    kind: 'IN',
    quantity,
    ...(unitCost !== undefined && { unitCost }),
  })

/** The input for an invoice over this many of an item, at 25 each without tax. */
export const goods = (
  { amy, lamp, customer }: Trader,
  quantity: number,
  { itemId = lamp.id, ...more }: Record<string, unknown> & { itemId?: string } = {},
) => {
  const amount = Math.round(quantity * 2_500) / 100
  return {
    organizationId: String(amy.organizationId),
    customerId: customer.id,
    currency: 'SGD',
    items: [{ id: '1', itemId, description: 'Lamp', quantity, unitPrice: 25, amount }],
    subtotal: amount,
    taxRate: 0,
    taxAmount: 0,
    total: amount,
    ...more,
  }
}

export const purchase = ({ amy, lamp, supplier }: Trader, quantity: number, more: Record<string, unknown> = {}) =>
  amy.call('orders_create', {
    kind: 'PURCHASE',
    supplierId: supplier.id,
    lines: [{ itemId: lamp.id, quantity }],
    status: 'OPEN',
    ...more,
  })

export const sale = ({ amy, lamp, customer }: Trader, quantity: number, more: Record<string, unknown> = {}) =>
  amy.call('orders_create', {
    kind: 'SALES',
    customerId: customer.id,
    lines: [{ itemId: lamp.id, quantity }],
    status: 'OPEN',
    ...more,
  })

/** The balance of every account of the journal that has one, by its purpose or code. */
export async function balancesOf(amy: Someone): Promise<Record<string, number>> {
  const sums: Record<string, number> = {}
  const { entries } = await amy.call('reports_journal', {
    organizationId: String(amy.organizationId),
    from: '2000-01-01',
    to: '2099-01-01',
    limit: 1_000,
  })
  for (const { accountCode, debit, credit } of entries)
    sums[String(accountCode)] = Math.round(((sums[String(accountCode)] ?? 0) + debit - credit) * 100) / 100
  return Object.fromEntries(Object.entries(sums).filter(([, sum]) => sum !== 0))
}
