import { beforeAll, describe, expect, test } from 'vitest'
import { apiOperations } from '../catalog/operations.ts'
import { type Lane, request } from '../test/mcp.ts'
import { member, type Reply, type Someone, withKey } from '../test/world.ts'

/** THR-03: unusual arguments mean the same over HTTP and over MCP. */

let amy: Someone
let customerId: string
beforeAll(async () => {
  const owner = await member('OWNER')
  customerId = (await owner.call('customers_create', { name: 'Globex 7', country: 'SG' })).id
  amy = await withKey(owner)
})

const cases: [name: string, what: string, input: Record<string, unknown>, status: number][] = [
  ['customers_list', 'a number as text', { limit: '1', page: '1' }, 200],
  ['customers_list', 'a number as a number', { limit: 1, page: 1 }, 200],
  ['customers_list', 'text that is no number', { limit: 'many' }, 400],
  ['customers_list', 'a fraction', { limit: 1.5 }, 400],
  ['customers_list', 'a number where text is expected', { search: 7 }, 200],
  ['customers_list', 'empty text', { search: '', status: '' }, 200],
  ['customers_list', 'an unknown field', { colour: 'red' }, 200],
  ['customers_list', 'an unknown word', { inSystem: 'PURPLE' }, 400],
  ['customers_list', 'text with spaces', { search: ' Globex ' }, 200],
  ['customers_get', 'an id of another kind', { id: 7 }, 404],
  ['customers_create', 'an unknown field', { name: 'x', country: 'SG', colour: 'red' }, 400],
  ['customers_create', 'a number where text is expected', { name: 7, country: 'SG' }, 400],
  ['customers_create', 'null for an optional field', { name: 'x', country: 'SG', notes: null }, 201],
  ['customers_create', 'null for a required field', { name: null, country: 'SG' }, 400],
  ['customers_create', 'empty text', { name: '', country: 'SG' }, 400],
  ['customers_create', 'defaults', { name: 'x', country: 'SG' }, 201],
  ['expenses_create', 'a name where a supplier is shown', { amount: 5, currency: 'SGD', date: '2026-01-05', supplier: 'Acme' }, 400],
  ['invoices_create', 'an unknown field of a line', { customerId: '', currency: 'SGD', items: [{ id: '1', description: 'x', quantity: 1, unitPrice: 1, amount: 1, price: 1 }], subtotal: 1, taxRate: 0, taxAmount: 0, total: 1 }, 400],
  ['logistics_items_create', 'a number as text', { name: 'x', salePrice: '5' }, 400],
  ['logistics_items_create', 'a boolean as text', { name: 'x', tracked: 'true' }, 400],
  ['logistics_items_create', 'a number and a boolean', { name: 'x', salePrice: 5, tracked: true }, 201],
  ['logistics_items_list', 'a boolean as text', { tracked: 'true' }, 200],
  ['expenses_list', 'text where a list is possible', { status: 'DRAFT' }, 200],
] // biome-ignore format: a case a line

describe.each<Lane>(['quick', 'full'])('%s', (lane) => {
  test.each(cases)('THR-03: %s with %s', async (name, _, input, status) => {
    const operation = apiOperations.find((each) => each.name === name)
    if (!operation) throw new Error(name)
    const http = await amy.request(operation, input)
    const mcp = await request(amy, operation, input, { lane })
    expect({ status: http.status, body: comparable(http) }).toEqual({ status, body: expect.anything() })
    expect({ status: mcp.status, body: comparable(mcp) }).toEqual({ status, body: comparable(http) })
  })

  test('THR-03: null and an empty list in a query count as left out, which HTTP cannot send', async () => {
    const operation = apiOperations.find((each) => each.name === 'customers_list')
    if (!operation) throw new Error('customers_list')
    const all = await request(amy, operation, {}, { lane })
    expect(comparable(await request(amy, operation, { search: null, status: [], limit: null }, { lane }))).toEqual(
      comparable(all),
    )
    const get = apiOperations.find((each) => each.name === 'customers_get')
    if (get) expect((await request(amy, get, { id: customerId }, { lane })).status).toBe(200)
  })
})

const comparable = ({ body }: Reply) =>
  JSON.parse(
    JSON.stringify(body)
      .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'an id')
      .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, 'a time'),
  )
