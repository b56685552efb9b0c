import '../test/own-world.ts'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../core/values/id.ts'
import { type App, createApp } from '../program/app.ts'
import { member, person, type Someone, send, testConfig, theApp, theDatabase, withKey } from '../test/world.ts'

const ownOrigin = 'https://books.example.com'
const customer = JSON.stringify({ name: 'Blue Door', country: 'SG' })
const json = { 'content-type': 'application/json' }
const form = { 'content-type': 'application/x-www-form-urlencoded' }

let app: App
let amy: Someone
let cookie: string

beforeAll(async () => {
  app = await createApp(testConfig({ KONTOR_URL: ownOrigin }), theDatabase())
  amy = await member('OWNER')
  cookie = `__Host-${(amy.credentials as { cookie: string }).cookie}`
  return () => app.close()
})

const post = async (headers: Record<string, string>, payload = customer, url = '/api/customers') => {
  const answer = await app.server.inject({ method: 'POST', url, headers, payload })
  return { status: answer.statusCode, code: answer.json().error?.details?.[0]?.code }
}

const count = async () => (await amy.call('customers_list')).pagination.total

const ownPage = { ...json, origin: ownOrigin, 'sec-fetch-site': 'same-origin' }

describe('a write with a session cookie (WEB-3)', () => {
  test.each<[string, Record<string, string>]>([
    ['from our own page', ownPage],
    ['typed into the address bar', { ...json, 'sec-fetch-site': 'none' }],
    ['from a client that is not a browser', { ...json }],
    ['with a charset', { 'content-type': 'application/json; charset=utf-8' }],
  ])('is accepted %s', async (_, headers) => {
    const before = await count()
    expect(await post({ ...headers, cookie })).toEqual({ status: 201, code: undefined })
    expect(await count()).toBe(before + 1)
  })

  test.each<[string, Record<string, string>]>([
    ['from a foreign origin', { ...json, origin: 'https://evil.example' }],
    ['from a sibling subdomain', { ...json, origin: 'https://other.example.com' }],
    ['from our host over plain http', { ...json, origin: 'http://books.example.com' }],
    ['from another port of our host', { ...json, origin: 'https://books.example.com:8443' }],
    ['from an opaque origin', { ...json, origin: 'null' }],
    ['from an empty origin', { ...json, origin: '' }],
    ['marked cross-site by the browser', { ...json, 'sec-fetch-site': 'cross-site' }],
    ['marked same-site by the browser', { ...json, 'sec-fetch-site': 'same-site' }],
    [
      'with our origin, but marked cross-site by the browser',
      { ...json, origin: ownOrigin, 'sec-fetch-site': 'cross-site' },
    ],
    [
      'from loopback, if our URL is not a loopback address',
      { ...json, origin: 'http://localhost:3000', host: 'localhost:3000' },
    ],
  ])('is refused %s', async (_, headers) => {
    expect(await post({ ...ownPage, cookie })).toMatchObject({ status: 201 })
    const before = await count()
    expect(await post({ ...headers, cookie })).toEqual({ status: 403, code: 'FOREIGN_ORIGIN' })
    expect(await count()).toBe(before)
  })

  test.each<[string, Record<string, string>, string]>([
    ['JSON as plain text', { 'content-type': 'text/plain' }, customer],
    ['a form', form, 'name=Blue+Door&country=SG'],
    ['a multipart form', { 'content-type': 'multipart/form-data; boundary=x' }, '--x--'],
    ['a body without a type', {}, customer],
    ['a type that only looks like JSON', { 'content-type': 'text/plain; application/json' }, customer],
  ])('is refused as %s', async (_, headers, payload) => {
    expect(await post({ ...ownPage, cookie })).toMatchObject({ status: 201 })
    const before = await count()
    expect(await post({ ...headers, cookie }, payload)).toEqual({ status: 403, code: 'MEDIA_TYPE' })
    expect(await count()).toBe(before)
  })

  test.each([
    ['PUT', 'customers', { name: 'Red Door', country: 'SG' }],
    ['PATCH', 'bank-accounts', { notes: 'changed' }],
    ['DELETE', 'customers', undefined],
  ] as const)('is refused from a foreign origin for %s too, and reading is not', async (method, resource, payload) => {
    const { id } =
      resource === 'customers'
        ? await amy.call('customers_create', { name: 'Blue Door', country: 'SG' })
        : await amy.call('bank_accounts_create', { accountName: 'Main', bankName: 'DBS' })
    const url = `/api/${resource}/${id}`
    const sent = async (origin: string, verb: 'GET' | typeof method) => {
      const headers = { cookie, origin }
      const body = verb !== 'GET' && payload && { payload }
      return (await app.server.inject({ method: verb, url, headers, ...body })).statusCode
    }
    expect(await sent('https://evil.example', method)).toBe(403)
    expect(await sent('https://evil.example', 'GET')).toBe(200)
    expect(await sent(ownOrigin, method)).toBe(200)
  })
})

test.each(['sign-up', 'sign-in', 'sign-out'] as const)(
  '/api/auth/%s has the same protection, with or without a cookie',
  async (name) => {
    const url = `/api/auth/${name}`
    const account = { email: `${newId()}@example.test`, password: 'correct horse' }
    if (name !== 'sign-up') await post(ownPage, JSON.stringify({ name: 'Amy', ...account }), '/api/auth/sign-up')
    const bodies = { 'sign-up': { name: 'Amy', ...account }, 'sign-in': account, 'sign-out': {} }
    const body = JSON.stringify(bodies[name])
    for (const headers of [
      { ...json, origin: 'https://evil.example' },
      { ...json, 'sec-fetch-site': 'cross-site' },
    ])
      expect(await post(headers, body, url)).toEqual({ status: 403, code: 'FOREIGN_ORIGIN' })
    for (const headers of [{ 'content-type': 'text/plain' }, form])
      expect(await post(headers, body, url)).toEqual({ status: 403, code: 'MEDIA_TYPE' })
    expect((await post(ownPage, body, url)).status).toBe(name === 'sign-up' ? 201 : 200)
  },
)

test('another site cannot end a session', async () => {
  const ben = await person()
  const own = `__Host-${(ben.credentials as { cookie: string }).cookie}`
  const list = await app.server.inject({ url: '/api/auth/sessions', headers: { cookie: own } })
  const { id } = (list.json() as { sessions: { id: string }[] }).sessions[0] ?? { id: '' }
  const end = async (origin: string) => {
    const headers = { cookie: own, origin }
    return (await app.server.inject({ method: 'DELETE', url: `/api/auth/sessions/${id}`, headers })).statusCode
  }
  expect(await end('https://evil.example')).toBe(403)
  expect(await end(ownOrigin)).toBe(200)
})

describe('a request with an Authorization header is authorized by that header only (WEB-2)', () => {
  test('a valid key is accepted from every origin', async () => {
    const key = await withKey(amy)
    expect(await post({ ...json, ...key.credentials, origin: 'https://evil.example', cookie })).toMatchObject({
      status: 201,
    })
  })

  test.each(['Bearer nonsense', 'Bearer ', 'Bearer', '', 'Basic YTpi', 'nonsense'])(
    'a valid cookie is ignored beside the header %j',
    async (authorization) => {
      expect(await post({ ...json, cookie })).toMatchObject({ status: 201 })
      expect(await post({ ...json, authorization, cookie })).toMatchObject({ status: 401 })
      for (const url of ['/api/auth/session', '/api/auth/sessions']) {
        const status = async (headers: Record<string, string>) =>
          (await app.server.inject({ method: 'GET', url, headers })).statusCode
        expect([await status({ cookie }), await status({ authorization, cookie })]).toEqual([200, 401])
      }
    },
  )

  test('the scheme is case-insensitive', async () => {
    const { authorization } = (await withKey(amy)).credentials as { authorization: string }
    expect(await post({ ...json, authorization: authorization.replace('Bearer', 'bearer') })).toMatchObject({
      status: 201,
    })
  })

  test('a body that is not JSON is 400 with a key, and 401 without a credential', async () => {
    const key = await withKey(amy)
    expect((await post({ ...key.credentials, ...json })).status).toBe(201)
    expect((await post({ ...key.credentials, 'content-type': 'text/plain' })).status).toBe(400)
    expect((await post({ ...key.credentials, ...json }, '{"name": ')).status).toBe(400)
    expect((await post({ 'content-type': 'text/plain' })).status).toBe(401)
    expect((await post(json, '{"name": ')).status).toBe(401)
  })
})

describe('a body with a Content-Encoding', () => {
  const file = () => JSON.stringify({ organizationId: amy.organizationId, file: { fileName: 'a.txt', base64: 'YWJj' } })
  const encodings: [string, (text: string) => Buffer][] = [
    ['gzip', (text) => gzipSync(text)],
    ['deflate', (text) => deflateSync(text)],
    ['br', (text) => brotliCompressSync(text)],
    ['gzip, identity', (text) => gzipSync(text)],
    ['unknown', (text) => Buffer.from(text)],
  ]
  const postTo = async (url: string, headers: Record<string, string>, payload: string | Buffer) => {
    const { authorization } = (await withKey(amy)).credentials as { authorization: string }
    const answer = await theApp().server.inject({
      method: 'POST',
      url,
      headers: { ...json, authorization, ...headers },
      payload,
    })
    const text = answer.statusCode === 400 ? answer.json().error.message : undefined
    return { status: answer.statusCode, message: text }
  }

  test.each(encodings)('%s is refused with a sentence that says so', async (encoding, encode) => {
    for (const [url, body] of [
      ['/api/customers', customer],
      ['/api/files', file()],
    ] as const) {
      expect((await postTo(url, {}, body)).status).toBe(201)
      expect((await postTo(url, { 'content-encoding': 'identity' }, body)).status).toBe(201)
      expect(await postTo(url, { 'content-encoding': encoding }, encode(body))).toEqual({
        status: 400,
        message: expect.stringContaining('Content-Encoding'),
      })
    }
  })

  test('is refused for MCP and for apps too', async () => {
    const message = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
    const { host } = new URL(theApp().services.installation.url)
    const accept = { accept: 'application/json, text/event-stream', host }
    expect((await postTo('/mcp', accept, message)).status).toBe(200)
    const refused = await postTo('/mcp', { ...accept, 'content-encoding': 'gzip' }, gzipSync(message))
    expect(refused).toEqual({ status: 400, message: expect.stringContaining('Content-Encoding') })
    const token = (headers: Record<string, string>) =>
      theApp().server.inject({ method: 'POST', url: '/oauth/token', headers: { ...form, ...headers }, payload: 'a=b' })
    expect((await token({})).json().error_description).not.toContain('Content-Encoding')
    expect((await token({ 'content-encoding': 'gzip' })).json()).toEqual({
      error: 'invalid_request',
      error_description: expect.stringContaining('Content-Encoding'),
    })
  })

  test('is 401 without a credential', async () => {
    const headers = { ...json, 'content-encoding': 'gzip' }
    const answer = await theApp().server.inject({
      method: 'POST',
      url: '/api/customers',
      headers,
      payload: gzipSync(customer),
    })
    expect(answer.statusCode).toBe(401)
  })
})

test('the message about invalid JSON does not quote the body', async () => {
  const key = await withKey(await member('OWNER'))
  const reply = await send({
    method: 'POST',
    url: '/api/customers',
    body: '{"password": hunter2}',
    headers: { ...json, ...key.credentials },
  })
  expect(reply.status).toBe(400)
  expect(reply.body).toMatchObject({ error: { message: expect.stringMatching(/^The body is not valid JSON/) } })
  expect(JSON.stringify(reply.body)).not.toContain('hunter')
})

test('on a development machine localhost and 127.0.0.1 are the same server', async () => {
  const headers = { ...json, ...amy.credentials }
  const local = (host: string, origin: string) =>
    theApp().server.inject({
      method: 'POST',
      url: '/api/customers',
      headers: { ...headers, host, origin },
      payload: customer,
    })
  expect((await local('localhost:3000', 'http://localhost:3000')).statusCode).toBe(201)
  expect((await local('127.0.0.1:3000', 'http://127.0.0.1:3000')).statusCode).toBe(201)
  expect((await local('localhost:3000', 'http://localhost:9999')).statusCode).toBe(403)
  expect((await local('evil.example', 'http://evil.example')).statusCode).toBe(403) // DNS rebinding: a foreign name that points to this machine
})

test.each(['//api/customers', '/api//customers', '/api/customers%2fx', '/api/customers%5cx', '/api/customers%00'])(
  'the path %s is refused as ambiguous (THR-28)',
  async (url) => {
    const get = (path: string) => send({ method: 'GET', url: path, headers: { ...amy.credentials } })
    expect((await get('/api/customers')).status).toBe(200)
    expect((await get(url)).status).toBe(400)
  },
)

test.each([
  ['/api/customers', 200],
  ['/api/nothing-here', 404],
  ['/api/auth/session', 200],
])('answers of the API are not cached: %s', async (url, expected) => {
  const { status, headers } = await send({ method: 'GET', url, headers: { ...amy.credentials } })
  expect([status, headers['cache-control']]).toEqual([expected, 'no-store'])
  expect((await send({ method: 'GET', url })).headers['cache-control']).toBe('no-store')
})

test('every answer carries the security headers, and HSTS if the URL is https', async () => {
  const headers = {
    'content-security-policy': expect.stringContaining("default-src 'self'"),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'x-request-id': expect.any(String),
  }
  for (const url of ['/api/customers', '/api/nothing-here', '/api/auth/session', '/api//x', '/api/%zz']) {
    expect((await send({ method: 'GET', url })).headers).toMatchObject(headers)
    expect((await send({ method: 'GET', url })).headers).not.toHaveProperty('strict-transport-security')
    const overHttps = await app.server.inject({ method: 'GET', url })
    expect(overHttps.headers).toMatchObject({
      ...headers,
      'strict-transport-security': expect.stringContaining('max-age=31536000'),
    })
    expect(overHttps.headers).not.toHaveProperty('access-control-allow-origin')
  }
})

test.each(['1e309', '-1e309', '9'.repeat(400)])(
  'a number that would become Infinity is refused at any depth: %s',
  async (number) => {
    const key = await withKey(await member('OWNER'))
    const body = `{"organizationId": "x", "payload": {"a": [{"b": ${number}}]}}`
    const reply = await send({
      method: 'POST',
      url: '/api/automations',
      body,
      headers: { ...json, ...key.credentials },
    })
    expect(reply.status).toBe(400)
    expect(reply.body).toMatchObject({ error: { message: expect.stringContaining('too large') } })
  },
)
