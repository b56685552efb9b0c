import { beforeAll, describe, expect, test } from 'vitest'
import { type App, createApp } from '../program/app.ts'
import { member, type Someone, send, testConfig, theApp, theDatabase, withKey } from '../test/world.ts'

const own = 'https://books.example.com'
const customer = JSON.stringify({ name: 'Blue Door', country: 'SG' })
const json = { 'content-type': 'application/json' }
const form = { 'content-type': 'application/x-www-form-urlencoded' }

let app: App
let amy: Someone
let cookie: string

beforeAll(async () => {
  app = await createApp(testConfig({ KONTOR_URL: own }), theDatabase())
  amy = await member('OWNER')
  cookie = `__Host-${(amy.credentials as { cookie: string }).cookie}`
  return () => app.close()
})

const post = async (headers: Record<string, string>, payload = customer, url = '/api/customers') => {
  const answer = await app.server.inject({ method: 'POST', url, headers, payload })
  return { status: answer.statusCode, code: answer.json().error?.details?.[0]?.code }
}

const count = async () => (await amy.call('customers_list')).pagination.total

describe('a write that carries a session cookie (WEB-3)', () => {
  test.each<[string, Record<string, string>]>([
    ['from our own page', { ...json, origin: own, 'sec-fetch-site': 'same-origin' }],
    ['typed into the address bar', { ...json, 'sec-fetch-site': 'none' }],
    ['from no browser', { ...json }],
    ['with a charset', { 'content-type': 'application/json; charset=utf-8' }],
  ])('is carried out %s', async (_, headers) => {
    const before = await count()
    expect(await post({ ...headers, cookie })).toEqual({ status: 201, code: undefined })
    expect(await count()).toBe(before + 1)
  })

  test.each<[string, Record<string, string>]>([
    ['from a foreign origin', { ...json, origin: 'https://evil.example' }],
    ['from a sibling subdomain', { ...json, origin: 'https://other.example.com' }],
    ['from our name over plain http', { ...json, origin: 'http://books.example.com' }],
    ['from another port of our name', { ...json, origin: 'https://books.example.com:8443' }],
    ['from an origin that hides', { ...json, origin: 'null' }],
    ['from an empty origin', { ...json, origin: '' }],
    ['that the browser calls cross-site', { ...json, 'sec-fetch-site': 'cross-site' }],
    ['that the browser calls same-site', { ...json, 'sec-fetch-site': 'same-site' }],
    ['with our origin that the browser calls cross-site', { ...json, origin: own, 'sec-fetch-site': 'cross-site' }],
    ['from loopback, when we are not there', { ...json, origin: 'http://localhost:3000', host: 'localhost:3000' }],
  ])('is refused %s', async (_, headers) => {
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
    const before = await count()
    expect(await post({ ...headers, cookie }, payload)).toEqual({ status: 403, code: 'MEDIA_TYPE' })
    expect(await count()).toBe(before)
  })

  test('is refused from elsewhere by PUT, PATCH and DELETE alike, and reading is not', async () => {
    const { id } = await amy.call('customers_create', { name: 'Blue Door', country: 'SG' })
    const headers = { cookie, origin: 'https://evil.example' }
    for (const method of ['PUT', 'PATCH', 'DELETE'] as const)
      expect((await app.server.inject({ method, url: `/api/customers/${id}`, headers })).statusCode).toBe(403)
    expect((await app.server.inject({ method: 'GET', url: `/api/customers/${id}`, headers })).statusCode).toBe(200)
  })
})

test.each(['/api/auth/sign-in', '/api/auth/sign-up', '/api/auth/sign-out'])(
  '%s is protected in the same way, cookie or not',
  async (url) => {
    const body = JSON.stringify({ name: 'Amy', email: 'amy@example.test', password: 'correct horse' })
    for (const headers of [
      { ...json, origin: 'https://evil.example' },
      { ...json, 'sec-fetch-site': 'cross-site' },
    ])
      expect(await post(headers, body, url)).toEqual({ status: 403, code: 'FOREIGN_ORIGIN' })
    for (const headers of [{ 'content-type': 'text/plain' }, form])
      expect(await post(headers, body, url)).toEqual({ status: 403, code: 'MEDIA_TYPE' })
  },
)

test('another site cannot end sessions', async () => {
  const headers = { cookie, origin: 'https://evil.example' }
  const answer = await app.server.inject({ method: 'DELETE', url: '/api/auth/sessions/x', headers })
  expect(answer.statusCode).toBe(403)
})

describe('a request with an Authorization header is judged by it alone (WEB-2)', () => {
  test('a good key works from anywhere', async () => {
    const key = await withKey(amy)
    expect(await post({ ...json, ...key.credentials, origin: 'https://evil.example', cookie })).toMatchObject({
      status: 201,
    })
  })

  test.each(['Bearer nonsense', 'Bearer ', 'Bearer', '', 'Basic YTpi', 'nonsense'])(
    'with %j a good cookie does not help',
    async (authorization) => {
      expect(await post({ ...json, authorization, cookie })).toMatchObject({ status: 401 })
      for (const url of ['/api/auth/session', '/api/auth/sessions'])
        expect((await app.server.inject({ method: 'GET', url, headers: { authorization, cookie } })).statusCode).toBe(
          401,
        )
    },
  )

  test('the scheme is read in any case', async () => {
    const { authorization } = (await withKey(amy)).credentials as { authorization: string }
    expect(await post({ ...json, authorization: authorization.replace('Bearer', 'bearer') })).toMatchObject({
      status: 201,
    })
  })

  test('what is not JSON is 400 with a key, and 401 without any credential', async () => {
    const key = await withKey(amy)
    expect((await post({ ...key.credentials, 'content-type': 'text/plain' })).status).toBe(400)
    expect((await post({ ...key.credentials, ...json }, '{"name": ')).status).toBe(400)
    expect((await post({ 'content-type': 'text/plain' })).status).toBe(401)
    expect((await post(json, '{"name": ')).status).toBe(401)
  })
})

test('a JSON mistake is told by its place, never by quoting the body', async () => {
  const key = await withKey(await member('OWNER'))
  const reply = await send({
    method: 'POST',
    url: '/api/customers',
    body: '{"password": hunter2}',
    headers: { ...json, ...key.credentials },
  })
  expect(reply.status).toBe(400)
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
  expect((await local('evil.example', 'http://evil.example')).statusCode).toBe(403) // a name rebound to this machine
})

test.each(['//api/customers', '/api//customers', '/api/customers%2fx', '/api/customers%5cx', '/api/customers%00'])(
  'the path %s is refused as crooked (THR-28)',
  async (url) => {
    expect((await send({ method: 'GET', url, headers: { ...amy.credentials } })).status).toBe(400)
  },
)

test('what the API answers is kept in no cache', async () => {
  for (const url of ['/api/customers', '/api/nothing-here', '/api/auth/session'])
    expect((await send({ method: 'GET', url })).headers['cache-control']).toBe('no-store')
})

test('every answer carries the safety headers, and HSTS where people come over https', async () => {
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
