import { expect, test } from 'vitest'
import { newId } from '../../../core/values/id.ts'
import {
  action,
  automate,
  graphOf,
  lastRun,
  settle,
  trigger as triggerOn,
} from '../../../test/automations/automations.ts'
import { member, type Someone, theApp, withKey } from '../../../test/world.ts'

const trigger = { id: 'paid', kind: 'TRIGGER', ref: 'invoice.paid' } as const
const note = {
  id: 'note',
  kind: 'ACTION',
  ref: 'customers_update',
  config: { input: { id: '{{trigger.customerId}}' } },
} as const
const edge = { id: 'e1', fromBlockId: 'paid', toBlockId: 'note' } as const
const graph = { blocks: [trigger, note], edges: [edge] }

const draft = ({ organizationId = '' }: Someone, more: object = {}) => ({
  organizationId,
  name: 'Thanks',
  ...graph,
  ...more,
})
const created = (someone: Someone, more: object = {}) =>
  someone.call('automations_create', draft(someone, more) as never)

test('a new automation is a DRAFT owned by its author, and omitted fields get their defaults', async () => {
  const amy = await member('CONTRIBUTOR')
  const made = await created(amy)
  expect(made).toEqual({
    id: expect.any(String),
    organizationId: amy.organizationId,
    ownerUserId: amy.userId,
    name: 'Thanks',
    description: null,
    status: 'DRAFT',
    version: 1,
    createdAt: expect.any(String),
    updatedAt: expect.any(String),
    blocks: [
      { ...trigger, config: {}, position: {} },
      { ...note, position: {} },
    ],
    edges: [{ ...edge, cond: null, mode: 'ONCE', order: 0 }],
  })
  expect(await amy.call('automations_get', { id: made.id })).toEqual(made)
})

const many = (count: number, more: (n: number) => object) => Array.from({ length: count }, (_, n) => more(n))
const loop = { id: 'x', fromBlockId: 'note', toBlockId: 'note' }
const other = { ...note, id: 'other' }

test.each([
  ['without blocks', {}, 'NO_TRIGGER'],
  ['without a trigger', { blocks: [note], edges: [] }, 'NO_TRIGGER'],
  ['with an edge to an unknown block', { ...graph, edges: [{ ...edge, toBlockId: 'gone' }] }, 'UNKNOWN_BLOCK'],
  ['with an edge from a block to itself', { ...graph, edges: [edge, loop] }, 'SELF_LOOP'],
  ['with two blocks that have the same id', { blocks: [trigger, note, note], edges: [edge] }, 'DUPLICATE_ID'],
  ['with two edges that have the same id', { ...graph, edges: [edge, edge] }, 'DUPLICATE_ID'],
  [
    'with a cycle',
    {
      blocks: [trigger, note, other],
      edges: [
        { id: '1', fromBlockId: 'note', toBlockId: 'other' },
        { id: '2', fromBlockId: 'other', toBlockId: 'note' },
      ],
    },
    'CYCLE',
  ],
  ['with an invalid condition', { ...graph, edges: [{ ...edge, cond: { left: 1, op: 'like' } }] }, 'CONDITION'],
  ['with a binding to a prototype', { blocks: [trigger, { ...note, config: { input: { a: '{{trigger.__proto__.x}}' } } }], edges: [] }, 'BINDING'],
  ['with 101 blocks', { blocks: many(101, (n) => ({ ...trigger, id: `${n}` })), edges: [] }, undefined],
  ['with 301 edges', { blocks: graph.blocks, edges: many(301, (n) => ({ ...edge, id: `${n}` })) }, undefined],
  ['with a ref of 201 letters', { blocks: [{ ...trigger, ref: 'x'.repeat(201) }], edges: [] }, undefined],
  ['with a block without an id', { blocks: [{ ...trigger, id: '' }], edges: [] }, undefined],
  ['with a block without a kind', { blocks: [trigger, { id: 'a' }], edges: [] }, undefined],
])('a graph %s is refused on create and on update', async (_, wrong, code) => {
  const amy = await member('CONTRIBUTOR')
  const refused = { status: 400, details: [code ? expect.objectContaining({ code }) : expect.anything()] }
  const { organizationId = '' } = amy
  await expect(amy.call('automations_create', { organizationId, name: 'x', ...wrong } as never)).rejects.toMatchObject(refused)
  const { id } = await created(amy)
  if ('blocks' in wrong) await expect(amy.call('automations_update', { id, ...wrong } as never)).rejects.toMatchObject(refused)
}) // biome-ignore format: a case a line

test('the message about a cycle names its blocks, not those that lead to it', async () => {
  const amy = await member('CONTRIBUTOR')
  const blocks = [trigger, ...['before', 'a', 'b', 'c', 'after'].map((id) => ({ ...note, id }))]
  const edges = ['paid>before', 'before>a', 'a>b', 'b>c', 'c>a', 'c>after'].map((text) => {
    const [fromBlockId, toBlockId] = text.split('>')
    return { id: text, fromBlockId, toBlockId }
  })
  const cycle = expect.stringMatching(/^The edges form a cycle: (a → b → c → a|b → c → a → b|c → a → b → c)\.$/)
  await expect(created(amy, { blocks, edges })).rejects.toMatchObject({ details: [{ code: 'CYCLE', message: cycle }] })
})

test('a graph may have 100 blocks and 300 edges', async () => {
  const amy = await member('CONTRIBUTOR')
  const blocks = many(100, (n) => ({ ...note, id: `${n}`, ...(n === 0 && trigger) }))
  const ids = blocks.map((block) => (block as { id: string }).id)
  const edges = many(300, (n) => ({ id: `${n}`, fromBlockId: ids[n % 50], toBlockId: ids[50 + (n % 50)] }))
  expect((await created(amy, { blocks, edges })).edges).toHaveLength(300)
})

test.each([{ name: '' }, { name: 'x'.repeat(201) }, { description: 'x'.repeat(2_001) }])(
  'a name has 1 to 200 characters, and a description at most 2000',
  async (wrong) => {
    const amy = await member('CONTRIBUTOR')
    await expect(created(amy, wrong)).rejects.toMatchObject({ status: 400 })
    const { id } = await created(amy, { name: 'x'.repeat(200), description: 'x'.repeat(2_000) })
    await expect(amy.call('automations_update', { id, ...wrong })).rejects.toMatchObject({ status: 400 })
  },
)

test('an update with only blocks or only edges is refused, because the whole graph is replaced', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id } = await created(amy)
  await expect(amy.call('automations_update', { id, blocks: [trigger] } as never)).rejects.toMatchObject({
    status: 400,
  })
  await expect(amy.call('automations_update', { id, edges: [] })).rejects.toMatchObject({ status: 400 })
  const after = await amy.call('automations_update', { id, blocks: [trigger], edges: [] } as never)
  expect(after).toMatchObject({ name: 'Thanks', edges: [], blocks: [{ id: 'paid' }] })
})

test('THR-05: an update keeps omitted fields, and cannot set the owner or the status', async () => {
  const amy = await member('CONTRIBUTOR')
  const before = await created(amy, { description: 'old' })
  const forged = { status: 'ENABLED', ownerUserId: newId() }
  const after = await amy.call('automations_update', { id: before.id, name: 'New', description: null, ...forged })
  expect(after).toEqual({ ...before, name: 'New', description: null, version: 2, updatedAt: after.updatedAt })
})

test('the list shows the automations of one organization, newest first, and filters by status', async () => {
  const amy = await member('CONTRIBUTOR')
  const { organizationId = '' } = amy
  const made = [await created(amy), await created(amy), await created(amy)]
  await amy.call('automations_enable', { id: made[1]?.id ?? '' })
  const { automations, pagination } = await amy.call('automations_list', { organizationId, limit: 2 })
  expect(automations.map(({ id }) => id)).toEqual([made[2]?.id, made[1]?.id])
  expect(pagination).toEqual({ page: 1, limit: 2, total: 3, totalPages: 2 })
  const enabled = await amy.call('automations_list', { organizationId, status: 'ENABLED' })
  expect(enabled.automations.map(({ id }) => id)).toEqual([made[1]?.id])
  expect(enabled.pagination.limit).toBe(20)
  await expect(amy.call('automations_list', { organizationId, limit: 101 })).rejects.toMatchObject({ status: 400 })
  await expect(amy.call('automations_list', {} as never)).rejects.toMatchObject({ status: 400 })
})

test('enable sets ENABLED and can be repeated; disable sets PAUSED but keeps a DRAFT', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id } = await created(amy)
  const status = async (move: 'automations_enable' | 'automations_disable') => (await amy.call(move, { id })).status
  expect(await status('automations_disable')).toBe('DRAFT')
  expect(await status('automations_enable')).toBe('ENABLED')
  expect(await status('automations_enable')).toBe('ENABLED')
  expect(await status('automations_disable')).toBe('PAUSED')
  expect(await status('automations_disable')).toBe('PAUSED')
  expect(await status('automations_enable')).toBe('ENABLED')
})

test('an automation in PAUSED_NO_ACCESS can be enabled, and disable sets it to PAUSED', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id } = await created(amy)
  const loseAccess = () =>
    theApp().system.raw.query("update automations set status = 'PAUSED_NO_ACCESS' where id = $1", [id])
  await loseAccess()
  expect((await amy.call('automations_enable', { id })).status).toBe('ENABLED')
  await loseAccess()
  expect((await amy.call('automations_disable', { id })).status).toBe('PAUSED')
})

test('INV-15: of twenty concurrent enable calls five succeed, and the others get AUTOMATION_CAP', async () => {
  const amy = await member('CONTRIBUTOR')
  const made = await Promise.all(many(20, () => ({})).map(() => created(amy)))
  const answers = await Promise.allSettled(made.map(({ id }) => amy.call('automations_enable', { id })))
  const refused = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []))
  expect(refused).toHaveLength(15)
  for (const reason of refused) expect(reason).toMatchObject({ status: 409, code: 'CONFLICT', details: [{ code: 'AUTOMATION_CAP' }] })
  const { organizationId = '' } = amy
  const { automations } = await amy.call('automations_list', { organizationId, status: 'ENABLED' })
  expect(automations).toHaveLength(5)
  await amy.call('automations_disable', { id: automations[0]?.id ?? '' })
  const free = made.find(({ id }) => !automations.some((enabled) => enabled.id === id))
  expect((await amy.call('automations_enable', { id: free?.id ?? '' })).status).toBe('ENABLED')
}) // biome-ignore format: a list of words

test('each organization has its own limit of enabled automations', async () => {
  const [amy, eve] = [await member('CONTRIBUTOR'), await member('CONTRIBUTOR')]
  for (const { id } of await Promise.all(many(5, () => ({})).map(() => created(amy)))) await amy.call('automations_enable', { id })
  expect((await eve.call('automations_enable', { id: (await created(eve)).id })).status).toBe('ENABLED')
}) // biome-ignore format: a list of words

test('enable warns of blocks that will fail and names the missing role, but does not refuse', async () => {
  const amy = await member('CONTRIBUTOR')
  const blocks = [
    { id: 't', kind: 'TRIGGER', ref: 'moon.full' },
    { id: 'c', kind: 'CUSTOM' },
    { id: 'u', kind: 'ACTION', ref: 'moon.land' },
    { id: 'm', kind: 'ACTION', ref: 'automations_delete', config: { input: { id: newId() } } },
    { id: 'k', kind: 'ACTION', ref: 'api_keys_list' },
    { id: 'ok', kind: 'ACTION', ref: 'invoices.send', config: { input: { id: '{{trigger.id}}' } } },
  ]
  const edges = blocks.slice(1).map(({ id }) => ({ id, fromBlockId: 't', toBlockId: id }))
  const { id, ...saved } = await created(amy, { blocks, edges })
  const { status, warnings = [] } = await amy.call('automations_enable', { id })
  expect(saved.warnings).toEqual(warnings)
  expect(status).toBe('ENABLED')
  expect(warnings.map(({ code, path }) => [code, path])).toEqual([
    ['UNKNOWN_TRIGGER', 'blocks.0.ref'],
    ['CUSTOM_BLOCK', 'blocks.1.ref'],
    ['UNKNOWN_ACTION', 'blocks.2.ref'],
    ['MISSING_ROLE', 'blocks.3.ref'],
    ['MISSING_SOURCE', 'blocks.4.ref'],
  ])
  expect(warnings[3]?.message).toContain('MANAGER')
  expect((await amy.call('automations_get', { id })).warnings).toBeUndefined()
})

test('create, update and enable warn of bindings and input that cannot work, and save them all the same', async () => {
  const amy = await member('CONTRIBUTOR')
  const wrong = { ...note, config: { input: { id: '{{trigger.custmerId}}', nots: 'x' } } }
  const expected = [
    { code: 'UNKNOWN_FIELD', path: 'blocks.1.config.input.id', message: expect.stringContaining('Did you mean trigger.customerId?') },
    { code: 'UNKNOWN_INPUT', path: 'blocks.1.config.input.nots', message: expect.stringContaining('the nearest is notes') },
  ]
  const { id, warnings } = await created(amy, { blocks: [trigger, wrong] })
  expect(warnings).toEqual(expected)
  expect((await amy.call('automations_enable', { id })).warnings).toEqual(expected)
  expect((await amy.call('automations_update', { id, blocks: [trigger, wrong], edges: [edge] } as never)).warnings).toEqual(expected)
  expect(await amy.call('automations_update', { id, ...graph } as never)).not.toHaveProperty('warnings')
}) // biome-ignore format: a list of words

test('THR-07: an editor of another person’s automation can only save actions that the editor may perform', async () => {
  const boss = await member('MANAGER')
  const amy = await member('CONTRIBUTOR', { of: boss })
  const { id } = await created(boss)
  const forManagers = { ...note, ref: 'automations_delete' }
  const change = (who: Someone, block: object) => who.call('automations_update', { id, blocks: [trigger, block], edges: [edge] } as never)
  await expect(change(amy, forManagers)).rejects.toMatchObject({ status: 403, details: [{ code: 'ROLE' }] })
  expect(await change(boss, forManagers)).toMatchObject({ ownerUserId: boss.userId })
  await expect(change(amy, { ...forManagers, config: { input: {} } })).rejects.toMatchObject({ status: 403 })
  expect(await amy.call('automations_update', { id, name: 'Renamed' })).toMatchObject({ name: 'Renamed' })
  expect(await change(amy, note)).toMatchObject({ ownerUserId: boss.userId })
  const limited = await withKey(amy, ['automations:write'])
  const warned = { warnings: [{ path: 'blocks.0.ref' }, { code: 'MISSING_SCOPE', path: 'blocks.1.ref', message: expect.stringContaining('customers:write') }] }
  expect(await change(limited, note)).toMatchObject(warned)
  await expect(change(limited, forManagers)).rejects.toMatchObject({ status: 403, details: [{ code: 'ROLE' }] })
  const hers = await created(amy)
  const ownKey = await withKey(amy, ['automations:write'])
  expect(await ownKey.call('automations_update', { id: hers.id, blocks: [trigger, note], edges: [edge] } as never)).toMatchObject(warned)
}) // biome-ignore format: a list of words

test('only a manager can delete an automation, which also deletes its graph and runs', async () => {
  const boss = await member('MANAGER')
  const amy = await member('CONTRIBUTOR', { of: boss })
  const { id } = await created(amy)
  await expect(amy.call('automations_delete', { id })).rejects.toMatchObject({ status: 403 })
  expect(await boss.call('automations_delete', { id })).toEqual({ success: true })
  await expect(amy.call('automations_get', { id })).rejects.toMatchObject({ status: 404 })
})

test('a VIEWER can read automations but not change them', async () => {
  const amy = await member('CONTRIBUTOR')
  const vera = await member('VIEWER', { of: amy })
  const { id } = await created(amy)
  expect(await vera.call('automations_get', { id })).toMatchObject({ id })
  for (const name of ['automations_enable', 'automations_disable', 'automations_update'] as const)
    await expect(vera.call(name, { id })).rejects.toMatchObject({ status: 403 })
})

test('THR-07: a key reads the data of a run only with the scopes to read what it is of: the payload, and what steps received or found', async () => {
  const amy = await member('MANAGER')
  const spec = { root: 'Customer', extract: [{ as: 'email', path: 'Customer.email' }] }
  const blocks = [
    triggerOn('customer.created'),
    { id: 'found', kind: 'FILTER' as const, config: { spec } },
    action('named', 'customers_update', { id: '{{trigger.id}}', notes: 'New' }),
    action('posted', 'webhook.post', { url: 'https://127.0.0.1/', body: { who: '{{trigger.name}}' } }),
  ]
  const id = await automate(amy, graphOf(blocks, 'start>found', 'found>named', 'named>posted'))
  await amy.call('customers_create', { name: 'Secret Ltd', email: 'secret@example.com', country: 'SG' })
  await settle(amy)
  const readAs = async (who: Someone) => {
    const run = await lastRun(who, id)
    const { runs } = await who.call('automations_runs', { id })
    const preview = await who.call('automations_replay_preview', { id, runId: run.id })
    return { run, text: JSON.stringify([run, runs, preview]).toLowerCase() }
  }
  const wide = await readAs(await withKey(amy, ['automations:read', 'customers:read']))
  expect(wide.run).toMatchObject({ input: { name: 'Secret Ltd' }, steps: [{ output: { name: 'Secret Ltd' } }, { output: [{ email: 'secret@example.com' }] }, { output: { name: 'Secret Ltd' } }, { input: { body: { who: 'Secret Ltd' } } }] })
  expect((await readAs(amy)).text).toContain('secret')
  const narrow = await readAs(await withKey(amy, ['automations:read', 'automations:write']))
  expect(narrow.run).toMatchObject({ input: { hidden: 'customers' }, steps: [{ output: '[hidden: customers]' }, { output: '[hidden: customers]' }, { input: '[hidden: customers]' }, { input: '[hidden: customers]' }] })
  expect(narrow.text).not.toContain('secret')
}) // biome-ignore format: a list of words

test('THR-07: a key can test or replay a graph only with the scopes that its steps use', async () => {
  const amy = await member('MANAGER')
  const add = action('add', 'customers_update', { id: '{{trigger.customerId}}', notes: 'Paid' })
  const { id: customerId } = await amy.call('customers_create', { name: 'Globex', country: 'SG' })
  const id = await automate(amy, graphOf([triggerOn('invoice.paid'), add], 'start>add'))
  const payload = { customerId }
  const [wide, narrow] = [await withKey(amy, ['automations:write', 'customers:write', 'invoices:read']), await withKey(amy, ['automations:write'])]
  const missing = { status: 403, message: expect.stringContaining('customers:write'), details: [{ code: 'SCOPE' }] }
  expect(await wide.call('automations_test', { id, payload })).toMatchObject({ status: 'SUCCEEDED' })
  await expect(narrow.call('automations_test', { id, payload })).rejects.toMatchObject(missing)
  const { id: runId } = await amy.call('automations_test', { id, payload: { customerId: newId() } })
  await expect(narrow.call('automations_replay', { id, runId })).rejects.toMatchObject(missing)
  expect(await wide.call('automations_replay', { id, runId })).toMatchObject({ status: 'FAILED' })
  const spec = { root: 'Customer', extract: [{ as: 'name', path: 'Customer.name' }] }
  await amy.call('automations_update', { id, ...graphOf([triggerOn('invoice.paid'), { id: 'add', kind: 'FILTER', config: { spec } }], 'start>add') } as never)
  await expect(narrow.call('automations_test', { id })).rejects.toMatchObject({ status: 403, message: expect.stringContaining('customers:read') })
  expect(await amy.call('automations_test', { id })).toMatchObject({ status: 'SUCCEEDED' })
  await narrow.call('automations_update', { id, ...graphOf([triggerOn('invoice.paid'), add], 'start>add') } as never)
  expect(await narrow.call('automations_test', { id, payload })).toMatchObject({ status: 'FAILED' }) // the graph lacks the scope too
}) // biome-ignore format: a list of words

test('THR-07: a CONTRIBUTOR can replay only the automations that they can test: their own', async () => {
  const boss = await member('MANAGER')
  const amy = await member('CONTRIBUTOR', { of: boss })
  const graph = graphOf([triggerOn('invoice.paid'), action('add', 'customers_update', { id: newId(), notes: 'Paid' })], 'start>add')
  for (const [owner, expected] of [[amy, { status: 'FAILED' }], [boss, undefined]] as const) {
    const id = await automate(owner, graph)
    const { id: runId } = await owner.call('automations_test', { id })
    const replay = amy.call('automations_replay', { id, runId })
    if (expected) expect(await replay).toMatchObject(expected)
    else await expect(replay).rejects.toMatchObject({ status: 403, details: [{ code: 'ROLE' }] })
  }
}) // biome-ignore format: a list of words
