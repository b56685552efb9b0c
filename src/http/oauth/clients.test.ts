import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createEgress } from '../../providers/egress/egress.ts'
import { Browser, listening, TestApp } from '../../test/oauth-client.ts'
import { asProduct } from '../../test/secrets.ts'
import { member, theApp } from '../../test/world.ts'
import { createClients, freshSeconds, isDocumentAddress, readDocument } from './clients.ts'

/** Apps that describe themselves at the address that is their id. */

const place = listening()
let site: Server
let asked: string[] = []
let answer: (request: IncomingMessage, reply: ServerResponse) => void
const address = () => `http://127.0.0.1:${(site.address() as AddressInfo).port}`

beforeAll(async () => {
  site = createServer((request, reply) => {
    asked.push(request.url ?? '')
    answer(request, reply)
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
})
afterAll(() => new Promise((resolve) => site.close(resolve)))
beforeEach(() => {
  asked = []
  answer = (request, reply) => tell(reply, described(`${address()}${request.url}`))
})

const described = (id: string, more: Record<string, unknown> = {}) => ({
  client_id: id,
  client_name: 'Agent on the web',
  redirect_uris: ['http://127.0.0.1/callback', 'https://agent.example/callback'],
  grant_types: ['authorization_code', 'refresh_token'],
  ...more,
})

const tell = (reply: ServerResponse, document: unknown, headers: Record<string, string> = {}) =>
  reply.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(document))

const appAt = (path: string, redirectUri = 'https://agent.example/callback') =>
  new TestApp(place.url, { id: `${address()}${path}`, redirectUri })

test('an app is let in by its own description, which is read once while it is fresh', async () => {
  const [amy, app] = [await member('OWNER'), appAt('/good.json')]
  const browser = new Browser(amy)
  const page = await (await browser.open(await browser.ask(app.request()))).text()
  expect(page).toContain('Agent on the web')
  expect(page).toContain(new URL(app.id).host)
  const { access_token, refresh_token } = await app.connected(amy)
  const headers = { authorization: `Bearer ${access_token}` }
  expect((await fetch(`${place.url}/api/customers`, { headers })).status).toBe(200)
  expect((await app.refresh(refresh_token)).status).toBe(200)
  expect(asked).toEqual(['/good.json'])
  expect((await amy.call('users_connected_apps')).apps).toMatchObject([
    { clientId: app.id, clientName: 'Agent on the web' },
  ])
})

test('it is read again when it is old, and what it said lately holds while its site is down', async () => {
  const [amy, app] = [await member('OWNER'), appAt('/old.json')]
  await app.connected(amy)
  const age = (hours: number) =>
    asProduct(
      'update oauth_clients set fresh_until = now(), fetched_at = now() - make_interval(hours => $2) where id = $1',
      [app.id, hours],
    )
  answer = (_, reply) => void reply.writeHead(503).end()
  await age(1)
  await app.connected(amy)
  await age(25)
  expect((await new Browser(amy).open(app.request())).status).toBe(400)
  await age(1)
  answer = (_, reply) => tell(reply, described(app.id, { redirect_uris: ['https://moved.example/'] }))
  expect((await new Browser(amy).open(app.request())).status).toBe(400)
})

test.each<[string, (request: IncomingMessage, reply: ServerResponse) => void]>([
  ['is about another client', (_, reply) => tell(reply, described('https://other.example/client.json'))],
  ['is no JSON', (_, reply) => void reply.writeHead(200, { 'content-type': 'application/json' }).end('<html>')],
  [
    'is a web page',
    (request, reply) => tell(reply, described(`${address()}${request.url}`), { 'content-type': 'text/html' }),
  ],
  ['is elsewhere', (_, reply) => void reply.writeHead(302, { location: '/good.json' }).end()],
  ['is missing', (_, reply) => void reply.writeHead(404).end()],
  [
    'is larger than 64 KiB',
    (request, reply) => tell(reply, described(`${address()}${request.url}`, { more: 'x'.repeat(65_536) })),
  ],
  ['holds a secret', (request, reply) => tell(reply, described(`${address()}${request.url}`, { client_secret: 'x' }))],
  [
    'wants a secret',
    (request, reply) =>
      tell(reply, described(`${address()}${request.url}`, { token_endpoint_auth_method: 'client_secret_post' })),
  ],
  [
    'sends people to a script',
    (request, reply) =>
      tell(reply, described(`${address()}${request.url}`, { redirect_uris: ['javascript:alert(1)'] })),
  ],
])('a description that %s is none', async (what, odd) => {
  const [amy, app] = [await member('OWNER'), appAt(`/${encodeURIComponent(what)}.json`)]
  answer = odd
  const reply = await new Browser(amy).open(app.request())
  expect([reply.status, reply.headers.get('location')]).toEqual([400, null])
  expect(await reply.text()).toContain('invalid_client')
})

describe('where people of many organizations connect', () => {
  const strict = () => {
    const refused: object[] = []
    const egress = createEgress({
      mode: 'strict',
      allow: [],
      allowHttp: false,
      audit: (each) => void refused.push(each),
    })
    return { refused, clients: createClients({ pool: theApp().system, egress, mode: 'strict' }) }
  }

  test('a program of this machine is no app', async () => {
    const { clients } = strict()
    expect(await clients.find(`${address()}/good2.json`)).toBeUndefined()
    expect(asked).toEqual([])
  })

  test.each([
    'https://127.0.0.1:8443/c.json',
    'https://169.254.169.254/c.json',
    'https://[::1]/c.json',
    'https://localhost/c.json',
    'https://10.0.0.7/c.json',
  ])('%s is not fetched, and the refusal is written down (SSRF-9)', async (id) => {
    const { clients, refused } = strict()
    await expect(clients.find(id)).rejects.toMatchObject({ target: 'TARGET_NOT_ALLOWED' })
    expect(refused).toEqual([
      expect.objectContaining({ organizationId: null, use: 'client', host: new URL(id).hostname }),
    ])
  })
})

test.each([
  ['https://agent.example/client.json', true, true],
  ['https://agent.example:8443/client.json?v=2', true, true],
  ['http://127.0.0.1:9000/client.json', true, false],
  ['http://agent.example/client.json', false, false],
  ['https://agent.example/', false, false],
  ['https://agent.example', false, false],
  ['https://agent.example/a/../client.json', false, false],
  ['https://AGENT.example/client.json', false, false],
  ['https://a:b@agent.example/client.json', false, false],
  ['https://agent.example/client.json#x', false, false],
  [`https://agent.example/${'x'.repeat(2048)}`, false, false],
  ['018f0000-0000-7000-8000-000000000000', false, false],
])('%s can be read about: locally %s, elsewhere %s', (id, local, strict) => {
  expect([isDocumentAddress(id, 'local'), isDocumentAddress(id, 'strict')]).toEqual([local, strict])
})

test.each([
  [undefined, 300],
  ['max-age=10', 300],
  ['public, max-age=3600', 3600],
  ['max-age=9999999', 86_400],
  ['no-store, max-age=3600', 300],
  ['max-age=abc', 300],
])('Cache-Control %s keeps it for %s seconds', (header, seconds) => {
  expect(freshSeconds(header)).toBe(seconds)
})

test('of what a description says only what is understood is kept', () => {
  const id = 'https://agent.example/client.json'
  const facts = readDocument(
    id,
    JSON.stringify(described(id, { logo_uri: 'http://10.0.0.1/', jwks_uri: 'http://10.0.0.1/' })),
  )
  expect(Object.keys(facts).sort()).toEqual([
    'application_type',
    'client_name',
    'grant_types',
    'redirect_uris',
    'response_modes',
    'response_types',
    'token_endpoint_auth_method',
  ])
})
