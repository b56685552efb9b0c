import '../../test/own-world.ts'
import { availableParallelism } from 'node:os'
import { sql } from 'kysely'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { newId, sha256 } from '../../core/values/id.ts'
import { hashPassword } from '../../features/company/people/password.ts'
import { type App, createApp } from '../../program/app.ts'
import { member, person, send, testConfig, theApp, theDatabase } from '../../test/world.ts'

/** An API with the real rate limits, on this file's database. */
async function appWith(environment: Record<string, string>): Promise<App> {
  const app = await createApp(testConfig({ RATE_LIMIT_SCALE: '1', ...environment }), theDatabase())
  onTestFinished(() => app.close())
  return app
}

let addresses = 0
const newAddress = () => `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses++ & 255}`

type Sent = { body?: unknown; cookie?: string | undefined; address?: string; headers?: Record<string, string> }

async function call(app: App, route: string, { body, cookie, address = newAddress(), headers }: Sent = {}) {
  const [method, url] = route.split(' ') as ['GET' | 'POST', string]
  const answer = await app.server.inject({
    method,
    url,
    remoteAddress: address,
    headers: { ...(cookie && { cookie }), ...headers },
    ...(body !== undefined && { payload: body as object }),
  })
  return {
    status: answer.statusCode,
    body: answer.json(),
    headers: answer.headers,
    setCookie: [answer.headers['set-cookie'] ?? []].flat().join(),
    cookie: [answer.headers['set-cookie'] ?? []].flat()[0]?.split(';', 1)[0],
  }
}

const newcomer = () => ({ name: 'Amy', email: `${newId()}@example.test`, password: 'correct horse' })

async function signedUp(app = theApp()) {
  const who = newcomer()
  const answer = await call(app, 'POST /api/auth/sign-up', { body: who })
  expect(answer.status).toBe(201)
  return { ...who, cookie: answer.cookie }
}

describe('signing up', () => {
  test('makes an account, signs it in and answers with the person and their organizations', async () => {
    const who = newcomer()
    const answer = await call(theApp(), 'POST /api/auth/sign-up', { body: who })
    expect(answer).toMatchObject({
      status: 201,
      body: { user: { id: expect.any(String), name: 'Amy', email: who.email }, organizations: [] },
    })
    expect((await call(theApp(), 'GET /api/auth/session', { cookie: answer.cookie })).body).toEqual(answer.body)
  })

  test('stores the password as an argon2id hash of the agreed cost, and the session as a hash of its secret', async () => {
    const { email, password, cookie } = await signedUp()
    const { rows } = await theApp().system.use((db) =>
      sql<{
        user: string
        hash: string
        session: Buffer
      }>`select u::text as user, password_hash as hash, secret_hash as session
        from users u join sessions on user_id = u.id where email = ${email}`.execute(db),
    )
    expect(rows[0]?.hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(rows[0]?.user).not.toContain(password)
    expect(rows[0]?.session).toEqual(sha256(cookie?.split('=')[1] ?? ''))
  })

  test('trims the e-mail address, and refuses one that is taken in any case', async () => {
    const { email, password } = newcomer()
    const up = (address: string) =>
      call(theApp(), 'POST /api/auth/sign-up', { body: { name: 'Amy', email: address, password } })
    expect((await up(`  ${email} `)).body).toMatchObject({ user: { email } })
    for (const again of [email, email.toUpperCase(), ` ${email}`])
      expect(await up(again)).toMatchObject({
        status: 409,
        body: { error: { message: 'There is an account with that e-mail address already. Sign in instead.' } },
      })
  })

  test('ten requests at once with one address make one account', async () => {
    const body = newcomer()
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => call(theApp(), 'POST /api/auth/sign-up', { body })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(409)])
  })

  test.each([{ name: '' }, { name: undefined }, { email: 'x' }, { email: undefined }, { password: 'seven77' },
    { password: undefined }, { password: 'x'.repeat(501) }, { role: 'OWNER' }, { userId: 'x' }])(
    'refuses %j',
    async (wrong) => {
      const { status } = await call(theApp(), 'POST /api/auth/sign-up', { body: { ...newcomer(), ...wrong } })
      expect(status).toBe(400)
    },
  ) // biome-ignore format: a table

  test('is limited to fifty at once from one address', async () => {
    const app = await appWith({ RATE_LIMIT_SCALE: '0.04' })
    const up = () => call(app, 'POST /api/auth/sign-up', { body: newcomer(), address: '192.0.2.1' })
    expect([(await up()).status, (await up()).status]).toEqual([201, 201])
    expect(await up()).toMatchObject({ status: 429, headers: { 'retry-after': expect.stringMatching(/^\d+$/) } })
  })
})

describe('signing in', () => {
  test('answers like the session, with organizations and roles', async () => {
    const amy = await member('OWNER')
    const { email, password, cookie } = await signedUp()
    const { body } = await call(theApp(), 'GET /api/auth/session', { cookie })
    await theApp().system.use((db) =>
      db
        .insertInto('memberships')
        .values({ organizationId: amy.organizationId ?? '', userId: body.user.id, role: 'VIEWER' })
        .execute(),
    )
    const answer = await call(theApp(), 'POST /api/auth/sign-in', {
      body: { email: ` ${email.toUpperCase()} `, password },
    })
    expect(answer).toMatchObject({
      status: 200,
      body: {
        user: { id: body.user.id, name: 'Amy', email },
        organizations: [{ id: amy.organizationId, name: 'Acme', country: 'SG', currency: 'SGD', role: 'VIEWER' }],
      },
    })
    expect((await call(theApp(), 'GET /api/auth/session', { cookie: answer.cookie })).body).toEqual(answer.body)
  })

  test('refuses a wrong password, an unknown address and a disabled person alike', async () => {
    const [wrong, disabled] = [await signedUp(), await signedUp()]
    await theApp().system.use((db) =>
      db
        .updateTable('users')
        .set({ disabledAt: new Date().toISOString() })
        .where('email', '=', disabled.email)
        .execute(),
    )
    const answers = await Promise.all(
      [
        { email: wrong.email, password: 'wrong horse' },
        { email: 'nobody@example.test', password: 'wrong horse' },
        { email: disabled.email, password: disabled.password },
      ].map((body) => call(theApp(), 'POST /api/auth/sign-in', { body })),
    )
    for (const { status, body, setCookie } of answers) {
      expect({ status, setCookie, error: { ...body.error, requestId: '' } }).toEqual({
        status: 401,
        setCookie: '',
        error: {
          code: 'UNAUTHENTICATED',
          message: 'The e-mail address or the password is wrong.',
          details: [expect.objectContaining({ code: 'WRONG_CREDENTIALS' })],
          requestId: '',
        },
      })
    }
  })

  test('is not possible for an account without a password', async () => {
    const amy = await person()
    const email = `${amy.userId}@example.test`
    for (const password of ['', 'null', 'nobody has this password'])
      expect((await call(theApp(), 'POST /api/auth/sign-in', { body: { email, password } })).status).not.toBe(200)
  })

  test('works with capital letters outside ASCII', async () => {
    const who = { ...newcomer(), email: `İÉ${newId()}@x.test` }
    expect((await call(theApp(), 'POST /api/auth/sign-up', { body: who })).status).toBe(201)
    const { email, password } = who
    expect((await call(theApp(), 'POST /api/auth/sign-in', { body: { email, password } })).status).toBe(200)
  })

  test('makes a new secret each time, and ends the session that was sent along', async () => {
    const { email, password, cookie: first } = await signedUp()
    const again = await call(theApp(), 'POST /api/auth/sign-in', { body: { email, password }, cookie: first })
    expect(again.cookie).not.toBe(first)
    expect((await call(theApp(), 'GET /api/auth/session', { cookie: first })).status).toBe(401)
    const elsewhere = await call(theApp(), 'POST /api/auth/sign-in', { body: { email, password } })
    for (const { cookie } of [again, elsewhere])
      expect((await call(theApp(), 'GET /api/auth/session', { cookie })).status).toBe(200)
  })

  test('never takes a secret that the caller chose for the session (fixation)', async () => {
    const { email, password } = await signedUp()
    const { cookie } = await call(theApp(), 'POST /api/auth/sign-in', { body: { email, password }, cookie: 'sid=mine' })
    expect(cookie).toMatch(/^sid=[0-9A-Za-z]{43}$/)
    expect((await call(theApp(), 'GET /api/auth/session', { cookie: 'sid=mine' })).status).toBe(401)
  })

  test.each([
    [false, 7],
    [true, 30],
  ])('with remember %j makes a session of %i days', async (remember, days) => {
    const { email, password } = await signedUp()
    const { setCookie, cookie } = await call(theApp(), 'POST /api/auth/sign-in', {
      body: { email, password, remember },
    })
    const inDays = (at: string) => Math.round((Date.parse(at) - Date.now()) / 86_400_000)
    expect(inDays(/Expires=([^;]+)/.exec(setCookie)?.[1] ?? '')).toBe(days)
    const { body } = await call(theApp(), 'GET /api/auth/sessions', { cookie })
    expect(inDays(body.sessions.find(({ current }: { current: boolean }) => current).endsAt)).toBe(days)
  })

  test.each([
    ['http://127.0.0.1:3000', /^sid=[0-9A-Za-z]{43}; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/],
    [
      'https://books.example.com',
      /^__Host-sid=[0-9A-Za-z]{43}; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Lax$/,
    ],
  ])('sets the cookie attributes that fit %s', async (url, expected) => {
    const app = await appWith({ KONTOR_URL: url })
    const { setCookie, cookie } = await call(app, 'POST /api/auth/sign-up', { body: newcomer() })
    expect(setCookie).toMatch(expected)
    expect((await call(app, 'GET /api/auth/session', { cookie })).status).toBe(200)
    const otherName = cookie?.startsWith('sid') ? `__Host-${cookie}` : cookie?.replace('__Host-', '')
    expect((await call(app, 'GET /api/auth/session', { cookie: otherName })).status).toBe(401)
    const out = await call(app, 'POST /api/auth/sign-out', { cookie })
    expect(out.setCookie).toMatch(/^(__Host-)?sid=; Max-Age=0; Path=\/; Expires=Thu, 01 Jan 1970/)
  })
})

describe('failed sign-ins', () => {
  let app: App
  beforeAll(async () => {
    app = await createApp(testConfig({ RATE_LIMIT_SCALE: '1' }), theDatabase())
    return () => app.close()
  })
  const tryTo = (email: string, password: string, address = newAddress()) =>
    call(app, 'POST /api/auth/sign-in', { body: { email, password }, address })
  const tally = (answers: { status: number }[]) => {
    const counts: Record<number, number> = {}
    for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
    return counts
  }
  const waitS = ({ headers }: { headers: object }) => Number((headers as Record<string, string>)['retry-after'])

  test('five make the account wait, also with the right password, and Retry-After says how long', async () => {
    const { email, password } = await signedUp(app)
    for (let left = 5; left > 0; left--) expect((await tryTo(email, 'wrong horse')).status).toBe(401)
    const refused = await tryTo(email, password)
    expect(refused).toMatchObject({ status: 429, body: { error: { code: 'RATE_LIMIT' } } })
    expect(waitS(refused)).toBeOneOf([14, 15])
    await waited(`account:${email}`)
    expect((await tryTo(email, 'wrong horse')).status).toBe(401)
    expect(waitS(await tryTo(email, password))).toBeOneOf([29, 30])
    await waited(`account:${email}`)
    expect((await tryTo(email, password)).status).toBe(200)
    for (let left = 4; left > 0; left--) expect((await tryTo(email, 'wrong horse')).status).toBe(401)
    expect((await tryTo(email, password)).status).toBe(200)
  })

  /** Ends the wait of a subject. */
  const waited = (subject: string) =>
    theApp().system.use((db) =>
      sql`update sign_in_failures set blocked_until = now() - interval '1 second' where subject = ${subject}`.execute(
        db,
      ),
    )

  test('count for unknown addresses as for known ones', async () => {
    const email = `${newId()}@example.test`
    const answers = []
    for (let left = 6; left > 0; left--) answers.push(await tryTo(email, 'wrong horse'))
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 429])
  })

  test('are counted exactly: of twenty at once, five are tried', async () => {
    const { email } = await signedUp(app)
    const answers = await Promise.all(Array.from({ length: 20 }, () => tryTo(email, 'wrong horse')))
    expect(tally(answers)).toEqual({ 401: 5, 429: 15 })
    expect(tally(await Promise.all([tryTo(email.toUpperCase(), 'x'), tryTo(` ${email}`, 'x')]))).toEqual({ 429: 2 })
  })

  test('are limited to twenty per address over all accounts, and an IPv6 address counts as its network', async () => {
    const failures = async (from: (at: number) => string) => {
      const answers = []
      for (let at = 0; at < 22; at++) answers.push(await tryTo(`${newId()}@example.test`, 'wrong horse', from(at)))
      return answers.map(({ status }) => status)
    }
    const expected = [...Array(20).fill(401), 429, 429]
    expect(await failures(() => '192.0.2.20')).toEqual(expected)
    expect(await failures((at) => `2001:db8:0:20::${at + 1}`)).toEqual(expected)
    expect((await tryTo('nobody@example.test', 'x', '2001:db8:0:21::1')).status).toBe(401)
  })

  test('from an address that must wait do not count against the account', async () => {
    const { email, password } = await signedUp(app)
    const address = newAddress()
    for (let left = 20; left > 0; left--) await tryTo(`${newId()}@example.test`, 'wrong horse', address)
    for (let left = 6; left > 0; left--) expect((await tryTo(email, 'wrong horse', address)).status).toBe(429)
    expect((await tryTo(email, password)).status).toBe(200)
  })

  test('of an address stay counted after a success, which uncounts its own try only', async () => {
    const { email, password } = await signedUp(app)
    const address = newAddress()
    for (let left = 19; left > 0; left--) await tryTo(`${newId()}@example.test`, 'wrong horse', address)
    for (let left = 3; left > 0; left--) expect((await tryTo(email, password, address)).status).toBe(200)
    expect((await tryTo(`${newId()}@example.test`, 'wrong horse', address)).status).toBe(401)
    expect((await tryTo(email, password, address)).status).toBe(429)
  })

  test('are forgotten after a quarter of an hour', async () => {
    const { email } = await signedUp(app)
    for (let left = 4; left > 0; left--) await tryTo(email, 'wrong horse')
    await theApp().system.use((db) =>
      sql`update sign_in_failures set since = now() - interval '16 minutes' where subject = ${`account:${email}`}`.execute(
        db,
      ),
    )
    for (let left = 5; left > 0; left--) expect((await tryTo(email, 'wrong horse')).status).toBe(401)
    expect((await tryTo(email, 'wrong horse')).status).toBe(429)
  })

  test('do not include sign-ins that are refused because too many passwords are being checked', async () => {
    let busy = true
    const others = Array.from({ length: availableParallelism() + 20 }, async () => {
      while (busy) await hashPassword('correct horse').catch(() => new Promise((resolve) => setImmediate(resolve)))
    })
    const people = Array.from({ length: 5 }, () => `${newId()}@example.test`)
    const answers = await Promise.all(people.map((email) => tryTo(email, 'wrong horse')))
    busy = false
    await Promise.all(others)
    for (const answer of answers) expect([answer.status, waitS(answer)]).toEqual([429, 1])
    const { rows } = await theApp().system.use((db) =>
      sql<{ failures: number }>`select sum(failures) as failures from sign_in_failures
        where subject = any (${people.map((email) => `account:${email}`)}::text[])`.execute(db),
    )
    expect(rows[0]?.failures).toBe(0)
  })

  test('cannot be counted without their table, and then nobody can sign in (RATE: closed)', async () => {
    const { email, password } = await signedUp(app)
    await theApp().system.use((db) => sql`alter table sign_in_failures rename to elsewhere`.execute(db))
    try {
      expect((await tryTo(email, password)).status).toBe(500)
    } finally {
      await theApp().system.use((db) => sql`alter table elsewhere rename to sign_in_failures`.execute(db))
    }
    expect((await tryTo(email, password)).status).toBe(200)
  })
})

describe('a session', () => {
  test('that was signed out is refused at the next request', async () => {
    const { cookie } = await signedUp()
    const out = await call(theApp(), 'POST /api/auth/sign-out', { cookie })
    expect(out).toMatchObject({ status: 200, body: { success: true } })
    expect((await call(theApp(), 'GET /api/auth/session', { cookie })).status).toBe(401)
    expect((await call(theApp(), 'GET /api/organizations', { cookie })).status).toBe(401)
    expect((await call(theApp(), 'POST /api/auth/sign-out')).status).toBe(200)
  })

  test.each([
    ['idle for twelve hours', "last_seen_at = now() - interval '12 hours'", 401],
    ['idle for eleven', "last_seen_at = now() - interval '11 hours'", 200],
    ['past its end', "ends_at = now() - interval '1 second'", 401],
  ])('%s answers with the expected status', async (_, change, status) => {
    const { cookie, email } = await signedUp()
    await theApp().system.use((db) =>
      sql`update sessions set ${sql.raw(change)} where user_id = (select id from users where email = ${email})`.execute(
        db,
      ),
    )
    for (const route of ['GET /api/auth/session', 'GET /api/auth/sessions', 'GET /api/organizations'])
      expect((await call(theApp(), route, { cookie })).status).toBe(status)
  })

  test('stays active through calls of any kind', async () => {
    const { cookie, email } = await signedUp()
    for (const route of ['GET /api/auth/session', 'GET /api/organizations', 'GET /api/api-keys']) {
      await theApp().system.use((db) =>
        sql`update sessions set last_seen_at = now() - interval '11 hours' where user_id = (select id from users where email = ${email})`.execute(
          db,
        ),
      )
      await call(theApp(), route, { cookie })
      await call(theApp(), 'GET /api/api-keys', { cookie: (await signedUp()).cookie }) // which writes the buffered usage
      const { body } = await call(theApp(), 'GET /api/auth/sessions', { cookie })
      expect(Date.now() - Date.parse(body.sessions[0].lastSeenAt)).toBeLessThan(60_000)
    }
  })

  test('of a disabled person is refused', async () => {
    const { cookie, email } = await signedUp()
    await theApp().system.use((db) =>
      db.updateTable('users').set({ disabledAt: new Date().toISOString() }).where('email', '=', email).execute(),
    )
    expect((await call(theApp(), 'GET /api/auth/session', { cookie })).status).toBe(401)
    expect((await call(theApp(), 'GET /api/organizations', { cookie })).status).toBe(401)
  })

  test('is listed with its origin, and can be ended from another session', async () => {
    const { email, password, cookie } = await signedUp()
    const there = await call(theApp(), 'POST /api/auth/sign-in', {
      body: { email, password },
      address: '192.0.2.7',
      headers: { 'user-agent': 'x'.repeat(400) },
    })
    const { body } = await call(theApp(), 'GET /api/auth/sessions', { cookie })
    expect(body.sessions).toHaveLength(2)
    const instant = expect.stringMatching(/Z$/)
    const other = body.sessions.find(({ current }: { current: boolean }) => !current)
    expect(other).toEqual({
      id: expect.any(String),
      current: false,
      signedInAt: instant,
      lastSeenAt: instant,
      endsAt: instant,
      userAgent: 'x'.repeat(300),
      address: '192.0.2.7',
    })
    const stranger = await signedUp()
    for (const id of [other.id, 'nope', newId()])
      expect((await call(theApp(), `DELETE /api/auth/sessions/${id}`, { cookie: stranger.cookie })).status).toBe(404)
    expect((await call(theApp(), 'GET /api/auth/session', { cookie: there.cookie })).status).toBe(200)
    expect(await call(theApp(), `DELETE /api/auth/sessions/${other.id}`, { cookie })).toMatchObject({
      status: 200,
      body: { success: true },
    })
    expect((await call(theApp(), 'GET /api/auth/session', { cookie: there.cookie })).status).toBe(401)
    expect((await call(theApp(), 'GET /api/auth/session', { cookie })).status).toBe(200)
  })

  test('needs a cookie, and requests without one are counted by address', async () => {
    const app = await appWith({ RATE_LIMIT_SCALE: '0.02' })
    const ask = () => call(app, 'GET /api/auth/session', { address: '192.0.2.9' })
    const statuses = [await ask(), await ask(), await ask(), await ask(), await ask()].map(({ status }) => status)
    expect(statuses).toEqual([401, 401, 401, 401, 429])
    expect((await send({ method: 'GET', url: '/api/auth/sessions' })).status).toBe(401)
  })
})
