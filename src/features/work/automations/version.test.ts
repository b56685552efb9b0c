import { expect, test } from 'vitest'
import { action, automate, graphOf, trigger } from '../../../test/automations/automations.ts'
import { request as overMcp } from '../../../test/mcp.ts'
import { member, operationNamed, type Reply, theApp, withKey } from '../../../test/world.ts'

const query = async (text: string, values: unknown[] = []) => (await theApp().system.raw.query(text, values)).rows
const add = (id: string) => action(id, 'customers_create', { name: id, country: 'SG' })
const graph = graphOf([trigger('invoice.paid'), add('a'), add('b')], 'start>a', 'a>b')
const changed = graphOf(
  [trigger('invoice.paid'), { ...add('a'), config: { input: { name: 'new' } } }, add('c')],
  'start>a',
)
const update = operationNamed('automations_update')
const get = operationNamed('automations_get')
const detailsOf = ({ body }: Reply) =>
  (body as { error: { details: { path: string; message: string; code?: string }[] } }).error.details

test('the version counts changes of name, description and graph, and is the ETag', async () => {
  const amy = await member('CONTRIBUTOR')
  const made = await amy.request(operationNamed('automations_create'), {
    organizationId: amy.organizationId,
    name: 'A',
    ...graph,
  })
  expect(made).toMatchObject({ status: 201, body: { version: 1 }, headers: { etag: '"1"' } })
  const { id } = made.body as { id: string }
  expect(await amy.request(update, { id, name: 'B' })).toMatchObject({ body: { version: 2 }, headers: { etag: '"2"' } })
  await amy.call('automations_enable', { id })
  expect(await amy.request(operationNamed('automations_disable'), { id })).toMatchObject({ headers: { etag: '"2"' } })
  await query("update automations set status = 'PAUSED_NO_ACCESS' where id = $1", [id])
  expect(await amy.request(update, { id, ...changed })).toMatchObject({ body: { version: 3 } })
  expect(await amy.request(update, { id })).toMatchObject({ body: { version: 3 } })
  expect(await amy.request(get, { id })).toMatchObject({ body: { version: 3 }, headers: { etag: '"3"' } })
})

test('a change of a version that is not the current one is refused, and says who saved what since', async () => {
  const amy = await member('CONTRIBUTOR')
  const id = await automate(amy, graph, { armed: false })
  expect(await amy.request(update, { id, name: 'B' }, { 'if-match': '"1"' })).toMatchObject({
    status: 200,
    body: { version: 2 },
  })
  await amy.call('automations_update', { id, ...changed } as never)
  const refused = await amy.request(update, { id, name: 'C' }, { 'if-match': '"2"' })
  expect(refused).toMatchObject({
    status: 409,
    body: {
      error: { message: expect.stringMatching(/version 2 .*current one is 3\. CONTRIBUTOR saved it last, at 2\d{3}-/) },
    },
  })
  expect(detailsOf(refused)).toMatchObject([
    { code: 'VERSION_CONFLICT' },
    { path: 'version', message: 'The current version is 3.' },
    { path: 'blocks.b', code: 'REMOVED' },
    { path: 'blocks.a', code: 'CHANGED' },
    { path: 'blocks.c', code: 'ADDED' },
    { path: 'edges.e1', code: 'REMOVED' },
  ])
  expect(await amy.call('automations_get', { id })).toMatchObject({ name: 'B', version: 3 })
  await query('delete from automation_graphs where automation_id = $1 and superseded_at is not null', [id])
  expect(detailsOf(await amy.request(update, { id }, { 'if-match': '"1"' }))).toContainEqual({
    path: 'blocks',
    message: 'What changed is not known: the graph of version 1 is not kept any more.',
  })
})

test('without If-Match, or with *, a change is made in any case; a version in the body is ignored', async () => {
  const amy = await member('CONTRIBUTOR')
  const id = await automate(amy, graph, { armed: false })
  expect(await amy.request(update, { id, name: 'B' }, { 'if-match': '*' })).toMatchObject({ status: 200 })
  const read = await amy.call('automations_get', { id })
  expect(await amy.request(update, { ...read, version: 1 })).toMatchObject({ status: 200, body: { version: 3 } })
})

test.each(['W/"1"', '1', '"x"', '"0"', '"1", "2"', '""'])('If-Match %s is refused with a sentence', async (ifMatch) => {
  const amy = await member('CONTRIBUTOR')
  const id = await automate(amy, graph, { armed: false })
  const refused = await amy.request(update, { id, name: 'B' }, { 'if-match': ifMatch })
  expect(refused.status).toBe(400)
  expect(detailsOf(refused)).toMatchObject([
    { path: 'If-Match', message: expect.stringContaining('one version in quotes') },
  ])
})

test('over MCP the version is in _meta.ifMatch, and a retry with another version is another request', async () => {
  const amy = await withKey(await member('CONTRIBUTOR'))
  const id = await automate(amy, graph, { armed: false })
  const input = { id, name: 'B' }
  const saved = await overMcp(amy, update, input, { meta: { ifMatch: '"1"', idempotencyKey: 'k' } })
  expect(saved).toMatchObject({ status: 200, body: { version: 2 } })
  const again = await amy.request(update, input, { 'if-match': '"1"', 'idempotency-key': 'k' })
  expect(again).toMatchObject({ status: 200, headers: { 'idempotency-replayed': 'true', etag: '"2"' } })
  const other = await amy.request(update, input, { 'if-match': '"2"', 'idempotency-key': 'k' })
  expect(detailsOf(other)).toMatchObject([{ code: 'IDEMPOTENCY_KEY_REUSED' }])
  const refused = await overMcp(amy, update, input, { meta: { ifMatch: '"1"' } })
  expect(refused).toMatchObject({ status: 409 })
  const malformed = await overMcp(amy, update, input, { meta: { ifMatch: 1 } })
  expect(malformed).toMatchObject({ status: 400, body: { error: { details: [{ path: '_meta.ifMatch' }] } } })
})

test('of two changes of the same version at the same time one is made', async () => {
  const amy = await member('CONTRIBUTOR')
  const id = await automate(amy, graph, { armed: false })
  const save = (name: string) => amy.request(update, { id, name }, { 'if-match': '"1"' })
  const answers = await Promise.all([save('B'), save('C'), save('D')])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
})
