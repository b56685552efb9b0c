import { expect, test } from 'vitest'
import { events } from '../../../catalog/events.ts'
import { apiOperations as operations } from '../../../catalog/operations.ts'
import { automationTerms } from '../../../core/search/search-terms.ts'
import { action, automate, graphOf, trigger } from '../../../test/automations/automations.ts'
import { member, person, send, withKey } from '../../../test/world.ts'
import { engineActions } from './actions/engine-actions.ts'
import { graphProblems } from './graph.ts'
import { templates as allTemplates } from './template-list.ts'

test('the catalog lists every event, tool and engine action with its schema', async () => {
  const amy = await person()
  const { triggers, actions, filterCatalog } = await amy.call('automations_catalog')
  expect(triggers.map(({ type }) => type)).toEqual(events.map(({ type }) => type))
  expect(triggers.find(({ type }) => type === 'invoice.paid')).toEqual({
    type: 'invoice.paid',
    label: 'A sales document was paid in full',
    group: 'Sales',
    payloadSchema: expect.objectContaining({ type: 'object', properties: expect.objectContaining({ total: expect.anything() }) }),
  })
  expect(triggers.find(({ type }) => type === 'schedule.daily')?.group).toBe('Schedule')
  expect(actions.map(({ name }) => name)).toEqual([...operations, ...engineActions].map(({ name }) => name))
  expect(actions.find(({ name }) => name === 'invoices_send')).toEqual({
    name: 'invoices_send',
    description: expect.any(String),
    feature: 'invoices',
    verb: 'send',
    kind: 'system',
    inputSchema: expect.objectContaining({ required: ['id'] }),
    outputSchema: expect.objectContaining({ type: 'object' }),
  })
  expect(filterCatalog).toEqual(expect.any(Object))
}) // biome-ignore format: a list of words

const sizeOf = (answer: object) => JSON.stringify(answer).length

test('names give the schemas of just these, and those that do not exist are listed', async () => {
  const amy = await person()
  const whole = await amy.call('automations_catalog')
  const names = ['invoices_send', 'email.send', 'invoice.overdue', 'Document', 'customers.get', 'moon.land']
  const named = await amy.call('automations_catalog', { names })
  expect(named).toEqual({
    triggers: whole.triggers.filter(({ type }) => type === 'invoice.overdue'),
    actions: whole.actions.filter(({ name }) => ['invoices_send', 'email.send', 'customers_get'].includes(name)),
    filterCatalog: { Document: whole.filterCatalog.Document },
    unknown: ['moon.land'],
  })
  expect(sizeOf(named)).toBeLessThan(36_000)
  const { body } = await send({
    method: 'GET',
    url: '/api/automations/actions?names=Document&names=email.send',
    headers: { ...amy.credentials },
  })
  expect(body).toMatchObject({
    unknown: [],
    actions: [{ name: 'email.send' }],
    filterCatalog: { Document: expect.anything() },
  })
})

test.each([
  [{ kind: 'actions', query: 'remind' }, 'actions', 'invoices_send'],
  [{ kind: 'actions', query: 'send a mail' }, 'actions', 'email.send'],
  [{ kind: 'triggers', query: 'overdue invoice' }, 'triggers', 'invoice.overdue'],
  [{ kind: 'triggers', query: 'every day' }, 'triggers', 'schedule.daily'],
  [{ kind: 'filters', query: 'disputed overdue documents' }, 'filters', 'Document'],
  [{ query: 'תזכורת' }, 'actions', 'invoices_send'],
  [{ kind: 'actions' }, 'actions', 'customers_create'],
  [{ kind: 'triggers' }, 'triggers', 'invoice.paid'],
  [{ kind: 'filters' }, 'filters', 'Customer'],
] as const)('the catalog for %j lists %s, among them %s, in a line each and without schemas', async (input, kind, name) => {
  const answer = await (await person()).call('automations_catalog', input)
  expect(answer).toMatchObject({ triggers: [], actions: [], filterCatalog: {} })
  const lines = answer.found?.[kind] ?? []
  expect(lines).toContainEqual({ name, description: expect.any(String) })
  if ('query' in input) expect(lines.length).toBeLessThanOrEqual(10)
  if ('kind' in input) expect(Object.values(answer.found ?? {}).filter((each) => each.length > 0)).toEqual([lines])
  expect(sizeOf(answer)).toBeLessThan(39_000)
}) // biome-ignore format: a list of words

test('actions that an automation cannot call are not found, and stay in the whole catalog', async () => {
  const amy = await person()
  const others = operations.filter(({ sources }) => !sources.includes('AUTOMATION')).map(({ name }) => name)
  expect(others).toContain('invoices_bulk_send')
  const { found } = await amy.call('automations_catalog', { kind: 'actions' })
  expect(found?.actions.filter(({ name }) => others.includes(name))).toEqual([])
  const { actions } = await amy.call('automations_catalog', { names: ['invoices_bulk_send'] })
  expect(actions.map(({ name }) => name)).toEqual(['invoices_bulk_send'])
})

test.each([
  ['actions', 'pay expense', 'expenses_payments'],
  ['actions', 'pay expense', 'expenses_payments_create'],
  ['actions', 'approve expense', 'expenses_status'],
  ['actions', 'post to url', 'webhook.post'],
  ['filters', 'people in company', 'Member'],
] as const)('among %s, %j finds %s among the first three', async (kind, query, name) => {
  const { found } = await (await person()).call('automations_catalog', { kind, query })
  expect(found?.[kind].slice(0, 3).map((each) => each.name)).toContain(name)
})

test('every action and object with terms for the search exists', async () => {
  const { actions, filterCatalog } = await (await person()).call('automations_catalog')
  const names = [...actions.map(({ name }) => name), ...Object.keys(filterCatalog)]
  expect(Object.keys(automationTerms).filter((name) => !names.includes(name))).toEqual([])
})

test('an empty selection is the whole catalog, and an unknown kind is refused', async () => {
  const amy = await person()
  const whole = await amy.call('automations_catalog')
  expect(Object.keys(whole)).toEqual(['triggers', 'actions', 'filterCatalog'])
  const { body } = await send({
    method: 'GET',
    url: '/api/automations/actions?query=',
    headers: { ...amy.credentials },
  })
  expect(body).toEqual(whole)
  await expect(amy.call('automations_catalog', { kind: 'blocks' } as never)).rejects.toMatchObject({ status: 400 })
})

test('reading the catalog needs the scope automations:read', async () => {
  const key = await withKey(await person(), ['customers:read'])
  await expect(key.call('automations_catalog')).rejects.toMatchObject({ status: 403 })
})

test.each(allTemplates)('the template $id has a valid graph, and its parameters exist in it', ({ blocks, edges, parameters }) => {
  expect(graphProblems({ blocks, edges })).toEqual([])
  for (const { path } of parameters) {
    const value = path.split('.').reduce<unknown>((node, step) => (node as Record<string, unknown>)[step], { blocks, edges })
    expect(value, path).toBeDefined()
  }
}) // biome-ignore format: a list of words

test('each listed template can be created unchanged; templates of missing features are not listed', async () => {
  const amy = await member('CONTRIBUTOR')
  const { organizationId = '' } = amy
  const [{ templates }, { triggers, actions, filterCatalog }] = await Promise.all([
    amy.call('automations_templates'),
    amy.call('automations_catalog'),
  ])
  const available = new Set([...triggers.map(({ type }) => type), ...actions.map(({ name }) => name)])
  const complete = allTemplates.filter(({ blocks }) =>
    blocks.every(({ kind, ref, config }) =>
      kind === 'FILTER' ? (config.spec as { root: string }).root in filterCatalog : available.has(ref ?? ''),
    ),
  )
  expect(templates.map(({ id }) => id)).toEqual(complete.map(({ id }) => id))
  expect(templates.map(({ id }) => id)).toContain('recurring-invoice')
  for (const { name, description, blocks, edges } of templates) {
    const { id, ...made } = await amy.call('automations_create', { organizationId, name, description, blocks, edges })
    expect(made).toMatchObject({ blocks, edges })
    const { warnings = [] } = await amy.call('automations_enable', { id })
    expect(warnings.filter(({ code }) => code !== 'UNFILLED_VALUE')).toEqual([]) // filled in: checks/graph-checks.test.ts
    await amy.call('automations_disable', { id })
  }
})

test('a replay preview shows the reused steps, the next steps with their input, and the blocks that wait for them', async () => {
  const amy = await member('CONTRIBUTOR')
  const graph = (second: string) =>
    graphOf(
      [
        trigger('invoice.paid'),
        action('made', 'customers_create', { name: 'For {{trigger.n}}', country: 'SG' }),
        action('fix', second, { id: '{{blocks.made.id}}', notes: 'for {{trigger.n}}' }),
        action('last', 'customers_update_patch', { id: '{{blocks.made.id}}', notes: '{{blocks.fix.notes}} {{trigger.n}}' }),
      ],
      'start>made', 'made>fix', 'fix>last',
    )
  const id = await automate(amy, graph('moon.land'), { armed: false })
  const failed = await amy.call('automations_test', { id, payload: { n: 7 } })
  await amy.call('automations_update', { id, ...graph('customers_update_patch') } as never)
  const made = failed.steps[1]?.output as { id: string }
  const preview = await amy.call('automations_replay_preview', { id, runId: failed.id })
  expect(preview).toEqual({
    replayable: true,
    reused: [
      { blockId: 'start', element: null, output: { n: 7 } },
      { blockId: 'made', element: null, output: made },
    ],
    next: [{ blockId: 'fix', element: null, key: null, ref: 'customers_update_patch', skipped: false, input: { id: made.id, notes: 'for 7' }, why: { code: 'FAILED', message: 'It failed before.' } }],
    later: [{ blockId: 'last', ref: 'customers_update_patch', waitsFor: ['fix'], why: { code: 'NOT_REACHED', message: 'The run ended before it started.' }, input: { id: made.id, notes: '{{blocks.fix.notes}} {{trigger.n}}' } }],
    gone: [],
    problem: null,
  })
  const replayed = await amy.call('automations_replay', { id, runId: failed.id })
  expect(replayed.steps[2]?.input).toEqual(preview.next[0]?.input)
  const after = await amy.call('automations_replay_preview', { id, runId: failed.id })
  expect(after).toMatchObject({ replayable: false, next: [], later: [] })
}) // biome-ignore format: a list of words
