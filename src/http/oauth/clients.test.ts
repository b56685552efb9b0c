import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createEgress } from '../../providers/egress/egress.ts'
import { Browser, listening, TestApp } from '../../test/apps.ts'
import { asProduct } from '../../test/secrets.ts'
import { member, theApp } from '../../test/world.ts'
import { cacheSeconds, createClients, isMetadataDocumentUrl, parseMetadataDocument } from './clients.ts'

/** Apps whose client id is the URL of their metadata document. */

const server = listening()
let site: Server
let fetched: string[] = []
let answer: (request: IncomingMessage, reply: ServerResponse) => void
const address = () => `http://127.0.0.1:${(site.address() as AddressInfo).port}`

beforeAll(async () => {
  site = createServer((request, reply) => {
    fetched.push(request.url ?? '')
    answer(request, reply)
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
})
afterAll(() => new Promise((resolve) => site.close(resolve)))
beforeEach(() => {
  fetched = []
  answer = (request, reply) => sendDocument(reply, metadata(`${address()}${request.url}`))
})

const metadata = (id: string, more: Record<string, unknown> = {}) => ({
  client_id: id,
  client_name: 'Agent on the web',
  redirect_uris: ['http://127.0.0.1/callback', 'https://agent.example/callback'],
  grant_types: ['authorization_code', 'refresh_token'],
  ...more,
})

const sendDocument = (reply: ServerResponse, document: unknown, headers: Record<string, string> = {}) =>
  reply.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(document))

const appAt = (path: string, redirectUri = 'https://agent.example/callback') =>
  new TestApp(server.url, { id: `${address()}${path}`, redirectUri })

test('an app connects with its metadata document, which is fetched once while it is fresh', async () => {
  const [amy, app] = [await member('OWNER'), appAt('/good.json')]
  const browser = new Browser(amy)
  const page = await (await browser.open(await browser.ask(app.request()))).text()
  expect(page).toContain('Agent on the web')
  expect(page).toContain(new URL(app.id).host)
  const { access_token, refresh_token } = await app.connected(amy)
  const headers = { authorization: `Bearer ${access_token}` }
  expect((await fetch(`${server.url}/api/customers`, { headers })).status).toBe(200)
  expect((await app.refresh(refresh_token)).status).toBe(200)
  expect(fetched).toEqual(['/good.json'])
  expect((await amy.call('users_connected_apps')).apps).toMatchObject([
    { clientId: app.id, clientName: 'Agent on the web' },
  ])
})

test('a stale document is fetched again; while its site is down, a copy younger than a day is used', async () => {
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
  answer = (_, reply) => sendDocument(reply, metadata(app.id, { redirect_uris: ['https://moved.example/'] }))
  expect((await new Browser(amy).open(app.request())).status).toBe(400)
})

test.each<[string, (request: IncomingMessage, reply: ServerResponse) => void]>([
  ['is about another client', (_, reply) => sendDocument(reply, metadata('https://other.example/client.json'))],
  ['is not JSON', (_, reply) => void reply.writeHead(200, { 'content-type': 'application/json' }).end('<html>')],
  [
    'is a web page',
    (request, reply) => sendDocument(reply, metadata(`${address()}${request.url}`), { 'content-type': 'text/html' }),
  ],
  ['is behind a redirect', (_, reply) => void reply.writeHead(302, { location: '/good.json' }).end()],
  ['is missing', (_, reply) => void reply.writeHead(404).end()],
  [
    'is larger than 64 KiB',
    (request, reply) => sendDocument(reply, metadata(`${address()}${request.url}`, { more: 'x'.repeat(65_536) })),
  ],
  [
    'contains a secret',
    (request, reply) => sendDocument(reply, metadata(`${address()}${request.url}`, { client_secret: 'x' })),
  ],
  [
    'requires a secret',
    (request, reply) =>
      sendDocument(reply, metadata(`${address()}${request.url}`, { token_endpoint_auth_method: 'client_secret_post' })),
  ],
  [
    'redirects to a script',
    (request, reply) =>
      sendDocument(reply, metadata(`${address()}${request.url}`, { redirect_uris: ['javascript:alert(1)'] })),
  ],
])('a metadata document that %s is refused', async (what, changed) => {
  const [amy, app] = [await member('OWNER'), appAt(`/${encodeURIComponent(what)}.json`)]
  const unaltered = answer
  answer = changed
  const reply = await new Browser(amy).open(app.request())
  expect([reply.status, reply.headers.get('location')]).toEqual([400, null])
  expect(await reply.text()).toContain('invalid_client')
  answer = unaltered
  expect((await new Browser(amy).ask(app.request())).pathname).toMatch(/^\/oauth\/consent\//)
})

describe('in strict mode', () => {
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

  const local = () => {
    const egress = createEgress({ mode: 'local', allow: [], allowHttp: true, audit: () => {} })
    return createClients({ pool: theApp().system, egress, mode: 'local' })
  }

  test('a loopback URL is not accepted as a client id, unlike in local mode', async () => {
    const { clients } = strict()
    expect(await clients.find(`${address()}/good2.json`)).toBeUndefined()
    expect(fetched).toEqual([])
    expect(await local().find(`${address()}/good2.json`)).toMatchObject({
      metadata: { client_name: 'Agent on the web' },
    })
    expect(fetched).toEqual(['/good2.json'])
  })

  test.each([
    'https://127.0.0.1:8443/c.json',
    'https://169.254.169.254/c.json',
    'https://[::1]/c.json',
    'https://localhost/c.json',
    'https://10.0.0.7/c.json',
  ])('%s is not fetched, and the refusal is recorded (SSRF-9)', async (id) => {
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
])('%s is a metadata document URL: in local mode %s, in strict mode %s', (id, local, strict) => {
  expect([isMetadataDocumentUrl(id, 'local'), isMetadataDocumentUrl(id, 'strict')]).toEqual([local, strict])
})

test.each([
  [undefined, 300],
  ['max-age=10', 300],
  ['public, max-age=3600', 3600],
  ['max-age=9999999', 86_400],
  ['no-store, max-age=3600', 300],
  ['max-age=abc', 300],
])('with Cache-Control %s a document is cached for %s seconds', (header, seconds) => {
  expect(cacheSeconds(header)).toBe(seconds)
})

test('only known fields of a document are stored', () => {
  const id = 'https://agent.example/client.json'
  const parsed = parseMetadataDocument(
    id,
    JSON.stringify(metadata(id, { logo_uri: 'http://10.0.0.1/', jwks_uri: 'http://10.0.0.1/' })),
  )
  expect(Object.keys(parsed).sort()).toEqual([
    'application_type',
    'client_name',
    'grant_types',
    'redirect_uris',
    'response_modes',
    'response_types',
    'token_endpoint_auth_method',
  ])
})
