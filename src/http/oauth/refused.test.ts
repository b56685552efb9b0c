import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { Browser, listening, register, TestApp, type TokenAnswer } from '../../test/oauth-client.ts'
import { asProduct } from '../../test/secrets.ts'
import { member, type Someone, theApp } from '../../test/world.ts'

/** The negative suite: whatever an app, a thief or another page tries, nobody gets in whom the person did not let in. */

const place = listening()

/** A call of the API with an app's token. */
const call = (
  token: string,
  { method = 'GET', path = '/api/customers', body = undefined as unknown, headers = {} } = {},
) =>
  fetch(place.url + path, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })

/** A page of our own says no, and the browser is not sent anywhere. */
async function expectStays(reply: Response, error: string) {
  expect([reply.status, reply.headers.get('location')]).toEqual([400, null])
  expect(await reply.text()).toContain(error)
}

const refusedGrant = { status: 400, error: 'invalid_grant' }

describe('the request of an app (THR-22)', () => {
  test.each([
    ['another path', 'https://lens.example/callback/more'],
    ['a query', 'https://lens.example/callback?x=1'],
    ['another host', 'https://lens.example.evil.test/callback'],
    ['another scheme', 'http://lens.example/callback'],
    ['a user name', 'https://lens.example@evil.test/callback'],
    ['another spelling', 'https://LENS.example/callback'],
    ['a script', 'javascript:alert(1)'],
  ])('a redirect to %s leads nowhere: no open redirect', async (_, redirect_uri) => {
    const [amy, app] = [await member('OWNER'), await TestApp.registered(place.url)]
    await expectStays(await new Browser(amy).open(app.request({ redirect_uri })), 'invalid_redirect_uri')
  })

  test('a missing redirect and an unknown app lead nowhere', async () => {
    const [amy, app] = [await member('OWNER'), await TestApp.registered(place.url)]
    await expectStays(await new Browser(amy).open(app.request({ redirect_uri: undefined })), 'redirect_uri')
    await expectStays(await new Browser(amy).open(app.request({ client_id: 'nobody' })), 'invalid_client')
  })

  test('a native app may listen on any port of this machine, and nowhere else', async () => {
    const amy = await member('OWNER')
    const app = await TestApp.registered(place.url, { redirect_uris: ['http://127.0.0.1/callback'] })
    const redirect_uri = 'http://127.0.0.1:49152/callback'
    const back = await new Browser(amy).authorize(app.request({ redirect_uri }))
    expect(back.host).toBe('127.0.0.1:49152')
    for (const other of ['http://127.0.0.1:49152/other', 'http://localhost:49152/callback', 'http://10.0.0.1/callback'])
      await expectStays(await new Browser(amy).open(app.request({ redirect_uri: other })), 'invalid_redirect_uri')
  })

  test.each([
    ['no challenge', { code_challenge: undefined }],
    ['a plain challenge', { code_challenge_method: 'plain' }],
    ['a challenge without its method', { code_challenge_method: undefined }],
    ['a token at once', { response_type: 'token' }],
    ['an answer in the fragment', { response_mode: 'fragment' }],
    ['another server’s resource', { resource: 'https://other.example/' }],
    ['no scope', { scope: undefined }],
    ['scopes that do not exist', { scope: '*:* admin openid' }],
    ['no questions', { prompt: 'none' }],
  ] as [string, Record<string, string | undefined>][])(
    '%s is refused without asking the person',
    async (_, changes) => {
      const [amy, app] = [await member('OWNER'), await TestApp.registered(place.url)]
      const reply = await new Browser(amy).open(app.request(changes))
      const location = new URL(reply.headers.get('location') ?? '')
      expect(location.href).toMatch(/^https:\/\/lens\.example\/callback[?#]/)
      const told = new URLSearchParams(location.search || location.hash.slice(1))
      expect(told.get('error')).toMatch(/^(invalid_|unsupported_|consent_required|unauthorized_)/)
      expect(told.get('code')).toBeNull()
    },
  )

  test('the answer names who gave it, so that servers cannot be mixed up, and gives the state back (THR-21)', async () => {
    const [amy, app] = [await member('OWNER'), await TestApp.registered(place.url)]
    for (const approve of [true, false]) {
      const back = await new Browser(amy).authorize(app.request(), { approve })
      expect(back.searchParams.get('iss')).toBe(place.url)
      expect(back.searchParams.get('state')).toBe('a state')
      expect(back.searchParams.has('code')).toBe(approve)
      expect(back.searchParams.get('error')).toBe(approve ? null : 'access_denied')
    }
  })

  test('addresses are those people use, whatever Host and proxies say (THR-09)', async () => {
    const [amy, app] = [await member('OWNER'), await TestApp.registered(place.url)]
    const cookie = 'cookie' in amy.credentials ? amy.credentials.cookie : ''
    const { pathname, search } = app.request()
    const headers = { host: 'evil.test', 'x-forwarded-host': 'evil.test', 'x-forwarded-proto': 'https', cookie }
    const reply = await place.app().server.inject({ url: pathname + search, headers })
    expect(reply.statusCode).toBe(303)
    expect(JSON.stringify(reply.headers)).not.toContain('evil')
    const [{ payload } = { payload: {} }] = await asProduct(
      "select payload from oauth_tokens where kind = 'Interaction' order by created_at desc limit 1",
    )
    expect(JSON.stringify(payload)).not.toContain('evil')
  })
})

describe('the consent page (WEB-3)', () => {
  test('it says who asks, for what and where the person goes, as text', async () => {
    const amy = await member('OWNER')
    const app = await TestApp.registered(place.url, { client_name: '<b>Kontor</b>\u202e\nSupport' })
    const browser = new Browser(amy)
    const page = await (await browser.open(await browser.ask(app.request()))).text()
    expect(page).toContain('<bdi>&lt;b&gt;Kontor&lt;/b&gt; Support</bdi>')
    expect(page).toContain('lens.example')
    expect(page).toContain('<bdi>customers</bdi><span>see and change</span>')
    expect(page).toContain(`value="${amy.organizationId}"`)
    expect(page).not.toContain('invoices')
    const hebrew = await (await browser.open(`${await browser.ask(app.request())}?lang=he`)).text()
    expect(hebrew).toContain('dir="rtl"')
    expect(hebrew).toContain('<bdi>לקוחות</bdi><span>לראות ולשנות</span>')
  })

  test('a stranger is sent to sign in, on this site', async () => {
    const app = await TestApp.registered(place.url)
    const browser = new Browser((await member('OWNER')) && ({ credentials: {} } as Someone))
    const reply = await browser.open(await browser.ask(app.request()))
    expect([reply.status, reply.headers.get('location')]).toEqual([303, expect.stringMatching(/^\/(?!\/)/)])
    expect((await browser.answer(await browser.ask(app.request()), { approve: true })).status).toBe(401)
  })

  test.each([
    ['from another site', { origin: 'https://evil.test' }],
    ['from a sibling site', { 'sec-fetch-site': 'same-site' }],
    ['from a page without an origin', { origin: 'null' }],
    ['as a form', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['as text', { 'content-type': 'text/plain' }],
  ])('an answer that comes %s is not taken', async (_, odd) => {
    const [amy, app] = [await member('OWNER'), await TestApp.registered(place.url)]
    const browser = new Browser(amy)
    const consent = await browser.ask(app.request())
    const body = JSON.stringify({ approve: true, organizationIds: [amy.organizationId] })
    const headers = { 'content-type': 'application/json', ...odd } as Record<string, string>
    expect((await browser.open(consent, { method: 'POST', body, headers })).status).toBe(403)
    expect((await amy.call('users_connected_apps')).apps).toEqual([])
  })

  test('a request that was begun in one browser cannot be answered in another', async () => {
    const [amy, eve, app] = [await member('OWNER'), await member('OWNER'), await TestApp.registered(place.url)]
    const consent = await new Browser(eve).ask(app.request())
    expect((await new Browser(amy).open(consent)).status).toBe(400)
    expect((await new Browser(amy).answer(consent, { approve: true })).status).toBe(404)
    const forged = new Browser(amy)
    forged.cookies.set('oauth-ask', consent.pathname.split('/').at(-1) ?? '')
    expect((await forged.answer(consent, { approve: true })).status).toBe(404)
  })

  test('nobody lets an app into an organization they do not belong to, or into none', async () => {
    const [amy, eve, app] = [await member('OWNER'), await member('OWNER'), await TestApp.registered(place.url)]
    for (const [organizationIds, status] of [
      [[eve.organizationId], 403],
      [[amy.organizationId, eve.organizationId], 403],
      [[], 400],
      [['nope'], 403],
    ] as const) {
      const browser = new Browser(amy)
      const answered = await browser.answer(await browser.ask(app.request()), {
        approve: true,
        organizationIds: [...organizationIds],
      })
      expect([organizationIds.length, answered.status]).toEqual([organizationIds.length, status])
    }
    expect((await amy.call('users_connected_apps')).apps).toEqual([])
  })

  test('a request is answered once', async () => {
    const [amy, app] = [await member('OWNER'), await TestApp.registered(place.url)]
    const browser = new Browser(amy)
    const consent = await browser.ask(app.request())
    expect((await browser.answer(consent, { approve: false })).status).toBe(200)
    expect((await browser.answer(consent, { approve: true })).status).toBe(409)
  })
})

describe('a code (THR-22)', () => {
  const wrong: [string, Record<string, string | undefined>][] = [
    ['another verifier', { code_verifier: 'x'.repeat(43) }],
    ['no verifier', { code_verifier: undefined }],
    ['another redirect', { redirect_uri: 'https://lens.example/other' }],
    ['another resource', { resource: 'https://other.example' }],
    ['a resource that was not asked for', { resource: 'MCP' }],
  ]
  test.each(wrong)('is worth nothing with %s', async (_, changes) => {
    const [amy, app] = [await member('OWNER'), await TestApp.registered(place.url)]
    const resource = changes.resource === 'MCP' ? { resource: `${place.url}/mcp` } : {}
    const answered = await app.exchange(await app.code(amy), { ...changes, ...resource })
    expect(answered).toMatchObject({ status: 400, error: expect.stringMatching(/^invalid_(grant|target)$/) })
    expect(answered.access_token).toBeUndefined()
  })

  test('is worth nothing to another app', async () => {
    const amy = await member('OWNER')
    const [app, other] = [await TestApp.registered(place.url), await TestApp.registered(place.url)]
    const code = await app.code(amy)
    expect(await other.exchange(code, { code_verifier: app.verifier })).toMatchObject(refusedGrant)
    expect((await app.exchange(code)).status).toBe(200)
  })

  test('is worth nothing a minute later, by the clock of the database', async () => {
    const [amy, app] = [await member('OWNER'), await TestApp.registered(place.url)]
    const code = await app.code(amy)
    await asProduct(
      "update oauth_tokens set expires_at = now() where kind = 'AuthorizationCode' and app_id in (select id from connected_apps where user_id = $1)",
      [amy.userId],
    )
    expect(await app.exchange(code)).toMatchObject(refusedGrant)
  })

  test('used twice ends the connection it made, and the trail says so', async () => {
    const [amy, app] = [await member('OWNER'), await TestApp.registered(place.url)]
    const code = await app.code(amy)
    const { access_token, refresh_token } = await app.exchange(code)
    expect((await call(access_token)).status).toBe(200)
    expect(await app.exchange(code)).toMatchObject(refusedGrant)
    expect((await call(access_token)).status).toBe(401)
    expect(await app.refresh(refresh_token)).toMatchObject(refusedGrant)
    expect((await amy.call('users_connected_apps')).apps).toEqual([])
    const trail = await asProduct("select client_id from audit_log where user_id = $1 and operation = 'oauth.reused'", [
      amy.userId,
    ])
    expect(trail).toEqual([{ client_id: app.id }])
  })

  test('sent twenty times at once is exchanged once', async () => {
    const [amy, app] = [await member('OWNER'), await TestApp.registered(place.url)]
    await expectOneWinner(await app.code(amy), (code) => app.exchange(code))
  })
})

/** Twenty at once: one gets tokens, and since the others show that it was known to somebody else, those are worth nothing. */
async function expectOneWinner(text: string | undefined, use: (text: string) => Promise<TokenAnswer>) {
  const answers = await Promise.all(Array.from({ length: 20 }, () => use(text ?? '')))
  const won = answers.filter(({ status }) => status === 200)
  expect(won).toHaveLength(1)
  for (const answer of answers) if (answer !== won[0]) expect(answer).toMatchObject(refusedGrant)
  expect((await call(won[0]?.access_token ?? '')).status).toBe(401)
}

describe('a refresh token (THR-22)', () => {
  test('is new each time, and an old one ends everything: whoever stole it included', async () => {
    const [amy, app] = [await member('OWNER'), await TestApp.registered(place.url)]
    const first = await app.connected(amy)
    const second = await app.refresh(first.refresh_token)
    expect(second.refresh_token).not.toBe(first.refresh_token)
    expect((await call(second.access_token)).status).toBe(200)
    expect(await app.refresh(first.refresh_token)).toMatchObject(refusedGrant)
    expect(await app.refresh(second.refresh_token)).toMatchObject(refusedGrant)
    expect((await call(second.access_token)).status).toBe(401)
  })

  test('sent twenty times at once is exchanged once', async () => {
    const [amy, app] = [await member('OWNER'), await TestApp.registered(place.url)]
    await expectOneWinner((await app.connected(amy)).refresh_token, (token) => app.refresh(token))
  })

  test('is worth nothing to another app', async () => {
    const amy = await member('OWNER')
    const [app, other] = [await TestApp.registered(place.url), await TestApp.registered(place.url)]
    const { refresh_token } = await app.connected(amy)
    expect(await other.refresh(refresh_token)).toMatchObject(refusedGrant)
    expect((await app.refresh(refresh_token)).status).toBe(200)
  })

  test('gives no scope that the person did not agree to, and no other resource', async () => {
    const [amy, app] = [await member('OWNER'), await TestApp.registered(place.url)]
    const { refresh_token } = await app.connected(amy, { scope: 'customers:read' })
    expect(await app.refresh(refresh_token, { scope: 'customers:read customers:write' })).toMatchObject({
      status: 400,
      error: 'invalid_scope',
    })
    expect(await app.refresh(refresh_token, { resource: `${place.url}/mcp` })).toMatchObject({
      status: 400,
      error: 'invalid_target',
    })
  })

  test('is not given to an app that did not register for it', async () => {
    const [amy, app] = [
      await member('OWNER'),
      await TestApp.registered(place.url, { grant_types: ['authorization_code'] }),
    ]
    const { access_token, refresh_token } = await app.connected(amy)
    expect((await call(access_token)).status).toBe(200)
    expect(refresh_token).toBeUndefined()
  })

  test('is worth nothing once its person is disabled', async () => {
    const [amy, app] = [await member('OWNER'), await TestApp.registered(place.url)]
    const { access_token, refresh_token } = await app.connected(amy)
    await asProduct('update users set disabled_at = now() where id = $1', [amy.userId])
    expect(await app.refresh(refresh_token)).toMatchObject(refusedGrant)
    expect((await call(access_token)).status).toBe(401)
  })
})

describe('an access token', () => {
  test('does what the person agreed to, where they agreed to it, and no more', async () => {
    const [amy, app] = [await member('OWNER'), await TestApp.registered(place.url)]
    const other = (await amy.call('organizations_create', { name: 'Second', country: 'SG' })).id
    const { access_token } = await app.connected(amy, { scope: 'customers:read' })
    expect((await call(access_token)).status).toBe(200)
    const body = { name: 'Globex', country: 'SG', organizationId: amy.organizationId }
    expect(await (await call(access_token, { method: 'POST', body })).json()).toMatchObject({
      error: { code: 'FORBIDDEN', details: [{ code: 'SCOPE' }] },
    })
    expect(await (await call(access_token, { path: '/api/bank-accounts' })).json()).toMatchObject({
      error: { details: [{ code: 'SCOPE' }] },
    })
    expect(await (await call(access_token, { path: `/api/customers?organizationId=${other}` })).json()).toMatchObject({
      error: { details: [{ code: 'ORGANIZATION' }] },
    })
  })

  test('of an app for several organizations lists them all, and none besides', async () => {
    const [amy, app] = [await member('OWNER'), await TestApp.registered(place.url)]
    const [second, third] = [
      await amy.call('organizations_create', { name: 'Second', country: 'SG' }),
      await amy.call('organizations_create', { name: 'Third', country: 'SG' }),
    ]
    const places = [amy.organizationId ?? '', second.id, third.id]
    for (const organizationId of places)
      await amy.call('customers_create', { organizationId, name: `of ${organizationId}`, country: 'SG' })
    const { access_token } = await app.connected(amy, { organizationIds: places.slice(0, 2) })
    const { customers } = (await (await call(access_token)).json()) as { customers: { name: string }[] }
    expect(customers.map(({ name }) => name).sort()).toEqual(
      places
        .slice(0, 2)
        .map((id) => `of ${id}`)
        .sort(),
    )
  })

  test('can do no more than its person’s role allows, as it is now (INV-21)', async () => {
    const [founder, app] = [await member('OWNER'), await TestApp.registered(place.url)]
    const amy = await member('CONTRIBUTOR', { of: founder })
    const { access_token } = await app.connected(amy)
    const make = () => call(access_token, { method: 'POST', body: { name: 'Globex', country: 'SG' } })
    expect((await make()).status).toBe(201)
    await asProduct("update memberships set role = 'VIEWER' where user_id = $1", [amy.userId])
    expect(await (await make()).json()).toMatchObject({ error: { details: [{ code: 'ROLE' }] } })
    await asProduct('delete from memberships where user_id = $1', [amy.userId])
    expect((await make()).status).toBe(400)
    const named = `/api/customers?organizationId=${amy.organizationId}`
    expect((await call(access_token, { path: named })).status).toBe(403)
  })

  test('has no effect on the very next request after its app was disconnected (INV-21)', async () => {
    const [amy, app] = [await member('OWNER'), await TestApp.registered(place.url)]
    const { access_token, refresh_token } = await app.connected(amy)
    expect((await call(access_token)).status).toBe(200)
    const [connected] = (await amy.call('users_connected_apps')).apps
    await amy.call('users_connected_app_revoke', { id: connected?.id ?? '' })
    const refused = await call(access_token)
    expect(refused.status).toBe(401)
    expect(refused.headers.get('www-authenticate')).toBe(
      `Bearer error="invalid_token", resource_metadata="${place.url}/.well-known/oauth-protected-resource"`,
    )
    expect(await app.refresh(refresh_token)).toMatchObject(refusedGrant)
  })

  test('ends after its time by the clock of the database', async () => {
    const [amy, app] = [await member('OWNER'), await TestApp.registered(place.url)]
    const { access_token } = await app.connected(amy)
    const [left] = await asProduct(
      "select round(extract(epoch from expires_at - now()) / 60)::int as minutes from oauth_tokens t where kind = 'AccessToken' and app_id in (select id from connected_apps where user_id = $1)",
      [amy.userId],
    )
    expect(left).toEqual({ minutes: 15 })
    await asProduct(
      "update oauth_tokens set expires_at = now() where kind = 'AccessToken' and app_id in (select id from connected_apps where user_id = $1)",
      [amy.userId],
    )
    expect((await call(access_token)).status).toBe(401)
  })

  test('is for this service: another address does not take it (THR-22)', async () => {
    const [amy, app] = [await member('OWNER'), await TestApp.registered(place.url)]
    const { access_token } = await app.connected(amy)
    const forTools = await app.connected(amy, { resource: `${place.url}/mcp` })
    expect((await call(forTools.access_token)).status).toBe(200)
    // The same database, served under another address.
    const elsewhere = await theApp().server.inject({
      url: '/api/customers',
      headers: { authorization: `Bearer ${access_token}` },
    })
    expect(elsewhere.statusCode).toBe(401)
  })

  test('in the address is not read', async () => {
    const [amy, app] = [await member('OWNER'), await TestApp.registered(place.url)]
    const { access_token } = await app.connected(amy)
    expect((await fetch(`${place.url}/api/customers?access_token=${access_token}`)).status).toBe(401)
  })

  test('is judged alone: a cookie beside a bad one opens nothing (WEB-2)', async () => {
    const amy = await member('OWNER')
    expect((await call('nonsense', { headers: { ...amy.credentials } })).status).toBe(401)
  })

  test('makes no keys and connects no apps', async () => {
    const [amy, app] = [await member('OWNER'), await TestApp.registered(place.url)]
    const { access_token } = await app.connected(amy, { scope: 'users:read users:write' })
    for (const [method, path] of [
      ['GET', '/api/users/me/connected-apps'],
      ['POST', '/api/api-keys'],
      ['GET', '/api/api-keys'],
    ] as const)
      expect(
        await (await call(access_token, { method, path, ...(method === 'POST' && { body: {} }) })).json(),
      ).toMatchObject({ error: { details: [{ code: 'SOURCE' }] } })
  })

  test('leaves its app’s name in the trail, and nothing secret (INV-20)', async () => {
    const [amy, app] = [await member('OWNER'), await TestApp.registered(place.url)]
    const code = await app.code(amy)
    const { access_token, refresh_token } = await app.exchange(code)
    await call(access_token, { method: 'POST', body: { name: 'Globex', country: 'SG' } })
    const [deed] = await asProduct(
      "select source, client_id, api_key_id from audit_log where operation = 'customers_create' and user_id = $1",
      [amy.userId],
    )
    expect(deed).toEqual({ source: 'OAUTH', client_id: app.id, api_key_id: null })
    const tables = ['oauth_tokens', 'oauth_clients', 'connected_apps', 'audit_log', 'idempotency_keys', 'events']
    for (const table of tables) {
      const [dump] = await asProduct(`select coalesce(string_agg(t::text, ' '), '') as text from ${table} t`)
      for (const secret of [code, access_token, refresh_token ?? '', app.verifier])
        expect(dump?.text).not.toContain(secret)
    }
  })

  test('of another app in the same name does not get its remembered answers, a newer one of the same app does (IDEM-2)', async () => {
    const amy = await member('OWNER')
    const [app, other] = [await TestApp.registered(place.url), await TestApp.registered(place.url)]
    const first = await app.connected(amy)
    const make = (token: string) =>
      call(token, { method: 'POST', body: { name: 'Globex', country: 'SG' }, headers: { 'idempotency-key': 'one' } })
    const made = (await (await make(first.access_token)).json()) as { id: string }
    const again = await make((await app.refresh(first.refresh_token)).access_token)
    expect([again.headers.get('idempotency-replayed'), ((await again.json()) as { id: string }).id]).toEqual([
      'true',
      made.id,
    ])
    const others = await make((await other.connected(amy)).access_token)
    expect([others.status, others.headers.get('idempotency-replayed')]).toEqual([201, null])
  })
})

describe('the token endpoint', () => {
  test('does not read cookies (WEB-2)', async () => {
    const [amy, app] = [await member('OWNER'), await TestApp.registered(place.url)]
    const cookie = 'cookie' in amy.credentials ? amy.credentials.cookie : ''
    expect(await app.exchange('nothing', {}, { cookie })).toMatchObject(refusedGrant)
    expect((await app.exchange(await app.code(amy), {}, { cookie: 'sid=garbage' })).status).toBe(200)
  })

  test.each(['password', 'client_credentials', 'implicit', 'urn:ietf:params:oauth:grant-type:device_code'])(
    'knows no %s',
    async (grant_type) => {
      const app = await TestApp.registered(place.url)
      expect(await app.post('/oauth/token', { grant_type, username: 'amy', password: 'x' })).toMatchObject({
        status: 400,
        error: 'unsupported_grant_type',
      })
    },
  )

  test('asks an app with a secret for it, and keeps its hash alone (SEC-1)', async () => {
    const amy = await member('OWNER')
    const app = await TestApp.registered(place.url, { token_endpoint_auth_method: 'client_secret_post' })
    const code = await app.code(amy)
    expect(await app.exchange(code)).toMatchObject({ status: 401, error: 'invalid_client' })
    expect(await app.exchange(code, { client_secret: 'wrong' })).toMatchObject({ status: 401, error: 'invalid_client' })
    const [row] = await asProduct(
      'select c::text as text, encode(secret_hash, $2) as hash from oauth_clients c where id = $1',
      [app.id, 'base64'],
    )
    expect(row?.text).not.toContain(app.secret)
    const hash = Buffer.from(String(row?.hash), 'base64').toString('base64url')
    expect(await app.exchange(code, { client_secret: hash })).toMatchObject({ status: 401 })
    expect((await app.exchange(code, { client_secret: app.secret })).status).toBe(200)
  })

  test('an app cannot revoke what is another’s', async () => {
    const amy = await member('OWNER')
    const [app, other] = [await TestApp.registered(place.url), await TestApp.registered(place.url)]
    const { access_token, refresh_token } = await app.connected(amy)
    for (const token of [access_token, refresh_token]) await other.post('/oauth/revoke', { token })
    expect((await call(access_token)).status).toBe(200)
  })
})

describe('registration', () => {
  const described = {
    client_name: 'Lens',
    redirect_uris: ['https://lens.example/cb'],
    token_endpoint_auth_method: 'none',
  }

  test.each([
    'javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', 'vbscript:x', 'blob:https://x', 'http://lens.example/cb', 'ftp://lens.example',
    'https://lens.example/cb#x', 'https://a:b@lens.example/cb', 'app:/cb', 'lens', '', 'https://', ' https://lens.example', 'https://lens.example\\@evil.test',
    'http://127.0.0.1.evil.test/', 'http://2130706433.example/', 'http://[::2]/',
  ])('%j is no place to send people to', async (uri) => {
    const reply = await register(place.url, { ...described, redirect_uris: ['https://lens.example/cb', uri] })
    expect([reply.status, await reply.json()]).toEqual([400, { error: 'invalid_redirect_uri', error_description: expect.any(String) }])
  }) // biome-ignore format: a table

  test.each([
    [{ redirect_uris: [] }, 'invalid_redirect_uri'],
    [{ redirect_uris: undefined }, 'invalid_redirect_uri'],
    [{ redirect_uris: 'https://lens.example/cb' }, 'invalid_client_metadata'],
    [{ redirect_uris: Array(21).fill('https://lens.example/cb') }, 'invalid_redirect_uri'],
    [{ token_endpoint_auth_method: 'private_key_jwt' }, 'invalid_client_metadata'],
    [{ grant_types: ['implicit'] }, 'invalid_client_metadata'],
    [{ response_types: ['token'] }, 'invalid_client_metadata'],
  ])('%j is refused', async (wrong, error) => {
    const reply = await register(place.url, { ...described, ...wrong })
    expect([reply.status, await reply.json()]).toMatchObject([400, { error }])
  })

  test('what is not understood is left out, and what is taken is told', async () => {
    const reply = await register(place.url, {
      ...described,
      jwks_uri: 'http://10.0.0.1/',
      sector_identifier_uri: 'http://10.0.0.1/',
      logo_uri: 'http://10.0.0.1/',
      client_id: 'mine',
      scope: '*:*',
    })
    expect(reply.status).toBe(201)
    expect(await reply.json()).toEqual({
      client_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      client_id_issued_at: expect.any(Number),
      client_name: 'Lens',
      redirect_uris: ['https://lens.example/cb'],
      grant_types: ['authorization_code'],
      response_types: ['code'],
      response_modes: ['query'],
      token_endpoint_auth_method: 'none',
      application_type: 'web',
    })
  })

  test('a broken body is refused in the words of the protocol', async () => {
    const reply = await fetch(`${place.url}/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{',
    })
    expect([reply.status, await reply.json()]).toEqual([
      400,
      { error: 'invalid_request', error_description: expect.any(String) },
    ])
  })
})

test('what was forgotten by the hour is what nobody needs any more', async () => {
  const [amy, app] = [await member('OWNER'), await TestApp.registered(place.url)]
  const { access_token } = await app.connected(amy)
  const app2 = await TestApp.registered(place.url)
  await asProduct("update oauth_clients set created_at = now() - interval '31 days' where id = any ($1)", [
    [app.id, app2.id],
  ])
  const { prune } = await import('../../worker/prune.ts')
  const tx = <T>(work: (context: never) => Promise<T>) =>
    theApp().system.use((_, connection) => work({ connection } as never))
  await prune.run({ tx, signal: new AbortController().signal } as never, {})
  expect((await call(access_token)).status).toBe(200)
  const kept = await theApp().system.use((db) =>
    sql<{ id: string }>`select id from oauth_clients where id = any (${[app.id, app2.id]})`.execute(db),
  )
  expect(kept.rows.map(({ id }) => id)).toEqual([app.id])
})
