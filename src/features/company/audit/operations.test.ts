import { expect, test } from 'vitest'
import { newId } from '../../../core/values/id.ts'
import { member, type Someone, theApp, withKey } from '../../../test/world.ts'

const here = ({ organizationId = '' }: Someone) => ({ organizationId })

test('an entry shows actor, operation, source and object, newest first', async () => {
  const amy = await member('OWNER')
  const key = await withKey(amy)
  const { id } = await key.call('customers_create', { name: 'Globex', country: 'SG', ...here(amy) })
  await amy.call('customers_delete', { id })
  const { entries, pagination } = await amy.call('organizations_audit', { ...here(amy), limit: 2 })
  expect(entries).toEqual([
    expect.objectContaining({
      operation: 'customers_delete',
      source: 'SESSION',
      apiKeyId: null,
      objectId: id,
    }),
    {
      id: expect.any(String),
      organizationId: amy.organizationId,
      createdAt: expect.stringMatching(/Z$/),
      userId: amy.userId,
      user: { name: 'Founder', email: `${amy.userId}@example.test` },
      source: 'API_KEY',
      operation: 'customers_create',
      objectId: id,
      object: null, // the customer was deleted since
      requestId: expect.any(String),
      apiKeyId: expect.any(String),
      apiKey: { name: 'key', prefix: expect.stringMatching(/^kt_/) },
      clientId: null,
      app: null,
      automation: null,
      runId: null,
      trigger: null,
      turnRunId: null,
      cause: { kind: 'API_KEY', id: expect.any(String), name: 'key' },
      detail: null,
    },
  ])
  expect(pagination).toEqual({ page: 1, limit: 2, total: 3, totalPages: 2 })
})

test('former members are still named', async () => {
  const amy = await member('OWNER')
  const bob = await member('CONTRIBUTOR', { of: amy })
  await bob.call('customers_create', { name: 'Globex', country: 'SG' })
  await bob.call('users_member_delete', { id: amy.organizationId ?? '', userId: bob.userId })
  const { entries } = await amy.call('organizations_audit', { userId: bob.userId })
  expect(entries.map(({ operation, user }) => [operation, user?.name])).toEqual([
    ['users_member_delete', 'CONTRIBUTOR'],
    ['customers_create', 'CONTRIBUTOR'],
  ])
})

test('entries can be filtered by person, operation, object and time', async () => {
  const amy = await member('OWNER')
  const bob = await member('CONTRIBUTOR', { of: amy })
  const { id } = await bob.call('customers_create', { name: 'Globex', country: 'SG' })
  await amy.call('customers_update_patch', { id, notes: 'x' })
  const found = async (filter: object) =>
    (await amy.call('organizations_audit', { ...here(amy), ...filter })).entries.map(({ operation }) => operation)
  expect(await found({ userId: bob.userId })).toEqual(['customers_create'])
  expect(await found({ objectId: id })).toEqual(['customers_update_patch', 'customers_create'])
  expect(await found({ operation: 'customers_create' })).toEqual(['customers_create'])
  expect(await found({ objectId: id, userId: amy.userId })).toEqual(['customers_update_patch'])
  const today = new Date().toISOString()
  expect(await found({ objectId: id, from: today.slice(0, 10), to: today.slice(0, 10) })).toHaveLength(2)
  expect(await found({ objectId: id, to: '2020-01-01' })).toEqual([])
  expect(await found({ objectId: id, from: '2020-01-01T00:00:00Z', to: '2020-01-02T00:00:00+02:00' })).toEqual([])
  expect(await found({ userId: 'nope' })).toEqual([])
  for (const wrong of [{ from: 'yesterday' }, { to: '2026-02-30' }])
    await expect(found(wrong)).rejects.toMatchObject({ status: 400, details: [{ path: Object.keys(wrong)[0] }] })
})

test('actions of the product itself are shown without an actor', async () => {
  const amy = await member('MANAGER')
  await theApp().system.use((_, connection) =>
    connection.query(
      `insert into audit_log (id, organization_id, source, request_id, operation, detail)
       values ($1, $2, 'SYSTEM', '', 'egress.refused', '{"host": "10.0.0.1"}')`,
      [newId(), amy.organizationId],
    ),
  )
  const { entries } = await amy.call('organizations_audit', { operation: 'egress.refused' })
  expect(entries).toMatchObject([{ userId: null, user: null, source: 'SYSTEM', detail: { host: '10.0.0.1' } }])
})

test('a manager of several organizations reads the entries of these and no others', async () => {
  const amy = await member('OWNER')
  await amy.call('organizations_create', { name: 'Second', country: 'US' })
  const bob = await member('VIEWER', { of: amy })
  await bob.call('organizations_create', { name: 'His', country: 'US' })
  const places = async (who: Someone) =>
    new Set((await who.call('organizations_audit')).entries.map(({ organizationId }) => organizationId))
  expect((await places(amy)).size).toBe(2)
  expect((await places(bob)).size).toBe(1)
  expect(await places(bob)).not.toContain(amy.organizationId)
})
