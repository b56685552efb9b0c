import { afterAll, expect, test } from 'vitest'
import { addItem, purchase, sale, stockOf, stockUp, trader } from '../../../test/trading.ts'
import { expectSoundBooks } from '../../../test/violations.ts'
import { theApp } from '../../../test/world.ts'

/** Many clients at once: nothing is invoiced, received or delivered twice. */

afterAll(expectSoundBooks)

const times = (count: number, run: (at: number) => Promise<unknown>) =>
  Promise.allSettled(Array.from({ length: count }, (_, at) => run(at)))
const worked = (results: PromiseSettledResult<unknown>[]) =>
  results.filter(({ status }) => status === 'fulfilled').length
/** Refusals are conflicts, not errors of the server. */
const refusedBy = (results: PromiseSettledResult<unknown>[]) => [
  ...new Set(results.flatMap((each) => (each.status === 'rejected' ? [each.reason.status] : []))),
]

test('INV-09: eight clients invoice the same order at once, and each quantity is invoiced once', async () => {
  const all = await trader()
  const { amy, lamp } = all
  await stockUp(amy, lamp.id, 100, 10)
  const { id } = await sale(all, 7)
  const results = await times(8, () => amy.call('orders_invoice', { id }))
  expect([worked(results), refusedBy(results)]).toEqual([1, [409]])
  expect(await amy.call('orders_get', { id })).toMatchObject({ lines: [{ invoicedQuantity: 7 }] })
})

test('INV-09: eight clients receive the same order at once, and nothing is counted twice', async () => {
  const all = await trader()
  const { amy, lamp } = all
  const { id } = await purchase(all, 7)
  const results = await times(8, () => amy.call('orders_receive', { id }))
  expect([worked(results), refusedBy(results)]).toEqual([1, [409]])
  expect(await stockOf(amy, lamp.id)).toMatchObject({ quantity: 7, value: 70 })
  const parts = await purchase(all, 7)
  const taken = await times(8, () =>
    amy.call('orders_receive', { id: parts.id, lines: [{ lineId: '1', quantity: 2 }] }),
  )
  expect([worked(taken), refusedBy(taken)]).toEqual([3, [400]])
  expect(await stockOf(amy, lamp.id)).toMatchObject({ quantity: 13, onOrder: 1 })
})

test('INV-09: delivering and issuing at the same time moves the goods once', async () => {
  const all = await trader()
  const { amy, lamp } = all
  await stockUp(amy, lamp.id, 100, 10)
  for (let round = 0; round < 4; round++) {
    const before = (await stockOf(amy, lamp.id)).quantity
    const { id } = await sale(all, 5)
    const { invoice } = await amy.call('orders_invoice', { id })
    const results = await times(8, (at) =>
      at % 2 ? amy.call('orders_deliver', { id }) : amy.call('invoices_update', { id: invoice.id, status: 'SENT' }),
    )
    expect(refusedBy(results).filter((status) => status !== 409)).toEqual([])
    expect((await stockOf(amy, lamp.id)).quantity).toBe(before - 5)
  }
})

test('deliveries of orders that name the same items in another order do not wait for each other for ever', async () => {
  const all = await trader()
  const { amy, lamp } = all
  const vase = await addItem(amy, { name: 'Vase' })
  const lines = [lamp, vase].map(({ id: itemId }) => ({ itemId, quantity: 1 }))
  const orders = await Promise.all(
    Array.from({ length: 16 }, (_, at) => sale(all, 1, { lines: at % 2 ? lines : lines.toReversed() })),
  )
  const results = await times(16, (at) => amy.call('orders_deliver', { id: String(orders[at]?.id) }))
  expect(worked(results)).toBe(16)
  expect(await stockOf(amy, vase.id)).toMatchObject({ quantity: -16 })
})

test('INV-06: sixteen orders opened at once, some rolled back, have numbers without a gap', async () => {
  const all = await trader()
  const { amy, lamp } = all
  const results = await times(16, (at) => {
    const lines = [
      { itemId: lamp.id, quantity: 1 },
      { itemId: lamp.id, quantity: 1, id: at % 3 ? 'b' : '1' },
    ]
    return sale(all, 1, { lines })
  })
  expect(worked(results)).toBe(10)
  const drafts = await Promise.all(Array.from({ length: 16 }, () => sale(all, 1, { status: 'DRAFT' })))
  // the counter is raised and the transaction then fails
  const opening = times(16, (at) =>
    at % 4
      ? amy.call('orders_open', { id: String(drafts[at]?.id) })
      : theApp().system.raw.query(
          `do $$ begin update orders set status = 'OPEN' where id = '${drafts[at]?.id}'; raise 'no'; end $$`,
        ),
  )
  expect(worked(await opening)).toBe(12)
  const { rows } = await theApp().system.raw.query<{ number: string }>(
    "select number from orders where organization_id = $1 and kind = 'SALES' and number is not null order by number",
    [amy.organizationId],
  )
  expect(rows.map(({ number }) => Number(number))).toEqual(Array.from({ length: 22 }, (_, at) => at + 1))
})
