import { afterAll, expect, test } from 'vitest'
import { addDays, today } from '../../../core/values/day.ts'
import { newId } from '../../../core/values/id.ts'
import { action, automate, graphOf, settle, trigger } from '../../../test/automations/automations.ts'
import { friday, storeTestRates } from '../../../test/exchange-rates.ts'
import { addItem, balancesOf, movesOf, purchase, sale, stockOf, stockUp, trader } from '../../../test/trading.ts'
import { expectSoundBooks } from '../../../test/violations.ts'
import { member, type Someone, theApp } from '../../../test/world.ts'

/** Movements by hand, the moving average, low stock, and the journal of the stock. */

afterAll(expectSoundBooks)

const move = (amy: Someone, itemId: string, kind: 'IN' | 'OUT' | 'ADJUST', quantity: number, more = {}) =>
  amy.call('logistics_stock_movements_create', { itemId, kind, quantity, ...more })

test('a movement shows every field, and cannot be changed', async () => {
  const { amy, lamp } = await trader({ item: { sku: 'L-1' } })
  const moved = await move(amy, lamp.id, 'ADJUST', 4, { date: '2026-01-05', unitCost: 7.123456, reason: ' Counted ', reference: 'C-1' })
  const { level, ...shown } = moved
  expect(moved).toEqual({
    id: moved.id, organizationId: amy.organizationId, itemId: lamp.id, itemName: 'Lamp', sku: 'L-1', kind: 'ADJUST', quantity: 4, date: '2026-01-05',
    unitCost: 7.1225, value: 28.49, currency: 'SGD', reason: 'Counted', reference: 'C-1', source: 'MANUAL', orderId: null, documentId: null,
    createdBy: amy.userId, createdAt: expect.any(String), level: 4,
  })
  expect(level).toBe(4)
  expect(await amy.call('logistics_stock_movement', { id: moved.id })).toEqual(shown)
  const ask = (text: string) => theApp().system.raw.query(text, [moved.id])
  await expect(ask('update stock_movements set quantity = 5 where id = $1')).rejects.toThrow()
  await expect(ask('delete from stock_movements where id = $1')).rejects.toThrow()
}) // biome-ignore format: a list of words

test.each([
  ['quantity', 0], ['quantity', -1], ['quantity', 1e13], ['quantity', 1e-7], ['kind', 'LOST'], ['date', '2026-02-30'], ['unitCost', -1], ['itemId', newId()],
  ['itemId', 'nope'], ['reason', 5],
])('%s cannot be %j', async (field, value) => {
  const { amy, lamp } = await trader()
  const good = { itemId: lamp.id, kind: 'IN', quantity: 1 }
  await amy.call('logistics_stock_movements_create', good as never)
  await expect(amy.call('logistics_stock_movements_create', { ...good, [field]: value } as never)).rejects.toMatchObject({ status: 400, details: [{ path: field }] })
}) // biome-ignore format: a list of words

test('an adjustment needs a reason, and doubtful movements have warnings', async () => {
  const { amy, lamp } = await trader()
  await expect(move(amy, lamp.id, 'ADJUST', 1)).rejects.toMatchObject({ status: 400, details: [{ path: 'reason' }] })
  await expect(move(amy, lamp.id, 'ADJUST', 1, { reason: ' ' })).rejects.toMatchObject({ status: 400 })
  expect((await move(amy, lamp.id, 'IN', 1, { unitCost: 10 })).warnings).toBeUndefined()
  const { warnings, value } = await move(amy, lamp.id, 'OUT', 3, { unitCost: 99 })
  expect(warnings?.map(({ code }) => code)).toEqual(['NEGATIVE_STOCK', 'COST_IGNORED'])
  expect(value).toBe(-30)
})

test('goods move up to today in the time zone of the organization, by hand and with an order', async () => {
  const all = await trader()
  const { amy, lamp, supplier } = all
  const [day, later] = [today(new Date(), 'Asia/Singapore'), addDays(today(new Date(), 'Asia/Singapore'), 1)]
  const refusal = { status: 400, details: [{ path: 'date', code: 'MOVEMENT_NOT_IN_FUTURE' }] }
  await move(amy, lamp.id, 'IN', 1, { date: day })
  for (const date of [later, '9999-12-31'])
    await expect(move(amy, lamp.id, 'IN', 1, { date })).rejects.toMatchObject(refusal)
  const lines = [{ itemId: lamp.id, quantity: 2 }]
  const { id } = await amy.call('orders_create', { kind: 'PURCHASE', supplierId: supplier.id, lines, status: 'OPEN' })
  await expect(amy.call('orders_receive', { id, date: later })).rejects.toMatchObject(refusal)
  expect(await amy.call('orders_receive', { id, date: day })).toMatchObject({ status: 'RECEIVED' })
  const inserted = (date: string) =>
    theApp().system.raw.query(
      `insert into stock_movements (organization_id, item_id, kind, quantity, date, reason) values ($1, $2, 'IN', 1, $3, 'Test')`,
      [amy.organizationId, lamp.id, date],
    )
  await inserted(day)
  await expect(inserted(addDays(day, 2))).rejects.toMatchObject({ constraint: 'movement_not_in_future' })
})

test('goods leave at the moving average, and rounding leaves no cent behind', async () => {
  const { amy, lamp } = await trader()
  await stockUp(amy, lamp.id, 3, 10)
  await stockUp(amy, lamp.id, 4, 12.5)
  expect(await stockOf(amy, lamp.id)).toMatchObject({ quantity: 7, value: 80, averageCost: 11.428571 })
  for (const quantity of [1, 2, 1.5, 2.5]) await move(amy, lamp.id, 'OUT', quantity)
  expect(await movesOf(amy, lamp.id)).toEqual([
    'IN 3 = 30',
    'IN 4 = 50',
    'OUT -1 = -11.43',
    'OUT -2 = -22.86',
    'OUT -1.5 = -17.14',
    'OUT -2.5 = -28.57',
  ])
  expect(await stockOf(amy, lamp.id)).toMatchObject({ quantity: 0, value: 0 })
})

test('what was sold before it came in is corrected by what it cost then', async () => {
  const all = await trader()
  const { amy, lamp } = all
  await stockUp(amy, lamp.id, 2, 10)
  const { id } = await sale(all, 5)
  expect((await amy.call('orders_deliver', { id })).warnings).toMatchObject([{ code: 'NEGATIVE_STOCK', path: 'lines' }])
  expect(await stockOf(amy, lamp.id)).toMatchObject({ quantity: -3, value: -30 })
  await move(amy, lamp.id, 'IN', 2, { unitCost: 13 }) // two of the three that were missing: 6 more than was booked
  expect(await stockOf(amy, lamp.id)).toMatchObject({ quantity: -1, value: -10 })
  await move(amy, lamp.id, 'IN', 4, { unitCost: 13 })
  expect(await stockOf(amy, lamp.id)).toMatchObject({ quantity: 3, value: 39, averageCost: 13 })
  // 2 × 10 and 3 × 13 were sold; by hand came 2 × 10 and 6 × 13
  expect(await balancesOf(amy)).toEqual({ 310: 59, 320: -98, 630: 39 })
})

test.each([
  ['less', 2, ['OUT -1 = -2', 'OUT -2 = -4'], -36],
  ['more', 50, ['OUT -1 = -50', 'OUT -2 = -100'], -180],
])(
  'what is missing leaves at the last known cost; goods missing before keep theirs if it was %s',
  async (_, unitCost, out, value) => {
    const all = await trader()
    const { amy, lamp } = all
    await stockUp(amy, lamp.id, 1, 10)
    await move(amy, lamp.id, 'OUT', 5)
    await stockUp(amy, lamp.id, 1, unitCost)
    expect(await stockOf(amy, lamp.id)).toMatchObject({ quantity: -3, value: -30, averageCost: unitCost })
    await move(amy, lamp.id, 'ADJUST', -1, { reason: 'Broken' })
    const { id } = await sale(all, 2)
    await amy.call('orders_deliver', { id })
    expect(await movesOf(amy, lamp.id)).toEqual([
      'IN 1 = 10',
      'OUT -5 = -50',
      'IN 1 = 10',
      out[0]?.replace('OUT', 'ADJUST'),
      out[1],
    ])
    expect(await stockOf(amy, lamp.id)).toMatchObject({ quantity: -6, value })
    await stockUp(amy, lamp.id, 8, 10)
    expect(await stockOf(amy, lamp.id)).toMatchObject({ quantity: 2, value: 20, averageCost: 10 })
  },
)

test('an item without a cost so far leaves at its purchase price, or at nothing', async () => {
  const { amy, lamp } = await trader()
  await move(amy, lamp.id, 'OUT', 2)
  expect(await stockOf(amy, lamp.id)).toMatchObject({ quantity: -2, value: -20 })
  const vase = await addItem(amy, { purchasePrice: null })
  await move(amy, vase.id, 'OUT', 2)
  expect(await stockOf(amy, vase.id)).toMatchObject({ quantity: -2, value: 0 })
  const cup = await addItem(amy, { purchaseCurrency: 'EUR' })
  await move(amy, cup.id, 'OUT', 2)
  expect(await stockOf(amy, cup.id)).toMatchObject({ value: 0 })
})

test('goods in a foreign currency come in by the rate of the day, and without a rate at the average', async () => {
  await storeTestRates()
  const all = await trader({ country: 'IL' })
  const { amy, lamp } = all
  const lines = [{ itemId: lamp.id, quantity: 10, unitPrice: 10 }]
  const dollars = await purchase(all, 10, { currency: 'USD', lines })
  await amy.call('orders_receive', { id: dollars.id, date: friday })
  expect(await stockOf(amy, lamp.id)).toMatchObject({ quantity: 10, value: 370.99, currency: 'ILS' })
  const unknown = await purchase(all, 10, { currency: 'XAU', lines })
  await amy.call('orders_receive', { id: unknown.id, date: friday })
  expect(await stockOf(amy, lamp.id)).toMatchObject({ quantity: 20, value: 741.98 })
})

test('opening stock is booked to opening balances, adjustments to their account, and the journal balances', async () => {
  const { amy, lamp } = await trader()
  await move(amy, lamp.id, 'IN', 10, { unitCost: 10, opening: true })
  await move(amy, lamp.id, 'ADJUST', -1, { reason: 'Broken' })
  await move(amy, lamp.id, 'OUT', 2)
  const balances = await balancesOf(amy)
  expect(balances).toMatchObject({ 320: 30, 630: 70 })
  expect(Object.values(balances).reduce((sum, each) => sum + each, 0)).toBe(0)
})

test('a bill clears what was received: in parts, beyond the order, and taken back', async () => {
  const all = await trader()
  const { amy, supplier } = all
  const { id } = await purchase(all, 10)
  await amy.call('orders_receive', { id, lines: [{ lineId: '1', quantity: 12 }], allowOver: true })
  const bill = async (amount: number) => {
    const expense = {
      organizationId: String(amy.organizationId),
      amount,
      currency: 'SGD',
      date: '2026-01-31',
      supplierId: supplier.id,
      orderId: id,
    }
    const { id: expenseId } = await amy.call('expenses_create', expense)
    await amy.call('expenses_status', { id: expenseId, status: 'APPROVED' })
    return expenseId
  }
  await bill(70)
  expect(await balancesOf(amy)).toEqual({ 630: 120, 802: -50, 800: -70 })
  const last = await bill(60) // 50 for the goods and 10 more, an expense
  expect(await balancesOf(amy)).toMatchObject({ 630: 120, 800: -130 })
  expect((await balancesOf(amy))['802']).toBeUndefined()
  await amy.call('expenses_status', { id: last, status: 'PENDING_REVIEW' })
  expect(await balancesOf(amy)).toEqual({ 630: 120, 802: -50, 800: -70 })
})

const lowEvents = async (itemId: string) =>
  (
    await theApp().system.raw.query(
      "select payload, cause from events where type = 'stock.low' and payload ->> 'itemId' = $1 order by created_at, id",
      [itemId],
    )
  ).rows

test('stock.low is emitted once for each crossing', async () => {
  const { amy, lamp } = await trader({ item: { lowStockThreshold: 5, sku: 'L-1' } })
  await stockUp(amy, lamp.id, 4, 10)
  expect(await lowEvents(lamp.id)).toEqual([])
  await stockUp(amy, lamp.id, 6, 10)
  await move(amy, lamp.id, 'OUT', 4)
  expect(await lowEvents(lamp.id)).toEqual([])
  const { id } = await move(amy, lamp.id, 'OUT', 1)
  await move(amy, lamp.id, 'OUT', 1)
  expect((await lowEvents(lamp.id)).map(({ payload }) => payload)).toEqual([
    {
      id: lamp.id,
      organizationId: amy.organizationId,
      itemId: lamp.id,
      name: 'Lamp',
      sku: 'L-1',
      quantity: 5,
      lowStockThreshold: 5,
      movementId: id,
    },
  ])
  await stockUp(amy, lamp.id, 10, 10)
  await move(amy, lamp.id, 'OUT', 14)
  expect(await lowEvents(lamp.id)).toHaveLength(2)
})

test('stock.low starts an automation, and automations that start each other by it end', async () => {
  const amy = await member('OWNER')
  const lamp = await addItem(amy, { lowStockThreshold: 5 })
  const organizationId = String(amy.organizationId)
  const swing = { organizationId, itemId: lamp.id }
  const id = await automate(
    amy,
    graphOf(
      [
        trigger('stock.low'),
        action('fill', 'logistics_stock_movements_create', { ...swing, kind: 'IN', quantity: 10, unitCost: 10 }),
        action('take', 'logistics_stock_movements_create', { ...swing, kind: 'OUT', quantity: 10 }),
      ],
      'start>fill',
      'fill>take',
    ),
  )
  await stockUp(amy, lamp.id, 6, 10)
  await move(amy, lamp.id, 'OUT', 2)
  await settle(amy)
  const { runs } = await amy.call('automations_runs', { id })
  expect(runs.map(({ status }) => status)).toEqual([
    'FAILED',
    ...Array.from({ length: runs.length - 1 }, () => 'SUCCEEDED'),
  ])
  expect(runs[0]?.error).toMatch(/^LIMIT_EXCEEDED/)
  const events = await lowEvents(lamp.id)
  expect(events.length).toBeGreaterThan(1)
  expect(events.length).toBeLessThan(40)
  expect(events.map(({ cause }) => cause.depth)).toEqual(events.map((_, at) => at))
})

test('levels and movements are listed, searched and filtered', async () => {
  const all = await trader({ item: { name: 'מנורה', lowStockThreshold: 5 } })
  const { amy, lamp } = all
  const chair = await addItem(amy, { name: 'Chair', barcode: '729' })
  await addItem(amy, { name: 'Advice', kind: 'SERVICE' })
  await purchase(all, 3)
  await sale(all, 2)
  await move(amy, chair.id, 'IN', 1, { date: '2026-01-02', unitCost: 1 })
  await move(amy, lamp.id, 'OUT', 1, { date: '2026-01-01' })
  const organizationId = String(amy.organizationId)
  const levels = async (query = {}) =>
    (await amy.call('logistics_stock_levels', { organizationId, ...query })).levels.map(({ name }) => name)
  expect(await levels()).toEqual(['Chair', 'מנורה'])
  expect(await levels({ sortOrder: 'desc', limit: 1 })).toEqual(['מנורה'])
  expect(await levels({ search: 'נור' })).toEqual(['מנורה'])
  expect(await levels({ search: '729' })).toEqual(['Chair'])
  expect(await levels({ low: 'true' })).toEqual(['מנורה'])
  expect(await stockOf(amy, lamp.id)).toMatchObject({ quantity: -1, onOrder: 3, reserved: 2 })
  const moves = async (query = {}) =>
    (await amy.call('logistics_stock_movements', { organizationId, ...query })).movements.map(({ kind }) => kind)
  expect(await moves()).toEqual(['IN', 'OUT'])
  expect(await moves({ itemId: lamp.id })).toEqual(['OUT'])
  expect(await moves({ kind: 'IN' })).toEqual(['IN'])
  expect(await moves({ source: 'ORDER' })).toEqual([])
  expect(await moves({ dateTo: '2026-01-01' })).toEqual(['OUT'])
  expect(await moves({ sortOrder: 'asc' })).toEqual(['OUT', 'IN'])
})
