import { expect, test } from 'vitest'
import { action, automate, graphOf, trigger } from '../../../test/automations/automations.ts'
import { logOf, testRun } from '../../../test/automations/outside-actions.ts'
import { receiver } from '../../../test/fakes/webhook-receiver.ts'
import { asProduct } from '../../../test/secrets.ts'
import { member, type Someone } from '../../../test/world.ts'

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

test('an organization has at most 50 secrets, also for the database', async () => {
  const amy = await member('MANAGER')
  for (let n = 0; n < 50; n++) await set(amy, `S${n}`)
  await expect(set(amy, 'ONE_MORE')).rejects.toMatchObject({ status: 409 })
  await set(amy, 'S7', 'changed')
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

test('a graph with a secret in a condition is refused', async () => {
  const amy = await member('MANAGER')
  const cond = { left: '{{secrets.A}}', op: 'exists' }
  const graph = graphOf([trigger('invoice.paid'), action('out', 'customers_list')], ['start>out', cond])
  await expect(automate(amy, graph, { armed: false })).rejects.toMatchObject({ status: 400 })
})
