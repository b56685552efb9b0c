import { expect, test } from 'vitest'
import { member, type Someone } from '../../../test/world.ts'

const stockOf = async (amy: Someone) => {
  const shown = await amy.call('dashboard_get', { organizationId: String(amy.organizationId) })
  return { low: shown.lowStockItemsCount, active: shown.activeItemsCount }
}

test('the dashboard counts active items, and tracked ones at or below their threshold', async () => {
  const [amy, other] = [await member('CONTRIBUTOR'), await member('CONTRIBUTOR')]
  const item = (name: string, more: object) => amy.call('logistics_items_create', { name, sku: name, ...more })
  const lamp = await item('Lamp', { lowStockThreshold: 5 })
  const bulb = await item('Bulb', { lowStockThreshold: 0 })
  await item('Shade', {}) // without a threshold it is never low
  await item('Repair', { kind: 'SERVICE' })
  const old = await item('Candle', { lowStockThreshold: 5, active: false })
  const move = (itemId: string, quantity: number) =>
    amy.call('logistics_stock_movements_create', { itemId, kind: 'ADJUST', quantity, reason: 'Counted' })
  expect(await stockOf(amy)).toEqual({ low: 2, active: 4 })
  await move(lamp.id, 6)
  await move(bulb.id, 1)
  expect(await stockOf(amy)).toEqual({ low: 0, active: 4 })
  await move(lamp.id, -1) // at the threshold
  expect(await stockOf(amy)).toEqual({ low: 1, active: 4 })
  await amy.call('logistics_items_update_patch', { id: old.id, active: true })
  expect(await stockOf(amy)).toEqual({ low: 2, active: 5 })
  await amy.call('logistics_items_update_patch', { id: lamp.id, lowStockThreshold: null })
  expect(await stockOf(amy)).toEqual({ low: 1, active: 5 })
  expect(await stockOf(other)).toEqual({ low: 0, active: 0 })
})
