import { request as rawRequest } from 'node:http'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { connected, mcpUrl, newest, post, previous, request, told } from '../test/mcp.ts'
import { inProof } from '../test/prove.ts'
import { member, operationNamed, theApp, withKey } from '../test/world.ts'

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
const call = (name: string, input: object, more: object = {}) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: input, ...more },
})

/** The same messages with a valid key are answered. */
async function expectAnswered(messages: unknown[]) {
  const { credentials } = await withKey(await member('OWNER'))
  for (const message of messages) expect((await post(message, { ...credentials })).status).toBe(200)
}

describe('authentication', () => {
  test('a request without a key is refused and names the metadata of the resource', async () => {
    await expectAnswered([ping, call('customers_list', {})])
    for (const message of [ping, call('customers_list', {}), 'no json']) {
      const answer = await post(message)
      expect(answer.status).toBe(401)
      expect(answer.headers.get('www-authenticate')).toBe(
        'Bearer resource_metadata="http://127.0.0.1:3000/.well-known/oauth-protected-resource/mcp"',
      )
      expect(await answer.json()).toMatchObject({ error: { code: 'UNAUTHENTICATED' } })
    }
  })

  test('a request with an unknown key is refused, whatever its body is', async () => {
    await expectAnswered([ping, call('customers_list', {}), [call('customers_list', {})]])
    for (const message of [ping, call('customers_list', {}), [call('customers_list', {})], 'no json']) {
      const answer = await post(message, { authorization: 'Bearer kt_garbage1_0' })
      expect(answer.status).toBe(401)
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer error="invalid_token", resource_metadata="/)
    }
  })

  test('WEB-2: a session cookie is ignored', async () => {
    const amy = await member('OWNER')
    expect((await amy.call('customers_list')).customers).toEqual([])
    expect((await post(call('customers_list', {}), { ...amy.credentials })).status).toBe(401)
    const withScope = async (scope: string) => {
      const { credentials } = await withKey(amy, [scope])
      const answer = await told(await post(call('customers_list', {}), { ...credentials, ...amy.credentials }))
      return answer.result?.structuredContent
    }
    expect(await withScope('customers:read')).toMatchObject({ customers: [] })
    expect(await withScope('expenses:read')).toMatchObject({ error: { code: 'FORBIDDEN' } })
  })

  test('a revoked key is refused at the next request', async () => {
    const amy = await member('OWNER')
    const key = await withKey(amy)
    expect((await post(ping, { ...key.credentials })).status).toBe(200)
    const { keys } = await amy.call('api_keys_list')
    await amy.call('api_keys_revoke', { id: keys[0]?.id ?? '' })
    expect((await post(ping, { ...key.credentials })).status).toBe(401)
    expect((await post(call('customers_list', {}), { ...key.credentials })).status).toBe(401)
  })
})

/** Sends a chosen Host header, which fetch() does not allow. */
const statusWith = (headers: Record<string, string>) =>
  new Promise<number | undefined>((resolve, reject) => {
    const sent = rawRequest(mcpUrl(), { method: 'POST', headers: { 'content-type': 'application/json', ...headers } })
    sent.on('response', ({ statusCode }) => resolve(statusCode)).on('error', reject)
    sent.end(JSON.stringify(ping))
  })

describe('THR-23: requests of foreign web pages', () => {
  test('a forged Host or Origin is refused even with a valid key', async () => {
    const { credentials } = await withKey(await member('OWNER'))
    const { host, port } = mcpUrl()
    const accept = 'application/json, text/event-stream'
    const sent = (headers: Record<string, string>) => statusWith({ ...credentials, accept, ...headers })
    expect(await sent({ host })).toBe(200)
    expect(await sent({ host: `localhost:${port}`, origin: `http://localhost:${port}` })).toBe(200)
    for (const forged of ['evil.example', `evil.example:${port}`, '127.0.0.1:1', `127.0.0.1.evil.example:${port}`]) {
      expect(await sent({ host: forged }), forged).toBe(403)
    }
    for (const origin of [
      'http://evil.example',
      'null',
      `https://localhost:${port}`,
      'http://localhost:1',
      `http://${host}.evil.example`,
    ]) {
      expect(await sent({ origin }), origin).toBe(403)
    }
  })

  test('the host is checked before the key', async () => {
    expect(await statusWith({ host: mcpUrl().host })).toBe(401)
    expect(await statusWith({ host: 'evil.example' })).toBe(403)
  })
})

test('GET and DELETE are not supported: the endpoint has no streams and no sessions', async () => {
  const { credentials } = await withKey(await member('OWNER'))
  expect((await post(ping, { ...credentials })).status).toBe(200)
  for (const method of ['GET', 'DELETE']) {
    const answer = await fetch(mcpUrl(), { method, headers: { ...credentials, accept: 'text/event-stream' } })
    expect(answer.status).toBe(405)
  }
  expect((await fetch(mcpUrl())).status).toBe(401)
})

/** How many people, and how many clients they have together. */
const [peopleCount, clientCount] = inProof([5, 20], [20, 100])

test('THR-04: many clients that use the same message ids get their own answers only', async () => {
  const people = await Promise.all(
    Array.from({ length: peopleCount }, async (_, index) => {
      const owner = await member('OWNER')
      const name = `Marker ${index}`
      await owner.call('customers_create', { name, country: 'SG' })
      return { name, key: await withKey(owner) }
    }),
  )
  const clients = await Promise.all(
    Array.from({ length: clientCount }, async (_, index) => {
      const someone = people[index % people.length] as (typeof people)[number]
      return { name: someone.name, client: await connected(someone.key, index % 2 ? newest : previous) }
    }),
  )
  const seen = await Promise.all(
    clients.map(async ({ name, client }) => {
      const answers = await Promise.all([1, 2, 3].map(() => client.callTool({ name: 'customers_list', arguments: {} })))
      return answers.map(({ structuredContent }) => ({
        name,
        seen: (structuredContent as { customers: { name: string }[] }).customers.map((customer) => customer.name),
      }))
    }),
  )
  for (const { name, seen: shown } of seen.flat()) expect(shown).toEqual([name])
})

describe('a retry', () => {
  const create = operationNamed('customers_create')

  test('IDEM-1: with the same idempotencyKey has one effect', async () => {
    const amy = await withKey(await member('OWNER'))
    const client = await connected(amy)
    const createOnce = {
      name: 'customers_create',
      arguments: { name: 'Once', country: 'SG' },
      _meta: { idempotencyKey: 'k1' },
    }
    const [first, second] = [await client.callTool(createOnce), await client.callTool(createOnce)]
    expect(second.structuredContent).toEqual(first.structuredContent)
    expect(second._meta).toMatchObject({ idempotencyReplayed: true })
    expect((await amy.call('customers_list')).customers).toHaveLength(1)
    const other = await client.callTool({ ...createOnce, arguments: { name: 'Twice', country: 'SG' } })
    expect(other.structuredContent).toMatchObject({ error: { details: [{ code: 'IDEMPOTENCY_KEY_REUSED' }] } })
  })

  test('IDEM-3: the same request over HTTP and over MCP counts as one', async () => {
    const amy = await withKey(await member('OWNER'))
    const input = { name: 'Once', country: 'SG', organizationId: amy.organizationId }
    const meta = { idempotencyKey: 'k2' }
    const header = { 'idempotency-key': 'k2' }
    const made = await request(amy, create, input, { meta })
    const again = await amy.request(create, input, header)
    expect(again).toMatchObject({ status: 201, body: made.body, headers: { 'idempotency-replayed': 'true' } })
    const { id } = made.body as { id: string }
    const remove = operationNamed('customers_delete')
    const gone = await amy.request(remove, { id }, { 'idempotency-key': 'k3' })
    const goneAgain = await request(amy, remove, { id }, { meta: { idempotencyKey: 'k3' } })
    expect(goneAgain).toMatchObject({ status: 200, body: gone.body, headers: { idempotencyReplayed: true } })
  })

  test('IDEM-1: a malformed idempotency key is refused, after authorization', async () => {
    const amy = await withKey(await member('OWNER'))
    const accepted = await request(amy, create, { name: 'X', country: 'SG' }, { meta: { idempotencyKey: 'k4' } })
    expect(accepted.status).toBe(201)
    for (const idempotencyKey of ['', 'with space', 'ü', 5, null, {}, 'x'.repeat(256)]) {
      const refused = await request(amy, create, { name: 'X', country: 'SG' }, { meta: { idempotencyKey } })
      expect(refused).toMatchObject({ status: 400, body: { error: { details: [{ path: '_meta.idempotencyKey' }] } } })
    }
    const stranger = await withKey(await member('OWNER'), ['expenses:read'])
    const refused = await request(stranger, create, { name: 'X', country: 'SG' }, { meta: { idempotencyKey: 5 } })
    expect(refused.status).toBe(403)
  })
})

test('the usage of a key shows tool calls like the same HTTP calls', async () => {
  const amy = await member('OWNER')
  const key = await withKey(amy)
  const made = await request(key, operationNamed('customers_create'), { name: 'Used', country: 'SG' })
  const { id } = made.body as { id: string }
  await request(key, operationNamed('customers_get'), { id }, { lane: 'full' })
  await request(key, operationNamed('customers_get'), { id: 'none' })
  await post({ jsonrpc: '2.0', id: 1, method: 'tools/list' }, { ...key.credentials })
  const { keys } = await amy.call('api_keys_list')
  const { recent } = await amy.call('api_keys_usage', { id: keys[0]?.id ?? '' })
  expect(recent.map(({ method, path, statusCode, errorCode }) => [method, path, statusCode, errorCode])).toEqual([
    ['POST', '/mcp', 200, null],
    ['GET', '/api/customers/none', 404, 'NOT_FOUND'],
    ['GET', `/api/customers/${id}`, 200, null],
    ['POST', '/api/customers', 201, null],
  ])
})

const nested = (levels: number): unknown => (levels === 0 ? {} : { inner: nested(levels - 1) })
const padded = (bytes: number) => ({ ...ping, params: { padding: 'x'.repeat(bytes) } })
const mebibyte = 1024 * 1024

describe('an invalid message is refused', () => {
  test.each<[string, unknown, unknown]>([
    ['text that is not JSON', 'nothing', ping],
    ['an empty body', '', ping],
    ['a number', '5', ping],
    ['null', 'null', ping],
    ['an empty object', '{}', ping],
    ['an empty batch', [], [ping]],
    ['a batch of more than 20 messages', Array(21).fill(ping), Array(20).fill(ping)],
    ['more than 32 levels of nesting', { ...ping, params: nested(33) }, { ...ping, params: nested(20) }],
    ['an id that is an object', { ...ping, id: {} }, ping],
    ['another version of JSON-RPC', { ...ping, jsonrpc: '1.0' }, ping],
    ['an unknown field', { ...ping, more: 'x' }, ping],
    ['a key named __proto__', '{"jsonrpc":"2.0","id":1,"method":"ping","__proto__":{}}', ping],
    ['more than 28 MiB', padded(28 * mebibyte), padded(2 * mebibyte)],
  ])('%s', async (_, invalid, valid) => {
    const { credentials } = await withKey(await member('OWNER'))
    expect((await post(valid, { ...credentials })).status).toBe(200)
    const answer = await post(invalid, { ...credentials })
    expect(answer.status).toBe(400)
    expect(await answer.json()).toHaveProperty('error')
  })

  test('another media type', async () => {
    const { credentials } = await withKey(await member('OWNER'))
    expect((await post(ping, { ...credentials, 'content-type': 'application/json' })).status).toBe(200)
    expect((await post(ping, { ...credentials, 'content-type': 'text/plain' })).status).toBe(415)
  })

  test('random messages are refused or answered, without internal errors and details', async () => {
    const { credentials } = await withKey(await member('OWNER'))
    const anything = fc.oneof(fc.jsonValue(), fc.constantFrom(null, '', -1, 2 ** 60, 'x'.repeat(5_000), [], {}))
    const message = fc.record(
      {
        jsonrpc: fc.oneof(fc.constant('2.0'), anything),
        id: fc.oneof(fc.integer(), anything),
        method: fc.oneof(fc.constantFrom('tools/call', 'tools/list', 'initialize', 'server/discover'), anything),
        params: fc.oneof(
          anything,
          fc.record(
            {
              name: fc.oneof(fc.constantFrom('customers_list', 'search_tools'), anything),
              arguments: anything,
              _meta: anything,
            },
            { requiredKeys: [] },
          ),
        ),
      },
      { requiredKeys: [] },
    )
    await fc.assert(
      fc.asyncProperty(fc.oneof(message, fc.array(message, { maxLength: 3 })), async (sent) => {
        const answer = await post(sent, { ...credentials })
        const text = await answer.text()
        expect([200, 202, 400, 404, 406]).toContain(answer.status)
        expect(/node_modules|\.ts:\d|\n\s+at |select .+ from|kontor_/.test(text)).toBe(false)
      }),
      { numRuns: inProof(50, 150) },
    )
    expect((await post(ping, { ...credentials })).status).toBe(200)
    expect((await theApp().server.inject('/health')).statusCode).toBe(200)
  })
})
