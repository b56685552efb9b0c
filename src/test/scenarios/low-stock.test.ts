import '../own-world.ts'
import { expect, test } from 'vitest'
import { lastRun, settle } from '../automations/automations.ts'
import { member, type Someone } from '../world.ts'

/** Creates an automation from a template with these inputs of its action, and enables it. */
async function fromTemplate(someone: Someone, wanted: string, input: object) {
  const { templates } = await someone.call('automations_templates')
  const template = templates.find(({ id }) => id === wanted)
  if (!template) throw new Error(`The template ${wanted} is not listed.`)
  const { name, description, edges, blocks: given } = template
  const blocks = given.map((block) => {
    const { config } = block as { config: { input?: object } }
    return block.kind === 'ACTION' ? { ...block, config: { input: { ...config.input, ...input } } } : block
  })
  const { organizationId = '' } = someone
  const { id } = await someone.call('automations_create', { organizationId, name, description, blocks, edges })
  await someone.call('automations_enable', { id })
  return id
}

const lamp = (someone: Someone, more: object = {}) =>
  someone.call('logistics_items_create', { name: 'Lamp', purchasePrice: 10, lowStockThreshold: 5, ...more })

const adjust = (someone: Someone, itemId: string, quantity: number) =>
  someone.call('logistics_stock_movements_create', { itemId, kind: 'ADJUST', quantity, reason: 'Counted' })

const ordersOf = async (someone: Someone) => (await someone.call('orders_list', {})).orders

test('the template "Order for low stock" drafts one order to the supplier for each time that an item runs low', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id: supplierId } = await amy.call('suppliers_create', { name: 'Acme', country: 'SG' })
  const { id: itemId } = await lamp(amy)
  const lines = [{ itemId: '{{trigger.itemId}}', quantity: 40 }]
  const automation = await fromTemplate(amy, 'low-stock-order', { supplierId, lines })
  await adjust(amy, itemId, 8)
  await settle(amy)
  expect(await ordersOf(amy)).toEqual([])
  await adjust(amy, itemId, -3) // to the threshold
  await adjust(amy, itemId, -1) // still low
  await settle(amy)
  expect(await lastRun(amy, automation)).toMatchObject({ status: 'SUCCEEDED' })
  const [order, ...others] = await ordersOf(amy)
  expect(others).toEqual([])
  expect(await amy.call('orders_get', { id: String(order?.id) })).toMatchObject({
    ...{ kind: 'PURCHASE', status: 'DRAFT', orderNumber: null, supplierId, subtotal: 400 },
    lines: [{ itemId, quantity: 40, unitPrice: 10 }],
  })
  await adjust(amy, itemId, 40)
  await adjust(amy, itemId, -40)
  await settle(amy)
  expect(await ordersOf(amy)).toHaveLength(2)
})

test('an item without a purchase price fails the run with a sentence that says so', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id: supplierId } = await amy.call('suppliers_create', { name: 'Acme', country: 'SG' })
  const { id: itemId } = await lamp(amy, { purchasePrice: null })
  const automation = await fromTemplate(amy, 'low-stock-order', { supplierId })
  await adjust(amy, itemId, 8)
  await adjust(amy, itemId, -3)
  await settle(amy)
  const run = await lastRun(amy, automation)
  expect(run).toMatchObject({ status: 'FAILED' })
  expect(JSON.stringify(run)).toContain('Lamp has no price in SGD')
})

test('the template "Notice of low stock" writes to the given address', async () => {
  const amy = await member('MANAGER')
  const { id: itemId } = await lamp(amy)
  const automation = await fromTemplate(amy, 'low-stock-notice', { to: 'store@x.test' })
  await adjust(amy, itemId, 8)
  await adjust(amy, itemId, -4)
  await settle(amy)
  const run = await lastRun(amy, automation)
  expect(run, JSON.stringify(run)).toMatchObject({ status: 'SUCCEEDED' })
  const { messages } = await amy.call('organizations_outbox', {})
  expect(messages).toMatchObject([{ to: 'store@x.test', subject: 'Low stock: Lamp' }])
  expect(messages[0]?.text).toContain('Of Lamp there are 4 left. The threshold is 5.')
})
