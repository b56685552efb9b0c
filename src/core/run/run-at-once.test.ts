import { afterEach, describe, expect, test } from 'vitest'
import { queryAsSuperuser } from '../../test/database.ts'
import { rowOf } from '../../test/rows.ts'
import { sentDuring } from '../../test/sent.ts'
import { member, operationNamed, type Reply, type Someone, theApp, theDatabase, withKey } from '../../test/world.ts'
import { conflict, invalid } from '../define/failure.ts'
import { type Inside, type Operation, operation } from '../define/operation.ts'
import { Id, Type } from '../define/schema.ts'
import { createSeal } from '../secrets/seal.ts'
import { newId, sha256 } from '../values/id.ts'
import type { Call } from './call.ts'
import { createInFlight, createLimiter, type Limiter } from './rate-limit.ts'
import { createRunner } from './run.ts'
import { createUsage } from './usage.ts'

const create = operationNamed('customers_create')
const inOneFlush = ['authorize', 'insert customers', 'insert events', 'insert audit_log']
const inTwoFlushes = ['begin', ...inOneFlush, 'commit']

const query = async <T = Record<string, unknown>>(text: string, values: unknown[] = []) =>
  (await theApp().system.raw.query(text, values)).rows as T[]

const customer = ({ organizationId }: Someone, more = {}) => ({
  organizationId,
  name: 'Blue Door',
  country: 'Singapore',
  ...more,
})

/** Everything that creates of customers have written in an organization, without ids, times and request ids. */
async function writtenIn({ organizationId }: Someone) {
  const without = "- array['id', 'request_id', 'created_at', 'updated_at', 'object_id']"
  const rows = (table: string) =>
    query<{ row: object }>(
      `select to_jsonb(t) ${without} as row from ${table} t where organization_id = $1 order by created_at, id`,
      [organizationId],
    )
  return {
    customers: (await rows('customers')).map(({ row }) => row),
    events: (await rows('events')).map(({ row }) => row) as { payload: { id: string }; cause: { requestId: string } }[],
    audit: (await rows("(select * from audit_log where operation = 'customers_create')")).map(({ row }) => row),
  }
}

/** A caller with an API key whose next create is sent at once, because its last call was in this organization. */
async function seen(someone: Someone, ...more: [string[]?, Parameters<typeof withKey>[2]?]): Promise<Someone> {
  const key = await withKey(someone, ...more)
  await key.call('customers_list', { organizationId: String(someone.organizationId) })
  return key
}

/** The same request on both paths: with an Idempotency-Key it is never sent at once. */
const onUsualPath = (who: Someone, input: Record<string, unknown>) =>
  who.request(create, input, { 'idempotency-key': newId() })

const withoutRequestId = ({ status, body }: Reply) => {
  const { error } = body as { error?: { requestId: string } }
  return error ? { status, error: { ...error, requestId: '' } } : { status, body }
}

/** Creates and drops triggers on tables, whose functions raise errors. */
const triggers: string[] = []
async function raising(table: string, code: string, { deferred = false } = {}) {
  const name = `raise_${table}_${code}`
  await query(
    `create or replace function ${name}() returns trigger language plpgsql as $$ begin raise exception 'no' using errcode = '${code}'; end $$`,
  )
  const when = deferred ? 'constraint trigger' : 'trigger'
  const how = deferred ? 'after insert' : 'before insert'
  const late = deferred ? 'deferrable initially deferred' : ''
  await query(`create ${when} ${name} ${how} on ${table} ${late} for each row execute function ${name}()`)
  triggers.push(`drop trigger ${name} on ${table}`)
}
afterEach(async () => {
  for (const drop of triggers.splice(0)) await query(drop)
})

describe('a customer is created in one flush', () => {
  test('from the second call of a credential in the organization on, without begin and commit', async () => {
    const amy = await member('CONTRIBUTOR')
    const key = await withKey(amy)
    const first = await sentDuring(() => key.request(create, customer(amy)))
    const second = await sentDuring(() => key.request(create, customer(amy)))
    expect([first.result.status, second.result.status]).toEqual([201, 201])
    expect(first.statements).toEqual(inTwoFlushes)
    expect(second).toMatchObject({ flushes: 1, statements: inOneFlush })
  })

  test('also by a session, in capital letters, and with its supplier', async () => {
    const amy = await member('CONTRIBUTOR')
    await amy.call('customers_list', { organizationId: String(amy.organizationId) })
    const input = customer(amy, { organizationId: amy.organizationId?.toUpperCase(), isSupplier: true })
    const { result, ...sent } = await sentDuring(() => amy.request(create, input))
    expect(sent).toEqual({ flushes: 1, statements: inOneFlush.toSpliced(2, 0, 'insert suppliers') })
    const made = result.body as { id: string }
    expect(await amy.call('customers_get', { id: made.id })).toEqual(made)
  })

  test('two at the same time are two flushes', async () => {
    const amy = await member('CONTRIBUTOR')
    const key = await seen(amy)
    const { result, flushes } = await sentDuring(() =>
      Promise.all([key.request(create, customer(amy)), key.request(create, customer(amy))]),
    )
    expect(result.map(({ status }) => status)).toEqual([201, 201])
    expect(flushes).toBe(2)
    const { customers, events, audit } = await writtenIn(amy)
    expect([customers.length, events.length, audit.length]).toEqual([2, 2, 2])
  })

  test('not with an Idempotency-Key, nor without a named organization, nor in another one than before', async () => {
    const amy = await member('CONTRIBUTOR')
    const key = await seen(amy)
    const { organizationId, ...unnamed } = customer(amy)
    const isAtOnce = async (work: () => Promise<Reply>) => {
      const { result, statements } = await sentDuring(work)
      expect(result.status).toBe(201)
      return !statements.includes('begin')
    }
    expect(await isAtOnce(() => key.request(create, customer(amy)))).toBe(true)
    expect(await isAtOnce(() => onUsualPath(key, customer(amy)))).toBe(false)
    expect(await isAtOnce(() => key.request(create, unnamed))).toBe(false)
    const { id: elsewhere } = await key.call('organizations_create', { name: 'Second', country: 'US' })
    const abroad = customer(amy, { organizationId: elsewhere })
    await key.call('customers_list', { organizationId: String(organizationId) })
    expect(await isAtOnce(() => key.request(create, abroad))).toBe(false)
    expect(await isAtOnce(() => key.request(create, abroad))).toBe(true)
    expect(await isAtOnce(() => key.request(create, customer(amy)))).toBe(false)
  })
})

describe('INV-10 INV-19: one flush writes the same rows as two', () => {
  const given = [
    {},
    { email: '' },
    { email: 'dana@example.test', country: 'ישראל', kind: 'INDIVIDUAL', notes: 'pays late', isSupplier: true },
    { name: ' a "quoted" \\ name \u2028 😀 ', country: ' usa ', defaultCurrencies: ['ils', 'XYZ'], email: null },
    { name: 'half of a pair: \ud83d', country: 'half \udc00', notes: '\ud83d' },
    { country: 'Atlantis', phone: '', address: '1 Herzl St\nTel Aviv', registrationNumber: '514000001' },
  ]

  test.each(given)('with the input %j', async (more) => {
    const [amy, bob] = [await member('CONTRIBUTOR'), await member('CONTRIBUTOR')]
    const upper = (who: Someone) => customer(who, { organizationId: who.organizationId?.toUpperCase(), ...more })
    const usual = await onUsualPath(await seen(amy), upper(amy))
    const key = await seen(bob)
    const { result: atOnce, flushes } = await sentDuring(() => key.request(create, upper(bob)))
    expect([usual.status, atOnce.status, flushes]).toEqual([201, 201, 1])

    const answer = atOnce.body as Record<string, unknown>
    const { events, audit } = await writtenIn(bob)
    const { id, organizationId, name, email, country, kind, status } = answer
    expect(events.map(({ payload }) => payload)).toEqual([{ id, organizationId, name, email, country, kind, status }])
    const [{ object_id: object } = {}] = await query('select object_id from audit_log where organization_id = $1 and operation = $2', [bob.organizationId, create.name]) // biome-ignore format: a query a line
    expect([audit.length, object]).toEqual([1, id])
    const alike = async (who: Someone, reply: Reply) =>
      JSON.parse(
        JSON.stringify({ answer: reply.body, rows: await writtenIn(who) })
          .replaceAll(String(who.organizationId), 'organization')
          .replaceAll(who.userId, 'person')
          .replaceAll((reply.body as { id: string }).id, 'customer')
          .replaceAll(/"(api_key_id|keyId)":"[^"]+"/g, '"$1":"key"')
          .replaceAll(/"(createdAt|updatedAt|requestId)":"[^"]+"/g, '"$1":""'),
      )
    expect(await alike(bob, atOnce)).toEqual(await alike(amy, usual))
  })

  test.each(['SESSION', 'API_KEY', 'OAUTH'] as const)('by %s', async (source) => {
    const amy = await member('CONTRIBUTOR')
    const runner = runnerWith()
    const credential = await credentialOf(amy, source)
    const calls = [0, 1].map(() => callOf(amy, { source, credential }))
    const sent = []
    for (const call of calls) sent.push(await sentDuring(() => runner.run(create, call)))
    expect(sent.map(({ statements }) => statements)).toEqual([inTwoFlushes, inOneFlush])
    expect(sent[1]?.flushes).toBe(1)
    const { events, audit, customers } = await writtenIn(amy)
    expect(audit[1]).toEqual(audit[0])
    expect(customers[1]).toEqual(customers[0])
    const causes = events.map(({ cause }) => cause)
    expect(causes.map(({ requestId }) => requestId)).toEqual(calls.map(({ caller }) => caller.requestId))
    expect({ ...causes[1], requestId: '' }).toEqual({ ...causes[0], requestId: '' })
    const named = { API_KEY: 'api_key_id', SESSION: 'session_id', OAUTH: 'client_id' }[source]
    expect(audit[1]).toMatchObject({ source, user_id: amy.userId, [named]: expect.any(String) })
  })
})

describe('INV-21: what has changed since the last call of the credential is refused, and nothing is written', () => {
  const end = (text: string) => async (someone: Someone) => void (await query(text, [someone.userId]))
  const changes: [string, number, (someone: Someone) => Promise<void>][] = [
    ['the key is revoked', 401, end('update api_keys set revoked_at = now() where user_id = $1')],
    ['the key has expired', 401, end('update api_keys set expires_at = now() where user_id = $1')],
    ['the person is disabled', 401, end('update users set disabled_at = now() where id = $1')],
    ['the person has left', 403, end('delete from memberships where user_id = $1')],
    ['the role is lower', 403, end("update memberships set role = 'VIEWER' where user_id = $1")],
    ['the scopes are fewer', 403, end("update api_keys set scopes = '{customers:read}' where user_id = $1")],
    ['the key is limited to other organizations', 403, end('update api_keys set all_orgs = false where user_id = $1')],
  ]

  test.each(changes)('%s: %i', async (_, status, change) => {
    const owner = await member('OWNER')
    const bob = await member('CONTRIBUTOR', { of: owner })
    const key = await seen(bob)
    expect((await sentDuring(() => key.request(create, customer(bob)))).flushes).toBe(1)
    await change(bob)
    const before = await writtenIn(owner)
    const audited = await query('select count(*) from audit_log')
    const { result, ...sent } = await sentDuring(() => key.request(create, customer(bob)))
    expect(sent).toEqual({ flushes: 1, statements: inOneFlush })
    const usual = await onUsualPath(key, customer(bob))
    expect(withoutRequestId(result)).toEqual(withoutRequestId(usual))
    expect(result.status).toBe(status)
    expect(result.headers['ratelimit-limit'] === undefined).toBe(usual.headers['ratelimit-limit'] === undefined)
    expect(await writtenIn(owner)).toEqual(before)
    expect(await query('select count(*) from audit_log')).toEqual(audited)
  })

  test('a key of two organizations is refused in the one that it may no longer use', async () => {
    const amy = await member('OWNER')
    const bob = await member('OWNER')
    const { userId } = amy
    await query("insert into memberships (organization_id, user_id, role) values ($1, $2, 'OWNER')", [bob.organizationId, userId]) // biome-ignore format: a query a line
    const organizationIds = [String(amy.organizationId), String(bob.organizationId)]
    const key = await seen(amy, ['*:*'], { organizationIds })
    expect((await key.request(create, customer(amy))).status).toBe(201)
    await query('delete from api_key_organizations where organization_id = $1', [amy.organizationId])
    expect((await key.request(create, customer(amy))).status).toBe(403)
    expect((await key.request(create, customer(bob))).status).toBe(201)
    expect([(await writtenIn(amy)).audit.length, (await writtenIn(bob)).audit.length]).toEqual([1, 1])
  })

  test('the refusal of the authorization also wins over that of a full rate limit', async () => {
    const bob = await member('CONTRIBUTOR')
    const limiter = createLimiter(theApp().system, 0.001)
    const runner = runnerWith({ limiter })
    const credential = await credentialOf(bob, 'API_KEY')
    await runner.run(create, callOf(bob, { source: 'API_KEY', credential }))
    await useUp(limiter, String(bob.organizationId))
    await query('update api_keys set revoked_at = now() where user_id = $1', [bob.userId])
    const other = { source: 'API_KEY' as const, credential }
    await expect(runner.run(create, callOf(bob, other))).rejects.toMatchObject({ status: 401 })
  })
})

test('RATE: a call over the limit of its organization is refused with 429, and nothing is written', async () => {
  const amy = await member('CONTRIBUTOR')
  const limiter = createLimiter(theApp().system, 0.01) // 10 writes of a credential, 90 calls of an organization
  const runner = runnerWith({ limiter })
  const caller = { source: 'API_KEY' as const, credential: await credentialOf(amy, 'API_KEY') }
  await runner.run(create, callOf(amy, caller))
  expect((await sentDuring(() => runner.run(create, callOf(amy, caller)))).flushes).toBe(1)
  await useUp(limiter, String(amy.organizationId))
  const before = await writtenIn(amy)
  const { result, statements } = await sentDuring(() =>
    runner.run(create, callOf(amy, caller)).catch((error: unknown) => error),
  )
  expect(result).toMatchObject({ status: 429, message: expect.stringContaining('calls of this organization') })
  expect(statements).toEqual(['authorize'])
  expect(await writtenIn(amy)).toEqual(before)
})

describe('what the database refuses is refused as on the usual path, and nothing is written', () => {
  test.each([
    ['customers', '23505', 409],
    ['customers', '23514', 409],
    ['customers', '23503', 400],
    ['customers', '40P01', 409],
    ['events', '23503', 400],
    ['events', 'P0001', 500],
    ['audit_log', '23505', 409],
  ])('%s %s: %i', async (table, code, status) => {
    const amy = await member('CONTRIBUTOR')
    const key = await seen(amy)
    await raising(table, code)
    const before = await writtenIn(amy)
    const { result, statements } = await sentDuring(() => key.request(create, customer(amy)))
    expect(statements.slice(0, 4)).toEqual(inOneFlush)
    expect(result.status).toBe(status)
    expect(withoutRequestId(await onUsualPath(key, customer(amy)))).toEqual(withoutRequestId(result))
    expect(await writtenIn(amy)).toEqual(before)
  })

  test('also at the commit', async () => {
    const amy = await member('CONTRIBUTOR')
    const key = await seen(amy)
    await raising('customers', '23505', { deferred: true })
    const { result, ...sent } = await sentDuring(() => key.request(create, customer(amy)))
    expect(sent).toEqual({ flushes: 1, statements: inOneFlush })
    expect(result.status).toBe(409)
    expect(await writtenIn(amy)).toMatchObject({ customers: [], events: [], audit: [] })
  })

  test('a deadlock is tried again, at once again', async () => {
    const amy = await member('CONTRIBUTOR')
    const key = await seen(amy)
    await query('create sequence if not exists attempts')
    await query('grant usage on sequence attempts to public')
    await query(
      "create or replace function deadlock_once() returns trigger language plpgsql as $$ begin if nextval('attempts') = 1 then raise exception 'deadlock' using errcode = '40P01'; end if; return new; end $$",
    )
    await query('create trigger deadlock_once before insert on customers for each row execute function deadlock_once()')
    triggers.push('drop trigger deadlock_once on customers')
    const { result, ...sent } = await sentDuring(() => key.request(create, customer(amy)))
    expect(result.status).toBe(201)
    expect(sent).toEqual({ flushes: 2, statements: [...inOneFlush, ...inOneFlush] })
    expect((await writtenIn(amy)).audit).toHaveLength(1)
  })
})

test('FLT-04: a lost connection is told as an unavailable database, and the next call is answered', async () => {
  const amy = await member('CONTRIBUTOR')
  const key = await seen(amy)
  const holder = await theApp().system.raw.connect()
  try {
    await holder.query('begin')
    await holder.query('lock table customers in exclusive mode')
    const creating = key.request(create, customer(amy))
    const blocked = `select pg_terminate_backend(pid) as ended from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like 'insert into "customers"%'`
    let ended: unknown[] = []
    while (ended.length === 0) ended = await queryAsSuperuser(theDatabase(), blocked)
    expect(await creating).toMatchObject({ status: 500, body: { error: { details: [{ code: 'UNAVAILABLE' }] } } })
  } finally {
    await holder.query('rollback')
    holder.release()
  }
  expect((await writtenIn(amy)).customers).toEqual([])
  expect((await key.request(create, customer(amy))).status).toBe(201)
})

describe('an operation that sends everything at once', () => {
  type Work = (inside: Inside, id: string) => Promise<unknown>
  const doing = (work: Work) =>
    operation({
      name: 'test_at_once',
      http: 'POST /api/test/at-once',
      does: 'Does what the test says.',
      scope: 'customers:write',
      within: 'organizationId',
      input: Type.Object({ organizationId: Id, name: Type.String(), country: Type.String() }),
      output: Type.Object({ id: Id }),
      atOnce: true,
      async run(inside) {
        const id = newId()
        inside.auditObject(id)
        await work(inside, id)
        return { id }
      },
    }) as unknown as Operation

  const insert = ({ db }: Inside, id: string) =>
    db
      .insertInto('customers')
      .values({ id, name: 'Globex', kind: 'ORGANIZATION', defaultCurrencies: ['USD'] })
      .execute()

  /** The outcome of a first call, on the usual path, and of a second, at once. */
  async function both(work: Work) {
    const amy = await member('CONTRIBUTOR')
    const runner = runnerWith()
    const caller = { source: 'API_KEY' as const, credential: await credentialOf(amy, 'API_KEY') }
    const outcome = () => runner.run(doing(work), callOf(amy, caller)).catch((error: unknown) => error)
    await runner.run(operationNamed('customers_list'), callOf(amy, caller))
    const atOnce = await sentDuring(outcome)
    const rows = () => query('select name from customers where organization_id = $1', [amy.organizationId])
    const trail = () => query('select object_id, detail from audit_log where organization_id = $1 and operation = $2', [amy.organizationId, 'test_at_once']) // biome-ignore format: a query a line
    return { amy, runner, caller, atOnce, customers: await rows(), audit: await trail() }
  }

  test('may add a detail to its audit row', async () => {
    const { atOnce, audit } = await both((inside, id) => {
      inside.audit({ why: 'test' })
      return insert(inside, id)
    })
    expect(atOnce.flushes).toBe(1)
    expect(audit).toEqual([{ object_id: expect.any(String), detail: { why: 'test' } }])
  })

  const late: [string, Work][] = [
    ['a statement', (inside) => insert(inside, newId())],
    ['a raw statement', async ({ ask }) => ask('select 1')],
    ['an event', async ({ emit }) => emit({ type: 'test.made', payload: Type.Object({}), label: 'Made' }, {})],
    ['a job', async ({ enqueue }) => enqueue('test', {})],
    ['a detail of the audit row', async ({ audit }) => audit({ too: 'late' })],
    ['the object of the audit row', async ({ auditObject }) => auditObject(newId())],
  ]
  test.each(late)('is refused what it sends after its first answer: %s', async (_, send) => {
    const { atOnce, customers, audit } = await both(async (inside, id) => {
      await insert(inside, id)
      await send(inside, id)
    })
    expect(atOnce).toMatchObject({ flushes: 1, statements: inOneFlush.filter((text) => text !== 'insert events') })
    expect(atOnce.result).toMatchObject({
      status: 500,
      message: expect.stringContaining('after the change was made'),
      cause: expect.objectContaining({ message: expect.stringContaining('nothing can be added') }),
    })
    expect([customers.length, audit.length]).toEqual([1, 1])
    expect(audit).toMatchObject([{ detail: null }])
  })

  test.each<[string, Work, object]>([
    ['a refusal', () => Promise.reject(invalid('note', 'No.')), { status: 400 }],
    ['a conflict', () => Promise.reject(conflict('No.', 'STATUS')), { status: 409 }],
    ['a mistake', () => Promise.reject(new Error('oops')), { message: expect.stringContaining('nothing was changed') }],
  ])('that fails before its statements have left changes nothing: %s', async (_, fail, expected) => {
    const { atOnce, customers, audit } = await both(async (inside, id) => {
      const inserting = insert(inside, id)
      inserting.catch(() => {})
      await fail(inside, id)
    })
    expect(atOnce.result).toMatchObject(expected)
    expect([customers, audit]).toEqual([[], []])
  })

  test('tells the caller why it refuses what the database refused', async () => {
    const { atOnce, customers, audit } = await both(async (inside, id) => {
      await Promise.all([insert(inside, id), insert(inside, id)]).catch(() => {
        throw conflict('It is there already.', 'STATUS')
      })
    })
    expect(atOnce).toMatchObject({ flushes: 1, result: { status: 409, message: 'It is there already.' } })
    expect([customers, audit]).toEqual([[], []])
  })

  test('fails if a statement fails that it does not wait for', async () => {
    const { atOnce, customers, audit } = await both(async (inside, id) => {
      inside.ask('select 1 / 0').catch(() => {})
      await insert(inside, id).catch(() => {})
    })
    expect(atOnce).toMatchObject({ flushes: 1, result: { status: expect.any(Number) } })
    expect((atOnce.result as { status: number }).status).toBeGreaterThanOrEqual(400)
    expect([customers, audit]).toEqual([[], []])
  })

  test('leaves no audit row of a refused call, even if none of its statements is refused', async () => {
    const change: Work = ({ db }) => db.updateTable('customers').set({ notes: 'mine' }).execute()
    const { amy, runner, caller, atOnce, audit } = await both(change)
    expect([atOnce.flushes, audit.length]).toEqual([1, 1])
    await query("update memberships set role = 'VIEWER' where user_id = $1", [amy.userId])
    const before = await query('select count(*) from audit_log')
    const { result, flushes } = await sentDuring(() =>
      runner.run(doing(change), callOf(amy, caller)).catch((error: unknown) => error),
    )
    expect([flushes, result]).toEqual([1, expect.objectContaining({ status: 403 })])
    expect(await query('select count(*) from audit_log')).toEqual(before)
  })
})

/** A runner over the database of this file that has seen no credential yet. */
function runnerWith({ limiter }: { limiter?: Limiter } = {}) {
  const { confined: pool, heavy, system, services, providers } = theApp()
  return createRunner({
    pool,
    heavy,
    system,
    limiter: limiter ?? createLimiter(system, 100),
    inFlight: createInFlight({ perCredential: 100, perOrganization: 200 }),
    seal: createSeal(services.secrets.derived('idempotency')),
    usage: createUsage(system, () => {}),
    subscriberJobs: () => [],
    services,
    providers,
  })
}

/** Takes the tokens of an organization until there are none. */
async function useUp(limiter: Limiter, organizationId: string) {
  for (;;) {
    try {
      await limiter.take('organization', organizationId)
    } catch {
      return
    }
  }
}

function callOf(
  someone: Someone,
  { source, credential }: { source: 'SESSION' | 'API_KEY' | 'OAUTH'; credential: Buffer },
) {
  const caller = { source, credential, requestId: newId() }
  const { organizationId } = someone
  const call: Call = { caller, input: { organizationId, name: 'Globex', country: 'SG' }, trace: {} }
  return call
}

/** The hash of the secret of a credential of this kind. */
async function credentialOf(someone: Someone, source: 'SESSION' | 'API_KEY' | 'OAUTH'): Promise<Buffer> {
  if (source === 'OAUTH') return tokenOf(someone)
  const { credentials } = source === 'SESSION' ? someone : await withKey(someone)
  const [text = ''] = Object.values(credentials)
  return sha256(text.replace(/^(Bearer |sid=)/, ''))
}

/** An access token of an app that the person has connected with all rights. */
async function tokenOf(someone: Someone): Promise<Buffer> {
  const appId = await rowOf('connectedApps', someone)
  const hash = sha256(newId())
  await query("update connected_apps set scopes = '{*:*}' where id = $1", [appId])
  await query(
    `insert into oauth_tokens (kind, secret_hash, app_id, payload, scopes, audience, expires_at)
     values ('AccessToken', $1, $2, '{}', '{*:*}', $3, now() + interval '1 hour')`,
    [hash, appId, theApp().services.installation.url],
  )
  return hash
}
