import { expect, test } from 'vitest'
import { today } from '../../../core/values/day.ts'
import { expectSoundBooks } from '../../../test/violations.ts'
import { member, type Someone } from '../../../test/world.ts'

/** A trading company buys, stocks and sells: the figures of a small month, by hand. */

const item = (amy: Someone, more: Record<string, unknown> = {}) =>
  amy.call('logistics_items_create', { name: 'Lamp', sku: 'L-1', salePrice: 25, purchasePrice: 10, ...more })

const level = async (amy: Someone, itemId: string) => {
  const { levels } = await amy.call('logistics_stock_levels', { organizationId: String(amy.organizationId), itemId })
  return levels[0]
}

const balances = async (amy: Someone) => {
  const { entries } = await amy.call('reports_journal', {
    organizationId: String(amy.organizationId),
    from: '2020-01-01',
    to: '2030-01-01',
    limit: 1_000,
  })
  const sums: Record<string, number> = {}
  for (const { accountCode, debit, credit } of entries)
    sums[String(accountCode)] = Math.round(((sums[String(accountCode)] ?? 0) + debit - credit) * 100) / 100
  return Object.fromEntries(Object.entries(sums).filter(([, sum]) => sum !== 0))
}

test('goods are bought, received, billed, sold, delivered and returned', async () => {
  const amy = await member('OWNER')
  const lamp = await item(amy, { lowStockThreshold: 5 })
  const supplier = await amy.call('suppliers_create', { name: 'Acme', country: 'SG' })
  const customer = await amy.call('customers_create', { name: 'Globex', country: 'SG' })
  const bought = await amy.call('orders_create', {
    kind: 'PURCHASE',
    supplierId: supplier.id,
    lines: [{ itemId: lamp.id, quantity: 10 }],
    status: 'OPEN',
  })
  expect(bought).toMatchObject({ orderNumber: 'PO-0001', status: 'OPEN', subtotal: 100, currency: 'SGD' })
  await amy.call('orders_receive', { id: bought.id, lines: [{ lineId: '1', quantity: 4 }] })
  const received = await amy.call('orders_receive', { id: bought.id })
  expect(received).toMatchObject({ status: 'RECEIVED', lines: [{ receivedQuantity: 10, openQuantity: 0 }] })
  expect(await level(amy, lamp.id)).toMatchObject({ quantity: 10, value: 100, averageCost: 10, isLow: false })
  expect(await balances(amy)).toEqual({ 630: 100, 802: -100 })
  const sold = await amy.call('orders_create', {
    kind: 'SALES',
    customerId: customer.id,
    lines: [{ itemId: lamp.id, quantity: 8, taxRate: 9 }],
    status: 'OPEN',
  })
  expect(sold).toMatchObject({ orderNumber: 'SO-0001', subtotal: 200, taxAmount: 18, total: 218 })
  await amy.call('orders_deliver', { id: sold.id, lines: [{ lineId: '1', quantity: 3 }] })
  expect(await level(amy, lamp.id)).toMatchObject({ quantity: 7, value: 70 })
  const { invoice, redirectUrl } = await amy.call('orders_invoice', { id: sold.id })
  expect(redirectUrl).toBe(`/documents/${invoice.id}/edit`)
  expect(invoice).toMatchObject({ status: 'DRAFT', subtotal: 200, total: 218 })
  await expect(amy.call('orders_invoice', { id: sold.id })).rejects.toMatchObject({ status: 409 })
  expect(await level(amy, lamp.id)).toMatchObject({ quantity: 7 })
  await amy.call('invoices_update', { id: invoice.id, status: 'SENT' })
  expect(await level(amy, lamp.id)).toMatchObject({ quantity: 2, value: 20, isLow: true }) // 5 were not delivered yet
  await amy.call('orders_deliver', { id: sold.id })
  expect(await level(amy, lamp.id)).toMatchObject({ quantity: 2 }) // the invoice took them out
  await amy.call('invoices_memos', {
    id: invoice.id,
    kind: 'CREDIT',
    items: [{ id: '1', description: 'Returned', quantity: 2, unitPrice: 25, amount: 50 }],
  })
  expect(await level(amy, lamp.id)).toMatchObject({ quantity: 4, value: 40 })
  expect(await amy.call('orders_get', { id: sold.id })).toMatchObject({ lines: [{ invoicedQuantity: 6 }] })
  const bill = await amy.call('expenses_create', {
    organizationId: String(amy.organizationId),
    amount: 109,
    taxAmount: 9,
    currency: 'SGD',
    date: '2026-01-31',
    supplierId: supplier.id,
    orderId: bought.id,
  })
  await amy.call('expenses_status', { id: bill.id, status: 'APPROVED' })
  expect(await balances(amy)).toEqual({
    310: 60, // 6 lamps sold and kept, at 10
    610: 163.5, // 218 less the credit of 54.50
    200: -150,
    630: 40, // 4 lamps in stock
    429: 9, // the tax of the bill, which this company does not deduct
    800: -109, // owed to the supplier
    820: -13.5,
  })
  const { entries } = await amy.call('orders_chain', { id: sold.id })
  expect(entries.map(({ type, what }) => `${type} ${what}`)).toEqual([
    'ORDER CREATED', 'ORDER OPENED', 'DELIVERY DELIVERED', 'STOCK_MOVEMENT OUT', 'DOCUMENT INVOICE', 'STOCK_MOVEMENT OUT',
    'DELIVERY DELIVERED', 'DOCUMENT CREDIT_MEMO', 'STOCK_MOVEMENT IN',
  ]) // biome-ignore format: a list of words
  expect(await amy.call('orders_match', { id: bought.id })).toMatchObject({ matched: true, received: 100, billed: 100 })
  expect(await amy.call('expenses_get', { id: bill.id })).toMatchObject({
    order: { id: bought.id, orderNumber: 'PO-0001', subtotal: 100, supplier: { id: supplier.id, name: 'Acme' } },
  })
  await expectSoundBooks()
})

test('closing an order keeps what is not billed yet, unless it never will be; then a later bill is an expense', async () => {
  const amy = await member('OWNER')
  const lamp = await item(amy)
  const supplier = await amy.call('suppliers_create', { name: 'Acme', country: 'SG' })
  const bought = await amy.call('orders_create', {
    kind: 'PURCHASE',
    supplierId: supplier.id,
    lines: [{ itemId: lamp.id, quantity: 10 }],
    status: 'OPEN',
  })
  await amy.call('orders_receive', { id: bought.id })
  const bill = async (amount: number) => {
    const { id } = await amy.call('expenses_create', {
      organizationId: String(amy.organizationId),
      ...{ amount, currency: 'SGD', date: '2026-01-31', supplierId: supplier.id, orderId: bought.id },
    })
    await amy.call('expenses_status', { id, status: 'APPROVED' })
    return id
  }
  const first = await bill(95)
  expect(await balances(amy)).toEqual({ 630: 100, 802: -5, 800: -95 })
  const { id: second } = await amy.call('orders_create', {
    kind: 'PURCHASE',
    supplierId: supplier.id,
    lines: [{ itemId: lamp.id, quantity: 1 }],
    status: 'OPEN',
  })
  await amy.call('orders_receive', { id: second })
  await amy.call('orders_close', { id: second })
  expect(await balances(amy)).toEqual({ 630: 110, 802: -15, 800: -95 }) // the bill may still come
  await amy.call('logistics_stock_movements_create', { itemId: lamp.id, kind: 'OUT', quantity: 1 })
  expect(await balances(amy)).toEqual({ 630: 100, 320: 10, 802: -15, 800: -95 })
  await amy.call('orders_close', { id: bought.id, clearUnbilled: true })
  expect(await balances(amy)).toEqual({ 630: 100, 310: -5, 320: 10, 802: -10, 800: -95 })
  await bill(5)
  expect(await balances(amy)).toEqual({ 630: 100, 310: -5, 320: 10, 429: 5, 802: -10, 800: -100 })
  await amy.call('expenses_status', { id: first, status: 'PENDING_REVIEW' })
  expect(await balances(amy)).toEqual({ 630: 100, 310: -100, 320: 10, 429: 5, 802: -10, 800: -5 })
})

test('a supplier credit on the bill of an order takes back what the bill cleared, and the rest of it the expense', async () => {
  const amy = await member('OWNER')
  const organizationId = String(amy.organizationId)
  const lamp = await item(amy)
  const supplier = await amy.call('suppliers_create', { name: 'Acme', country: 'SG' })
  const lines = [{ itemId: lamp.id, quantity: 10 }]
  const order = await amy.call('orders_create', { kind: 'PURCHASE', supplierId: supplier.id, lines, status: 'OPEN' })
  await amy.call('orders_receive', { id: order.id })
  const bill = await amy.call('expenses_create', {
    ...{ organizationId, amount: 120, currency: 'SGD', date: '2026-01-31', supplierId: supplier.id, orderId: order.id },
  }) // 100 for the goods, 20 freight
  expect(await amy.call('orders_match', { id: order.id })).toMatchObject({
    billed: 0,
    unbooked: [{ expenseId: bill.id, status: 'DRAFT', net: 120 }],
  })
  await amy.call('expenses_status', { id: bill.id, status: 'APPROVED' })
  expect(await balances(amy)).toEqual({ 630: 100, 429: 20, 800: -120 })
  expect(await amy.call('orders_match', { id: order.id })).toMatchObject({ billed: 120, unbooked: [] })
  await amy.call('expenses_status', { id: bill.id, status: 'PENDING_REVIEW' })
  expect(await amy.call('orders_match', { id: order.id })).toMatchObject({
    billed: 0,
    unbooked: [{ status: 'PENDING_REVIEW' }],
  })
  await amy.call('expenses_status', { id: bill.id, status: 'APPROVED' })
  // three go back
  await amy.call('expenses_credits', { id: bill.id, amount: 30, date: '2026-02-01' })
  expect(await balances(amy)).toEqual({ 630: 100, 429: 20, 802: -30, 800: -90 })
  await amy.call('logistics_stock_movements_create', {
    itemId: lamp.id,
    kind: 'ADJUST',
    quantity: -3,
    reason: 'Sent back',
  })
  await amy.call('orders_close', { id: order.id, clearUnbilled: true })
  expect(await balances(amy)).toEqual({ 630: 70, 429: 20, 320: 30, 310: -30, 800: -90 })
  // the credit of more than the goods is of the expense, and a void gives back exactly what it took
  const { credits } = await amy.call('expenses_credits', { id: bill.id, amount: 80, date: '2026-02-02' })
  expect(await balances(amy)).toEqual({ 630: 70, 429: 10, 320: 30, 310: -100, 800: -10 })
  await amy.call('expenses_credits_void', { id: bill.id, creditId: String(credits.at(-1)?.id) })
  expect(await balances(amy)).toEqual({ 630: 70, 429: 20, 320: 30, 310: -30, 800: -90 })
  const { entries } = await amy.call('reports_journal', {
    organizationId,
    from: '2020-01-01',
    to: '2030-01-01',
    limit: 1_000,
  })
  const texts = new Set(entries.map(({ description }) => description))
  expect(texts).toContain('Stock, Lamp, PO-0001')
  expect(texts).toContain('Stock, Lamp')
  expect(texts).toContain('Order PO-0001 closed: goods received, not billed')
  await expectSoundBooks()
})

test('an order of a customer at home has the standard rate, if the company is registered and nobody says another', async () => {
  const amy = await member('OWNER', { country: 'IL' })
  await amy.call('organizations_update', { id: String(amy.organizationId), taxNumber: '515151518' })
  const order = async (country: string) => {
    const { id } = await amy.call('customers_create', { name: country, country })
    const lines = [{ description: 'Lamp', quantity: 1, unitPrice: 100 }]
    return amy.call('orders_create', { kind: 'SALES', customerId: id, lines, orderDate: '2026-03-01', currency: 'ILS' })
  }
  expect(await order('IL')).toMatchObject({ taxAmount: 18 })
  expect(await order('DE')).toMatchObject({ taxAmount: 0 })
})

test('a movement whose value no program holds exactly is refused, and nothing ends', async () => {
  const amy = await member('OWNER')
  const { id: itemId } = await item(amy)
  const move = (quantity: number, unitCost: number) =>
    amy.call('logistics_stock_movements_create', { itemId, kind: 'IN', quantity, unitCost })
  await expect(move(999_999_999_999, 90_000)).rejects.toMatchObject({ status: 409 })
  await move(1, 8e12)
  await expect(move(1, 9e12)).rejects.toMatchObject({ status: 409 })
  expect(await level(amy, itemId)).toMatchObject({ quantity: 1, value: 8e12 })
})

test('an order is not closed into a locked period if that books something', async () => {
  const amy = await member('OWNER')
  const lamp = await item(amy)
  const supplier = await amy.call('suppliers_create', { name: 'Acme', country: 'SG' })
  const received = async () => {
    const lines = [{ itemId: lamp.id, quantity: 1 }]
    const { id } = await amy.call('orders_create', { kind: 'PURCHASE', supplierId: supplier.id, lines, status: 'OPEN' })
    await amy.call('orders_receive', { id, date: '2026-01-31' })
    return id
  }
  const [first, second] = [await received(), await received()]
  const lockedUntil = today(new Date(), 'Asia/Singapore')
  await amy.call('settings_update', { id: String(amy.organizationId), lockedUntil })
  const refused = { status: 409, details: [{ code: 'PERIOD_LOCKED' }] }
  await expect(amy.call('orders_close', { id: first, clearUnbilled: true })).rejects.toMatchObject(refused)
  expect(await amy.call('orders_close', { id: second })).toMatchObject({ status: 'CLOSED' }) // books nothing
  await amy.call('settings_update', { id: String(amy.organizationId), lockedUntil: null })
  expect(await amy.call('orders_close', { id: first, clearUnbilled: true })).toMatchObject({ status: 'CLOSED' })
})
