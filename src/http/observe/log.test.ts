import '../../test/own-world.ts'
import { Writable } from 'node:stream'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { type App, createApp } from '../../program/app.ts'
import { member, testConfig, theApp, theDatabase, withKey } from '../../test/world.ts'

let app: App
let written = ''

beforeAll(async () => {
  const log = new Writable({
    write(chunk, _, done) {
      written += chunk
      done()
    },
  })
  app = await createApp(testConfig({ LOG_LEVEL: 'trace' }), theDatabase(), { log })
  return () => app.close()
})

type Sent = { method?: 'GET' | 'POST'; url: string; headers?: Record<string, string>; payload?: object | string }

/** Sends a request and returns the lines that it wrote to the log. */
async function logged({ method = 'GET', ...rest }: Sent) {
  written = ''
  const { statusCode } = await app.server.inject({ method, ...rest })
  const lines = written.split('\n').filter(Boolean)
  return { status: statusCode, text: written, lines: lines.map((line) => JSON.parse(line) as Record<string, unknown>) }
}

test('a request writes one log line with person, path, organization, address and status', async () => {
  const amy = await member('OWNER')
  const key = await withKey(amy)
  const headers = { ...key.credentials, 'x-request-id': 'abc', 'user-agent': 'curl/8' }
  const { lines } = await logged({ url: `/api/customers?organizationId=${amy.organizationId}`, headers })
  expect(lines).toEqual([
    expect.objectContaining({
      requestId: 'abc',
      method: 'GET',
      path: '/api/customers',
      status: 200,
      ms: expect.any(Number),
      address: '127.0.0.1',
      agent: 'curl/8',
      userId: amy.userId,
      organizationId: amy.organizationId,
      keyId: expect.any(String),
    }),
  ])
  const refused = await logged({ url: '/api/customers' })
  expect(refused.lines).toEqual([expect.objectContaining({ status: 401, error: 'UNAUTHENTICATED' })])
})

const canary = 'CANARYd41d8cd98f00b204e980'

test.each<[string, Sent]>([
  ['the Authorization header', { url: '/api/customers', headers: { authorization: `Bearer ${canary}` } }],
  ['a broken Authorization header', { url: '/api/customers', headers: { authorization: `Basic ${canary}` } }],
  ['the cookie', { url: '/api/customers', headers: { cookie: `sid=${canary}; other=${canary}` } }],
  ['a query', { url: `/api/customers?token=${canary}&search=${canary}` }],
  ['a query of an unknown path', { url: `/api/nothing?token=${canary}` }],
  ['a password at sign-in', { method: 'POST', url: '/api/auth/sign-in', payload: { email: 'a@b.test', password: canary } }],
  ['a password at sign-up', { method: 'POST', url: '/api/auth/sign-up', payload: { name: 'A', email: `${canary.slice(6)}@b.test`, password: canary } }],
  ['a body that cannot be read', { method: 'POST', url: '/api/auth/sign-in', headers: { 'content-type': 'application/json' }, payload: `{"password": ${canary}` }],
  ['an Idempotency-Key', { method: 'POST', url: '/api/customers', headers: { 'idempotency-key': canary }, payload: {} }],
])('a secret in %s does not appear in the log (INV-20)', async (_, sent) => {
  const { text, lines } = await logged(sent)
  expect(lines.length).toBeGreaterThan(0)
  expect(text).not.toContain(canary)
}) // biome-ignore format: a table

test('creating and using a key writes neither the key nor the session secret to the log', async () => {
  const amy = await member('OWNER')
  const { cookie } = amy.credentials as { cookie: string }
  written = ''
  const made = await app.server.inject({
    method: 'POST',
    url: '/api/api-keys',
    headers: { cookie },
    payload: { name: 'k', scopes: ['*:*'], allOrgs: true },
  })
  const { secret } = made.json() as { secret: string }
  const used = await app.server.inject({
    method: 'GET',
    url: '/api/customers',
    headers: { authorization: `Bearer ${secret}` },
  })
  expect([made.statusCode, used.statusCode]).toEqual([201, 200])
  expect(written.split('\n').filter(Boolean)).toHaveLength(2)
  expect(written).not.toContain(secret.slice(12))
  expect(written).not.toContain(cookie.split('=')[1])
})

test('an internal error is logged once, without the row that PostgreSQL quotes', async () => {
  const amy = await member('OWNER')
  const use = (statement: ReturnType<typeof sql>) => theApp().system.use((db) => statement.execute(db))
  await use(sql`alter table customers add column must text`)
  await use(sql`alter table customers alter column must set not null`)
  try {
    const payload = { name: canary, country: 'SG' }
    const { status, text, lines } = await logged({
      method: 'POST',
      url: '/api/customers',
      headers: { ...amy.credentials },
      payload,
    })
    expect(status).toBe(500)
    expect(lines.map(({ level }) => level)).toEqual([50, 30])
    expect(lines[0]).toMatchObject({ err: { code: '23502', table: 'customers' } })
    expect(text).not.toContain(canary)
  } finally {
    await use(sql`alter table customers drop column must`)
  }
})

test.each(['x\r\n{"level":60,"msg":"forged"}', 'x\u001b[31m', 'x\u2028y'])(
  'a user agent of %j cannot add a line to the log',
  async (agent) => {
    const { lines } = await logged({ url: '/api/customers', headers: { 'user-agent': agent } })
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatchObject({ agent, status: 401 })
  },
)

test('an x-request-id that is not safe in a log is replaced', async () => {
  for (const id of ['x y', 'x'.repeat(129), 'ü', '{"a":1}']) {
    const { lines } = await logged({ url: '/api/customers', headers: { 'x-request-id': id } })
    expect(lines[0]?.requestId).toMatch(/^[0-9a-f-]{36}$/)
  }
})
