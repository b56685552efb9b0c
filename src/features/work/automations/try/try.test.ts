import { expect, test } from 'vitest'
import { action, automate, graphOf, trigger } from '../../../../test/automations/automations.ts'
import { sell } from '../../../../test/sales-documents.ts'
import { member, operationNamed, type Someone, theApp, withKey } from '../../../../test/world.ts'

const tryOut = operationNamed('automations_try')
const at = ({ organizationId = '' }: Someone) => ({ organizationId })

const attempt = (someone: Someone, input: Record<string, unknown>) =>
  someone.call('automations_try', { ...at(someone), ...input } as never)

const count = async (table: string, { organizationId }: Someone) => {
  const { rows } = await theApp().system.raw.query(
    `select count(*)::int as n from ${table} where organization_id = $1`,
    [organizationId],
  )
  return (rows[0] as { n: number }).n
}

const blockOf = (tried: Awaited<ReturnType<typeof attempt>>, id: string) => {
  const found = tried.blocks.find(({ blockId }) => blockId === id)
  if (!found) throw new Error(`No block ${id}`)
  return found
}

const customers = { root: 'Customer', extract: [{ as: 'name', path: 'Customer.name' }], shape: 'objects' }

test('writes are not made, and it is told with what they would be called', async () => {
  const amy = await member('CONTRIBUTOR')
  const graph = graphOf(
    [
      trigger('invoice.paid'),
      action('add', 'customers_create', { name: 'Of {{trigger.invoiceNumber}}', country: 'SG' }),
      action('note', 'customers_update_patch', { id: '{{blocks.add.id}}', notes: '{{blocks.add.name}}' }),
    ],
    'start>add',
    'add>note',
  )
  const tried = await attempt(amy, { ...graph, payload: { invoiceNumber: '7' } })
  expect(tried).toMatchObject({ succeeds: true, problem: null, payloadFrom: 'GIVEN', payload: { invoiceNumber: '7' } })
  expect(blockOf(tried, 'add').steps).toMatchObject([
    { outcome: 'WOULD_CALL', assumed: true, input: { name: 'Of 7', country: 'SG' }, output: { name: 'Of 7' } },
  ])
  expect(blockOf(tried, 'note').steps).toMatchObject([{ outcome: 'WOULD_CALL', input: { notes: 'Of 7' } }])
  expect(await count('customers', amy)).toBe(0)
  expect(await count('automation_runs', amy)).toBe(0)
})

test('reads are really made, filters tell their rows, and guards let elements through one by one', async () => {
  const amy = await member('CONTRIBUTOR')
  for (const name of ['Ann', 'Bob', 'Cid']) await amy.call('customers_create', { name, country: 'SG' })
  const graph = graphOf(
    [
      trigger('invoice.paid'),
      action('list', 'customers_list', { search: 'Ann' }),
      { id: 'find', kind: 'FILTER', config: { spec: customers } },
      action('mail', 'email.send', { to: ['a@example.com'], subject: '{{item.name}}', body: 'Hello' }),
      action('never', 'customers_list', {}),
    ],
    'start>list',
    'start>find',
    'find>mail',
    'start>never',
  )
  const edges = graph.edges.map((edge) => {
    if (edge.toBlockId === 'mail')
      return { ...edge, mode: 'FOR_EACH', cond: { left: '{{item.name}}', op: 'ne', right: 'Bob' } }
    return edge.toBlockId === 'never' ? { ...edge, cond: { left: 1, op: 'eq', right: 2 } } : edge
  })
  const tried = await attempt(amy, { ...graph, edges, payload: {} })
  expect(tried.problem).toBeNull()
  expect(blockOf(tried, 'list').steps).toMatchObject([
    { outcome: 'DONE', assumed: false, output: { customers: [{ name: 'Ann' }] } },
  ])
  expect(blockOf(tried, 'find').steps).toMatchObject([{ outcome: 'DONE', rows: 3 }])
  expect(blockOf(tried, 'mail')).toMatchObject({ count: 3 })
  expect(
    blockOf(tried, 'mail')
      .steps.map(({ outcome }) => outcome)
      .sort(),
  ).toEqual(['SKIPPED', 'WOULD_CALL', 'WOULD_CALL'])
  expect(blockOf(tried, 'never').steps).toMatchObject([{ outcome: 'SKIPPED' }])
  const guards = Object.fromEntries(
    tried.edges.map(({ toBlockId, outcome, passed, all }) => [toBlockId, [outcome, passed, all]]),
  )
  expect(guards).toEqual({
    list: ['PASSED', 1, 1],
    find: ['PASSED', 1, 1],
    mail: ['PASSED', 2, 3],
    never: ['NOT_PASSED', 0, 1],
  })
  expect(await count('outbox', amy)).toBe(0)
})

test('what a run would refuse is foreseen, and what follows is not reached', async () => {
  const amy = await member('CONTRIBUTOR')
  const graph = graphOf(
    [
      trigger('invoice.paid'),
      action('bad', 'customers_create', { country: 'SG', kind: 'ALIEN', name: '{{trigger.nothing}}' }),
      action('after', 'customers_list', {}),
    ],
    'start>bad',
    'bad>after',
  )
  const tried = await attempt(amy, { ...graph, payload: {} })
  expect(tried).toMatchObject({ succeeds: false, problem: expect.stringContaining('The block bad would fail') })
  const [bad] = blockOf(tried, 'bad').steps
  expect(bad?.outcome).toBe('REFUSED')
  expect(bad?.problems.map(({ path }) => path)).toEqual(expect.arrayContaining(['{{trigger.nothing}}', 'kind']))
  expect(blockOf(tried, 'after')).toMatchObject({ count: 0, steps: [] })
  const edge = tried.edges.find(({ toBlockId }) => toBlockId === 'after')
  expect(edge).toMatchObject({ outcome: 'NOT_REACHED' })
})

test('reads and refusals follow the rights of the caller', async () => {
  const amy = await member('CONTRIBUTOR')
  const graph = graphOf(
    [
      trigger('invoice.paid'),
      action('void', 'organizations_delete', {}),
      action('get', 'customers_get', { id: 'none' }),
    ],
    'start>void',
    'start>get',
  )
  const tried = await attempt(amy, { ...graph, payload: {} })
  expect(tried.succeeds).toBe(false)
  expect(blockOf(tried, 'get').steps).toMatchObject([{ outcome: 'REFUSED' }])
  expect(blockOf(tried, 'void').steps).toMatchObject([{ outcome: 'REFUSED' }])
  const key = await withKey(amy, ['automations:read'])
  const reading = graphOf([trigger('schedule.daily'), action('list', 'customers_list', {})], 'start>list')
  const [list] = blockOf(await attempt(amy, { ...reading, payload: {} }), 'list').steps
  expect(list).toMatchObject({ outcome: 'DONE' })
  const limited = await attempt(key, { ...reading, payload: {} })
  expect(blockOf(limited, 'list').steps).toMatchObject([{ outcome: 'REFUSED', problems: [{ code: 'SCOPE' }] }])
})

test('a saved automation is tried with a past event of its trigger, or with an example', async () => {
  const amy = await member('MANAGER')
  const graph = graphOf(
    [trigger('invoice.issued'), action('add', 'customers_create', { name: '{{trigger.id}}', country: 'SG' })],
    'start>add',
  )
  const id = await automate(amy, graph, { armed: false })
  const invoice = await sell(amy, { status: 'UNSENT' })
  const { events } = await amy.call('automations_trigger_events', { ...at(amy), automationId: id })
  expect(events).toMatchObject([{ type: 'invoice.issued', payload: { id: invoice.id } }])
  const tried = await attempt(amy, { automationId: id, eventId: events[0]?.id })
  expect(tried).toMatchObject({ succeeds: true, payloadFrom: 'EVENT', payload: { id: invoice.id } })
  expect(blockOf(tried, 'add').steps).toMatchObject([{ input: { name: invoice.id } }])
  expect(await attempt(amy, { automationId: id })).toMatchObject({ succeeds: true, payloadFrom: 'EXAMPLE' })
  expect((await amy.call('automations_trigger_events', { ...at(amy), type: 'customer.created' })).events).not.toEqual(
    [],
  )
  const other = graphOf([trigger('invoice.paid')])
  expect(await amy.request(tryOut, { ...at(amy), ...other, eventId: events[0]?.id })).toMatchObject({ status: 400 })
  const eve = await member('MANAGER')
  expect(await eve.request(tryOut, { ...at(eve), ...graph, eventId: events[0]?.id })).toMatchObject({ status: 404 })
  expect(await eve.request(tryOut, { ...at(eve), automationId: id })).toMatchObject({ status: 404 })
})

test('a list is tried up to a number of calls', async () => {
  const amy = await member('CONTRIBUTOR')
  const names = Array.from({ length: 35 }, (_, n) => ({ name: `C${n}` }))
  const graph = graphOf(
    [trigger('invoice.paid'), action('get', 'customers_list', { search: '{{item.name}}' })],
    'start>get',
  )
  const edges = graph.edges.map((edge) => ({ ...edge, mode: 'FOR_EACH', each: 'names' }))
  const tried = await attempt(amy, { ...graph, edges, payload: { names } })
  expect(tried).toMatchObject({ callsLeft: 0, succeeds: true })
  expect(blockOf(tried, 'get')).toMatchObject({ count: 35 })
  expect(blockOf(tried, 'get').steps).toHaveLength(20)
})
