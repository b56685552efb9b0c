import { sql } from 'kysely'
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { queryAsSuperuser } from '../../test/database.ts'
import { member, operationNamed, type Someone, send, theApp, theDatabase, withKey } from '../../test/world.ts'
import { conflict, invalid, notFound } from '../define/failure.ts'
import { type Inside, type Operation, operation } from '../define/operation.ts'
import { Id, Type } from '../define/schema.ts'
import type { Runner } from '../define/services.ts'
import { createSeal } from '../secrets/seal.ts'
import { newId, sha256 } from '../values/id.ts'
import type { Call } from './call.ts'
import { createInFlight, createLimiter } from './rate-limit.ts'
import { createRunner } from './run.ts'
import { createUsage } from './usage.ts'

/** A runner over the database of this file, with its own limits. */
function runnerWith({ perCredential = 100, perOrganization = 200, scale = 100, outsideMs = 60_000 } = {}): Runner {
  const { confined: pool, heavy, system, services, providers } = theApp()
  return createRunner({
    pool,
    heavy,
    system,
    limiter: createLimiter(system, scale),
    inFlight: createInFlight({ perCredential, perOrganization }),
    seal: createSeal(services.secrets.derived('idempotency')),
    usage: createUsage(system, () => {}),
    subscriberJobs: () => [],
    services,
    providers,
    outsideMs,
  })
}

let runner: Runner
beforeAll(() => {
  runner = runnerWith()
})

type Network = (note: string, tx: <T>(work: (inside: Inside) => Promise<T>) => Promise<T>) => Promise<string>

/** An operation that writes, talks to the network and returns the answer, as sending or scanning does. */
const talking = (network: Network) =>
  operation({
    name: 'test_talk',
    http: 'POST /api/test/talk',
    does: 'Talks to a network that the test plays.',
    scope: 'customers:write',
    within: 'organizationId',
    input: Type.Object({ organizationId: Type.Optional(Id), note: Type.String() }),
    output: Type.Object({ said: Type.String() }),
    outside: true,
    async run({ tx }, { note }) {
      await tx(({ db }) => db.updateTable('customers').set({ notes: note }).execute())
      return { said: await network(note, tx as never) }
    },
  }) as unknown as Operation

function callOf(someone: Someone, key?: string, note = 'hello'): Call {
  const [, secret = ''] = ('cookie' in someone.credentials ? (someone.credentials.cookie ?? '') : '').split('=')
  const caller = { source: 'SESSION' as const, credential: sha256(secret), requestId: newId() }
  const call: Call = { caller, input: { note, organizationId: someone.organizationId }, trace: {} }
  return key ? { ...call, once: { key, fingerprint: sha256(note) } } : call
}

const system = <T>(statement: ReturnType<typeof sql<T>>) => theApp().system.use((db) => statement.execute(db))
const rowsOf = async <T>(statement: ReturnType<typeof sql<T>>) => (await system(statement)).rows
const keyOf = (key: string) =>
  rowsOf<{ status: number | null; locked: boolean }>(
    sql`select status, locked_until > now() as locked from idempotency_keys where key = ${key}`,
  )
const auditOf = async ({ organizationId }: Someone) =>
  (await rowsOf(sql`select from audit_log where organization_id = ${organizationId} and operation = 'test_talk'`))
    .length
const leaseRanOut = (key: string) =>
  system(sql`update idempotency_keys set locked_until = now() - interval '1 second' where key = ${key}`)

/** A promise with the functions that settle it. */
function held<T>() {
  let resolve: (value: T) => void = () => {}
  let reject: (error: unknown) => void = () => {}
  const promise = new Promise<T>((yes, no) => {
    resolve = yes
    reject = no
  })
  return { promise, resolve, reject }
}

const inProgress = { status: 409, retryAfterS: 2, details: [{ code: 'IDEMPOTENCY_IN_PROGRESS' }] }

describe('IDEM-5: an operation that talks to the network', () => {
  test('has its claim committed and no transaction open while it talks', async () => {
    const amy = await member('CONTRIBUTOR')
    const seen: unknown[] = []
    const answer = await runner.run(
      talking(async (note) => {
        seen.push(await keyOf('talk-1'), await auditOf(amy))
        seen.push(
          await queryAsSuperuser(
            theDatabase(),
            'select pid from pg_stat_activity where datname = current_database() and xact_start is not null and pid <> pg_backend_pid()',
          ),
        )
        const { open } = theApp().confined
        seen.push(open.total - open.idle)
        return `${note} to you`
      }),
      callOf(amy, 'talk-1'),
    )
    expect(seen).toEqual([[{ status: null, locked: true }], 0, [], 0])
    expect(answer).toEqual({ status: 200, body: '{"said":"hello to you"}' })
    expect(await keyOf('talk-1')).toEqual([{ status: 200, locked: null }])
    expect(await auditOf(amy)).toBe(1)
  })

  test('gives way to other organizations only before it has begun: what happened is recorded', async () => {
    const { turns } = theApp().confined
    if (!turns) throw new Error('The pool has no turns.')
    const amy = await member('CONTRIBUTOR')
    const gaveWay: unknown[] = []
    const enter = turns.enter
    const spy = vi.spyOn(turns, 'enter').mockImplementation((subjects, how) => {
      gaveWay.push(how?.givesWay)
      return enter(subjects, how)
    })
    onTestFinished(() => spy.mockRestore())
    await runner.run(
      talking(async (note) => note),
      callOf(amy),
    )
    expect(gaveWay).toEqual([true, false, false])
  })

  test('has a time limit, and writes nothing after its caller was told that it is over', async () => {
    const amy = await member('CONTRIBUTOR')
    const { id } = await amy.call('customers_create', { name: 'Globex', country: 'SG' })
    const [reached, network, late] = [held<true>(), held<string>(), held<unknown>()]
    const slow = talking(async (_, tx) => {
      reached.resolve(true)
      const said = await network.promise
      await tx(({ db }) => db.updateTable('customers').set({ notes: 'late' }).execute()).catch(late.resolve)
      return said
    })
    let key = ''
    let outsideMs = 500
    do {
      outsideMs *= 2 // on a busy machine it may take a while to get as far as the network
      key = `talk-slow-${outsideMs}`
      await expect(runnerWith({ outsideMs }).run(slow, callOf(amy, key))).rejects.toMatchObject({
        status: 500,
        details: [{ code: 'UNAVAILABLE' }],
      })
    } while (!(await Promise.race([reached.promise, false])))
    await expect(runner.run(slow, callOf(amy, key))).rejects.toMatchObject(inProgress) // it may still be running
    network.resolve('at last')
    expect(await late.promise).toMatchObject({ status: 500 })
    expect(await amy.call('customers_get', { id })).toMatchObject({ notes: 'hello' })
    expect(await auditOf(amy)).toBe(0)
  })

  test('keeps its key while it may still be running, even if its time limit is between two clock ticks', async () => {
    const amy = await member('CONTRIBUTOR')
    const never = talking(() => new Promise<string>(() => {}))
    for (let n = 0; n < 8; n++) {
      await expect(runnerWith({ outsideMs: 60.999 }).run(never, callOf(amy, `tick-${n}`))).rejects.toThrow()
      expect(await keyOf(`tick-${n}`)).toEqual([{ status: null, locked: true }])
    }
  })

  test('has an audit row even if its caller lost access while it talked', async () => {
    const owner = await member('OWNER')
    const bob = await member('CONTRIBUTOR', { of: owner })
    const talk = talking(async () => {
      await owner.call('users_member_delete', { id: String(owner.organizationId), userId: bob.userId })
      return 'sent'
    })
    await expect(runner.run(talk, callOf(bob, 'talk-lost'))).rejects.toMatchObject({ status: 403 })
    const { entries } = await owner.call('organizations_audit', { id: String(owner.organizationId) })
    expect(entries.find(({ operation }) => operation === 'test_talk')).toMatchObject({
      userId: bob.userId,
      detail: { outcome: 'ACCESS_ENDED' },
    })
  })

  test('answers a retry without talking again, and writes one audit row', async () => {
    const amy = await member('CONTRIBUTOR')
    let talks = 0
    const talk = talking(async () => `talk ${++talks}`)
    const first = await runner.run(talk, callOf(amy, 'talk-2'))
    expect(await runner.run(talk, callOf(amy, 'talk-2'))).toEqual({ ...first, replayed: true })
    expect([talks, await auditOf(amy)]).toEqual([1, 1])
    await expect(runner.run(talk, callOf(amy, 'talk-2', 'other'))).rejects.toMatchObject({
      details: [{ code: 'IDEMPOTENCY_KEY_REUSED' }],
    })
    expect((await runner.run(talk, callOf(amy))).body).toBe('{"said":"talk 2"}')
  })

  test('refuses a retry while it is running', async () => {
    const amy = await member('CONTRIBUTOR')
    const [started, network] = [held<void>(), held<string>()]
    const talk = talking(() => {
      started.resolve()
      return network.promise
    })
    const first = runner.run(talk, callOf(amy, 'talk-3'))
    await started.promise
    await expect(runner.run(talk, callOf(amy, 'talk-3'))).rejects.toMatchObject(inProgress)
    network.resolve('late')
    expect((await first).body).toBe('{"said":"late"}')
    expect((await runner.run(talk, callOf(amy, 'talk-3'))).replayed).toBe(true)
  })

  test('is resumed by one retry when its lease has expired, and the first execution then changes nothing', async () => {
    const amy = await member('CONTRIBUTOR')
    const [started, dead] = [held<void>(), held<string>()]
    const lost = runner.run(
      talking(() => {
        started.resolve()
        return dead.promise
      }),
      callOf(amy, 'talk-4'),
    )
    await started.promise
    await leaseRanOut('talk-4')
    let talks = 0
    const network = held<string>()
    const talk = talking(() => {
      talks += 1
      return network.promise
    })
    const retries = [runner.run(talk, callOf(amy, 'talk-4')), runner.run(talk, callOf(amy, 'talk-4'))]
    const refused = await Promise.race(
      retries.map((retry) =>
        retry.then(
          () => undefined,
          (error: unknown) => error,
        ),
      ),
    )
    expect(refused).toMatchObject(inProgress)
    network.resolve('resumed')
    const done = (await Promise.allSettled(retries)).filter(({ status }) => status === 'fulfilled')
    expect([done.length, talks]).toEqual([1, 1])
    dead.resolve('from the dead')
    await lost
    expect(await runner.run(talk, callOf(amy, 'talk-4'))).toEqual({
      status: 200,
      body: '{"said":"resumed"}',
      replayed: true,
    })
  })

  test.each([
    ['404 is remembered', () => notFound('mailbox'), { again: 404, other: 409 }],
    ['409 is remembered', () => conflict('It is sent already.', 'STATUS'), { again: 409, other: 409 }],
    ['400 leaves the key free', () => invalid('note', 'No.'), { again: 200, other: 409 }],
    [
      'a failure of the network lets the same request resume at once',
      () => new Error('reset'),
      { again: 200, other: 409 },
    ],
  ])('that is refused: %s', async (name, failure, { again, other }) => {
    const amy = await member('CONTRIBUTOR')
    let fails = true
    const talk = talking(async () => {
      if (fails) throw failure()
      return 'done'
    })
    const statusOf = (call: Call) =>
      runner.run(talk, call).then(
        ({ status }) => status,
        (error: { status: number }) => error.status,
      )
    expect(await statusOf(callOf(amy, name))).not.toBe(200)
    fails = false
    expect(await statusOf(callOf(amy, name))).toBe(again)
    expect(await statusOf(callOf(amy, name, 'another body'))).toBe(other)
  })

  test('frees its key for another body after a refusal that the caller can correct', async () => {
    const amy = await member('CONTRIBUTOR')
    const talk = talking(async (note) => {
      if (note === 'wrong') throw invalid('note', 'Say something else.')
      return 'done'
    })
    await expect(runner.run(talk, callOf(amy, 'talk-5', 'wrong'))).rejects.toMatchObject({ status: 400 })
    expect((await runner.run(talk, callOf(amy, 'talk-5', 'right'))).status).toBe(200)
  })

  test('keeps its key for the same body when it is unknown how far the work got', async () => {
    const amy = await member('CONTRIBUTOR')
    const talk = talking(() => Promise.reject(new Error('reset')))
    await expect(runner.run(talk, callOf(amy, 'talk-6'))).rejects.toMatchObject({ status: 500 })
    await expect(runner.run(talk, callOf(amy, 'talk-6', 'other'))).rejects.toMatchObject({ status: 409 })
    expect(await auditOf(amy)).toBe(0)
  })

  test('is not repeated when one of its transactions is retried', async () => {
    const amy = await member('CONTRIBUTOR')
    let [talks, writes] = [0, 0]
    const talk = talking(async (_, tx) => {
      talks += 1
      await tx(async ({ db }) => {
        writes += 1
        if (writes < 3) await sql`do $$ begin raise exception 'deadlock' using errcode = '40P01'; end $$`.execute(db)
      })
      return 'done'
    })
    expect((await runner.run(talk, callOf(amy, 'talk-7'))).status).toBe(200)
    expect([talks, writes, await auditOf(amy)]).toEqual([1, 3, 1])
  })

  test('checks the caller again in each of its transactions', async () => {
    const owner = await member('OWNER')
    const bob = await member('CONTRIBUTOR', { of: owner })
    const talk = talking(async (_, tx) => {
      await system(sql`update memberships set role = 'VIEWER' where user_id = ${bob.userId}`)
      await tx(({ db }) => db.deleteFrom('customers').execute())
      return 'done'
    })
    await owner.call('customers_create', { name: 'Blue Door', country: 'SG' })
    await expect(runner.run(talk, callOf(bob))).rejects.toMatchObject({ status: 403 })
    expect((await owner.call('customers_list')).pagination.total).toBe(1)
  })

  test('remembers that it is done without an answer over 256 KiB, and is not repeated (IDEM-7)', async () => {
    const amy = await member('CONTRIBUTOR')
    let talks = 0
    const talk = (letters: number) =>
      talking(async () => {
        talks += 1
        return 'x'.repeat(letters)
      })
    expect((await runner.run(talk(300_000), callOf(amy, 'big'))).body.length).toBeGreaterThan(300_000)
    await expect(runner.run(talk(300_000), callOf(amy, 'big'))).rejects.toMatchObject({
      status: 409,
      details: [{ code: 'ANSWER_TOO_LARGE' }],
    })
    await runner.run(talk(200_000), callOf(amy, 'small'))
    expect((await runner.run(talk(200_000), callOf(amy, 'small'))).replayed).toBe(true)
    expect(talks).toBe(2)
  })
})

describe('concurrent calls', () => {
  /** Starts calls that run until the network answers; returns what was refused. */
  async function atOnce(tight: Runner, callers: Someone[]) {
    const network = held<string>()
    let under = 0
    const talk = talking(() => {
      under += 1
      return network.promise
    })
    const calls = callers.map((someone) =>
      tight.run(talk, callOf(someone)).then(
        () => 'done',
        (error: Error) => error,
      ),
    )
    while (under < 2) await new Promise((resolve) => setImmediate(resolve))
    const refused = await Promise.race(calls)
    network.resolve('over')
    return { refused, all: await Promise.all(calls), again: await tight.run(talk, callOf(callers[0] as Someone)) }
  }

  test('are limited for one credential', async () => {
    const amy = await member('CONTRIBUTOR')
    const { refused, all, again } = await atOnce(runnerWith({ perCredential: 2 }), [amy, amy, amy])
    expect(refused).toMatchObject({ status: 429, retryAfterS: 1 })
    expect(all.filter((end) => end === 'done')).toHaveLength(2)
    expect(again.status).toBe(200)
  })

  test('are limited for one organization, for all its callers, and not for another', async () => {
    const amy = await member('OWNER')
    const colleagues = [amy, await member('CONTRIBUTOR', { of: amy }), await member('CONTRIBUTOR', { of: amy })]
    const tight = runnerWith({ perOrganization: 2 })
    const elsewhere = await member('CONTRIBUTOR')
    const { refused, all, again } = await atOnce(tight, [...colleagues, elsewhere])
    expect(refused).toMatchObject({ status: 429, retryAfterS: 1 })
    expect(all.filter((end) => end === 'done')).toHaveLength(3)
    expect(all[3]).toBe('done')
    expect(again.status).toBe(200)
  })
})

test('the members of an organization share one rate limit', async () => {
  const amy = await member('OWNER')
  const bob = await member('CONTRIBUTOR', { of: amy })
  const other = await member('OWNER')
  await system(sql`delete from rate_buckets`)
  const tight = runnerWith({ scale: 0.0001 }) // one call for each bucket
  const talk = talking(async () => 'done')
  expect((await tight.run(talk, callOf(amy))).status).toBe(200)
  await expect(tight.run(talk, callOf(bob))).rejects.toMatchObject({
    status: 429,
    message: expect.stringContaining('calls of this organization'),
  })
  expect((await tight.run(talk, callOf(other))).status).toBe(200)
})

test('a write that is retried twice consumes one rate-limit token', async () => {
  const amy = await member('CONTRIBUTOR')
  let tried = 0
  const unlucky = operation({
    name: 'test_unlucky',
    http: 'POST /api/test/unlucky',
    does: 'Fails with two deadlocks.',
    scope: 'customers:write',
    within: 'organizationId',
    input: Type.Object({ organizationId: Type.Optional(Id), note: Type.String() }),
    output: Type.Object({ tried: Type.Integer() }),
    async run({ db }) {
      tried += 1
      if (tried < 3) await sql`do $$ begin raise exception 'deadlock' using errcode = '40P01'; end $$`.execute(db)
      return { tried }
    },
  }) as unknown as Operation
  const tight = runnerWith({ scale: 0.0001 })
  expect((await tight.run(unlucky, callOf(amy))).body).toBe('{"tried":3}')
})

test('a write that fails with a deadlock every time is refused as BUSY, and its key stays free', async () => {
  const amy = await member('CONTRIBUTOR')
  await system(
    sql`create function deadlock() returns trigger language plpgsql as $$ begin raise exception 'deadlock' using errcode = '40P01'; end $$`,
  )
  await system(sql`create trigger deadlock before insert on customers for each row execute function deadlock()`)
  const create = () =>
    amy.request(operationNamed('customers_create'), { name: 'Blue Door', country: 'SG' }, { 'idempotency-key': 'k' })
  expect(await create()).toMatchObject({ status: 409, body: { error: { details: [{ code: 'BUSY' }] } } })
  await system(sql`drop trigger deadlock on customers`)
  expect((await create()).status).toBe(201)
})

test('a write that is refused by a statement that nobody waits for is told why', async () => {
  const amy = await member('CONTRIBUTOR')
  const hasty = operation({
    name: 'test_hasty',
    http: 'POST /api/test/hasty',
    does: 'Waits for its second statement only.',
    scope: 'customers:write',
    within: 'organizationId',
    input: Type.Object({ organizationId: Type.Optional(Id), note: Type.String() }),
    output: Type.Object({}),
    async run({ ask }) {
      ask("do $$ begin raise exception 'twice' using errcode = '23505'; end $$").catch(() => {})
      await ask('select 1').catch(() => {})
      await ask('select 2')
      return {}
    },
  }) as unknown as Operation
  await expect(runner.run(hasty, callOf(amy))).rejects.toMatchObject({ details: [{ code: 'ALREADY_EXISTS' }] })
})

test('every write leaves one audit row with its person, credential, request and object', async () => {
  const amy = await member('OWNER')
  const key = await withKey(amy)
  const created = await key.request(
    operationNamed('customers_create'),
    { name: 'Blue Door', country: 'SG' },
    { 'x-request-id': 'r-1' },
  )
  const { id } = created.body as { id: string }
  await amy.request(operationNamed('customers_delete'), { id }, { 'x-request-id': 'r-2' })
  await amy.request(operationNamed('customers_create'), { name: '' }, { 'x-request-id': 'r-3' })
  const rows =
    await rowsOf(sql`select source, api_key_id is not null as by_key, session_id is not null as by_session, user_id, request_id, operation, object_id
    from audit_log where organization_id = ${amy.organizationId} and request_id like 'r-_' order by id`)
  const { userId } = amy
  expect(rows).toEqual([
    {
      source: 'API_KEY',
      byKey: true,
      bySession: false,
      userId,
      requestId: 'r-1',
      operation: 'customers_create',
      objectId: id,
    },
    {
      source: 'SESSION',
      byKey: false,
      bySession: true,
      userId,
      requestId: 'r-2',
      operation: 'customers_delete',
      objectId: id,
    },
  ])
})

test('a refused call consumes a rate-limit token, and an unreadable body is refused as such', async () => {
  const amy = await withKey(await member('CONTRIBUTOR'))
  const remaining = async (operation: string, input: object) =>
    Number(
      (await amy.request(operationNamed(operation), input as Record<string, unknown>)).headers['ratelimit-remaining'],
    )
  const first = await remaining('customers_get', { id: newId() })
  expect(await remaining('customers_get', { id: newId() })).toBe(first - 1)
  expect(await remaining('customers_list', { organizationId: newId() })).toBe(first - 2)
  await amy.call('organizations_create', { name: 'Second', country: 'US' })
  const url = '/api/customers'
  const headers = { ...amy.credentials, 'content-type': 'application/json' }
  const { body } = await send({ method: 'POST', url, body: '{bad', headers })
  expect(body).toMatchObject({ error: { code: 'VALIDATION', message: expect.stringContaining('JSON') } })
})

test('a write of a key without the scope is refused before anything is locked', async () => {
  const amy = await member('CONTRIBUTOR')
  const reader = await withKey(amy, ['customers:read'])
  const { id } = await amy.call('customers_create', { name: 'Globex', country: 'SG' })
  const holder = await theApp().system.raw.connect()
  try {
    await holder.query('begin')
    await holder.query('select from customers where id = $1 for update', [id])
    let answered = false
    const refused = reader.request(operationNamed('customers_delete'), { id }).finally(() => {
      answered = true
    })
    while (!answered) {
      const { rows } = await holder.query(
        'select pid from pg_locks where not granted and $1 = any (pg_blocking_pids(pid))',
        [(await holder.query('select pg_backend_pid() as pid')).rows[0].pid],
      )
      expect(rows).toEqual([]) // no transaction waits for the row
    }
    expect((await refused).status).toBe(403)
  } finally {
    await holder.query('rollback')
    holder.release()
  }
})
