import { expect, test } from 'vitest'
import { action, automate, graphOf, settle, trigger } from '../../../../test/automations/automations.ts'
import { logOf, testRun } from '../../../../test/automations/outside-actions.ts'
import { receiver } from '../../../../test/fakes/webhook-receiver.ts'
import { asProduct } from '../../../../test/secrets.ts'
import { member, type Someone } from '../../../../test/world.ts'

const at = (amy: Someone) => ({ organizationId: amy.organizationId ?? '' })
const secret = 'sk-live-"7Q/x 9'
const set = (amy: Someone, name = 'CRM_TOKEN', value = secret) =>
  amy.call('automations_secrets_set', { ...at(amy), name, value })
const bearer = { authorization: 'Bearer {{secrets.CRM_TOKEN}}' }

test('INV-20: a secret is sent in a header, and neither shown nor stored in readable form anywhere', async () => {
  const amy = await member('MANAGER')
  await set(amy)
  const echo = { 'content-type': 'application/json', 'x-echo': secret }
  const { heard, url } = await receiver((response) =>
    response.writeHead(200, echo).end(JSON.stringify({ you: [secret], b: Buffer.from(secret).toString('base64') })),
  )
  const headers = { ...bearer, 'X-Number': '{{trigger.n}}', 'X-Note': 'n {{trigger.trick}}' }
  const run = await testRun(amy, 'webhook.post', { url, headers }, { n: 5, trick: '{{secrets.CRM_TOKEN}}' })
  expect(heard[0]?.headers).toMatchObject({ authorization: `Bearer ${secret}`, 'x-number': '5' })
  expect(heard[0]?.headers['x-note']).toBe('n {{secrets.CRM_TOKEN}}') // THR-12: a bound value is not read as a binding
  expect(run).toMatchObject({ status: 'SUCCEEDED', steps: [{}, { output: { body: { you: ['[redacted]'] }, headers: { 'x-echo': '[redacted]' } } }] })
  expect(JSON.stringify(run.steps[1]?.input)).toContain('{{secrets.CRM_TOKEN}}')
  const tables = ['automation_secrets', 'automation_steps', 'automation_runs', 'automation_deliveries', 'audit_log', 'events', 'automations']
  const stored = await Promise.all(tables.map((table) => asProduct(`select t::text as row from ${table} t where organization_id = $1`, [amy.organizationId])))
  const shown = JSON.stringify([stored, run, await logOf(amy), await amy.call('automations_secrets_list', at(amy))])
  for (const form of ['7Q/x', Buffer.from(secret).toString('base64'), Buffer.from(secret).toString('hex')]) expect(shown).not.toContain(form)
}) // biome-ignore format: a list of words

test('INV-20: an answer that is cut off within a secret shows no part of it', async () => {
  const amy = await member('MANAGER')
  await set(amy)
  const { url } = await receiver((response) => response.end('x'.repeat(4_096 - 8) + secret))
  const run = await testRun(amy, 'webhook.post', { url, headers: bearer })
  expect(JSON.stringify([run, await logOf(amy)])).not.toContain('sk-live')
})

test('secrets are listed by name, replaced and deleted by managers, and a missing one fails the step', async () => {
  const [amy, eve] = [await member('MANAGER'), await member('MANAGER')]
  const bob = await member('CONTRIBUTOR', { of: amy })
  const first = await set(amy)
  expect(Object.keys(first).sort()).toEqual(['createdAt', 'name', 'updatedAt'])
  await set(amy, 'CRM_TOKEN', 'other-value')
  await set(amy, 'A')
  const { secrets } = await amy.call('automations_secrets_list', at(amy))
  expect(secrets.map(({ name }) => name)).toEqual(['A', 'CRM_TOKEN'])
  const { heard, url } = await receiver()
  await testRun(amy, 'webhook.post', { url, headers: bearer })
  expect(heard[0]?.headers.authorization).toBe('Bearer other-value')
  for (const name of ['a', '1A', 'A-B', 'A'.repeat(65)]) await expect(set(amy, name)).rejects.toMatchObject({ status: 400 })
  await expect(set(amy, 'B', 'a\nb')).rejects.toMatchObject({ status: 400 })
  await expect(bob.call('automations_secrets_list', at(amy))).rejects.toMatchObject({ status: 403 })
  await expect(set(bob)).rejects.toMatchObject({ status: 403 })
  await expect(eve.call('automations_secrets_delete', { ...at(amy), name: 'A' })).rejects.toMatchObject({ status: 403 })
  await expect(amy.call('automations_secrets_delete', { ...at(amy), name: 'B' })).rejects.toMatchObject({ status: 404 })
  await amy.call('automations_secrets_delete', { ...at(amy), name: 'CRM_TOKEN' })
  const run = await testRun(amy, 'webhook.post', { url, headers: bearer })
  expect(run).toMatchObject({ status: 'FAILED', error: expect.stringContaining('There is no secret CRM_TOKEN') })
  expect(heard).toHaveLength(1)
}) // biome-ignore format: a list of words

test('a secret of fewer than 8 characters is refused: it would be found in answers by chance', async () => {
  const amy = await member('MANAGER')
  const details = [{ path: 'value', message: expect.stringMatching(/8 characters.*\.$/) }]
  await expect(set(amy, 'SHORT', '1234567')).rejects.toMatchObject({ status: 400, details })
  await set(amy, 'LONG_ENOUGH', '12345678')
})

test('an organization has at most 50 secrets, also for the database', async () => {
  const amy = await member('MANAGER')
  for (let n = 0; n < 50; n++) await set(amy, `S${n}`)
  await expect(set(amy, 'ONE_MORE')).rejects.toMatchObject({ status: 409 })
  await set(amy, 'S7', 'changed-value')
  const copy = `insert into automation_secrets (organization_id, id, name, value)
    select organization_id, gen_random_uuid(), 'COPY', value from automation_secrets where organization_id = $1 limit 1`
  await expect(asProduct(copy, [amy.organizationId])).rejects.toMatchObject({ constraint: 'at_most_50_automation_secrets' })
}) // biome-ignore format: a list of words

test('THR-07: only a manager saves a graph that sends secrets, and a run with a lower role does not send them', async () => {
  const amy = await member('MANAGER')
  const bob = await member('CONTRIBUTOR', { of: amy })
  await set(amy)
  const { heard, url } = await receiver()
  const graph = graphOf([trigger('invoice.paid'), action('out', 'webhook.post', { url, headers: bearer })], 'start>out')
  await expect(automate(bob, graph, { armed: false })).rejects.toMatchObject({ status: 403 })
  const own = await automate(bob, graphOf([trigger('invoice.paid')]), { armed: false })
  await expect(bob.call('automations_update', { id: own, ...graph } as never)).rejects.toMatchObject({ status: 403 })
  const id = await automate(amy, graph, { armed: false })
  const owner = await member('OWNER', { of: amy })
  await asProduct("update memberships set role = 'CONTRIBUTOR' where user_id = $1", [amy.userId])
  const run = await owner.call('automations_test', { id, payload: {} })
  expect(run).toMatchObject({ status: 'FAILED', error: expect.stringContaining('MANAGER') })
  expect(heard).toEqual([])
}) // biome-ignore format: a list of words

test.each([
  ['the body', action('out', 'webhook.post', { url: 'http://x.test', body: { a: '{{secrets.A}}' } })],
  ['the address', action('out', 'webhook.post', { url: 'http://x.test/{{ secrets.A }}' })],
  ['all headers', action('out', 'webhook.post', { url: 'http://x.test', headers: '{{secrets.A}}' })],
  ['a list in headers', action('out', 'webhook.post', { url: 'http://x.test', headers: { a: ['{{secrets.A}}'] } })],
  ['a wrong name', action('out', 'webhook.post', { url: 'http://x.test', headers: { a: '{{secrets.lower}}' } })],
  ['headers of another action', action('out', 'customers_create', { headers: { a: '{{secrets.A}}' } })],
  ['mail', action('out', 'email.send', { to: 'a@a.test', subject: 'x', body: '{{secrets.A}}' })],
])('a graph with a secret in %s is refused', async (_, block) => {
  const amy = await member('MANAGER')
  await expect(automate(amy, graphOf([trigger('invoice.paid'), block], 'start>out'), { armed: false })).rejects.toMatchObject({ status: 400 })
}) // biome-ignore format: a list of words

test.each([
  ['the position', { position: { x: '{{secrets.A}}' } }],
  ['a name in the position', { position: { '{{secrets.A}}': 1 } }],
  ['the id', { id: 'out {{secrets.A}}' }],
  ['the ref', { ref: '{{secrets.A}}' }],
  ['a name in the body', { config: { input: { url: 'http://x.test', body: { a: [{ '{{secrets.A}}': 1 }] } } } }],
  ['the name of a header', { config: { input: { url: 'http://x.test', headers: { '{{secrets.A}}': 'x' } } } }],
  ['the config beside the input', { config: { note: '{{secrets.A}}', input: { url: 'http://x.test', headers: { a: '{{secrets.A}}' } } } }],
])('a graph with a secret in %s of a block is refused', async (_, more) => {
  const amy = await member('MANAGER')
  const block = { ...action('out', 'webhook.post', { url: 'http://x.test', headers: { a: '{{secrets.A}}' } }), ...more }
  const graph = graphOf([trigger('invoice.paid'), block])
  const details = expect.arrayContaining([expect.objectContaining({ message: expect.stringContaining('secrets can only be used in the headers') })])
  await expect(automate(amy, graph, { armed: false })).rejects.toMatchObject({ status: 400, details })
}) // biome-ignore format: a list of words

test('a graph with a secret in the id of an edge, or as a name in its condition, is refused', async () => {
  const amy = await member('MANAGER')
  const graph = graphOf([trigger('invoice.paid'), action('out', 'customers_list')], 'start>out')
  for (const more of [{ id: '{{secrets.A}}' }, { cond: { left: { '{{secrets.A}}': 1 }, op: 'exists' } }]) {
    const edges = graph.edges.map((edge) => ({ ...edge, ...more }))
    await expect(automate(amy, { ...graph, edges } as never, { armed: false })).rejects.toMatchObject({ status: 400 })
  }
})

test('a graph with a secret in a condition is refused', async () => {
  const amy = await member('MANAGER')
  const cond = { left: '{{secrets.A}}', op: 'exists' }
  const graph = graphOf([trigger('invoice.paid'), action('out', 'customers_list')], ['start>out', cond])
  await expect(automate(amy, graph, { armed: false })).rejects.toMatchObject({ status: 400 })
})

test.each([
  ['the headers', { headers: '{{trigger.h}}' }, { h: { 'x-a': '1' } }],
  ['headers without any', { headers: '{{trigger.h}}' }, { h: {} }],
])('a step whose %s are bound as a whole fails instead of sending none of them', async (_, more, payload) => {
  const amy = await member('MANAGER')
  const { heard, url } = await receiver()
  const run = await testRun(amy, 'webhook.post', { url, ...more }, payload)
  expect(run).toMatchObject({ status: 'FAILED', error: expect.stringContaining('headers must be written out as an object') })
  expect(heard).toEqual([])
}) // biome-ignore format: a list of words

test('a step whose whole input is bound and has headers fails too', async () => {
  const amy = await member('MANAGER')
  const { heard, url } = await receiver()
  const run = await testRun(amy, 'webhook.post', '{{trigger}}' as never, { url, headers: { 'x-a': '{{secrets.A}}' } })
  expect(run).toMatchObject({ status: 'FAILED', error: expect.stringContaining('headers must be written out') })
  expect(heard).toEqual([])
})

test("THR-07: a contributor cannot save a manager's graph that sends secrets, changed or not, but can rename and enable it", async () => {
  const amy = await member('MANAGER')
  const bob = await member('CONTRIBUTOR', { of: amy })
  await set(amy)
  const { heard, url } = await receiver()
  const input = { url, headers: bearer, body: { a: 1 } }
  const withBlock = (more: object, block = {}) =>
    graphOf([trigger('customer.created'), { ...action('out', 'webhook.post', { ...input, ...more }), ...block }], 'start>out')
  const id = await automate(amy, withBlock({}), { armed: false })
  const changed = [
    withBlock({}),
    withBlock({}, { position: { x: 1 } }),
    withBlock({ headers: { 'x-other': '{{secrets.CRM_TOKEN}}' } }),
    withBlock({ url: `${url}/other` }),
    withBlock({ url: '{{trigger.name}}' }),
    withBlock({ body: { a: 2 } }),
    graphOf([trigger('customer.created', 'other'), action('out', 'webhook.post', input)], 'other>out'),
  ]
  for (const graph of changed) await expect(bob.call('automations_update', { id, ...graph } as never)).rejects.toMatchObject({ status: 403 })
  await expect(bob.call('automations_update', { id, name: 'X', ...withBlock({}) } as never)).rejects.toMatchObject({ status: 403 })
  await expect(bob.call('automations_test', { id, payload: {} })).rejects.toMatchObject({ status: 403 })
  const renamed = await bob.call('automations_update', { id, name: 'Renamed' })
  const enabled = await bob.call('automations_enable', { id })
  expect(enabled).toMatchObject({ name: 'Renamed', status: 'ENABLED', ownerUserId: amy.userId, blocks: renamed.blocks })
  await amy.call('customers_create', { ...at(amy), name: 'Globex', country: 'SG' })
  await settle(amy)
  expect(heard.map(({ headers, path, body }) => [headers.authorization, path, body])).toEqual([[`Bearer ${secret}`, '/hook', '{"a":1}']])
}) // biome-ignore format: a list of words
