import '../../test/own-world.ts'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { startSession } from '../../features/company/people/session.ts'
import { member, operationNamed, type Reply, Someone, send, theApp, withKey } from '../../test/world.ts'

const customer = { name: 'Blue Door', country: 'SG' }

/** Calls an operation with an Idempotency-Key. */
const once = (someone: Someone, name: string, input: Record<string, unknown>, key = 'key-1') =>
  someone.request(operationNamed(name), input, { 'idempotency-key': key })

const total = async (someone: Someone) => (await someone.call('customers_list')).pagination.total
const isReplay = ({ headers }: Reply) => headers['idempotency-replayed'] === 'true'
const codeOf = ({ body }: Reply) => (body as { error?: { details?: { code?: string }[] } }).error?.details?.[0]?.code
const idOf = ({ body }: Reply) => (body as { id: string }).id

const system = (statement: ReturnType<typeof sql>) => theApp().system.use((db) => statement.execute(db))
const setRole = (someone: Someone, role: string) =>
  system(sql`update memberships set role = ${role} where user_id = ${someone.userId}`)

/** The same person signed in a second time. */
const secondSession = async ({ userId, organizationId }: Someone) => {
  const origin = { address: '127.0.0.1', userAgent: null }
  const { secret } = await theApp().system.use((db) => startSession(db, { userId, remember: false, ...origin }))
  return new Someone(userId, { cookie: `sid=${secret}` }, organizationId)
}

describe('the same request with the same key', () => {
  test('IDEM-4 IDEM-11: fifty times at once makes one customer, one event, one audit row and fifty equal answers', async () => {
    const amy = await member('CONTRIBUTOR')
    const replies = await Promise.all(Array.from({ length: 50 }, () => once(amy, 'customers_create', customer)))
    const done = replies.filter(({ status }) => status === 201)
    for (const reply of replies) expect([201, 409]).toContain(reply.status)
    expect(new Set(done.map(({ body }) => JSON.stringify(body))).size).toBe(1)
    expect(done.filter((reply) => !isReplay(reply))).toHaveLength(1)
    expect(await total(amy)).toBe(1)
    const count = async (table: string) =>
      (
        await system(sql`select count(*) from ${sql.table(table)} where organization_id = ${amy.organizationId}
        and ${sql.ref(table === 'events' ? 'type' : 'operation')} in ('customer.created', 'customers_create')`)
      ).rows
    expect([...(await count('events')), ...(await count('audit_log'))]).toEqual([{ count: 1 }, { count: 1 }])
  })

  test('IDEM-6: gets the first answer again, with its status, although the data has changed since', async () => {
    const amy = await member('CONTRIBUTOR')
    const first = await once(amy, 'customers_create', customer)
    await amy.call('customers_update_patch', { id: idOf(first), name: 'Red Door' })
    const again = await once(amy, 'customers_create', customer)
    expect(again).toMatchObject({ status: 201, body: first.body, headers: { 'idempotency-replayed': 'true' } })
    expect(isReplay(first)).toBe(false)
  })

  test.each(['customers_update', 'customers_update_patch'])('IDEM-1: is carried out once by %s too', async (name) => {
    const amy = await member('CONTRIBUTOR')
    const { id } = await amy.call('customers_create', customer)
    const first = await once(amy, name, { id, name: 'Red Door' })
    await amy.call('customers_update_patch', { id, name: 'Green Door' })
    expect(await once(amy, name, { id, name: 'Red Door' })).toMatchObject({ status: 200, body: first.body })
    expect((await amy.call('customers_get', { id })).name).toBe('Green Door')
  })

  test('IDEM-1: of a deletion gets the same answer again instead of 404', async () => {
    const amy = await member('CONTRIBUTOR')
    const key = await withKey(amy)
    for (const someone of [amy, key]) {
      const { id } = await amy.call('customers_create', customer)
      expect(await once(someone, 'customers_delete', { id }, id)).toMatchObject({ status: 200 })
      const again = await once(someone, 'customers_delete', { id }, id)
      expect(again).toMatchObject({ status: 200, body: { success: true } })
      expect(isReplay(again)).toBe(true)
      expect((await once(someone, 'customers_delete', { id }, 'another key')).status).toBe(404)
      expect((await once(await member('OWNER'), 'customers_delete', { id }, id)).status).toBe(404)
    }
  })

  test('IDEM-3 IDEM-11: may differ in the order of keys, spaces and escapes', async () => {
    const amy = await member('CONTRIBUTOR')
    const post = (body: string) =>
      send({
        method: 'POST',
        url: '/api/customers',
        body,
        headers: { ...amy.credentials, 'content-type': 'application/json', 'idempotency-key': 'k' },
      })
    const first = await post('{"name":"Blue Door","country":"SG"}')
    for (const same of ['{"country":"SG","name":"Blue Door"}', ' { "name" : "Blue\\u0020Door", "country":"SG" } '])
      expect(await post(same)).toMatchObject({ status: 201, body: first.body })
    expect(await total(amy)).toBe(1)
  })
})

describe('the same key with another request', () => {
  const reused = { status: 409, body: { error: { code: 'CONFLICT', details: [{ code: 'IDEMPOTENCY_KEY_REUSED' }] } } }

  test('IDEM-2 IDEM-6: is refused: another body, another path, another operation', async () => {
    const amy = await member('CONTRIBUTOR')
    const { id } = (await once(amy, 'customers_create', customer)).body as { id: string }
    expect(await once(amy, 'customers_create', { ...customer, name: 'Red Door' })).toMatchObject(reused)
    expect(await once(amy, 'customers_update_patch', { id, ...customer })).toMatchObject(reused)
    expect(await once(amy, 'customers_delete', { id })).toMatchObject(reused)
    expect(await total(amy)).toBe(1)
  })

  test('IDEM-3 IDEM-11: is refused when a number is written another way: 1.0 is not 1', async () => {
    const amy = await member('CONTRIBUTOR')
    const post = (number: string) =>
      send({
        method: 'POST',
        url: '/api/customers',
        body: `{"name":"Blue Door","country":"SG","activeOrderCount":${number}}`,
        headers: { ...amy.credentials, 'content-type': 'application/json', 'idempotency-key': 'k' },
      })
    expect((await post('1')).status).toBe(201)
    expect(await post('1.0')).toMatchObject(reused)
    expect(isReplay(await post('1'))).toBe(true)
  })
})

describe('a key belongs to its sender', () => {
  test('IDEM-2 IDEM-11: the same text of another tenant is another key', async () => {
    const [amy, eve] = [await member('CONTRIBUTOR'), await member('CONTRIBUTOR')]
    const [first, second] = [
      await once(amy, 'customers_create', customer),
      await once(eve, 'customers_create', customer),
    ]
    expect([first.status, second.status, isReplay(second)]).toEqual([201, 201, false])
    expect([await total(amy), await total(eve)]).toEqual([1, 1])
  })

  test('IDEM-2: the same text of a colleague, or of another credential of the person, is another key', async () => {
    const amy = await member('OWNER')
    const others = [await member('CONTRIBUTOR', { of: amy }), await withKey(amy), await withKey(amy)]
    for (const someone of [amy, ...others]) {
      expect(isReplay(await once(someone, 'customers_create', customer))).toBe(false)
      expect(isReplay(await once(someone, 'customers_create', customer))).toBe(true)
    }
    expect(await total(amy)).toBe(4)
  })

  test('IDEM-2: two sessions of one person share their keys', async () => {
    const amy = await member('CONTRIBUTOR')
    await once(amy, 'customers_create', customer)
    expect(isReplay(await once(await secondSession(amy), 'customers_create', customer))).toBe(true)
  })

  test('IDEM-2: in another organization it is another key', async () => {
    const amy = await member('OWNER')
    const other = await amy.call('organizations_create', { name: 'Other', country: 'SG' })
    const create = (organizationId: string | undefined) =>
      once(amy, 'customers_create', { ...customer, organizationId })
    const replies = [await create(amy.organizationId), await create(other.id), await create(other.id)]
    expect(replies.map((reply) => [reply.status, isReplay(reply)])).toEqual([
      [201, false],
      [201, false],
      [201, true],
    ])
  })
})

describe('a refusal', () => {
  test('IDEM-7: with 404 or 409 is remembered', async () => {
    const amy = await member('CONTRIBUTOR')
    const { id } = await amy.call('customers_create', customer)
    const missing = { id, recipientId: '00000000-0000-0000-0000-000000000000' }
    const email = 'a@b.test'
    const { id: recipientId } = await amy.call('customers_recipients_post', { id, email })
    const first = [
      await once(amy, 'customers_recipients_delete', missing, 'a'),
      await once(amy, 'customers_recipients_post', { id, email }, 'b'),
    ]
    expect(first.map((reply) => [reply.status, isReplay(reply)])).toEqual([
      [404, false],
      [409, false],
    ])
    await amy.call('customers_recipients_delete', { id, recipientId })
    const again = [
      await once(amy, 'customers_recipients_delete', missing, 'a'),
      await once(amy, 'customers_recipients_post', { id, email }, 'b'),
    ]
    expect(again.map((reply) => [reply.status, isReplay(reply)])).toEqual([
      [404, true],
      [409, true],
    ])
    expect(again.map(({ body }) => body)).toEqual(first.map(({ body }) => body))
    expect(await amy.call('customers_recipients', { id })).toEqual([])
  })

  test('that is remembered counts as an error of the key, with its code', async () => {
    const amy = await member('CONTRIBUTOR')
    const { key, secret } = await amy.call('api_keys_create', { name: 'k', scopes: ['*:*'], allOrgs: true })
    const agent = new Someone(amy.userId, { authorization: `Bearer ${secret}` }, amy.organizationId)
    const { id } = await amy.call('customers_create', customer)
    const missing = { id, recipientId: 'nope' }
    await once(agent, 'customers_recipients_delete', missing)
    await once(agent, 'customers_recipients_delete', missing)
    const { recent } = await amy.call('api_keys_usage', { id: key.id })
    expect(recent.map(({ statusCode, errorCode }) => [statusCode, errorCode])).toEqual(
      Array(2).fill([404, 'NOT_FOUND']),
    )
  })

  test('IDEM-7: of the input is not remembered: it can be corrected and sent again', async () => {
    const amy = await member('CONTRIBUTOR')
    expect((await once(amy, 'customers_create', { ...customer, name: '' })).status).toBe(400)
    expect((await once(amy, 'customers_create', { ...customer, colour: 'red' })).status).toBe(400)
    const mended = await once(amy, 'customers_create', customer)
    expect([mended.status, isReplay(mended)]).toEqual([201, false])
  })

  test('IDEM-7: with 403 or 401 is not remembered', async () => {
    const amy = await member('VIEWER')
    expect((await once(amy, 'customers_create', customer)).status).toBe(403)
    await setRole(amy, 'CONTRIBUTOR')
    expect(await once(amy, 'customers_create', customer)).toMatchObject({ status: 201 })
    const key = await withKey(amy, ['*:*'], { allOrgs: true, expiresAt: '2001-01-01T00:00:00Z' })
    expect((await once(key, 'customers_create', customer)).status).toBe(401)
    await system(sql`update api_keys set expires_at = null where user_id = ${amy.userId}`)
    expect((await once(key, 'customers_create', customer)).status).toBe(201)
    expect(await total(amy)).toBe(2)
  })

  test('IDEM-4 IDEM-7: by an internal error is not remembered, and leaves the key free', async () => {
    const amy = await member('CONTRIBUTOR')
    await system(
      sql`create or replace function fail_customer() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$`,
    )
    await system(
      sql`create trigger fail_customer before insert on customers for each row execute function fail_customer()`,
    )
    expect((await once(amy, 'customers_create', customer)).status).toBe(500)
    await system(sql`drop trigger fail_customer on customers`)
    expect((await once(amy, 'customers_create', { ...customer, name: 'Red Door' })).status).toBe(201)
    expect(await total(amy)).toBe(1)
  })
})

describe('a retry is authorized again', () => {
  test('IDEM-6: a caller with a lowered role or a lost membership gets 403, not the answer', async () => {
    const owner = await member('OWNER')
    const bob = await member('CONTRIBUTOR', { of: owner })
    const { organizationId } = owner
    const create = () => once(bob, 'customers_create', { ...customer, organizationId })
    await create()
    await setRole(bob, 'VIEWER')
    expect(await create()).toMatchObject({ status: 403, body: { error: { code: 'FORBIDDEN' } } })
    await system(sql`delete from memberships where user_id = ${bob.userId}`)
    expect((await create()).status).toBe(403)
  })

  test('IDEM-6: a revoked key gets 401, and a caller who deleted something and left the organization gets 404', async () => {
    const owner = await member('OWNER')
    const bob = await member('CONTRIBUTOR', { of: owner })
    const key = await withKey(bob)
    await once(key, 'customers_create', customer)
    await system(sql`update api_keys set revoked_at = now() where user_id = ${bob.userId}`)
    expect((await once(key, 'customers_create', customer)).status).toBe(401)
    const { id } = await owner.call('customers_create', customer)
    expect((await once(bob, 'customers_delete', { id })).status).toBe(200)
    await system(sql`delete from memberships where user_id = ${bob.userId}`)
    expect((await once(bob, 'customers_delete', { id })).status).toBe(404)
  })
})

describe('a new API key requested twice', () => {
  const wanted = { name: 'Agent', scopes: ['*:*'] }
  const shown = { status: 409, body: { error: { details: [{ code: 'SECRET_SHOWN' }] } } }

  test('IDEM-8: has the same secret for ten minutes, for the same session alone', async () => {
    const amy = await member('OWNER')
    const first = await once(amy, 'api_keys_create', wanted)
    expect(first).toMatchObject({ status: 201, body: { secret: expect.stringMatching(/^kt_/) } })
    expect(await once(amy, 'api_keys_create', wanted)).toMatchObject({ status: 201, body: first.body })
    expect(await once(await secondSession(amy), 'api_keys_create', wanted)).toMatchObject(shown)
    await system(
      sql`update idempotency_keys set created_at = now() - interval '9 minutes' where user_id = ${amy.userId}`,
    )
    expect((await once(amy, 'api_keys_create', wanted)).body).toEqual(first.body)
    await system(
      sql`update idempotency_keys set created_at = now() - interval '11 minutes' where user_id = ${amy.userId}`,
    )
    expect(await once(amy, 'api_keys_create', wanted)).toMatchObject(shown)
    expect((await amy.call('api_keys_list')).keys).toHaveLength(1)
  })

  test('IDEM-8: is remembered sealed: the secret is nowhere in the database', async () => {
    const amy = await member('OWNER')
    const { body } = await once(amy, 'api_keys_create', wanted)
    const { rows } = await system(sql`select k::text as row from idempotency_keys k where user_id = ${amy.userId}`)
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toContain((body as { secret: string }).secret.slice(12))
  })
})

describe('the header itself', () => {
  test.each(['', ' ', 'two words', 'x'.repeat(256), 'schlüssel', 'tab\there'])('IDEM-1: %j is refused', async (key) => {
    const amy = await member('CONTRIBUTOR')
    const reply = await once(amy, 'customers_create', customer, key)
    expect(reply).toMatchObject({ status: 400, body: { error: { details: [{ path: 'Idempotency-Key' }] } } })
    expect(await total(amy)).toBe(0)
    const stranger = await once(new Someone('', {}), 'customers_create', customer, key)
    expect(stranger.status).toBe(401)
  })

  test.each(['k', 'x'.repeat(255), '"quoted"', '!~'])('IDEM-1: %j is a key', async (key) => {
    const amy = await member('CONTRIBUTOR')
    expect((await once(amy, 'customers_create', customer, key)).status).toBe(201)
  })

  test('IDEM-1: is ignored on reads, even when malformed', async () => {
    const amy = await member('CONTRIBUTOR')
    for (const key of ['k', 'two words', 'k']) expect(isReplay(await once(amy, 'customers_list', {}, key))).toBe(false)
    expect((await once(amy, 'customers_create', customer, 'k')).status).toBe(201)
  })
})

test('IDEM-9: a request with an expired key is a new request', async () => {
  const amy = await member('CONTRIBUTOR')
  await once(amy, 'customers_create', customer)
  await system(sql`delete from idempotency_keys where user_id = ${amy.userId}`)
  expect(codeOf(await once(amy, 'customers_create', { ...customer, name: 'Red Door' }))).toBeUndefined()
  expect(await total(amy)).toBe(2)
})

test('IDEM-9 FLT-06: the same request hours later is the same request', async () => {
  const amy = await member('CONTRIBUTOR')
  const first = await once(amy, 'customers_create', customer)
  await system(sql`update idempotency_keys set created_at = now() - interval '71 hours' where user_id = ${amy.userId}`)
  expect(await once(amy, 'customers_create', customer)).toMatchObject({ status: 201, body: first.body })
  expect(await total(amy)).toBe(1)
})

test('IDEM-10: what may happen only once happens once without a key too', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id } = await amy.call('customers_create', customer)
  const add = () => amy.request(operationNamed('customers_recipients_post'), { id, email: 'dana@example.com' })
  const statuses = (await Promise.all([add(), add(), add(), add()])).map(({ status }) => status)
  expect(statuses.sort()).toEqual([201, 409, 409, 409])
  expect(await amy.call('customers_recipients', { id })).toHaveLength(1)
})
