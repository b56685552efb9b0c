import '../../test/own-world.ts'
import { createHash } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type App, createApp } from '../../program/app.ts'
import { newFolder } from '../../test/temporary-folder.ts'
import { person, testConfig, theDatabase } from '../../test/world.ts'

let app: App
let cookie: string
let folder: string
const script = 'console.log("app")'

beforeAll(async () => {
  folder = newFolder('web')
  mkdirSync(join(folder, 'assets'))
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Kontor</title><script>first()</script>')
  writeFileSync(join(folder, 'preloads.json'), '{"":["/assets/a.js","/assets/b.js"],"documents":["/assets/c.js"]}')
  writeFileSync(join(folder, 'assets/main-abc.js'), script)
  writeFileSync(join(folder, 'assets/main-abc.js.br'), brotliCompressSync(script))
  writeFileSync(join(folder, 'assets/main-abc.js.gz'), gzipSync(script))
  app = await createApp(testConfig(), theDatabase(), { web: folder })
  cookie = ((await person()).credentials as { cookie: string }).cookie
})
afterAll(() => app.close())

const get = (url: string, headers: Record<string, string> = {}) => app.server.inject({ url, headers })

test('every address of the app answers its page, and without a session the sign-in page comes first', async () => {
  for (const url of ['/app', '/o/x/documents?view=open', '/welcome', '/documents/x/edit']) {
    const { statusCode, headers, body } = await get(url, { cookie })
    expect([statusCode, headers['content-type'], headers['cache-control']]).toEqual([
      200,
      'text/html; charset=utf-8',
      'no-cache',
    ])
    expect(body).toContain('<title>Kontor</title>')
    expect(headers['content-security-policy']).toContain("default-src 'self'; ")
    expect(headers['content-security-policy']).not.toContain('unsafe')
    const stranger = await get(url)
    expect([stranger.statusCode, stranger.headers.location]).toEqual([302, `/sign-in?next=${encodeURIComponent(url)}`])
  }
})

test('the script inside the page is allowed by its hash, and no other', async () => {
  const policy = String((await get('/app', { cookie })).headers['content-security-policy'])
  const hash = createHash('sha256').update('first()').digest('base64')
  expect(policy).toMatch(/^default-src 'self'; /)
  expect(policy.split('; ').at(-1)).toBe(`script-src 'self' 'sha256-${hash}'`)
})

test.each([
  ['/app', '</assets/a.js>; rel=modulepreload, </assets/b.js>; rel=modulepreload'],
  ['/o/x?year=2026', '</assets/a.js>; rel=modulepreload, </assets/b.js>; rel=modulepreload'],
  ['/o/x/documents?view=open', '</assets/c.js>; rel=modulepreload'],
  ['/o/x/documents/new', undefined],
  ['/o/x/constructor', undefined],
  ['/welcome', undefined],
])('%s names the scripts of its screen: %s', async (url, link) => {
  expect((await get(url, { cookie })).headers.link).toBe(link)
})

test('the page is not sent again while it is the same', async () => {
  const { headers } = await get('/app', { cookie })
  const again = await get('/app', { cookie, 'if-none-match': String(headers.etag) })
  expect([again.statusCode, again.body]).toEqual([304, ''])
})

test.each([
  ['gzip, deflate, br', 'br'],
  ['gzip', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['identity', undefined],
])('with Accept-Encoding %s an asset is sent as %s, for a year', async (accepted, encoding) => {
  const { headers, rawPayload } = await get('/assets/main-abc.js', { 'accept-encoding': accepted })
  expect([headers['content-encoding'], headers.vary]).toEqual([encoding, 'accept-encoding'])
  expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
  if (encoding === 'br') expect(brotliDecompressSync(rawPayload).toString()).toBe(script)
  if (!encoding) expect(rawPayload.toString()).toBe(script)
})

test('an upgrade that replaces the files does not disturb the server that still runs', async () => {
  rmSync(folder, { recursive: true })
  expect((await get('/assets/main-abc.js')).body).toBe(script)
  expect((await get('/app', { cookie })).statusCode).toBe(200)
})
