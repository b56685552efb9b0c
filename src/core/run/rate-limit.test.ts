import '../../test/own-world.ts'
import { sql } from 'kysely'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { type App, createApp } from '../../program/app.ts'
import {
  member,
  operationNamed,
  person,
  type Someone,
  testConfig,
  theApp,
  theDatabase,
  withKey,
} from '../../test/world.ts'
import type { Database } from '../define/operation.ts'
import { newId } from '../values/id.ts'
import { type Bucket, createConsumeRateLimit, createLimiter, type Limiter } from './rate-limit.ts'
import { withTransaction } from './transaction-context.ts'

const system = (statement: ReturnType<typeof sql>) => theApp().system.use((db) => statement.execute(db))

beforeEach(() => system(sql`delete from rate_buckets`))

let subjects = 0
const newSubject = () => `subject:${++subjects}` as const

/** Takes until it is refused; how many there were, and the refusal. */
async function takeAll(limiter: Limiter, bucket: Bucket, subject: string) {
  for (let taken = 0; ; taken++) {
    try {
      await limiter.take(bucket, subject)
    } catch (refusal) {
      return { taken, refusal }
    }
  }
}

describe('a bucket', () => {
  // Five keys at once and one more every four minutes: nothing comes back while a test runs.
  const small = () => createLimiter(theApp().system, 0.05)

  test('grants exactly its size, reports what is left, and then when to retry', async () => {
    const limiter = small()
    const subject = newSubject()
    const left = []
    for (let at = 0; at < 5; at++) left.push((await limiter.take('keyCreation', subject)).remaining)
    expect(left).toEqual([4, 3, 2, 1, 0])
    const refused = {
      status: 429,
      code: 'RATE_LIMIT',
      limit: 5,
      message: expect.stringContaining('new API keys of this person'),
    }
    const refusal = await Promise.resolve(limiter.take('keyCreation', subject)).catch(
      (error: { retryAfterS: number }) => error,
    )
    expect(refusal).toMatchObject(refused)
    expect((refusal as { retryAfterS: number }).retryAfterS).toBeOneOf([238, 239, 240])
    expect(() => limiter.refuseKnown('keyCreation', subject)).toThrow()
    expect((await limiter.take('keyCreation', newSubject())).limit).toBe(5)
  })

  test('grants no more to twenty concurrent calls', async () => {
    const limiter = small()
    const subject = newSubject()
    const all = await Promise.allSettled(Array.from({ length: 20 }, async () => limiter.take('keyCreation', subject)))
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
  })

  test('is shared by all processes: two of them share five tokens exactly', async () => {
    const [one, other] = [small(), small()]
    const subject = newSubject()
    const all = await Promise.allSettled(
      Array.from({ length: 20 }, async (_, at) => (at % 2 ? one : other).take('keyCreation', subject)),
    )
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
  })

  test('of frequent calls is exact except for the lot that each process holds', async () => {
    const limiters = [createLimiter(theApp().system, 0.01), createLimiter(theApp().system, 0.01)] // 30, 3 a second
    const subject = newSubject()
    const begun = performance.now()
    let taken = 0
    for (const limiter of limiters) taken += (await takeAll(limiter, 'reads', subject)).taken
    const cameBack = Math.ceil(((performance.now() - begun) / 1000) * 3)
    expect(taken).toBeGreaterThanOrEqual(30)
    expect(taken).toBeLessThanOrEqual(30 + cameBack)
  })

  test('sends one query for a lot, not one for each call', async () => {
    const limiter = createLimiter(theApp().system, 1)
    const subject = newSubject()
    const first = limiter.take('reads', subject)
    expect(first).toBeInstanceOf(Promise)
    await first
    for (let at = 1; at < 300; at++) expect(limiter.take('reads', subject)).not.toBeInstanceOf(Promise)
    expect(limiter.take('reads', subject)).toBeInstanceOf(Promise)
  })

  test('refills with time, up to its size', async () => {
    const subject = newSubject()
    await takeAll(small(), 'keyCreation', subject)
    const passed = (minutes: number) =>
      system(sql`update rate_buckets set tat = tat - make_interval(mins => ${minutes})`)
    await passed(4)
    expect((await takeAll(small(), 'keyCreation', subject)).taken).toBe(1)
    await passed(24 * 60)
    expect((await takeAll(small(), 'keyCreation', subject)).taken).toBe(5)
  })

  test('does not stay empty for long when the clock of the database is set back', async () => {
    const subject = newSubject()
    await small().take('keyCreation', subject)
    await system(sql`update rate_buckets set tat = now() + interval '1 year'`)
    const { taken, refusal } = await takeAll(small(), 'keyCreation', subject)
    expect(taken).toBe(0)
    expect((refusal as { retryAfterS: number }).retryAfterS).toBeLessThanOrEqual(240)
  })

  test('lets ordinary calls pass when its table fails, but no new secrets', async () => {
    const limiter = createLimiter(theApp().system, 1)
    await system(sql`alter table rate_buckets rename to elsewhere`)
    onTestFinished(async () => void (await system(sql`alter table if exists elsewhere rename to rate_buckets`)))
    expect(await limiter.take('reads', newSubject())).toMatchObject({ limit: 3000 })
    await expect(limiter.take('keyCreation', newSubject())).rejects.toThrow()
    const amy = await member('OWNER')
    await amy.call('customers_create', { name: 'Blue Door', country: 'SG' })
    await expect(amy.call('api_keys_create', { name: 'k', scopes: ['*:*'] })).rejects.toMatchObject({ status: 500 })
    await system(sql`alter table elsewhere rename to rate_buckets`)
    expect((await amy.call('api_keys_list')).keys).toEqual([])
  })
})

describe('tokens taken in advance', () => {
  const consume = createConsumeRateLimit() // 60 webhooks at once and 2 a second
  const take = (subject: `${string}:${string}`, count: number) =>
    withTransaction(theApp().confined, {}, ({ db }) => consume(db, 'webhookPost', { count, subject, inAdvance: true }))

  test('are due one after the other, in the order of the calls, also more than the bucket holds', async () => {
    const subject = newSubject()
    expect(await take(subject, 60)).toBe(0)
    const waits = [await take(subject, 1), await take(subject, 1), await take(subject, 100), await take(subject, 1)]
    for (const [n, due] of [0.5, 1, 51, 51.5].entries()) {
      expect(waits[n]).toBeLessThanOrEqual(due)
      expect(waits[n]).toBeGreaterThan(due - 0.45)
    }
    expect(await take(newSubject(), 1)).toBe(0)
  })

  test('are given back by a rollback', async () => {
    const subject = newSubject()
    await withTransaction(theApp().confined, {}, async ({ db }) => {
      await consume(db, 'webhookPost', { count: 60, subject, inAdvance: true })
      throw new Error('rollback')
    }).catch(() => {})
    expect(await take(subject, 60)).toBe(0)
  })

  test('leave nothing for calls that do not wait', async () => {
    const subject = newSubject()
    await take(subject, 80)
    const now = withTransaction(theApp().confined, {}, ({ db }) => consume(db, 'webhookPost', { subject }))
    await expect(now).rejects.toMatchObject({ status: 429 })
    expect(await take(subject, 1)).toBeGreaterThan(10) // the refusal changed nothing
  })

  test('are due within a day, and after that one asks again later; a clock that was set back does not matter', async () => {
    const subject = newSubject()
    await take(subject, 60 + 2 * 86_400 - 20)
    await expect(take(subject, 30)).rejects.toMatchObject({ status: 429, retryAfterS: 43_200 })
    expect(await take(subject, 10)).toBeGreaterThan(86_300)
    await system(sql`update rate_buckets set tat = now() + interval '1 year'`)
    expect(await take(subject, 1)).toBeCloseTo(0.5, 1)
  })

  test('that do not fit into the bucket are refused for good without waiting', async () => {
    const refused = withTransaction(theApp().confined, {}, ({ db }) =>
      consume(db, 'webhookPost', { count: 61, subject: newSubject() }),
    )
    await expect(refused).rejects.toMatchObject({ status: 429, details: [{ code: 'LIMIT_EXCEEDED' }] })
  })
})

describe('over HTTP', () => {
  async function appAt(scale: string): Promise<App> {
    const app = await createApp(testConfig({ RATE_LIMIT_SCALE: scale }), theDatabase())
    onTestFinished(() => app.close())
    return app
  }

  type Sent = { name?: string; address?: string; headers?: Record<string, string>; url?: string }

  async function call(
    app: App,
    someone: Someone | undefined,
    { name = 'customers_list', address, headers, url }: Sent = {},
  ) {
    const { method, path } = operationNamed(name)
    const {
      statusCode,
      headers: answered,
      payload,
    } = await app.server.inject({
      method,
      url: url ?? path,
      headers: { ...someone?.credentials, ...headers },
      ...(address && { remoteAddress: address }),
      ...(method === 'POST' && { payload: { name: 'Blue Door', country: 'SG' } }),
    })
    return { status: statusCode, headers: answered, body: JSON.parse(payload) }
  }

  test('an answer has the remaining tokens of the credential in its headers', async () => {
    const app = await appAt('1')
    const amy = await member('OWNER')
    await system(sql`delete from rate_buckets`)
    const read = await call(app, amy)
    expect(read.headers).toMatchObject({
      'ratelimit-limit': '3000',
      'ratelimit-remaining': '2999',
      'ratelimit-reset': '1',
    })
    const written = await call(app, amy, { name: 'customers_create' })
    expect(written.headers).toMatchObject({
      'ratelimit-limit': '1000',
      'ratelimit-remaining': '999',
      'ratelimit-reset': '1',
    })
    expect((await call(app, amy)).headers['ratelimit-remaining']).toBe('2998')
  })

  test('a call over the limit is refused with the time to wait, and consumes nothing', async () => {
    const app = await appAt('0.002') // two writes, one more every five seconds
    const amy = await member('OWNER')
    await system(sql`delete from rate_buckets`)
    for (const remaining of ['1', '0'])
      expect(await call(app, amy, { name: 'customers_create' })).toMatchObject({
        status: 201,
        headers: { 'ratelimit-remaining': remaining },
      })
    const refused = await call(app, amy, { name: 'customers_create' })
    expect(refused).toMatchObject({
      status: 429,
      body: { error: { code: 'RATE_LIMIT', message: expect.stringContaining('writes of this credential') } },
      headers: { 'ratelimit-limit': '2', 'ratelimit-remaining': '0' },
    })
    const wait = Number(refused.headers['retry-after'])
    expect(wait).toBeOneOf([4, 5])
    expect(Number(refused.headers['ratelimit-reset'])).toBe(wait)
    expect((await call(app, amy)).status).toBe(200) // reads have a bucket of their own
    expect((await call(app, await withKey(amy), { name: 'customers_create' })).status).toBe(201) // and so has a key
    expect((await amy.call('customers_list')).pagination.total).toBe(3)
  })

  test('lists of more than 25 rows have a limit of their own, and smaller ones go on', async () => {
    const amy = await member('OWNER')
    const list = async (app: App, limit: number) => call(app, amy, { url: `/api/customers?limit=${limit}` })
    const usual = await appAt('1')
    await system(sql`delete from rate_buckets`)
    expect((await list(usual, 26)).headers).toMatchObject({ 'ratelimit-limit': '600', 'ratelimit-remaining': '599' })
    expect((await list(usual, 25)).headers).toMatchObject({ 'ratelimit-limit': '3000', 'ratelimit-remaining': '2999' })
    const small = await appAt('0.003') // two, one more every eleven seconds; nine reads
    await system(sql`delete from rate_buckets`)
    expect([(await list(small, 100)).status, (await list(small, 100)).status]).toEqual([200, 200])
    expect(await list(small, 100)).toMatchObject({
      status: 429,
      body: {
        error: {
          code: 'RATE_LIMIT',
          message: expect.stringContaining('lists of more than 25 rows of this credential'),
        },
      },
      headers: { 'ratelimit-limit': '2', 'ratelimit-remaining': '0' },
    })
    expect((await list(small, 25)).status).toBe(200)
  })

  test('a refusal does not use up an Idempotency-Key', async () => {
    const app = await appAt('0.001') // one write
    const amy = await member('OWNER')
    await system(sql`delete from rate_buckets`)
    await call(app, amy, { name: 'customers_create' })
    const headers = { 'idempotency-key': 'k' }
    expect((await call(app, amy, { name: 'customers_create', headers })).status).toBe(429)
    const later = await call(theApp(), amy, { name: 'customers_create', headers })
    expect([later.status, later.headers['idempotency-replayed']]).toEqual([201, undefined])
  })

  test('new API keys have their own limit', async () => {
    const app = await appAt('0.02') // two keys
    const amy = await person()
    const make = () =>
      app.server.inject({
        method: 'POST',
        url: '/api/api-keys',
        headers: { ...amy.credentials },
        payload: { name: 'k', scopes: ['*:*'] },
      })
    const statuses = [await make(), await make(), await make()].map(({ statusCode }) => statusCode)
    expect(statuses).toEqual([201, 201, 429])
  })

  test.each([
    ['no credentials', {}],
    ['a bad key', { authorization: 'Bearer nonsense' }],
    ['a dead session', { cookie: 'sid=nonsense' }],
  ])('calls with %s are counted by address, and good ones from there go on', async (_, headers) => {
    const app = await appAt('0.02') // four, one more every five seconds
    const address = `198.51.100.${++subjects}`
    const statuses = []
    for (let at = 0; at < 6; at++) statuses.push((await call(app, undefined, { address, headers })).status)
    expect(statuses).toEqual([401, 401, 401, 401, 429, 429])
    expect((await call(app, await withKey(await member('OWNER')), { address })).status).toBe(200)
  })

  test.each([
    [
      'an IPv6 network',
      ['2001:db8:7::1', '2001:db8:7::2', '2001:db8:7:0:ffff::3', '2001:DB8:7:0::4', '2001:db8:7::5'],
      '2001:db8:7:1::1',
    ],
    [
      'an IPv4 address, mapped or not',
      ['203.0.113.9', '::ffff:203.0.113.9', '::FFFF:cb00:7109', '203.0.113.9', '::ffff:203.0.113.9'],
      '203.0.113.10',
    ],
  ])('%s is one caller', async (_, addresses, neighbour) => {
    const app = await appAt('0.02')
    const statuses = []
    for (const address of addresses) statuses.push((await call(app, undefined, { address })).status)
    expect(statuses).toEqual([401, 401, 401, 401, 429])
    expect((await call(app, undefined, { address: neighbour })).status).toBe(401)
  })

  test('X-Forwarded-For is trusted only from a configured proxy', async () => {
    const plain = await appAt('0.02')
    const forwarded = async (app: App, from: string) =>
      (await call(app, undefined, { address: '10.9.9.9', headers: { 'x-forwarded-for': from } })).status
    const statuses = []
    for (let at = 0; at < 5; at++) statuses.push(await forwarded(plain, `198.18.0.${at}`))
    expect(statuses).toEqual([401, 401, 401, 401, 429])
    const behind = await createApp(testConfig({ RATE_LIMIT_SCALE: '0.02', TRUSTED_PROXIES: '10.9.9.9' }), theDatabase())
    onTestFinished(() => behind.close())
    for (let at = 0; at < 5; at++) expect(await forwarded(behind, `198.18.1.${at}`)).toBe(401)
  })
})

describe('consumeRateLimit', () => {
  const small = createConsumeRateLimit(0.05) // 250 recipients, one more every 345 seconds

  /** A transaction in the role of requests, confined to an organization; it may end badly. */
  const inside = (organizationId: string, work: (db: Database) => Promise<unknown>) =>
    withTransaction(theApp().confined, { organizationId }, ({ db }) => work(db))
  const left = async (organizationId: string) => {
    for (let taken = 0; ; taken++) {
      try {
        await inside(organizationId, (db) => small(db, 'mailRecipients'))
      } catch {
        return taken
      }
    }
  }

  test('takes all tokens or none, with the time to wait, separately for each organization', async () => {
    const [here, there] = [newId(), newId()]
    await inside(here, (db) => small(db, 'mailRecipients', { count: 240 }))
    const refused = { status: 429, limit: 250, message: expect.stringContaining('recipients of mail') }
    await expect(inside(here, (db) => small(db, 'mailRecipients', { count: 11 }))).rejects.toMatchObject(refused)
    await inside(there, (db) => small(db, 'mailRecipients', { count: 250 }))
    expect(await left(here)).toBe(10)
    const refusal = await inside(there, (db) => small(db, 'mailRecipients')).catch((error) => error)
    expect((refusal as { retryAfterS: number }).retryAfterS).toBeOneOf([344, 345, 346])
  })

  test('refuses more than the size of the bucket, and does nothing for zero', async () => {
    const here = newId()
    await expect(inside(here, (db) => small(db, 'mailRecipients', { count: 251 }))).rejects.toMatchObject({
      status: 429,
    })
    await inside(here, (db) => small(db, 'mailRecipients', { count: 0 }))
    expect(await left(here)).toBe(250)
  })

  test('consumes nothing when its transaction is rolled back', async () => {
    const here = newId()
    const failing = inside(here, async (db) => {
      await small(db, 'mailRecipients', { count: 250 })
      throw new Error('something else went wrong')
    })
    await expect(failing).rejects.toThrow('something else')
    expect(await left(here)).toBe(250)
  })

  test('is exact for twenty concurrent transactions', async () => {
    const here = newId()
    const one = createConsumeRateLimit(0.25) // five messages of automations
    const all = await Promise.allSettled(Array.from({ length: 20 }, () => inside(here, (db) => one(db, 'emailSend'))))
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
  })

  test.each([
    ['documentSend', 100],
    ['emailSend', 20],
    ['mailRecipients', 5_000],
  ] as const)('for %s holds %i at once', async (bucket, burst) => {
    const here = newId()
    const charge = createConsumeRateLimit()
    await inside(here, (db) => charge(db, bucket, { count: burst }))
    await expect(inside(here, (db) => charge(db, bucket))).rejects.toMatchObject({ status: 429, limit: burst })
  })

  test('can count another subject than the organization', async () => {
    const charge = createConsumeRateLimit(0.05)
    const subject = newSubject()
    await theApp().system.use((db) => charge(db, 'emailSend', { subject }))
    await expect(theApp().system.use((db) => charge(db, 'emailSend', { subject }))).rejects.toMatchObject({
      status: 429,
    })
  })
})
