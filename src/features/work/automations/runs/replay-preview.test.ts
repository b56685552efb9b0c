import '../../../../test/own-world.ts'
import { expect, test } from 'vitest'
import { newId } from '../../../../core/values/id.ts'
import {
  action,
  automate,
  graphOf,
  lastRun,
  runSoFar,
  settle,
  trigger,
} from '../../../../test/automations/automations.ts'
import { member, type Someone, theApp, withKey } from '../../../../test/world.ts'

const start = trigger('invoice.paid')
const add = (id: string, name: string) => action(id, 'customers_create', { name, country: 'SG' })
const edit = (someone: Someone, id: string, graph: object) =>
  someone.call('automations_update', { id, ...graph } as never)
const missing = action('fails', 'customers_get', { id: newId() })

test('a replay preview says that a renamed block would have its effect again, and which steps have no block any more', async () => {
  const amy = await member('CONTRIBUTOR')
  const id = await automate(amy, graphOf([start, add('a', 'A'), missing, add('z', 'Z')], 'start>a', 'a>fails', 'fails>z'), { armed: false })
  const { id: runId } = await amy.call('automations_test', { id })
  await edit(amy, id, graphOf([start, add('renamed', 'A'), add('other', 'New'), missing, add('z', 'Z')], 'start>renamed', 'start>other', 'renamed>fails', 'fails>z'))
  const preview = await amy.call('automations_replay_preview', { id, runId })
  expect(preview.next).toMatchObject([
    { blockId: 'renamed', why: { code: 'NEW_BLOCK', message: expect.stringContaining('It looks like a, which was removed') } },
    { blockId: 'other', why: { code: 'NEW_BLOCK', message: 'The block is new in the graph, or was renamed.' } },
  ])
  expect(preview.later).toMatchObject([{ blockId: 'fails', why: { code: 'FAILED' } }, { blockId: 'z', why: { code: 'NOT_REACHED' } }])
  expect(preview.gone).toEqual([{ blockId: 'a', element: null, ref: 'customers_create', status: 'SUCCEEDED' }])
}) // biome-ignore format: a list of words

test('a replay preview lists the elements that would run with their names, and why', async () => {
  const amy = await member('CONTRIBUTOR')
  const graph = (cond: object) => {
    const made = graphOf([start, add('each', '{{item.name}}'), action('last', 'customers_list')], ['start*each', cond], 'each*last')
    Object.assign(made.edges[0] ?? {}, { each: 'people' })
    return made
  }
  const id = await automate(amy, graph({ left: '{{item.id}}', op: 'ne', right: 'skip' }), { armed: false })
  const people = [{ id: 'skip', name: 'S' }, { id: '1', name: 'A' }, { id: '2', name: '' }, { name: 'no/id' }]
  const { id: runId } = await amy.call('automations_test', { id, payload: { people } })
  const before = await amy.call('automations_replay_preview', { id, runId })
  expect(before.next).toMatchObject([
    { element: 2, key: '2', why: { code: 'FAILED' } },
    { element: 3, key: '{"name":"no/id"}', why: { code: 'NEW_ELEMENT' } },
  ])
  await edit(amy, id, graph({}))
  const after = await amy.call('automations_replay_preview', { id, runId })
  expect(after.next.map(({ key, why }) => [key, why?.code])).toEqual([['skip', 'SKIPPED_BEFORE'], ['2', 'FAILED'], ['{"name":"no/id"}', 'NEW_ELEMENT']])
}) // biome-ignore format: a list of words

test('THR-07: a replay preview shows no element to a key without the scope to read its list, also through a chain', async () => {
  const amy = await member('MANAGER')
  await amy.call('customers_create', { name: 'Secret Ltd', country: 'SG' })
  const found = { id: 'found', kind: 'FILTER' as const, config: { spec: { root: 'Customer', extract: [{ as: 'title', path: 'Customer.name' }] } } }
  const blocks = [start, found, action('plain', 'tax_rates_none'), action('posted', 'webhook.post', { url: 'https://127.0.0.1/', body: '{{item.title}}' })]
  blocks[2] = { id: 'plain', kind: 'FILTER', config: { spec: { root: 'Item', extract: [{ as: 'id', path: 'Item.id' }], limit: 1, scalar: { fn: 'count' } } } }
  const id = await automate(amy, graphOf(blocks, 'start>found', 'found*plain', 'plain*posted'), { armed: false })
  const runId = await runSoFar(amy, id, [])
  await settle(amy)
  expect(await lastRun(amy, id)).toMatchObject({ id: runId, status: 'FAILED' })
  const text = async (who: Someone) => JSON.stringify([await who.call('automations_replay_preview', { id, runId }), await lastRun(who, id)])
  expect(await text(amy)).toContain('Secret')
  expect(await text(await withKey(amy, ['automations:read', 'customers:read', 'logistics:read']))).toContain('Secret')
  expect(await text(await withKey(amy, ['automations:read', 'logistics:read']))).not.toContain('Secret')
}) // biome-ignore format: a list of words

test('a replay preview names the problem if the graph uses an output that was too large to be stored', async () => {
  const amy = await member('CONTRIBUTOR')
  const graph = graphOf([start, add('a', 'A'), add('b', 'B')], 'start>a', ['a>b', { left: '{{blocks.a.n}}', op: 'eq', right: 1 }])
  const id = await automate(amy, graph, { armed: false })
  const runId = await runSoFar(amy, id, [{ block: 'start', output: {} }, { block: 'a', output: { truncated: true }, isTruncated: true }])
  await settle(amy)
  const preview = await amy.call('automations_replay_preview', { id, runId })
  expect(preview).toMatchObject({ replayable: true, next: [], problem: expect.stringContaining('The output of a was too large') })
}) // biome-ignore format: a list of words

test.each(['__proto__', 'a.constructor.b', 'a..b', '.a', 'a.', ' a', '{{item}}', ''])('each: the path %j is refused', async (each) => {
  const amy = await member('CONTRIBUTOR')
  const graph = graphOf([start, add('a', 'A')], 'start*a')
  Object.assign(graph.edges[0] ?? {}, { each })
  await expect(automate(amy, graph, { armed: false })).rejects.toMatchObject({ status: 400 })
  const { rows } = await theApp().system.raw.query('select 1 from automations where organization_id = $1', [amy.organizationId])
  expect(rows).toEqual([])
}) // biome-ignore format: a list of words

test('a changed trigger does not show the payload of a test to readers who may not see it', async () => {
  const boss = await member('OWNER')
  const viewer = await member('VIEWER', { of: boss })
  const post = { ...missing, config: { input: { id: '{{trigger.net}}' } } }
  const id = await automate(boss, graphOf([trigger('payslip.approved'), post], 'start>fails'), { armed: false })
  const { id: runId } = await boss.call('automations_test', { id, payload: { net: '5123' } })
  await edit(boss, id, graphOf([trigger('customer.created'), post], 'start>fails'))
  const { next } = await viewer.call('automations_replay_preview', { id, runId })
  expect(next).toMatchObject([{ blockId: 'fails', input: null }])
  expect((await boss.call('automations_replay_preview', { id, runId })).next).toMatchObject([{ input: { id: '5123' } }])
}) // biome-ignore format: a list of words

test('a replay preview says that a block that ran once would have its effect again for each element', async () => {
  const amy = await member('CONTRIBUTOR')
  const id = await automate(amy, graphOf([start, add('x', 'X'), missing], 'start>x', 'x>fails'), { armed: false })
  const { id: runId } = await amy.call('automations_test', { id, payload: { people: ['a', 'b'] } })
  const changed = graphOf([start, add('x', 'X'), missing], 'start*x', 'x>fails')
  Object.assign(changed.edges[0] ?? {}, { each: 'people' })
  await edit(amy, id, changed)
  const { next } = await amy.call('automations_replay_preview', { id, runId })
  expect(next.map(({ why }) => why?.code)).toEqual(['OTHER_FORM', 'OTHER_FORM'])
}) // biome-ignore format: a list of words

test('an instant with any offset chooses runs, and a period that ends before it begins is refused', async () => {
  const amy = await member('CONTRIBUTOR')
  const id = await automate(amy, graphOf([start, missing], 'start>fails'), { armed: false })
  await amy.call('automations_test', { id })
  expect((await amy.call('automations_runs', { id, from: '2026-01-31T09:00:00+16:00' })).runs).toHaveLength(1)
  await expect(amy.call('automations_runs', { id, from: '2026-02-01', to: '2026-01-31' })).rejects.toMatchObject({ status: 400 })
}) // biome-ignore format: a list of words
