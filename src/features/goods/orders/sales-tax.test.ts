import { expect, test } from 'vitest'
import { member, type Someone } from '../../../test/world.ts'

const home = (amy: Someone) => ({ organizationId: String(amy.organizationId) })

async function order(amy: Someone, customer: Record<string, unknown>, more = {}) {
  const given = { ...home(amy), name: 'Globex', country: 'US', ...customer }
  const { id: customerId } = await amy.call('customers_create', given)
  const lines = [{ description: 'Chairs', quantity: 1, unitPrice: 100 }]
  const { lines: made } = await amy.call('orders_create', {
    ...{ ...home(amy), kind: 'SALES', customerId, currency: 'USD', orderDate: '2026-03-01', lines, ...more },
  })
  return made[0]?.taxRate
}

const texan = { address: '4120 Freidrich Ln, Austin, TX 78744' }

test("an order in the United States has the rate of the customer's state on its day, from the organization's own table", async () => {
  const amy = await member('OWNER', { country: 'US' })
  const id = String(amy.organizationId)
  expect(await order(amy, texan)).toBeNull()
  const salesTaxRates = [
    { state: 'TX', rate: 6.25, since: '2020-01-01' },
    { state: 'TX', rate: 8.25, since: '2026-01-01' },
  ]
  await amy.call('settings_update', { id, salesTaxRates, defaultTaxRate: 1 })
  expect(await order(amy, texan)).toBe(8.25)
  expect(await order(amy, texan, { orderDate: '2025-12-31' })).toBe(6.25)
  expect(await order(amy, texan, { lines: [{ description: 'Food', quantity: 1, unitPrice: 1, taxRate: 0 }] })).toBe(0)
  expect(await order(amy, { address: '1 Pike St, Seattle, WA 98101' })).toBe(1)
  expect(await order(amy, { ...texan, country: 'DE' })).toBe(1)
})

test('the table is not used elsewhere', async () => {
  const amy = await member('OWNER', { country: 'SG' })
  const salesTaxRates = [{ state: 'TX', rate: 8.25, since: '2020-01-01' }]
  await amy.call('settings_update', { id: String(amy.organizationId), salesTaxRates, defaultTaxRate: 2 })
  expect(await order(amy, texan)).toBe(2)
})
