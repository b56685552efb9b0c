import '../../test/own-world.ts'
import { afterEach, describe, expect, test } from 'vitest'
import { queryAsSuperuser } from '../../test/database.ts'
import { rowOf } from '../../test/rows.ts'
import { sentDuring } from '../../test/sent.ts'
import { member, operationNamed, type Someone, theApp, theDatabase, withKey } from '../../test/world.ts'
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
const rows = ['authorize', 'insert customers', 'insert events', 'insert audit_log']

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

test('a customer is created in two flushes: begin, authorization and row, then event, audit row and commit', async () => {
  const amy = await member('CONTRIBUTOR')
  await amy.request(create, customer(amy)) // takes tokens of the rate limits, which the next call does not wait for
  const { result, ...sent } = await sentDuring(() => amy.request(create, customer(amy, { isSupplier: true })))
  expect(sent).toEqual({ flushes: 2, statements: ['begin', ...rows.toSpliced(2, 0, 'insert suppliers'), 'commit'] })
  const made = result.body as { id: string }
  expect(await amy.call('customers_get', { id: made.id })).toEqual(made)
})

describe('INV-10 INV-19: a create writes one row, one event with what the row shows, and one audit row that names it', () => {
  const given = [
    {},
    { email: '' },
    { email: 'dana@example.test', country: 'ישראל', kind: 'INDIVIDUAL', notes: 'pays late', isSupplier: true },
    { name: ' a "quoted" \\ name \u2028 😀 ', country: ' usa ', defaultCurrencies: ['ils', 'XYZ'], email: null },
    { name: 'half of a pair: \ud83d', country: 'half \udc00', notes: '\ud83d' },
    { country: 'Atlantis', phone: '', address: '1 Herzl St\nTel Aviv', registrationNumber: '514000001' },
  ]

  test.each(given)('with the input %j', async (more) => {
    const amy = await member('CONTRIBUTOR')
    const { status: created, body } = await amy.request(create, customer(amy, more))
    expect(created).toBe(201)
    const answer = body as Record<string, unknown>
    const { events, audit } = await writtenIn(amy)
    const { id, organizationId, name, email, country, kind, status } = answer
    expect(events.map(({ payload }) => payload)).toEqual([{ id, organizationId, name, email, country, kind, status }])
    const [{ object_id: object } = {}] = await query(
      'select object_id from audit_log where organization_id = $1 and operation = $2',
      [amy.organizationId, create.name],
    )
    expect([audit.length, object]).toEqual([1, id])
  })

  test.each(['SESSION', 'API_KEY', 'OAUTH'] as const)('by %s', async (source) => {
    const amy = await member('CONTRIBUTOR')
    const runner = runnerWith()
    const credential = await credentialOf(amy, source)
    const call = callOf(amy, { source, credential })
    await runner.run(create, call)
    const { events, audit, customers } = await writtenIn(amy)
    expect([customers.length, events.length, audit.length]).toEqual([1, 1, 1])
    expect(events[0]?.cause).toMatchObject({ source, requestId: call.caller.requestId, userId: amy.userId })
    const named = { API_KEY: 'api_key_id', SESSION: 'session_id', OAUTH: 'client_id' }[source]
    expect(audit[0]).toMatchObject({ source, user_id: amy.userId, [named]: expect.any(String) })
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
    const key = await withKey(bob)
    expect((await key.request(create, customer(bob))).status).toBe(201)
    await change(bob)
    const before = await writtenIn(owner)
    const audited = await query('select count(*) from audit_log')
    expect((await key.request(create, customer(bob))).status).toBe(status)
    expect(await writtenIn(owner)).toEqual(before)
    expect(await query('select count(*) from audit_log')).toEqual(audited)
  })

  test('a key of two organizations is refused in the one that it may no longer use', async () => {
    const amy = await member('OWNER')
    const bob = await member('OWNER')
    const { userId } = amy
    await query("insert into memberships (organization_id, user_id, role) values ($1, $2, 'OWNER')", [
      bob.organizationId,
      userId,
    ])
    const organizationIds = [String(amy.organizationId), String(bob.organizationId)]
    const key = await withKey(amy, ['*:*'], { organizationIds })
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
  await useUp(limiter, String(amy.organizationId))
  const before = await writtenIn(amy)
  await expect(runner.run(create, callOf(amy, caller))).rejects.toMatchObject({
    status: 429,
    message: expect.stringContaining('calls of this organization'),
  })
  expect(await writtenIn(amy)).toEqual(before)
})

describe('a write of which the database refuses one row is refused, and none is written', () => {
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
    await raising(table, code)
    const before = await writtenIn(amy)
    expect((await amy.request(create, customer(amy))).status).toBe(status)
    expect(await writtenIn(amy)).toEqual(before)
  })

  test('also at the commit', async () => {
    const amy = await member('CONTRIBUTOR')
    await raising('customers', '23505', { deferred: true })
    expect((await amy.request(create, customer(amy))).status).toBe(409)
    expect(await writtenIn(amy)).toMatchObject({ customers: [], events: [], audit: [] })
  })

  test('a deadlock is tried again', async () => {
    const amy = await member('CONTRIBUTOR')
    await query('create sequence if not exists attempts')
    await query('grant usage on sequence attempts to public')
    await query(
      "create or replace function deadlock_once() returns trigger language plpgsql as $$ begin if nextval('attempts') = 1 then raise exception 'deadlock' using errcode = '40P01'; end if; return new; end $$",
    )
    await query('create trigger deadlock_once before insert on customers for each row execute function deadlock_once()')
    triggers.push('drop trigger deadlock_once on customers')
    expect((await amy.request(create, customer(amy))).status).toBe(201)
    expect((await writtenIn(amy)).audit).toHaveLength(1)
  })
})

test('FLT-04: a lost connection is told as an unavailable database, and the next call is answered', async () => {
  const amy = await member('CONTRIBUTOR')
  const holder = await theApp().system.raw.connect()
  try {
    await holder.query('begin')
    await holder.query('lock table customers in exclusive mode')
    const creating = amy.request(create, customer(amy))
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
  expect((await amy.request(create, customer(amy))).status).toBe(201)
})

describe('a write that is refused', () => {
  type Work = (inside: Inside, id: string) => Promise<unknown>
  const doing = (work: Work) =>
    operation({
      name: 'test_write',
      http: 'POST /api/test/write',
      does: 'Does what the test says.',
      scope: 'customers:write',
      within: 'organizationId',
      input: Type.Object({ organizationId: Id, name: Type.String(), country: Type.String() }),
      output: Type.Object({ id: Id }),
      async run(inside) {
        const id = newId()
        await work(inside, id)
        return { id }
      },
    }) as unknown as Operation

  const insert = ({ db }: Inside, id: string) =>
    db
      .insertInto('customers')
      .values({ id, name: 'Globex', kind: 'ORGANIZATION', defaultCurrencies: ['USD'] })
      .execute()

  /** The outcome of a call, and what it left. */
  async function outcomeOf(work: Work) {
    const amy = await member('CONTRIBUTOR')
    const runner = runnerWith()
    const caller = { source: 'API_KEY' as const, credential: await credentialOf(amy, 'API_KEY') }
    const again = () => runner.run(doing(work), callOf(amy, caller)).catch((error: unknown) => error)
    const result = await again()
    const customers = await query('select name from customers where organization_id = $1', [amy.organizationId])
    const audit = await query("select from audit_log where organization_id = $1 and operation = 'test_write'", [
      amy.organizationId,
    ])
    return { amy, again, result, customers, audit }
  }

  test.each<[string, Work, object]>([
    ['a refusal', () => Promise.reject(invalid('note', 'No.')), { status: 400 }],
    ['a conflict', () => Promise.reject(conflict('No.', 'STATUS')), { status: 409 }],
    ['a mistake', () => Promise.reject(new Error('oops')), { message: expect.stringContaining('nothing was changed') }],
  ])('changes nothing, even if a statement of it succeeded: %s', async (_, fail, expected) => {
    const { result, customers, audit } = await outcomeOf(async (inside, id) => {
      await insert(inside, id)
      await fail(inside, id)
    })
    expect(result).toMatchObject(expected)
    expect([customers, audit]).toEqual([[], []])
  })

  test('tells the caller why it refuses what the database refused', async () => {
    const { result, customers, audit } = await outcomeOf(async (inside, id) => {
      await Promise.all([insert(inside, id), insert(inside, id)]).catch(() => {
        throw conflict('It is there already.', 'STATUS')
      })
    })
    expect(result).toMatchObject({ status: 409, message: 'It is there already.' })
    expect([customers, audit]).toEqual([[], []])
  })

  test('is refused for a statement that it does not wait for', async () => {
    const { result, customers, audit } = await outcomeOf(async (inside, id) => {
      inside.ask('select 1 / 0').catch(() => {})
      await insert(inside, id).catch(() => {})
    })
    expect((result as { status: number }).status).toBeGreaterThanOrEqual(400)
    expect([customers, audit]).toEqual([[], []])
  })

  test('leaves no audit row of a refused call, even if none of its statements is refused', async () => {
    const change: Work = ({ db }) => db.updateTable('customers').set({ notes: 'mine' }).execute()
    const { amy, again, audit } = await outcomeOf(change)
    expect(audit).toHaveLength(1)
    await query("update memberships set role = 'VIEWER' where user_id = $1", [amy.userId])
    const before = await query('select count(*) from audit_log')
    expect(await again()).toMatchObject({ status: 403 })
    expect(await query('select count(*) from audit_log')).toEqual(before)
  })
})

/** A runner over the database of this file. */
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
