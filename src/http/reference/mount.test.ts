import { randomBytes } from 'node:crypto'
import { Script } from 'node:vm'
import { gunzipSync } from 'node:zlib'
import fastify from 'fastify'
import { expect, test } from 'vitest'
import { apiOperations as operations } from '../../catalog/operations.ts'
import { readConfig } from '../../config/config.ts'
import { mountAssets } from '../pages/assets.ts'
import { mountLandingPage } from '../pages/landing/mount.ts'
import { mountReference } from './mount.ts'

const secretsKey = randomBytes(32).toString('base64')

function server(env: Record<string, string> = {}) {
  const app = fastify({ exposeHeadRoutes: false })
  const closed: string[] = []
  app.addHook('onRoute', ({ url, config }) => void (config?.open || closed.push(url)))
  const config = readConfig(env)
  const hasMcp = () => app.hasRoute({ method: 'POST', url: '/mcp' })
  const assets = mountAssets(app, '')
  mountReference(app, { config, operations }, { assets, hasMcp })
  mountLandingPage(app, { config }, { assets, hasMcp })
  return { app, closed }
}

const { app, closed } = server()
const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers })
const pages = ['/docs', '/?lang=en', '/?lang=he']

test('every page of the reference is public', async () => {
  expect(closed).toEqual([])
  for (const path of ['/docs', '/', '/api/openapi.json', '/api/tools']) expect((await get(path)).statusCode).toBe(200)
})

test.each(['/docs', '/', '/api/openapi.json', '/api/tools'])(
  'HEAD %s returns the headers of GET without the body',
  async (url) => {
    const [head, whole] = [await app.inject({ method: 'HEAD', url }), await get(url)]
    expect([head.statusCode, head.body, head.headers.etag]).toEqual([200, '', whole.headers.etag])
  },
)

test('the reference describes every path of the sign-in protocol', async () => {
  const { body } = await get('/docs')
  for (const address of ['sign-up', 'sign-in', 'sign-out', 'session', 'sessions', 'sessions/{id}'])
    expect(body).toContain(`/api/auth/${address}</code>`)
})

test('the reference mentions MCP and OAuth only if the server has an MCP endpoint', async () => {
  const { body } = await get('/docs')
  // The audit trail names all kinds of actors, and an operation that is not for all callers names those it is for.
  const others = String(body)
    .replace(/<article class="operation" id="organizations_audit".*?<\/article>/s, '')
    .replaceAll(/From<\/span>.*?<\/li>/g, '')
  expect(others.match(/.{0,60}(MCP|OAuth|OAUTH|AUTOMATION|in automations|id="agents").{0,30}/g) ?? []).toEqual([])
  expect((await get('/api/openapi.json')).body).not.toMatch(/MCP|OAuth/)
  const { app: connected } = server()
  connected.post('/mcp', { config: { open: true } }, async () => ({}))
  const other = await connected.inject({ url: '/docs' })
  expect(other.body).toContain('MCP tool call')
  expect(other.body).toContain('id="agents"')
  for (const path of ['register', 'authorize', 'token', 'revoke']) expect(other.body).toContain(`/oauth/${path}</code>`)
})

test('openapi.json names this server, and the tool list contains all operations', async () => {
  const document = (await get('/api/openapi.json')).json()
  expect(document).toMatchObject({
    openapi: '3.1.0',
    info: { title: 'Kontor', version: '1.0.0' },
    servers: [{ url: 'http://127.0.0.1:3000' }],
  })
  expect((await get('/api/tools')).json().tools).toHaveLength(operations.length)
})

test.each(['/api/openapi.json', '/api/tools', '/docs', '/'])(
  '%s is answered 304 if it did not change',
  async (path) => {
    const { headers } = await get(path)
    const again = await get(path, { 'if-none-match': String(headers.etag) })
    expect([again.statusCode, again.body]).toEqual([304, ''])
  },
)

test('pages are compressed for browsers that accept gzip', async () => {
  const packed = await get('/docs', { 'accept-encoding': 'gzip, br' })
  expect(packed.headers['content-encoding']).toBe('gzip')
  expect(gunzipSync(packed.rawPayload).toString()).toBe((await get('/docs')).body)
})

test.each(pages)('%s follows the content security policy: nothing inline, no other origins', async (path) => {
  const { body } = await get(path)
  expect(body).not.toMatch(/<style|\sstyle=|\son\w+=|<script(?! src="\/assets\/)/)
  for (const [, asset = ''] of body.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)) {
    expect((await get(asset)).headers['cache-control']).toContain('immutable')
  }
})

test('the scripts of the pages are valid JavaScript', async () => {
  for (const path of pages) {
    const [, source = ''] = /<script src="([^"]+)"/.exec((await get(path)).body) ?? []
    expect(new Script((await get(source)).body)).toBeInstanceOf(Script)
  }
})

test('the reference shows every operation once, and every internal link has a target', async () => {
  const { body } = await get('/docs')
  const ids = [...body.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids).toEqual(expect.arrayContaining(operations.map(({ name }) => name)))
  expect(ids).toEqual(expect.arrayContaining([...body.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id)))
})

test.each([
  ['/', 'he-IL,he;q=0.9,en;q=0.8', 'he'],
  ['/', 'en-GB,en;q=0.9,he;q=0.8', 'en'],
  ['/', 'fr', 'en'],
  ['/', 'he;q=0, en;q=0.1', 'en'],
  ['/?lang=he', 'en', 'he'],
  ['/?lang=en', 'he', 'en'],
])('%s with Accept-Language %s is in %s', async (path, accepted, language) => {
  const { headers, body } = await get(path, { 'accept-language': accepted })
  expect(headers['content-language']).toBe(language)
  expect(body).toContain(`<html lang="${language}" dir="${language === 'he' ? 'rtl' : 'ltr'}">`)
})

test('the landing page mentions the demo login in local mode only', async () => {
  const strict = server({ KONTOR_MODE: 'strict', KONTOR_SECRETS_KEY: secretsKey }).app
  expect((await get('/')).body).toContain('npm start')
  expect((await strict.inject('/')).body).not.toContain('npm start')
})
