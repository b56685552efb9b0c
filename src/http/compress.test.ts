import '../test/own-world.ts'
import { request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { allScopes } from '../core/define/access.ts'
import { member, type Someone, theApp } from '../test/world.ts'
import { acceptsGzip, compressedMin, gzipped } from './compress.ts'

let amy: Someone

beforeAll(async () => {
  amy = await member('MANAGER')
  for (let at = 0; at < 8; at++) await amy.call('customers_create', { name: `Globex ${at}`, country: 'SG' })
  await theApp().server.listen({ port: 0, host: '127.0.0.1' })
})

/** The answer as it came over the network. */
async function read(path: string, headers: Record<string, string> = {}, method = 'GET', body = '') {
  const { port } = theApp().server.server.address() as AddressInfo
  const given = { ...amy.credentials, ...(body && { 'content-type': 'application/json' }), ...headers }
  return new Promise<{ headers: Record<string, unknown>; bytes: Buffer }>((resolve, reject) => {
    const sent = httpRequest({ port, host: '127.0.0.1', path, method, headers: given }, async (answer) => {
      const parts: Buffer[] = []
      for await (const part of answer) parts.push(part as Buffer)
      resolve({ headers: answer.headers, bytes: Buffer.concat(parts) })
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

const list = () => `/api/customers?organizationId=${amy.organizationId}`

describe('an answer of the API is compressed', () => {
  test('if it is long and the caller takes gzip, and has the same content', async () => {
    const plain = await read(list())
    expect(plain.headers).not.toHaveProperty('content-encoding')
    const short = await read(list(), { 'accept-encoding': 'gzip, deflate, br' })
    expect(short.headers).toMatchObject({
      'content-encoding': 'gzip',
      vary: 'accept-encoding',
      'cache-control': 'no-store',
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(short.bytes.length),
      'x-request-id': expect.any(String),
      'ratelimit-limit': expect.any(String),
    })
    expect(gunzipSync(short.bytes).equals(plain.bytes)).toBe(true)
    expect(short.bytes.length).toBeLessThan(plain.bytes.length / 4)
  })

  test('also for fetch, which reads it without being told', async () => {
    const { port } = theApp().server.server.address() as AddressInfo
    const answer = await fetch(`http://127.0.0.1:${port}${list()}`, { headers: amy.credentials })
    expect(answer.headers.get('content-encoding')).toBe('gzip')
    expect(await answer.json()).toMatchObject({ pagination: { total: 8 } })
  })
})

describe('an answer is sent as it is', () => {
  const accepting = { 'accept-encoding': 'gzip' }
  test('if it is short', async () => {
    const { headers } = await read(`${list()}&limit=1`, accepting)
    expect(headers).not.toHaveProperty('content-encoding')
  })
  test('if a page of another site asked for it', async () => {
    const { headers } = await read(list(), { ...accepting, 'sec-fetch-site': 'cross-site' })
    expect(headers).not.toHaveProperty('content-encoding')
    const own = await read(list(), { ...accepting, 'sec-fetch-site': 'same-origin' })
    expect(own.headers).toHaveProperty('content-encoding')
  })
  test('if it contains a secret', async () => {
    const scopes = allScopes.filter((scope) => !/^(payroll|companion):/.test(scope))
    const { headers, bytes } = await read(
      '/api/api-keys',
      accepting,
      'POST',
      JSON.stringify({ name: 'x'.repeat(80), scopes }),
    )
    expect(JSON.parse(bytes.toString())).toHaveProperty('key')
    expect(bytes.length).toBeGreaterThan(compressedMin)
    expect(headers).not.toHaveProperty('content-encoding')
  })
})

test.each([
  ['gzip', true],
  ['br, gzip;q=0.5', true],
  ['GZIP', true],
  ['deflate, x-gzip', true],
  ['gzip;q=0', false],
  ['gzip; q=0.0, br', false],
  ['br', false],
  ['gzipped', false],
  ['', false],
])('Accept-Encoding: %s', (accepted, expected) => {
  expect(acceptsGzip({ 'accept-encoding': accepted })).toBe(expected)
})

test('the same text has many lengths, so a length tells little about what it repeats', async () => {
  const text = JSON.stringify({ name: 'Globex'.repeat(500) })
  const all = await Promise.all(Array.from({ length: 60 }, () => gzipped(text)))
  for (const bytes of all) expect(gunzipSync(bytes).toString()).toBe(text)
  expect(new Set(all.map(({ length }) => length)).size).toBeGreaterThan(20)
})
