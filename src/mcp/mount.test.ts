import { request as rawRequest } from 'node:http'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { connected, mcpUrl, newest, post, previous, request, told } from '../test/mcp.ts'
import { member, operationNamed, theApp, withKey } from '../test/world.ts'

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
const call = (name: string, input: object, more: object = {}) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: input, ...more },
})

describe('who is let in', () => {
  test('nobody without a key, and they are told where to learn more', async () => {
    for (const message of [ping, call('customers_list', {}), 'no json']) {
      const answer = await post(message)
      expect(answer.status).toBe(401)
      expect(answer.headers.get('www-authenticate')).toBe(
        'Bearer resource_metadata="http://127.0.0.1:3000/.well-known/oauth-protected-resource/mcp"',
      )
      expect(await answer.json()).toMatchObject({ error: { code: 'UNAUTHENTICATED' } })
    }
  })

  test('nobody with a key that is none, whatever they send', async () => {
    for (const message of [ping, call('customers_list', {}), [call('customers_list', {})], 'no json']) {
      const answer = await post(message, { authorization: 'Bearer kt_garbage1_0' })
      expect(answer.status).toBe(401)
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer error="invalid_token", resource_metadata="/)
    }
  })

  test('WEB-2: a session cookie opens nothing here', async () => {
    const amy = await member('OWNER')
    expect((await post(call('customers_list', {}), { ...amy.credentials })).status).toBe(401)
    const { credentials } = await withKey(amy, ['expenses:read'])
    const both = await told(await post(call('customers_list', {}), { ...credentials, ...amy.credentials }))
    expect(both.result?.structuredContent).toMatchObject({ error: { code: 'FORBIDDEN' } })
  })

  test('a revoked key has no effect on the next request', async () => {
    const amy = await member('OWNER')
    const key = await withKey(amy)
    expect((await post(ping, { ...key.credentials })).status).toBe(200)
    const { keys } = await amy.call('api_keys_list')
    await amy.call('api_keys_revoke', { id: keys[0]?.id ?? '' })
    expect((await post(ping, { ...key.credentials })).status).toBe(401)
    expect((await post(call('customers_list', {}), { ...key.credentials })).status).toBe(401)
  })
})

/** fetch() chooses Host itself; a page that drives this machine does so too, with its own name. */
const statusWith = (headers: Record<string, string>) =>
  new Promise<number | undefined>((resolve, reject) => {
    const sent = rawRequest(mcpUrl(), { method: 'POST', headers: { 'content-type': 'application/json', ...headers } })
    sent.on('response', ({ statusCode }) => resolve(statusCode)).on('error', reject)
    sent.end(JSON.stringify(ping))
  })

describe('THR-23: pages of other sites', () => {
  test('a forged Host or Origin is 403, with a good key too', async () => {
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

  test('the place is checked before the key', async () => {
    expect(await statusWith({ host: 'evil.example' })).toBe(403)
  })
})

test('there are no streams to listen to and no sessions to end', async () => {
  const { credentials } = await withKey(await member('OWNER'))
  for (const method of ['GET', 'DELETE']) {
    const answer = await fetch(mcpUrl(), { method, headers: { ...credentials, accept: 'text/event-stream' } })
    expect(answer.status).toBe(405)
  }
  expect((await fetch(mcpUrl())).status).toBe(401)
})

test('THR-04: a hundred clients that use the same ids see their own answers only', async () => {
  const people = await Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      const owner = await member('OWNER')
      const name = `Marker ${index}`
      await owner.call('customers_create', { name, country: 'SG' })
      return { name, key: await withKey(owner) }
    }),
  )
  const clients = await Promise.all(
    Array.from({ length: 100 }, async (_, index) => {
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
    const order = {
      name: 'customers_create',
      arguments: { name: 'Once', country: 'SG' },
      _meta: { idempotencyKey: 'k1' },
    }
    const [first, second] = [await client.callTool(order), await client.callTool(order)]
    expect(second.structuredContent).toEqual(first.structuredContent)
    expect(second._meta).toMatchObject({ idempotencyReplayed: true })
    expect((await amy.call('customers_list')).customers).toHaveLength(1)
    const other = await client.callTool({ ...order, arguments: { name: 'Twice', country: 'SG' } })
    expect(other.structuredContent).toMatchObject({ error: { details: [{ code: 'IDEMPOTENCY_KEY_REUSED' }] } })
  })

  test('IDEM-3: over HTTP what was sent over MCP, or the other way round, is the same request', async () => {
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

  test('IDEM-1: a malformed key is refused, after the door', async () => {
    const amy = await withKey(await member('OWNER'))
    for (const idempotencyKey of ['', 'with space', 'ü', 5, null, {}, 'x'.repeat(256)]) {
      const refused = await request(amy, create, { name: 'X', country: 'SG' }, { meta: { idempotencyKey } })
      expect(refused).toMatchObject({ status: 400, body: { error: { details: [{ path: '_meta.idempotencyKey' }] } } })
    }
    const stranger = await withKey(await member('OWNER'), ['expenses:read'])
    const refused = await request(stranger, create, { name: 'X', country: 'SG' }, { meta: { idempotencyKey: 5 } })
    expect(refused.status).toBe(403)
  })
})

test('the usage of a key shows tool calls as the HTTP calls they might have been', async () => {
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

describe('what is no message', () => {
  test.each([
    ['no JSON', 'nothing', 400],
    ['nothing', '', 400],
    ['a number', '5', 400],
    ['null', 'null', 400],
    ['an empty batch', '[]', 400],
    ['too many at once', JSON.stringify(Array(21).fill(ping)), 400],
    ['too deep', `${'['.repeat(40)}${']'.repeat(40)}`, 400],
    ['a bare object', '{}', 400],
    ['an id that is an object', '{"jsonrpc":"2.0","id":{},"method":"tools/list"}', 400],
    ['another version of JSON-RPC', '{"jsonrpc":"1.0","id":1,"method":"tools/list"}', 400],
    ['a prototype', '{"jsonrpc":"2.0","id":1,"method":"tools/list","__proto__":{}}', 400],
    ['more than 1 MiB', JSON.stringify({ ...ping, more: 'x'.repeat(1_100_000) }), 400],
  ])('%s', async (_, body, status) => {
    const { credentials } = await withKey(await member('OWNER'))
    const answer = await post(body, { ...credentials })
    expect(answer.status).toBe(status)
    expect(await answer.json()).toHaveProperty('error')
  })

  test('another media type', async () => {
    const { credentials } = await withKey(await member('OWNER'))
    expect((await post(ping, { ...credentials, 'content-type': 'text/plain' })).status).toBe(415)
  })

  test('messages bent in any way are refused or answered, and nothing breaks or shows through', async () => {
    const { credentials } = await withKey(await member('OWNER'))
    const odd = fc.oneof(fc.jsonValue(), fc.constantFrom(null, '', -1, 2 ** 60, 'x'.repeat(5_000), [], {}))
    const message = fc.record(
      {
        jsonrpc: fc.oneof(fc.constant('2.0'), odd),
        id: fc.oneof(fc.integer(), odd),
        method: fc.oneof(fc.constantFrom('tools/call', 'tools/list', 'initialize', 'server/discover'), odd),
        params: fc.oneof(
          odd,
          fc.record(
            { name: fc.oneof(fc.constantFrom('customers_list', 'search_tools'), odd), arguments: odd, _meta: odd },
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
      { numRuns: 150 },
    )
    expect((await post(ping, { ...credentials })).status).toBe(200)
    expect((await theApp().server.inject('/health')).statusCode).toBe(200)
  })
})
