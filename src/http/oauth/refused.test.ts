import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { Browser, listening, register, TestApp, type TokenAnswer } from '../../test/oauth-client.ts'
import { asProduct } from '../../test/secrets.ts'
import { member, type Someone, theApp } from '../../test/world.ts'

/** Attacks by apps, thieves of tokens and foreign pages. Each test also sends the unaltered request, which must succeed. */

const server = listening()

/** Calls the API with the token of an app. */
const call = (
  token: string,
  { method = 'GET', path = '/api/customers', body = undefined as unknown, headers = {} } = {},
) =>
  fetch(server.url + path, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })

/** Our own page shows the error, and the browser is not redirected. */
async function expectStays(reply: Response, error: string) {
  expect([reply.status, reply.headers.get('location')]).toEqual([400, null])
  expect(await reply.text()).toContain(error)
}

const refusedGrant = { status: 400, error: 'invalid_grant' }

/** The unaltered request of the app leads to the consent page. */
const expectConsentPage = async (someone: Someone, app: TestApp, changes = {}) =>
  expect((await new Browser(someone).ask(app.request(changes))).pathname).toMatch(/^\/oauth\/consent\//)

describe('the request of an app (THR-22)', () => {
  test.each([
    ['another path', 'https://lens.example/callback/more'],
    ['a query', 'https://lens.example/callback?x=1'],
    ['another host', 'https://lens.example.evil.test/callback'],
    ['another scheme', 'http://lens.example/callback'],
    ['a user name', 'https://lens.example@evil.test/callback'],
    ['another spelling', 'https://LENS.example/callback'],
    ['a script', 'javascript:alert(1)'],
  ])('with a redirect URI that has %s is refused without a redirect', async (_, redirect_uri) => {
    const [amy, app] = [await member('OWNER'), await TestApp.registered(server.url)]
    await expectConsentPage(amy, app)
    await expectStays(await new Browser(amy).open(app.request({ redirect_uri })), 'invalid_redirect_uri')
  })

  test('without a redirect URI or from an unknown app is refused without a redirect', async () => {
    const [amy, app] = [await member('OWNER'), await TestApp.registered(server.url)]
    await expectConsentPage(amy, app)
    await expectStays(await new Browser(amy).open(app.request({ redirect_uri: undefined })), 'redirect_uri')
    await expectStays(await new Browser(amy).open(app.request({ client_id: 'nobody' })), 'invalid_client')
  })

  test('from a native app may redirect to any port of the loopback address, and to no other address', async () => {
    const amy = await member('OWNER')
    const app = await TestApp.registered(server.url, { redirect_uris: ['http://127.0.0.1/callback'] })
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
    ['a token instead of a code', { response_type: 'token' }],
    ['an answer in the fragment', { response_mode: 'fragment' }],
    ['another server’s resource', { resource: 'https://other.example/' }],
    ['no scope', { scope: undefined }],
    ['scopes that do not exist', { scope: '*:* admin openid' }],
    ['no consent page', { prompt: 'none' }],
  ] as [string, Record<string, string | undefined>][])(
    'with %s is refused without asking the person',
    async (_, changes) => {
      const [amy, app] = [await member('OWNER'), await TestApp.registered(server.url)]
      await expectConsentPage(amy, app)
      const reply = await new Browser(amy).open(app.request(changes))
      const location = new URL(reply.headers.get('location') ?? '')
      expect(location.href).toMatch(/^https:\/\/lens\.example\/callback[?#]/)
      const parameters = new URLSearchParams(location.search || location.hash.slice(1))
      expect(parameters.get('error')).toMatch(/^(invalid_|unsupported_|consent_required|unauthorized_)/)
      expect(parameters.get('code')).toBeNull()
    },
  )

  test('is answered with the issuer, against mix-up attacks, and with the state of the app (THR-21)', async () => {
    const [amy, app] = [await member('OWNER'), await TestApp.registered(server.url)]
    for (const approve of [true, false]) {
      const back = await new Browser(amy).authorize(app.request(), { approve })
      expect(back.searchParams.get('iss')).toBe(server.url)
      expect(back.searchParams.get('state')).toBe('a state')
      expect(back.searchParams.has('code')).toBe(approve)
      expect(back.searchParams.get('error')).toBe(approve ? null : 'access_denied')
    }
  })

  test('leads to URLs of the configured host, whatever the Host and proxy headers are (THR-09)', async () => {
    const [amy, app] = [await member('OWNER'), await TestApp.registered(server.url)]
    const cookie = 'cookie' in amy.credentials ? amy.credentials.cookie : ''
    const { pathname, search } = app.request()
    const headers = { host: 'evil.test', 'x-forwarded-host': 'evil.test', 'x-forwarded-proto': 'https', cookie }
    const reply = await server.app().server.inject({ url: pathname + search, headers })
    expect(reply.statusCode).toBe(303)
    expect(JSON.stringify(reply.headers)).not.toContain('evil')
    const [{ payload } = { payload: {} }] = await asProduct(
      "select payload from oauth_tokens where kind = 'Interaction' order by created_at desc limit 1",
    )
    expect(JSON.stringify(payload)).not.toContain('evil')
  })
})

describe('the consent page (WEB-3)', () => {
  test('shows the app, its scopes and the redirect host as text', async () => {
    const amy = await member('OWNER')
    const app = await TestApp.registered(server.url, { client_name: '<b>Kontor</b>\u202e\nSupport' })
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

  test('sends a signed-out person to the sign-in page of this server, and accepts no decision', async () => {
    const app = await TestApp.registered(server.url)
    const amy = await member('OWNER')
    const browser = new Browser({ credentials: {} } as Someone)
    const consent = await browser.ask(app.request())
    const reply = await browser.open(consent)
    expect([reply.status, reply.headers.get('location')]).toEqual([303, expect.stringMatching(/^\/sign-in\?/)])
    const organizationIds = [amy.organizationId]
    expect((await browser.answer(consent, { approve: true, organizationIds })).status).toBe(401)
    const signedIn = new Browser(amy)
    for (const [name, value] of browser.cookies) signedIn.cookies.set(name, value)
    expect((await signedIn.answer(consent, { approve: true, organizationIds })).status).toBe(200)
  })

  test.each([
    ['from another site', { origin: 'https://evil.test' }],
    ['from another subdomain', { 'sec-fetch-site': 'same-site' }],
    ['from an opaque origin', { origin: 'null' }],
    ['as a form', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['as text', { 'content-type': 'text/plain' }],
  ])('refuses a decision sent %s', async (_, changed) => {
    const [amy, app] = [await member('OWNER'), await TestApp.registered(server.url)]
    const browser = new Browser(amy)
    const consent = await browser.ask(app.request())
    const body = JSON.stringify({ approve: true, organizationIds: [amy.organizationId] })
    const headers = { 'content-type': 'application/json', ...changed } as Record<string, string>
    expect((await browser.open(consent, { method: 'POST', body, headers })).status).toBe(403)
    expect((await amy.call('users_connected_apps')).apps).toEqual([])
    expect((await browser.answer(consent, { approve: true })).status).toBe(200)
    expect((await amy.call('users_connected_apps')).apps).toHaveLength(1)
  })

  test('of a request that was started in one browser cannot be answered in another', async () => {
    const [amy, eve, app] = [await member('OWNER'), await member('OWNER'), await TestApp.registered(server.url)]
    const started = new Browser(eve)
    const consent = await started.ask(app.request())
    expect((await started.open(consent)).status).toBe(200)
    expect((await new Browser(amy).open(consent)).status).toBe(400)
    expect((await new Browser(amy).answer(consent, { approve: true })).status).toBe(404)
    const forged = new Browser(amy)
    forged.cookies.set('oauth-ask', consent.pathname.split('/').at(-1) ?? '')
    expect((await forged.answer(consent, { approve: true })).status).toBe(404)
    expect((await started.answer(consent, { approve: true })).status).toBe(200)
  })

  test('grants access only to organizations of the person, and to at least one', async () => {
    const [amy, eve, app] = [await member('OWNER'), await member('OWNER'), await TestApp.registered(server.url)]
    for (const [organizationIds, status] of [
      [[eve.organizationId], 403],
      [[amy.organizationId, eve.organizationId], 403],
      [[], 400],
      [['nope'], 403],
      [[amy.organizationId], 200],
    ] as const) {
      expect((await amy.call('users_connected_apps')).apps).toEqual([])
      const browser = new Browser(amy)
      const answered = await browser.answer(await browser.ask(app.request()), {
        approve: true,
        organizationIds: [...organizationIds],
      })
      expect([organizationIds, answered.status]).toEqual([organizationIds, status])
    }
    expect((await amy.call('users_connected_apps')).apps).toHaveLength(1)
  })

  test('accepts one decision per request', async () => {
    const [amy, app] = [await member('OWNER'), await TestApp.registered(server.url)]
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
    ['a resource that was not requested', { resource: 'MCP' }],
  ]
  test.each(wrong)('is refused with %s', async (_, changes) => {
    const [amy, app] = [await member('OWNER'), await TestApp.registered(server.url)]
    expect((await app.exchange(await app.code(amy))).status).toBe(200)
    const resource = changes.resource === 'MCP' ? { resource: `${server.url}/mcp` } : {}
    const answered = await app.exchange(await app.code(amy), { ...changes, ...resource })
    expect(answered).toMatchObject({ status: 400, error: expect.stringMatching(/^invalid_(grant|target)$/) })
    expect(answered.access_token).toBeUndefined()
  })

  test('is refused from another app', async () => {
    const amy = await member('OWNER')
    const [app, other] = [await TestApp.registered(server.url), await TestApp.registered(server.url)]
    const code = await app.code(amy)
    expect(await other.exchange(code, { code_verifier: app.verifier })).toMatchObject(refusedGrant)
    expect((await app.exchange(code)).status).toBe(200)
  })

  test('expires by the clock of the database', async () => {
    const [amy, app] = [await member('OWNER'), await TestApp.registered(server.url)]
    expect((await app.exchange(await app.code(amy))).status).toBe(200)
    const code = await app.code(amy)
    await asProduct(
      "update oauth_tokens set expires_at = now() where kind = 'AuthorizationCode' and app_id in (select id from connected_apps where user_id = $1)",
      [amy.userId],
    )
    expect(await app.exchange(code)).toMatchObject(refusedGrant)
  })

  test('used twice ends the connection, and the audit log records it', async () => {
    const [amy, app] = [await member('OWNER'), await TestApp.registered(server.url)]
    const code = await app.code(amy)
    const { access_token, refresh_token } = await app.exchange(code)
    expect((await call(access_token)).status).toBe(200)
    expect(await app.exchange(code)).toMatchObject(refusedGrant)
    expect((await call(access_token)).status).toBe(401)
    expect(await app.refresh(refresh_token)).toMatchObject(refusedGrant)
    expect((await amy.call('users_connected_apps')).apps).toEqual([])
    const entries = await asProduct(
      "select client_id from audit_log where user_id = $1 and operation = 'oauth.reused'",
      [amy.userId],
    )
    expect(entries).toEqual([{ client_id: app.id }])
  })

  test('sent twenty times at once is exchanged once', async () => {
    const [amy, app] = [await member('OWNER'), await TestApp.registered(server.url)]
    await expectOneWinner(await app.code(amy), (code) => app.exchange(code))
  })
})

/** Of twenty concurrent uses one gets tokens. The others show that the secret leaked, so these tokens are revoked too. */
async function expectOneWinner(text: string | undefined, use: (text: string) => Promise<TokenAnswer>) {
  const answers = await Promise.all(Array.from({ length: 20 }, () => use(text ?? '')))
  const won = answers.filter(({ status }) => status === 200)
  expect(won).toHaveLength(1)
  for (const answer of answers) if (answer !== won[0]) expect(answer).toMatchObject(refusedGrant)
  expect((await call(won[0]?.access_token ?? '')).status).toBe(401)
}

describe('a refresh token (THR-22)', () => {
  test('is replaced at each use, and the use of an old one ends the connection for everybody', async () => {
    const [amy, app] = [await member('OWNER'), await TestApp.registered(server.url)]
    const first = await app.connected(amy)
    const second = await app.refresh(first.refresh_token)
    expect(second.refresh_token).not.toBe(first.refresh_token)
    expect((await call(second.access_token)).status).toBe(200)
    expect(await app.refresh(first.refresh_token)).toMatchObject(refusedGrant)
    expect(await app.refresh(second.refresh_token)).toMatchObject(refusedGrant)
    expect((await call(second.access_token)).status).toBe(401)
  })

  test('sent twenty times at once is exchanged once', async () => {
    const [amy, app] = [await member('OWNER'), await TestApp.registered(server.url)]
    await expectOneWinner((await app.connected(amy)).refresh_token, (token) => app.refresh(token))
  })

  test('is refused from another app', async () => {
    const amy = await member('OWNER')
    const [app, other] = [await TestApp.registered(server.url), await TestApp.registered(server.url)]
    const { refresh_token } = await app.connected(amy)
    expect(await other.refresh(refresh_token)).toMatchObject(refusedGrant)
    expect((await app.refresh(refresh_token)).status).toBe(200)
  })

  test('gives no scope or resource that the person did not approve', async () => {
    const [amy, app] = [await member('OWNER'), await TestApp.registered(server.url)]
    const refreshed = async (changes: Record<string, string> = {}) => {
      const { refresh_token } = await app.connected(amy, { scope: 'customers:read' })
      return app.refresh(refresh_token, changes)
    }
    expect(await refreshed()).toMatchObject({ status: 200, scope: 'customers:read' })
    const wider = { scope: 'customers:read customers:write' }
    expect(await refreshed(wider)).toMatchObject({ status: 400, error: 'invalid_scope' })
    const elsewhere = { resource: `${server.url}/mcp` }
    expect(await refreshed(elsewhere)).toMatchObject({ status: 400, error: 'invalid_target' })
  })

  test.each<[string, Record<string, string>, string]>([
    ['a resource that was not approved', { resource: '/mcp' }, 'invalid_target'],
    ['a resource of another server', { resource: 'https://other.example/' }, 'invalid_target'],
    ['a scope that was not approved', { scope: 'customers:read customers:write' }, 'invalid_scope'],
  ])('is not used up by a refused request for %s', async (_, { resource, scope }, error) => {
    const [amy, app] = [await member('OWNER'), await TestApp.registered(server.url)]
    const first = await app.connected(amy, { scope: 'customers:read' })
    const { status, access_token, refresh_token } = await app.refresh(first.refresh_token)
    expect([status, (await call(access_token)).status]).toEqual([200, 200])
    const wrong = { ...(scope && { scope }), ...(resource && { resource: new URL(resource, server.url).href }) }
    expect(await app.refresh(refresh_token, wrong)).toMatchObject({ status: 400, error })
    const again = await app.refresh(refresh_token)
    expect([again.status, (await call(again.access_token)).status]).toEqual([200, 200])
  })

  test('for two resources is not used up by a request that names neither', async () => {
    const [amy, app] = [await member('OWNER'), await TestApp.registered(server.url)]
    const resource = [server.url, `${server.url}/mcp`]
    const code = await app.code(amy, { resource })
    const { refresh_token } = await app.exchange(code, { resource: server.url })
    expect(await app.refresh(refresh_token)).toMatchObject({ status: 400, error: 'invalid_target' })
    const named = await app.refresh(refresh_token, { resource: server.url })
    expect([named.status, (await call(named.access_token)).status]).toEqual([200, 200])
  })

  test('is not issued to an app that did not register for it', async () => {
    const [amy, app] = [
      await member('OWNER'),
      await TestApp.registered(server.url, { grant_types: ['authorization_code'] }),
    ]
    const { access_token, refresh_token } = await app.connected(amy)
    expect((await call(access_token)).status).toBe(200)
    expect(refresh_token).toBeUndefined()
  })

  test('is refused after its person was disabled', async () => {
    const [amy, app] = [await member('OWNER'), await TestApp.registered(server.url)]
    const first = await app.connected(amy)
    const { status, access_token, refresh_token } = await app.refresh(first.refresh_token)
    expect([status, (await call(access_token)).status]).toEqual([200, 200])
    await asProduct('update users set disabled_at = now() where id = $1', [amy.userId])
    expect(await app.refresh(refresh_token)).toMatchObject(refusedGrant)
    expect((await call(access_token)).status).toBe(401)
  })
})

describe('an access token', () => {
  test('is limited to the scopes and organizations that the person approved', async () => {
    const [amy, app] = [await member('OWNER'), await TestApp.registered(server.url)]
    const other = (await amy.call('organizations_create', { name: 'Second', country: 'SG' })).id
    const body = { name: 'Globex', country: 'SG', organizationId: amy.organizationId }
    const requests = [
      { request: { method: 'POST', body }, status: 201, refusal: { code: 'FORBIDDEN', details: [{ code: 'SCOPE' }] } },
      { request: { path: '/api/bank-accounts' }, status: 200, refusal: { details: [{ code: 'SCOPE' }] } },
      {
        request: { path: `/api/customers?organizationId=${other}` },
        status: 200,
        refusal: { details: [{ code: 'ORGANIZATION' }] },
      },
    ]
    const wide = await app.connected(amy, {
      scope: 'customers:read customers:write bank_accounts:read',
      organizationIds: [String(amy.organizationId), other],
    })
    const narrow = await app.connected(amy, { scope: 'customers:read' })
    expect((await call(narrow.access_token)).status).toBe(200)
    for (const { request, status, refusal } of requests) {
      expect((await call(wide.access_token, request)).status).toBe(status)
      expect(await (await call(narrow.access_token, request)).json()).toMatchObject({ error: refusal })
    }
  })

  test('for several organizations lists the objects of these and of no others', async () => {
    const [amy, app] = [await member('OWNER'), await TestApp.registered(server.url)]
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

  test('is limited to the current role of its person (INV-21)', async () => {
    const [founder, app] = [await member('OWNER'), await TestApp.registered(server.url)]
    const amy = await member('CONTRIBUTOR', { of: founder })
    const { access_token } = await app.connected(amy)
    const make = () => call(access_token, { method: 'POST', body: { name: 'Globex', country: 'SG' } })
    expect((await make()).status).toBe(201)
    const named = `/api/customers?organizationId=${amy.organizationId}`
    expect((await call(access_token, { path: named })).status).toBe(200)
    await asProduct("update memberships set role = 'VIEWER' where user_id = $1", [amy.userId])
    expect(await (await make()).json()).toMatchObject({ error: { details: [{ code: 'ROLE' }] } })
    await asProduct('delete from memberships where user_id = $1', [amy.userId])
    expect((await make()).status).toBe(400)
    expect((await call(access_token, { path: named })).status).toBe(403)
  })

  test('is refused at the next request after its app was disconnected (INV-21)', async () => {
    const [amy, app] = [await member('OWNER'), await TestApp.registered(server.url)]
    const first = await app.connected(amy)
    const { access_token, refresh_token } = await app.refresh(first.refresh_token)
    expect((await call(access_token)).status).toBe(200)
    const [connected] = (await amy.call('users_connected_apps')).apps
    await amy.call('users_connected_app_revoke', { id: connected?.id ?? '' })
    const refused = await call(access_token)
    expect(refused.status).toBe(401)
    expect(refused.headers.get('www-authenticate')).toBe(
      `Bearer error="invalid_token", resource_metadata="${server.url}/.well-known/oauth-protected-resource"`,
    )
    expect(await app.refresh(refresh_token)).toMatchObject(refusedGrant)
  })

  test('expires after 15 minutes by the clock of the database', async () => {
    const [amy, app] = [await member('OWNER'), await TestApp.registered(server.url)]
    const { access_token } = await app.connected(amy)
    const [left] = await asProduct(
      "select round(extract(epoch from expires_at - now()) / 60)::int as minutes from oauth_tokens t where kind = 'AccessToken' and app_id in (select id from connected_apps where user_id = $1)",
      [amy.userId],
    )
    expect(left).toEqual({ minutes: 15 })
    expect((await call(access_token)).status).toBe(200)
    await asProduct(
      "update oauth_tokens set expires_at = now() where kind = 'AccessToken' and app_id in (select id from connected_apps where user_id = $1)",
      [amy.userId],
    )
    expect((await call(access_token)).status).toBe(401)
  })

  test('is valid for this server only: the same database under another URL refuses it (THR-22)', async () => {
    const [amy, app] = [await member('OWNER'), await TestApp.registered(server.url)]
    const { access_token } = await app.connected(amy)
    const forTools = await app.connected(amy, { resource: `${server.url}/mcp` })
    for (const token of [access_token, forTools.access_token]) {
      expect((await call(token)).status).toBe(200)
      const headers = { authorization: `Bearer ${token}` }
      expect((await theApp().server.inject({ url: '/api/customers', headers })).statusCode).toBe(401)
    }
    const headers = { ...amy.credentials }
    expect((await theApp().server.inject({ url: '/api/customers', headers })).statusCode).toBe(200)
  })

  test('in the query is ignored', async () => {
    const [amy, app] = [await member('OWNER'), await TestApp.registered(server.url)]
    const { access_token } = await app.connected(amy)
    expect((await call(access_token)).status).toBe(200)
    expect((await fetch(`${server.url}/api/customers?access_token=${access_token}`)).status).toBe(401)
  })

  test('that is invalid is refused even with a valid cookie beside it (WEB-2)', async () => {
    const amy = await member('OWNER')
    expect((await fetch(`${server.url}/api/customers`, { headers: { ...amy.credentials } })).status).toBe(200)
    expect((await call('nonsense', { headers: { ...amy.credentials } })).status).toBe(401)
  })

  test('cannot read or create API keys or read connected apps, which a session can', async () => {
    const [amy, app] = [await member('OWNER'), await TestApp.registered(server.url)]
    const { access_token } = await app.connected(amy, { scope: 'users:read users:write' })
    const body = { name: 'Books', scopes: ['*:*'], allOrgs: true }
    for (const { status, path, ...request } of [
      { status: 200, path: '/api/users/me/connected-apps' },
      { status: 201, path: '/api/api-keys', method: 'POST', body },
      { status: 200, path: '/api/api-keys' },
    ]) {
      const init = 'body' in request ? { method: 'POST', body: JSON.stringify(body) } : {}
      const headers = { ...amy.credentials, ...('body' in request && { 'content-type': 'application/json' }) }
      expect((await fetch(server.url + path, { ...init, headers })).status).toBe(status)
      expect(await (await call(access_token, { path, ...request })).json()).toMatchObject({
        error: { details: [{ code: 'SOURCE' }] },
      })
    }
  })

  test('appears in the audit log as its app, and no secret is stored (INV-20)', async () => {
    const [amy, app] = [await member('OWNER'), await TestApp.registered(server.url)]
    const code = await app.code(amy)
    const { access_token, refresh_token } = await app.exchange(code)
    const created = await call(access_token, { method: 'POST', body: { name: 'Globex', country: 'SG' } })
    expect(created.status).toBe(201)
    const [entry] = await asProduct(
      "select source, client_id, api_key_id from audit_log where operation = 'customers_create' and user_id = $1",
      [amy.userId],
    )
    expect(entry).toEqual({ source: 'OAUTH', client_id: app.id, api_key_id: null })
    const tables = ['oauth_tokens', 'oauth_clients', 'connected_apps', 'audit_log', 'idempotency_keys', 'events']
    for (const table of tables) {
      const [dump] = await asProduct(`select coalesce(string_agg(t::text, ' '), '') as text from ${table} t`)
      if (table !== 'idempotency_keys') expect([table, dump?.text]).not.toEqual([table, ''])
      for (const secret of [code, access_token, refresh_token ?? '', app.verifier])
        expect(dump?.text).not.toContain(secret)
    }
  })

  test('replays idempotent answers to newer tokens of the same app, and not to another app of the same person (IDEM-2)', async () => {
    const amy = await member('OWNER')
    const [app, other] = [await TestApp.registered(server.url), await TestApp.registered(server.url)]
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
  test('ignores cookies: a valid one does not help, an invalid one does no harm (WEB-2)', async () => {
    const [amy, app] = [await member('OWNER'), await TestApp.registered(server.url)]
    const cookie = 'cookie' in amy.credentials ? amy.credentials.cookie : ''
    const code = await app.code(amy)
    expect(await app.exchange(code, { code_verifier: undefined }, { cookie })).toMatchObject(refusedGrant)
    expect((await app.exchange(await app.code(amy), {}, { cookie: 'sid=garbage' })).status).toBe(200)
  })

  test.each(['password', 'client_credentials', 'implicit', 'urn:ietf:params:oauth:grant-type:device_code'])(
    'does not support the grant type %s',
    async (grant_type) => {
      const app = await TestApp.registered(server.url)
      expect((await app.connected(await member('OWNER'))).status).toBe(200)
      expect(await app.post('/oauth/token', { grant_type, username: 'amy', password: 'x' })).toMatchObject({
        status: 400,
        error: 'unsupported_grant_type',
      })
    },
  )

  test('requires the secret of an app that has one, and stores only its hash (SEC-1)', async () => {
    const amy = await member('OWNER')
    const app = await TestApp.registered(server.url, { token_endpoint_auth_method: 'client_secret_post' })
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

  test('does not let an app revoke the tokens of another app', async () => {
    const amy = await member('OWNER')
    const [app, other] = [await TestApp.registered(server.url), await TestApp.registered(server.url)]
    const { access_token, refresh_token } = await app.connected(amy)
    for (const token of [access_token, refresh_token]) await other.post('/oauth/revoke', { token })
    expect((await call(access_token)).status).toBe(200)
    expect((await app.post('/oauth/revoke', { token: access_token })).status).toBe(200)
    expect((await call(access_token)).status).toBe(401)
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
  ])('refuses the redirect URI %j', async (uri) => {
    expect((await register(server.url, described)).status).toBe(201)
    const reply = await register(server.url, { ...described, redirect_uris: ['https://lens.example/cb', uri] })
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
  ])('refuses %j', async (wrong, error) => {
    expect((await register(server.url, described)).status).toBe(201)
    const reply = await register(server.url, { ...described, ...wrong })
    expect([reply.status, await reply.json()]).toMatchObject([400, { error }])
  })

  test('ignores unknown fields and returns the accepted ones', async () => {
    const reply = await register(server.url, {
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

  test('answers an invalid body with an OAuth error', async () => {
    const reply = await fetch(`${server.url}/oauth/register`, {
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

test('the prune job deletes old apps without a connection and keeps connected ones', async () => {
  const [amy, app] = [await member('OWNER'), await TestApp.registered(server.url)]
  const { access_token } = await app.connected(amy)
  const unused = await TestApp.registered(server.url)
  await asProduct("update oauth_clients set created_at = now() - interval '31 days' where id = any ($1)", [
    [app.id, unused.id],
  ])
  const { prune } = await import('../../worker/prune.ts')
  const tx = <T>(work: (context: never) => Promise<T>) =>
    theApp().system.use((_, connection) => work({ connection } as never))
  await prune.run({ tx, signal: new AbortController().signal } as never, {})
  expect((await call(access_token)).status).toBe(200)
  const remaining = await theApp().system.use((db) =>
    sql<{ id: string }>`select id from oauth_clients where id = any (${[app.id, unused.id]})`.execute(db),
  )
  expect(remaining.rows.map(({ id }) => id)).toEqual([app.id])
})
