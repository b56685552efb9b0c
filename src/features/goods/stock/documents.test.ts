import { afterAll, expect, test } from 'vitest'
import { today } from '../../../core/values/day.ts'
import { newId } from '../../../core/values/id.ts'
import { addItem, goods, movesOf, stockOf, stockUp, type Trader, trader } from '../../../test/trading.ts'
import { expectSoundBooks } from '../../../test/violations.ts'
import { theApp } from '../../../test/world.ts'

/** Sales documents without an order move the stock once, when they are issued. */

afterAll(expectSoundBooks)

const stocked = async () => {
  const all = await trader()
  await stockUp(all.amy, all.lamp.id, 10, 10)
  return all
}

const draft = (all: Trader, quantity: number, more: Record<string, unknown> = {}) =>
  all.amy.call('invoices_create', goods(all, quantity, more))

const paying = { paymentDate: '2026-01-31', paymentMethod: 'CASH', sendReceiptEmail: false }

const out3 = ['IN 10 = 100', 'OUT -3 = -30']

test('a draft moves nothing; issuing it does once, whatever happens to it later', async () => {
  const all = await stocked()
  const { amy, lamp } = all
  const { id } = await draft(all, 3)
  expect(await movesOf(amy, lamp.id)).toEqual(['IN 10 = 100'])
  await amy.call('invoices_update', { id, status: 'UNSENT' })
  expect(await movesOf(amy, lamp.id)).toEqual(out3)
  await amy.call('invoices_update', { id, status: 'SENT' })
  await amy.call('invoices_mark_paid', { id, ...paying })
  await amy.call('invoices_update', { id, clearReceiptInfo: true })
  expect(await movesOf(amy, lamp.id)).toEqual(out3)
})

test.each(['UNSENT', 'SENT', 'PAID'])('an invoice created as %s moves its goods once', async (status) => {
  const all = await stocked()
  await draft(all, 3, { status })
  expect(await movesOf(all.amy, all.lamp.id)).toEqual(out3)
})

test('sending a draft and marking it paid issue it, and move its goods once', async () => {
  const all = await stocked()
  const { amy, lamp, customer } = all
  await amy.call('customers_update_patch', { id: customer.id, email: 'globex@x.test' })
  await amy.call('invoices_send', { id: (await draft(all, 3)).id })
  expect(await movesOf(amy, lamp.id)).toEqual(out3)
  await amy.call('invoices_mark_paid', { id: (await draft(all, 2)).id, ...paying })
  expect(await movesOf(amy, lamp.id)).toEqual([...out3, 'OUT -2 = -20'])
})

test('a payment request moves nothing, and the invoice that it becomes does once', async () => {
  const all = await stocked()
  const { amy, lamp } = all
  const { id } = await draft(all, 3, { documentType: 'PAYMENT_REQUEST', status: 'SENT' })
  expect(await movesOf(amy, lamp.id)).toEqual(['IN 10 = 100'])
  await amy.call('invoices_convert', { id, documentType: 'INVOICE' })
  expect(await movesOf(amy, lamp.id)).toEqual(out3)
})

test('a duplicate moves its own goods when it is issued', async () => {
  const all = await stocked()
  const { amy, lamp } = all
  const { id } = await draft(all, 3, { status: 'SENT' })
  const copy = await amy.call('invoices_duplicate', { id })
  expect(await movesOf(amy, lamp.id)).toEqual(out3)
  await amy.call('invoices_update', { id: copy.id, status: 'SENT' })
  expect(await movesOf(amy, lamp.id)).toEqual([...out3, 'OUT -3 = -30'])
})

test('an invoice-receipt moves its goods, and cancelling it puts them back at what they left for', async () => {
  const all = await trader({ country: 'IL' })
  const { amy, lamp } = all
  await amy.call('organizations_update', { id: String(amy.organizationId), registrationNumber: '123456782' })
  await stockUp(amy, lamp.id, 10, 10)
  const day = today(new Date(), 'Asia/Jerusalem')
  const paid = {
    currency: 'ILS',
    documentType: 'INVOICE_RECEIPT',
    status: 'PAID',
    paymentDate: day,
    paymentMethod: 'CASH',
  }
  const { id } = await draft(all, 3, paid)
  expect(await movesOf(amy, lamp.id)).toEqual(out3)
  await stockUp(amy, lamp.id, 7, 20)
  const { payments } = await amy.call('invoices_payments_list', { documentId: id })
  await amy.call('invoices_payments_void', { id: String(payments[0]?.id) })
  expect(await movesOf(amy, lamp.id)).toEqual([...out3, 'IN 7 = 140', 'IN 3 = 30'])
})

test('a credit memo puts back what its lines say, and credit of what is left the rest', async () => {
  const all = await stocked()
  const { amy, lamp } = all
  const { id } = await draft(all, 4, { status: 'SENT' })
  const part = { id: '1', description: 'Returned', quantity: 1, unitPrice: 25, amount: 25 }
  await amy.call('invoices_memos', { id, kind: 'CREDIT', items: [part] })
  expect(await stockOf(amy, lamp.id)).toMatchObject({ quantity: 7, value: 70 })
  await amy.call('invoices_memos', { id, kind: 'CREDIT' } as never)
  expect(await movesOf(amy, lamp.id)).toEqual(['IN 10 = 100', 'OUT -4 = -40', 'IN 1 = 10', 'IN 3 = 30'])
})

test('goods that left below zero come back at the cost at which they left', async () => {
  const all = await stocked()
  const { amy, lamp } = all
  await draft(all, 12, { status: 'SENT' })
  await stockUp(amy, lamp.id, 1, 2)
  const { id } = await draft(all, 3, { status: 'SENT' })
  await stockUp(amy, lamp.id, 10, 20)
  await amy.call('invoices_memos', { id, kind: 'CREDIT' } as never)
  const moves = ['IN 10 = 100', 'OUT -12 = -120', 'IN 1 = 10', 'OUT -3 = -6', 'IN 10 = 136', 'IN 3 = 6']
  expect(await movesOf(amy, lamp.id)).toEqual(moves)
  expect(await stockOf(amy, lamp.id)).toMatchObject({ quantity: 9, value: 126 })
})

test('a credit memo without an item credits the amount and moves nothing', async () => {
  const all = await stocked()
  const { amy, lamp } = all
  const { id } = await draft(all, 4, { status: 'SENT' })
  const amount = { description: 'Scratched', quantity: 1, unitPrice: 10, amount: 10 }
  await amy.call('invoices_memos', { id, kind: 'CREDIT', items: [{ ...amount, id: 'other' }] })
  await amy.call('invoices_memos', { id, kind: 'CREDIT', items: [{ ...amount, id: '1', itemId: null }] })
  expect(await movesOf(amy, lamp.id)).toEqual(['IN 10 = 100', 'OUT -4 = -40'])
  await amy.call('invoices_memos', { id, kind: 'CREDIT' } as never) // all four come back
  expect(await stockOf(amy, lamp.id)).toMatchObject({ quantity: 10 })
})

test('a credit memo at another price has a warning that goods come back, unless it names no item', async () => {
  const all = await stocked()
  const { amy } = all
  const { id } = await draft(all, 4, { status: 'SENT' })
  const line = { id: '1', description: 'Lamp', quantity: 1, unitPrice: 25, amount: 25 }
  const codes = async (more: Record<string, unknown>) =>
    (
      (await amy.call('invoices_memos', { id, kind: 'CREDIT', items: [{ ...line, ...more }] as never })).warnings ?? []
    ).map(({ code, path }) => `${code} ${path}`)
  expect(await codes({})).not.toContain('GOODS_RETURNED items.0.itemId')
  const allowance = { unitPrice: 5, amount: 5 }
  expect(await codes({ ...allowance, itemId: null })).not.toContain('GOODS_RETURNED items.0.itemId')
  expect(await codes(allowance)).toContain('GOODS_RETURNED items.0.itemId')
})

test('no more comes back than was sold, however the memo counts', async () => {
  const all = await stocked()
  const { amy, lamp } = all
  const { id } = await draft(all, 4, { status: 'SENT' })
  const cheap = { id: '1', description: 'Returned', quantity: 100, unitPrice: 0.5, amount: 50 }
  await amy.call('invoices_memos', { id, kind: 'CREDIT', items: [cheap] })
  await amy.call('invoices_memos', { id, kind: 'CREDIT' } as never)
  expect(await stockOf(amy, lamp.id)).toMatchObject({ quantity: 10 })
})

test('a debit memo moves nothing', async () => {
  const all = await stocked()
  const { amy, lamp } = all
  const { id } = await draft(all, 4, { status: 'SENT' })
  const more = { id: '1', itemId: lamp.id, description: 'More', quantity: 1, unitPrice: 5, amount: 5 }
  await amy.call('invoices_memos', { id, kind: 'DEBIT', items: [more] })
  expect(await stockOf(amy, lamp.id)).toMatchObject({ quantity: 6 })
})

test('services and goods that are not tracked never move', async () => {
  const all = await stocked()
  const { amy, customer } = all
  for (const kind of ['SERVICE', 'GOODS'] as const) {
    const item = await addItem(amy, { name: kind, kind, tracked: false })
    expect(item).toMatchObject({ stockLevel: null, isLow: false })
    await amy.call('invoices_create', goods(all, 3, { itemId: item.id, status: 'SENT' }))
    const order = await amy.call('orders_create', {
      kind: 'SALES',
      customerId: customer.id,
      lines: [{ itemId: item.id, quantity: 2 }],
      status: 'OPEN',
    })
    await amy.call('orders_deliver', { id: order.id })
    expect(await movesOf(amy, item.id)).toEqual([])
    const moved = { itemId: item.id, kind: 'IN' as const, quantity: 1 }
    await expect(amy.call('logistics_stock_movements_create', moved)).rejects.toMatchObject({ status: 400 })
    await amy.call('logistics_stock_movements_create', { ...moved, itemId: all.lamp.id })
  }
})

test('more than there is leaves the stock, with a warning', async () => {
  const all = await stocked()
  const { amy, lamp } = all
  expect((await draft(all, 10, { status: 'SENT' })).warnings ?? []).not.toContainEqual(
    expect.objectContaining({ code: 'NEGATIVE_STOCK' }),
  )
  const { id, warnings } = await draft(all, 2, { status: 'SENT' })
  const short = { code: 'NEGATIVE_STOCK', path: 'items.0.quantity', message: expect.stringContaining('-2') }
  expect(warnings).toContainEqual(short)
  const late = await draft(all, 1)
  expect((await amy.call('invoices_update', { id: late.id, status: 'SENT' })).warnings).toContainEqual(
    expect.objectContaining({ code: 'NEGATIVE_STOCK' }),
  )
  expect(await stockOf(amy, lamp.id)).toMatchObject({ quantity: -3, value: -30 })
  expect(id).toBeDefined()
})

test('a line names an item of the organization; what is stored from before there were items stays', async () => {
  const all = await stocked()
  const { amy, lamp } = all
  const eve = await trader()
  await draft(all, 1)
  for (const itemId of [eve.lamp.id, newId(), 'sku-1'])
    await expect(amy.call('invoices_create', goods(all, 1, { itemId }))).rejects.toMatchObject({
      status: 400,
      details: [{ path: 'items.0.itemId' }],
    })
  const { id, items } = await draft(all, 1)
  await theApp().system.raw.query(
    "update document_lines set item_id = 'old-7', catalog_item_id = null where document_id = $1",
    [id],
  )
  const line = { ...items[0], itemId: 'old-7' }
  await amy.call('invoices_update', { id, items: [line] as never, notes: 'kept' })
  await expect(
    amy.call('invoices_update', { id, items: [{ ...line, itemId: 'old-8' }] as never }),
  ).rejects.toMatchObject({ status: 400 })
  await amy.call('invoices_update', { id, status: 'SENT' })
  const copy = await amy.call('invoices_duplicate', { id })
  expect(copy.items).toMatchObject([{ itemId: 'old-7' }])
  expect(await movesOf(amy, lamp.id)).toEqual(['IN 10 = 100'])
})

test('goods of which the stock is kept only later: earlier documents moved nothing, and that is right', async () => {
  const all = await trader({ item: { tracked: false } })
  const { amy, lamp } = all
  const { id } = await draft(all, 3, { status: 'SENT' })
  await amy.call('logistics_items_update_patch', { id: lamp.id, tracked: true })
  await stockUp(amy, lamp.id, 5, 10)
  await draft(all, 2, { status: 'SENT' })
  expect(await stockOf(amy, lamp.id)).toMatchObject({ quantity: 3 })
  await amy.call('invoices_memos', { id, kind: 'CREDIT' } as never)
  expect(await stockOf(amy, lamp.id)).toMatchObject({ quantity: 6 })
})
