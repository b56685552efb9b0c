import { describe, expect, test } from 'vitest'
import { apiOperations } from '../../../catalog/operations.ts'
import { newId } from '../../../core/values/id.ts'
import { action, automate, graphOf, lastRun, settle, trigger } from '../../../test/automations/automations.ts'
import { listening, TestApp } from '../../../test/oauth-client.ts'
import { member, type Someone, theApp, withKey } from '../../../test/world.ts'

const server = listening()
const query = async (text: string, values: unknown[] = []) => (await theApp().system.raw.query(text, values)).rows
const customer = { name: 'Globex', country: 'SG' }
const here = ({ organizationId = '' }: Someone) => ({ organizationId })
const entriesOf = async (who: Someone, filter: object = {}) =>
  (await who.call('organizations_audit', { ...here(who), ...filter })).entries
const operationsOf = async (who: Someone, filter: object) =>
  (await entriesOf(who, filter)).map(({ operation }) => operation)

const addCustomer = graphOf(
  [trigger('customer.updated'), action('add', 'customers_create', { name: 'Added', country: 'SG' })],
  'start>add',
)

/** A turn of the companion that adds a customer. */
async function turnOf({ userId, organizationId }: Someone, turnId = newId()) {
  const create = apiOperations.find(({ name }) => name === 'customers_create')
  if (!create) throw new Error('There is no customers_create.')
  const caller = { source: 'COMPANION', credential: null, userId, turnId, requestId: `turn:${turnId}` } as const
  await theApp().runner.run(create, { caller, input: { ...customer, organizationId }, trace: {} })
  return turnId
}

test('an entry of a person names them as the cause', async () => {
  const amy = await member('OWNER')
  await amy.call('customers_create', { ...here(amy), ...customer })
  expect(await entriesOf(amy, { source: 'SESSION', limit: 1 })).toMatchObject([
    {
      cause: { kind: 'PERSON', id: amy.userId, name: 'Founder' },
      ...{ apiKey: null, app: null, automation: null, runId: null, trigger: null, turnRunId: null },
    },
  ])
})

test('what a key did is shown to managers with the name of the key, also if it is a colleague’s', async () => {
  const amy = await member('OWNER')
  const bob = await member('CONTRIBUTOR', { of: amy })
  const key = await withKey(bob)
  await key.call('customers_create', { ...here(amy), ...customer })
  const [entry] = await entriesOf(amy, { source: 'API_KEY' })
  const apiKeyId = entry?.apiKeyId ?? ''
  expect(entry).toMatchObject({
    apiKey: { name: 'key', prefix: expect.any(String) },
    cause: { kind: 'API_KEY', id: apiKeyId, name: 'key' },
  })
  expect(await operationsOf(amy, { apiKeyId })).toEqual(['customers_create'])
  expect(await operationsOf(amy, { apiKeyId: apiKeyId.toUpperCase() })).toEqual(['customers_create'])
  expect(await operationsOf(amy, { apiKeyId: newId() })).toEqual([])
  expect((await amy.call('organizations_audit', { apiKeyId })).entries).toMatchObject([{ apiKey: { name: 'key' } }])
  await query('delete from api_keys where id = $1', [apiKeyId])
  expect(await entriesOf(amy, { apiKeyId })).toMatchObject([
    { apiKeyId, apiKey: null, cause: { kind: 'API_KEY', id: apiKeyId, name: null } },
  ])
})

test('the name of a key is readable where it was used, and nowhere else', async () => {
  const amy = await member('OWNER')
  const eve = await member('OWNER')
  await (await withKey(amy)).call('customers_create', { ...here(amy), ...customer })
  const [entry] = await entriesOf(amy, { source: 'API_KEY' })
  const namesFor = ({ organizationId }: Someone) =>
    theApp().system.use(async (_, connection) => {
      await connection.query('begin')
      await connection.query("select set_config('app.organization', $1, true)", [organizationId])
      await connection.query('set local role kontor_confined')
      const { rows } = await connection.query("select name from names_in_audit_log(array[$1::uuid], '{}')", [
        entry?.apiKeyId,
      ])
      await connection.query('rollback')
      return rows
    })
  expect(await namesFor(amy)).toEqual([{ name: 'key' }])
  expect(await namesFor(eve)).toEqual([])
})

test('who reads all organizations at once sees the names of keys of those that they manage, and nothing else of a key', async () => {
  const amy = await member('OWNER')
  const eve = await member('OWNER')
  await (await withKey(amy)).call('customers_create', { ...here(amy), ...customer })
  const [entry] = (await amy.call('organizations_audit', { source: 'API_KEY' })).entries
  expect(entry).toMatchObject({ apiKey: { name: 'key' }, cause: { kind: 'API_KEY', name: 'key' } })
  const across = ({ organizationId }: Someone, columns: string) =>
    theApp().system.use(async (_, connection) => {
      await connection.query('begin')
      await connection.query("select set_config('app.organizations', $1, true)", [`{${organizationId}}`])
      await connection.query('set local role kontor_across')
      const found = connection.query(`select ${columns} from api_keys where id = $1`, [entry?.apiKeyId])
      return found.then(({ rows }) => rows).finally(() => connection.query('rollback'))
    })
  expect(await across(amy, 'name')).toEqual([{ name: 'key' }])
  expect(await across(eve, 'name')).toEqual([])
  await expect(across(amy, 'secret_hash')).rejects.toThrow('permission denied')
})

test('what an app did is shown with the name of the app', async () => {
  const amy = await member('OWNER')
  const boss = await member('MANAGER', { of: amy })
  const app = await TestApp.registered(server.url)
  const organizationIds = [amy.organizationId ?? '']
  const { access_token } = await app.connected(amy, { scope: 'customers:write', organizationIds })
  const headers = { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' }
  await fetch(`${server.url}/api/customers`, { method: 'POST', headers, body: JSON.stringify(customer) })
  const entries = await entriesOf(boss, { clientId: app.id })
  const [{ name } = { name: '' }] = await query('select client_name as name from connected_apps where client_id = $1', [
    app.id,
  ])
  expect(entries).toMatchObject([
    { source: 'OAUTH', operation: 'customers_create', app: { name }, cause: { kind: 'APP', id: app.id, name } },
  ])
  expect(await operationsOf(boss, { source: 'OAUTH' })).toEqual(['customers_create'])
  expect((await boss.call('organizations_audit', { clientId: app.id })).entries).toMatchObject([{ app: { name } }])
})

test('what an automation did is shown with its name, its run and the event and request that started it', async () => {
  const amy = await member('OWNER')
  const id = await automate(amy, addCustomer, { name: 'Adds' })
  const other = await automate(amy, addCustomer, { name: 'Also adds', armed: false })
  const { id: customerId } = await amy.call('customers_create', { ...here(amy), ...customer })
  await amy.call('customers_update_patch', { id: customerId, name: 'Initech' })
  await settle(amy)
  await amy.call('automations_test', { id: other })
  const { id: runId } = await lastRun(amy, id)
  const [event] = await query(
    "select id, cause ->> 'requestId' as request from events where type = 'customer.updated' and payload ->> 'id' = $1",
    [customerId],
  )
  const expected = {
    operation: 'customers_create',
    source: 'AUTOMATION',
    userId: amy.userId,
    runId,
    automation: { id, name: 'Adds' },
    trigger: { eventId: event?.id, type: 'customer.updated', requestId: event?.request },
    cause: { kind: 'AUTOMATION', id, name: 'Adds' },
  }
  expect(await entriesOf(amy, { automationId: id })).toMatchObject([expected])
  expect(await entriesOf(amy, { runId })).toMatchObject([expected])
  expect(await entriesOf(amy, { automationId: other })).toMatchObject([
    { automation: { name: 'Also adds' }, trigger: null },
  ])
  expect(await operationsOf(amy, { source: 'AUTOMATION' })).toHaveLength(2)
})

test('an entry names its automation after the run was deleted, and by its id after both were', async () => {
  const amy = await member('OWNER')
  const id = await automate(amy, addCustomer, { name: 'Adds', armed: false })
  await amy.call('automations_test', { id })
  const runId = (await lastRun(amy, id)).id
  await query('delete from automation_runs where id = $1', [runId])
  expect(await entriesOf(amy, { runId })).toMatchObject([{ runId, automation: { id, name: 'Adds' }, trigger: null }])
  await amy.call('automations_delete', { id })
  expect(await entriesOf(amy, { automationId: id })).toMatchObject([
    { automation: { id, name: null }, cause: { kind: 'AUTOMATION', id, name: null } },
  ])
})

test('an entry of an earlier version names the automation of its run', async () => {
  const amy = await member('OWNER')
  const id = await automate(amy, addCustomer, { name: 'Adds', armed: false })
  await amy.call('automations_test', { id })
  const { id: runId } = await lastRun(amy, id)
  await query(
    `insert into audit_log (id, organization_id, user_id, source, request_id, operation, run_id)
     values (new_id(), $1, $2, 'AUTOMATION', 'run:' || $3, 'customers_delete', $3)`,
    [amy.organizationId, amy.userId, runId],
  )
  expect(await entriesOf(amy, { runId, operation: 'customers_delete' })).toMatchObject([
    { automation: { id, name: 'Adds' }, cause: { kind: 'AUTOMATION', id } },
  ])
})

test('what a turn of the companion did is shown with the id of the turn alone', async () => {
  const amy = await member('OWNER')
  const bob = await member('CONTRIBUTOR', { of: amy })
  const turnRunId = await turnOf(bob)
  await turnOf(bob)
  const entries = await entriesOf(amy, { turnRunId })
  expect(entries).toMatchObject([
    {
      ...{ source: 'COMPANION', operation: 'customers_create', userId: bob.userId, turnRunId, detail: null },
      cause: { kind: 'COMPANION', id: turnRunId, name: null },
    },
  ])
  expect(await operationsOf(amy, { source: 'COMPANION' })).toHaveLength(2)
})

test('causes of one organization are not found in another', async () => {
  const amy = await member('OWNER')
  const eve = await member('OWNER')
  const turnRunId = await turnOf(amy)
  const automationId = await automate(amy, addCustomer, { armed: false })
  await amy.call('automations_test', { id: automationId })
  const { id: runId } = await lastRun(amy, automationId)
  for (const filter of [{ turnRunId }, { automationId }, { runId }]) {
    expect(await operationsOf(amy, filter)).toEqual(['customers_create'])
    expect(await operationsOf(eve, filter)).toEqual([])
  }
})

test('a source that does not exist is refused in a sentence; an id that does not exist has no entries', async () => {
  const amy = await member('OWNER')
  await expect(entriesOf(amy, { source: 'ROBOT' })).rejects.toMatchObject({
    status: 400,
    details: [{ path: 'source', message: expect.stringMatching(/SESSION.*SYSTEM/) }],
  })
  for (const filter of ['apiKeyId', 'automationId', 'runId', 'turnRunId', 'clientId'])
    expect(await entriesOf(amy, { [filter]: 'nope' })).toEqual([])
})

describe('LOAD-03: an index serves the entries', () => {
  test.each([
    "source = 'SESSION'",
    "source = 'AUTOMATION'",
    'user_id = gen_random_uuid()',
    "object_id = 'x'",
    'api_key_id = gen_random_uuid()',
    "client_id = 'x'",
    'automation_id = gen_random_uuid()',
    "run_id = 'x'",
    "turn_id = 'x'",
  ])('with %s', async (where) => {
    // biome-ignore format: a list of words
    const plan = await explained(`${where} order by created_at desc, id desc limit 25`)
    expect(plan).toMatch(new RegExp(`Index (Only )?Scan using audit_log_organization_id_${where.split(' ')[0]}_`))
    expect(plan).toMatch(new RegExp(`Index Cond: .*${where.split(' ')[0]} = `))
    expect(plan).not.toMatch(/Sort|Disabled: true/)
  })

  test('of all keys, which the index by source leaves out', async () => {
    const counted = await explained("source = 'API_KEY' and api_key_id is not null")
    expect(counted).toMatch(/Index (Only )?Scan using audit_log_organization_id_api_key_id_/)
    const newest = await explained(
      "source = 'API_KEY' and api_key_id is not null order by created_at desc, id desc limit 25",
    )
    expect(newest).toMatch(/Index (Only )?Scan using audit_log_organization_id_created_at_/)
    expect(newest).not.toMatch(/Sort|Disabled: true/)
  })
})

/** The query plan for the role of requests, with sorts and sequential scans disabled. */
const explained = (where: string) =>
  theApp().system.use(async (_, connection) => {
    await connection.query('begin')
    await connection.query('set local role kontor_confined')
    for (const off of ['seqscan', 'sort', 'bitmapscan']) await connection.query(`set local enable_${off} = off`)
    const { rows } = await connection.query(
      `explain select id from audit_log where ${where.replace('gen_random_uuid()', `'${newId()}'`)}`,
    )
    await connection.query('rollback')
    return rows.map((row) => Object.values(row)[0]).join('\n')
  })
