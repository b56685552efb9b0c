import { afterAll, expect, test } from 'vitest'
import { addItem, movesOf, sale, stockOf, stockUp, type Trader, trader } from '../../../test/trading.ts'
import { expectSoundBooks } from '../../../test/violations.ts'

/** Invoices of orders: each quantity is invoiced once and leaves the stock once. */

afterAll(expectSoundBooks)

const stocked = async () => {
  const all = await trader()
  await stockUp(all.amy, all.lamp.id, 20, 10)
  return all
}

const invoice = async ({ amy }: Trader, id: string) => (await amy.call('orders_invoice', { id })).invoice
const issue = ({ amy }: Trader, id: string) => amy.call('invoices_update', { id, status: 'SENT' })
const credit = ({ amy }: Trader, id: string, quantity?: number, more: Record<string, unknown> = {}) => {
  const part = { id: '1', description: 'Returned', quantity, unitPrice: 25, amount: (quantity ?? 0) * 25, ...more }
  return amy.call('invoices_memos', { id, kind: 'CREDIT', ...(quantity && { items: [part] }) } as never)
}
const level = async ({ amy, lamp }: Trader) => (await stockOf(amy, lamp.id)).quantity
const invoiced = async ({ amy }: Trader, id: string) =>
  (await amy.call('orders_get', { id })).lines.map(({ invoicedQuantity }) => invoicedQuantity)

test('an order is invoiced once: drafts count, and a deleted draft frees its quantity', async () => {
  const all = await stocked()
  const { amy } = all
  const { id } = await sale(all, 4)
  const first = await invoice(all, id)
  expect(first).toMatchObject({ status: 'DRAFT', total: 100, customerId: all.customer.id, notes: 'Order SO-0001' })
  expect(await amy.call('orders_get', { id })).toMatchObject({ isInvoiced: true, lines: [{ invoicedQuantity: 4 }] })
  await expect(invoice(all, id)).rejects.toMatchObject({ status: 409, details: [{ code: 'INVOICED_WITHIN_ORDER' }] })
  await amy.call('invoices_delete', { id: first.id })
  expect(await amy.call('orders_get', { id })).toMatchObject({ isInvoiced: false, lines: [{ invoicedQuantity: 0 }] })
  await issue(all, (await invoice(all, id)).id)
  expect(await level(all)).toBe(16)
})

test('drafts, orders to suppliers, cancelled orders and closed ones without deliveries are not invoiced', async () => {
  const all = await stocked()
  const { amy, lamp, supplier } = all
  const draft = await sale(all, 4, { status: 'DRAFT' })
  await expect(invoice(all, draft.id)).rejects.toMatchObject({ status: 409, code: 'CONFLICT' })
  await amy.call('orders_open', { id: draft.id })
  await invoice(all, draft.id)
  const bought = await amy.call('orders_create', {
    kind: 'PURCHASE',
    supplierId: supplier.id,
    lines: [{ itemId: lamp.id, quantity: 1 }],
    status: 'OPEN',
  })
  await expect(invoice(all, bought.id)).rejects.toMatchObject({ status: 409 })
  const cancelled = await sale(all, 4)
  await amy.call('orders_cancel', { id: cancelled.id })
  await expect(invoice(all, cancelled.id)).rejects.toMatchObject({ status: 409 })
  const closed = await sale(all, 4)
  await amy.call('orders_close', { id: closed.id })
  await expect(invoice(all, closed.id)).rejects.toMatchObject({ status: 409 })
})

test('of an order that was closed short only what was delivered is invoiced', async () => {
  const all = await stocked()
  const { amy } = all
  const { id } = await sale(all, 10)
  await amy.call('orders_deliver', { id, lines: [{ lineId: '1', quantity: 4 }] })
  expect(await amy.call('orders_close', { id, reason: 'sold out' })).toMatchObject({
    status: 'CLOSED',
    endReason: 'sold out',
    isInvoiced: false,
  })
  expect((await invoice(all, id)).total).toBe(100)
  expect(await amy.call('orders_get', { id })).toMatchObject({ isInvoiced: true })
  await expect(invoice(all, id)).rejects.toMatchObject({ status: 409 })
})

test('what was delivered beyond the order can be invoiced', async () => {
  const all = await stocked()
  const { amy } = all
  const { id } = await sale(all, 4)
  await issue(all, (await invoice(all, id)).id)
  await amy.call('orders_deliver', { id, lines: [{ lineId: '1', quantity: 6 }], allowOver: true })
  expect(await amy.call('orders_get', { id })).toMatchObject({ isInvoiced: false })
  expect(await level(all)).toBe(14)
  await issue(all, (await invoice(all, id)).id)
  expect(await invoiced(all, id)).toEqual([6])
  expect(await level(all)).toBe(14)
})

test('the parts of a line add up to its amount', async () => {
  const all = await stocked()
  const { amy, customer } = all
  const { id, subtotal } = await amy.call('orders_create', {
    kind: 'SALES',
    customerId: customer.id,
    lines: [{ description: 'Rope', quantity: 3, unitPrice: 33.333333, taxRate: 9 }],
    status: 'OPEN',
  })
  expect(subtotal).toBe(100)
  const first = await invoice(all, id)
  await amy.call('invoices_update', {
    id: first.id,
    items: [{ id: '1', description: 'Rope', quantity: 1, unitPrice: 33.33, amount: 33.33, taxRate: 9 }],
    subtotal: 33.33,
    taxAmount: 3,
    total: 36.33,
    status: 'SENT',
  })
  expect(await invoiced(all, id)).toEqual([1])
  expect(await invoice(all, id)).toMatchObject({ subtotal: 66.67, taxAmount: 6, total: 72.67 })
})

test('a credit memo opens the order for another invoice, and the goods go back and leave again', async () => {
  const all = await stocked()
  const { amy } = all
  const { id } = await sale(all, 10)
  await amy.call('orders_deliver', { id })
  const { id: first } = await invoice(all, id)
  await issue(all, first)
  expect(await level(all)).toBe(10)
  await credit(all, first, 4)
  expect(await level(all)).toBe(14)
  expect(await invoiced(all, id)).toEqual([6])
  const second = await invoice(all, id)
  expect(second).toMatchObject({ total: 100 })
  await issue(all, second.id)
  expect(await level(all)).toBe(10)
  expect(await invoiced(all, id)).toEqual([10])
})

test('an invoice that was credited before the delivery: the delivery takes the goods out once', async () => {
  const all = await stocked()
  const { amy } = all
  const { id } = await sale(all, 10)
  const { id: wrong } = await invoice(all, id)
  await issue(all, wrong)
  expect(await level(all)).toBe(10)
  await credit(all, wrong)
  expect(await level(all)).toBe(20)
  await amy.call('orders_deliver', { id, lines: [{ lineId: '1', quantity: 6 }] })
  expect(await level(all)).toBe(14)
  await issue(all, (await invoice(all, id)).id)
  expect(await level(all)).toBe(10)
  await amy.call('orders_deliver', { id })
  expect(await level(all)).toBe(10)
})

test('a memo of an amount frees no quantity, and no memo frees more than its invoice had', async () => {
  const all = await stocked()
  const { amy } = all
  const { id } = await sale(all, 10)
  const { id: first } = await invoice(all, id)
  await issue(all, first)
  await credit(all, first, 1, { amount: 10, unitPrice: 10, itemId: null })
  expect(await invoiced(all, id)).toEqual([10])
  expect(await level(all)).toBe(10)
  await credit(all, first, 100, { unitPrice: 1, amount: 100 })
  expect(await invoiced(all, id)).toEqual([0])
  expect(await level(all)).toBe(20)
  await credit(all, first)
  expect(await invoiced(all, id)).toEqual([0])
  expect(await level(all)).toBe(20)
  expect(await amy.call('orders_get', { id })).toMatchObject({ isInvoiced: false })
})

test('a draft that was edited counts as it is: fewer, more, another item, none', async () => {
  const all = await stocked()
  const { amy, lamp } = all
  const vase = await addItem(amy, { name: 'Vase' })
  await stockUp(amy, vase.id, 20, 5)
  const edit = async (change: Record<string, unknown>) => {
    const { id } = await sale(all, 4)
    const { id: draft } = await invoice(all, id)
    const { items } = await amy.call('invoices_get', { id: draft })
    const line = { amount: 100, ...items[0], ...change }
    await amy.call('invoices_update', { id: draft, items: [line] as never, subtotal: line.amount, total: line.amount })
    await issue(all, draft)
    return { id, draft }
  }
  const fewer = await edit({ quantity: 1, amount: 25 })
  expect(await invoiced(all, fewer.id)).toEqual([1])
  expect(await level(all)).toBe(19)
  const more = await edit({ quantity: 6, amount: 150 })
  expect(await invoiced(all, more.id)).toEqual([6])
  expect(await level(all)).toBe(13)
  await amy.call('orders_deliver', { id: more.id })
  expect(await level(all)).toBe(13)
  const other = await edit({ itemId: vase.id })
  expect(await invoiced(all, other.id)).toEqual([0])
  expect(await movesOf(amy, vase.id)).toEqual(['IN 20 = 100', 'OUT -4 = -20'])
  await credit(all, other.draft)
  expect(await movesOf(amy, vase.id)).toEqual(['IN 20 = 100', 'OUT -4 = -20', 'IN 4 = 20'])
  expect(await level(all)).toBe(13)
  const none = await edit({ itemId: null })
  expect(await invoiced(all, none.id)).toEqual([4])
  expect(await level(all)).toBe(9)
  await credit(all, none.draft)
  expect(await level(all)).toBe(13)
  expect(lamp.id).not.toBe(vase.id)
})

test('an order whose item is tracked only later moves what leaves from then on', async () => {
  const all = await trader({ item: { tracked: false } })
  const { amy, lamp } = all
  const { id } = await sale(all, 10)
  await amy.call('orders_deliver', { id, lines: [{ lineId: '1', quantity: 4 }] })
  const billed = await sale(all, 3)
  await issue(all, (await invoice(all, billed.id)).id)
  await amy.call('logistics_items_update_patch', { id: lamp.id, tracked: true })
  await stockUp(amy, lamp.id, 20, 10)
  await amy.call('orders_deliver', { id: billed.id })
  expect(await level(all)).toBe(20)
  await amy.call('orders_deliver', { id })
  expect(await level(all)).toBe(14)
})

test('an order with invoices is not cancelled; credited, it is', async () => {
  const all = await stocked()
  const { amy } = all
  const { id } = await sale(all, 4)
  const { id: draft } = await invoice(all, id)
  await expect(amy.call('orders_cancel', { id })).rejects.toMatchObject({ status: 409, message: /invoices/ })
  await issue(all, draft)
  await expect(amy.call('orders_cancel', { id })).rejects.toMatchObject({ status: 409 })
  await credit(all, draft)
  expect(await amy.call('orders_cancel', { id })).toMatchObject({ status: 'CANCELLED' })
})
