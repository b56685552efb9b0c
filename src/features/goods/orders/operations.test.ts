import { expect, test } from 'vitest'
import { newId } from '../../../core/values/id.ts'
import { addItem, purchase, sale, stockOf, stockUp, type Trader, trader } from '../../../test/trading.ts'
import { theApp, withKey } from '../../../test/world.ts'

/** Fields, transitions and deliveries of orders. */

test('an order takes names, prices and tax of its items, and shows every field', async () => {
  const all = await trader({ item: { sku: 'L-1', taxRate: 9, taxCategory: 'SR' } })
  const { amy, lamp, customer } = all
  const order = await sale(all, 3, {
    status: 'DRAFT',
    orderDate: '2026-01-05',
    expectedDate: '2026-02-05',
    reference: ' R-7 ',
    notes: 'soon',
  })
  const party = { id: customer.id, name: 'Globex' }
  const instant = expect.stringMatching(/Z$/)
  expect(order).toEqual({
    id: order.id, organizationId: amy.organizationId, kind: 'SALES', status: 'DRAFT', orderNumber: null, orderDate: '2026-01-05',
    expectedDate: '2026-02-05', currency: 'SGD', subtotal: 75, taxAmount: 6.75, total: 81.75, reference: 'R-7', customerId: customer.id,
    supplierId: null, customer: party, supplier: null, notes: 'soon', isInvoiced: false, openedAt: null, endedAt: null, endReason: null, sentAt: null,
    createdBy: amy.userId, createdAt: instant, updatedAt: instant,
    lines: [{
      id: '1', itemId: lamp.id, sku: 'L-1', description: 'Lamp', quantity: 3, unitPrice: 25, amount: 75, taxRate: 9, taxCategory: 'SR',
      receivedQuantity: 0, deliveredQuantity: 0, invoicedQuantity: 0, openQuantity: 3,
    }],
  }) // biome-ignore format: a list of words
  expect(await amy.call('orders_get', { id: order.id })).toEqual(order)
  const back = await amy.call('orders_update', order as never)
  expect({ ...back, updatedAt: '' }).toEqual({ ...order, updatedAt: '' })
  const opened = await amy.call('orders_open', { id: order.id })
  expect({ ...(await amy.call('orders_update', opened as never)), updatedAt: '' }).toEqual({ ...opened, updatedAt: '' })
})

const line = { description: 'Rope', quantity: 1, unitPrice: 5 }
test.each([
  ['kind', 'RENTAL', 'kind'], ['lines', [], 'lines'], ['status', 'CLOSED', 'status'], ['customerId', null, 'customerId'], ['customerId', newId(), 'customerId'],
  ['supplierId', newId(), 'supplierId'], ['orderDate', '2026-02-30', 'orderDate'], ['expectedDate', 'soon', 'expectedDate'], ['currency', 'NOPE', 'currency'],
  ['lines', [{ ...line, quantity: 0 }], 'lines.0.quantity'], ['lines', [{ ...line, quantity: 1e-7 }], 'lines.0.quantity'],
  ['lines', [{ ...line, unitPrice: -1 }], 'lines.0.unitPrice'], ['lines', [{ ...line, description: ' ' }], 'lines.0.description'],
  ['lines', [{ ...line, unitPrice: undefined }], 'lines.0.unitPrice'], ['lines', [{ ...line, amount: 0.001 }], 'lines.0.amount'],
  ['lines', [{ ...line, taxRate: 101 }], 'lines.0.taxRate'], ['lines', [{ ...line, itemId: newId() }], 'lines.0.itemId'],
  ['lines', [{ ...line, id: 'a' }, { ...line, id: 'a' }], undefined],
])('%s cannot be %j', async (field, value, path) => {
  const { amy, customer } = await trader()
  const good = { kind: 'SALES' as const, customerId: customer.id, lines: [line] }
  const { id } = await amy.call('orders_create', good)
  const refused = { status: 400, ...(path && { details: [{ path }] }) }
  await expect(amy.call('orders_create', { ...good, [field]: value } as never)).rejects.toMatchObject(refused)
  if (field !== 'kind' && field !== 'status')
    await expect(amy.call('orders_update_patch', { id, [field]: value } as never)).rejects.toMatchObject(refused)
}) // biome-ignore format: a list of words

test('a draft changes in everything, an open order in its terms alone', async () => {
  const all = await trader()
  const { amy, lamp } = all
  const initech = await amy.call('customers_create', { name: 'Initech', country: 'SG' })
  const { id } = await sale(all, 3, { status: 'DRAFT' })
  const changes = {
    customerId: initech.id,
    orderDate: '2026-01-05',
    lines: [{ itemId: lamp.id, quantity: 5, unitPrice: 20 }],
  }
  expect(await amy.call('orders_update_patch', { id, ...changes })).toMatchObject({
    customer: { name: 'Initech' },
    subtotal: 100,
    orderDate: '2026-01-05',
  })
  expect(await amy.call('orders_update_patch', { id, supplierId: null })).toMatchObject({ customerId: initech.id })
  expect(await amy.call('orders_update_patch', { id, currency: 'usd' })).toMatchObject({
    currency: 'USD',
    subtotal: 100,
  })
  await amy.call('orders_open', { id })
  for (const change of [
    { customerId: all.customer.id },
    { orderDate: '2026-01-06' },
    { currency: 'SGD' },
    { lines: [{ itemId: lamp.id, quantity: 6 }] },
  ])
    await expect(amy.call('orders_update_patch', { id, ...change })).rejects.toMatchObject({
      status: 409,
      details: [{ code: 'ORDER_IS_OPEN' }],
    })
  expect(
    await amy.call('orders_update_patch', { id, expectedDate: '2026-03-01', reference: 'R', notes: 'n' }),
  ).toMatchObject({ expectedDate: '2026-03-01', reference: 'R' })
  expect(await amy.call('orders_update', { id })).toMatchObject({
    expectedDate: null,
    reference: null,
    notes: null,
    subtotal: 100,
  })
})

const states = ['DRAFT', 'OPEN', 'PARTIALLY_RECEIVED', 'RECEIVED', 'CLOSED', 'CANCELLED'] as const
type State = (typeof states)[number]

/** An order in a status, of either kind. */
async function orderIn(all: Trader, kind: 'SALES' | 'PURCHASE', status: State): Promise<string> {
  const { amy } = all
  const { id } = await (kind === 'SALES' ? sale : purchase)(all, 4, { status: status === 'DRAFT' ? 'DRAFT' : 'OPEN' })
  const move = kind === 'SALES' ? 'orders_deliver' : 'orders_receive'
  if (status === 'PARTIALLY_RECEIVED') await amy.call(move, { id, lines: [{ lineId: '1', quantity: 1 }] })
  if (status === 'RECEIVED') await amy.call(move, { id })
  if (status === 'CLOSED') await amy.call('orders_close', { id })
  if (status === 'CANCELLED') await amy.call('orders_cancel', { id })
  expect((await amy.call('orders_get', { id })).status).toBe(status)
  return id
}

/** What each operation makes of each status; a dash is a refusal. */
const table = {
  open: { DRAFT: 'OPEN', OPEN: 'OPEN', PARTIALLY_RECEIVED: '-', RECEIVED: '-', CLOSED: '-', CANCELLED: '-' },
  cancel: { DRAFT: 'CANCELLED', OPEN: 'CANCELLED', PARTIALLY_RECEIVED: '-', RECEIVED: '-', CLOSED: '-', CANCELLED: 'CANCELLED' },
  close: { DRAFT: '-', OPEN: 'CLOSED', PARTIALLY_RECEIVED: 'CLOSED', RECEIVED: 'CLOSED', CLOSED: 'CLOSED', CANCELLED: '-' },
  fulfil: { DRAFT: '-', OPEN: 'RECEIVED', PARTIALLY_RECEIVED: 'RECEIVED', RECEIVED: '-', CLOSED: '-', CANCELLED: '-' },
  other: { DRAFT: '-', OPEN: '-', PARTIALLY_RECEIVED: '-', RECEIVED: '-', CLOSED: '-', CANCELLED: '-' },
  delete: { DRAFT: 'gone', OPEN: '-', PARTIALLY_RECEIVED: '-', RECEIVED: '-', CLOSED: '-', CANCELLED: '-' },
} as const // biome-ignore format: a table

test.each(['SALES', 'PURCHASE'] as const)(
  'every operation on every status of a %s order',
  async (kind) => {
    const all = await trader()
    const { amy } = all
    await stockUp(amy, all.lamp.id, 1_000, 10)
    const [own, wrong] = kind === 'SALES' ? (['deliver', 'receive'] as const) : (['receive', 'deliver'] as const)
    const names = { fulfil: own, other: wrong } as Record<string, string>
    for (const [what, results] of Object.entries(table))
      for (const status of states) {
        const id = await orderIn(all, kind, status)
        const done = amy.call(`orders_${names[what] ?? what}` as 'orders_open', { id })
        const wanted = results[status]
        if (wanted === '-') {
          await expect(done, `${what} ${status}`).rejects.toMatchObject({ status: 409 })
          expect((await amy.call('orders_get', { id })).status).toBe(status)
        } else if (wanted === 'gone') {
          await done
          await expect(amy.call('orders_get', { id })).rejects.toMatchObject({ status: 404 })
        } else expect((await done).status, `${what} ${status}`).toBe(wanted)
      }
  },
  60_000,
)

test('a refusal to cancel or close names a way that is open', async () => {
  const all = await trader()
  const refusalOf = async (what: 'cancel' | 'close', status: State) =>
    all.amy.call(`orders_${what}`, { id: await orderIn(all, 'PURCHASE', status) }).then(
      () => '',
      ({ message }: Error) => message,
    )
  expect(await refusalOf('cancel', 'OPEN')).toBe('')
  expect(await refusalOf('close', 'OPEN')).toBe('')
  expect(await refusalOf('cancel', 'RECEIVED')).toContain('Close it instead')
  expect(await refusalOf('cancel', 'CLOSED')).toMatch(/has ended(?!.*lose it)/)
  expect(await refusalOf('close', 'CANCELLED')).toMatch(/has ended(?!.*pen it)/)
  expect(await refusalOf('close', 'DRAFT')).toContain('Open it first')
})

test('the database refuses what the code refuses', async () => {
  const all = await trader()
  const ask = (text: string, id: string) => theApp().system.raw.query(text, [id])
  const open = await orderIn(all, 'SALES', 'OPEN')
  const partly = await orderIn(all, 'SALES', 'PARTIALLY_RECEIVED')
  const move = 'update orders set status = $2 where id = $1'
  await expect(theApp().system.raw.query(move, [partly, 'CANCELLED'])).rejects.toThrow('does not go from')
  await expect(ask('update orders set subtotal_minor = 1 where id = $1', open)).rejects.toThrow('fixed')
  await expect(ask('update orders set number = 99 where id = $1', open)).rejects.toThrow('fixed')
  await expect(ask('update order_lines set quantity = 99 where order_id = $1', open)).rejects.toThrow('fixed')
  await expect(ask('delete from order_lines where order_id = $1', open)).rejects.toThrow('fixed')
  await expect(ask('delete from orders where id = $1', open)).rejects.toThrow('stays')
  await expect(ask('delete from order_fulfilments where order_id = $1', partly)).rejects.toThrow()
  await expect(ask('update stock_movements set quantity = -9 where order_id = $1', partly)).rejects.toThrow()
  await all.amy.call('orders_invoice', { id: open })
  await expect(theApp().system.raw.query(move, [open, 'CANCELLED'])).rejects.toThrow('invoices')
})

test('goods beyond the order are received only on purpose, and count as received', async () => {
  const all = await trader()
  const { amy, lamp } = all
  const { id } = await purchase(all, 5)
  const receive = (quantity: number, more = {}) =>
    amy.call('orders_receive', { id, lines: [{ lineId: '1', quantity }], ...more })
  await expect(receive(6)).rejects.toMatchObject({
    status: 400,
    details: [{ path: 'lines.0.quantity', code: 'FULFILLED_WITHIN_ORDER' }],
  })
  const twice = [
    { lineId: '1', quantity: 3 },
    { lineId: '1', quantity: 3 },
  ]
  await expect(amy.call('orders_receive', { id, lines: twice })).rejects.toMatchObject({
    status: 400,
    details: [{ path: 'lines.1.quantity' }],
  })
  await receive(3)
  expect(await receive(4, { allowOver: true })).toMatchObject({
    status: 'RECEIVED',
    lines: [{ receivedQuantity: 7, openQuantity: 0 }],
  })
  expect(await receive(1, { allowOver: true })).toMatchObject({ status: 'RECEIVED', lines: [{ receivedQuantity: 8 }] })
  await expect(receive(1)).rejects.toMatchObject({ status: 400 })
  await expect(amy.call('orders_receive', { id, lines: [{ lineId: 'x', quantity: 1 }] })).rejects.toMatchObject({
    status: 400,
  })
  await expect(receive(1e-7, { allowOver: true })).rejects.toMatchObject({ status: 400 })
  expect(await stockOf(amy, lamp.id)).toMatchObject({ quantity: 8, value: 80 })
  const { differences } = await amy.call('orders_match', { id })
  expect(differences.map(({ code }) => code)).toEqual(['OVER_RECEIVED', 'NOT_BILLED'])
})

test('the list searches, filters, sorts and pages', async () => {
  const all = await trader()
  const { amy } = all
  const organizationId = String(amy.organizationId)
  const hebrew = await amy.call('customers_create', { name: 'חברת אור', country: 'IL' })
  await sale(all, 1, { orderDate: '2026-01-03', reference: 'REF-9' })
  await sale(all, 1, { orderDate: '2026-01-01', customerId: hebrew.id, status: 'DRAFT' })
  await purchase(all, 1, { orderDate: '2026-01-02', notes: 'fragile' })
  const days = async (query = {}) =>
    (await amy.call('orders_list', { organizationId, ...query })).orders
      .map(({ orderDate }) => orderDate.slice(-1))
      .join('')
  expect(await days()).toBe('321')
  expect(await days({ sortOrder: 'asc' })).toBe('123')
  expect(await days({ sortBy: 'counterpartyName', sortOrder: 'asc' })).toBe('231')
  expect(await days({ limit: 2, page: 2 })).toBe('1')
  for (const [search, found] of [
    ['חברת', '1'],
    ['אור', '1'],
    ['ור', '1'],
    ['ref-9', '3'],
    ['FRAGILE', '2'],
    ['so-0001', '3'],
    ['glob', '3'],
    ['zzz', ''],
  ])
    expect(await days({ search }), search).toBe(found)
  expect((await amy.call('orders_list', { search: 'חברת' } as never)).orders).toHaveLength(1)
  expect(await days({ kind: 'SALES' })).toBe('31')
  expect(await days({ status: 'DRAFT' })).toBe('1')
  expect(await days({ customerId: hebrew.id })).toBe('1')
  expect(await days({ supplierId: all.supplier.id })).toBe('2')
  expect(await days({ supplierId: hebrew.id })).toBe('')
  expect(await days({ dateFrom: '2026-01-02', dateTo: '2026-01-02' })).toBe('2')
  await expect(amy.call('orders_list', { organizationId, dateFrom: 'soon' })).rejects.toMatchObject({ status: 400 })
})

test('chain and match leave out what the credential may not read, and say so', async () => {
  const all = await trader()
  const { amy, lamp } = all
  await stockUp(amy, lamp.id, 10, 10)
  const { id } = await sale(all, 2)
  const { invoice } = await amy.call('orders_invoice', { id })
  await amy.call('invoices_update', { id: invoice.id, status: 'SENT' })
  await amy.call('invoices_payments', { id: invoice.id, amount: 50, paidAt: '2026-01-31' })
  const types = async (scopes: string[]) => {
    const { entries, warnings } = await (await withKey(amy, scopes)).call('orders_chain', { id })
    return { types: [...new Set(entries.map(({ type }) => type))].sort(), warned: warnings?.[0]?.code }
  }
  expect(await types(['*:*'])).toEqual({ types: ['DOCUMENT', 'ORDER', 'PAYMENT', 'STOCK_MOVEMENT'], warned: undefined })
  expect(await types(['orders:read'])).toEqual({ types: ['ORDER'], warned: 'SCOPE' })
  expect(await types(['orders:read', 'logistics:read'])).toEqual({
    types: ['ORDER', 'STOCK_MOVEMENT'],
    warned: 'SCOPE',
  })
  expect(await types(['orders:read', 'invoices:read'])).toMatchObject({ warned: 'SCOPE' })
  const narrow = await withKey(amy, ['orders:read'])
  expect(await narrow.call('orders_match', { id })).toMatchObject({ billed: null, warnings: [{ code: 'SCOPE' }] })
  expect(await amy.call('orders_match', { id })).toMatchObject({ billed: 50, received: 0 })
})

test('a line without a price, and an item that is not active any more', async () => {
  const all = await trader({ item: { salePrice: null } })
  await expect(sale(all, 1)).rejects.toMatchObject({ status: 400, details: [{ path: 'lines.0.unitPrice' }] })
  const old = await addItem(all.amy, { active: false })
  expect((await sale({ ...all, lamp: old }, 1)).warnings).toMatchObject([{ code: 'INACTIVE_ITEM' }])
})

test('events say that an order was opened, received and invoiced', async () => {
  const all = await trader()
  const { id } = await sale(all, 2, { status: 'DRAFT' })
  await all.amy.call('orders_open', { id })
  await all.amy.call('orders_open', { id })
  await all.amy.call('orders_deliver', { id })
  await all.amy.call('orders_invoice', { id })
  const { rows } = await theApp().system.raw.query(
    "select type from events where payload ->> 'id' = $1 order by created_at, id",
    [id],
  )
  expect(rows.map(({ type }) => type)).toEqual(['order.opened', 'order.received', 'order.invoiced'])
})
