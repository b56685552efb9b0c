import '../test/own-world.ts'
import { Writable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type App, createApp } from '../program/app.ts'
import { member, type Someone, testConfig, theDatabase, withKey } from '../test/world.ts'

/** A server with very low rate limits, whose log the tests read. */
const lines: Record<string, unknown>[] = []
let app: App
let url: string

beforeAll(async () => {
  const log = new Writable({
    write(chunk, _, done) {
      lines.push(
        ...String(chunk)
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line)),
      )
      done()
    },
  })
  app = await createApp(testConfig({ RATE_LIMIT_SCALE: '0.001', LOG_LEVEL: 'info' }), theDatabase(), { log })
  url = await app.server.listen({ host: '127.0.0.1', port: 0 })
})

afterAll(() => app.close())

async function call({ credentials }: Someone, name: string, input: object) {
  const answer = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { ...credentials, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } }),
  })
  return ((await answer.json()) as { result: { structuredContent: Record<string, unknown> } }).result.structuredContent
}

test('RATE: tool calls and HTTP calls share one rate limit, and a refusal says how long to wait', async () => {
  const amy = await withKey(await member('OWNER'))
  const http = async () => (await fetch(`${url}/api/customers`, { headers: { ...amy.credentials } })).status
  expect(await call(amy, 'customers_list', {})).toHaveProperty('customers')
  expect(await http()).toBe(200)
  expect(await call(amy, 'customers_list', {})).toHaveProperty('customers')
  expect(await call(amy, 'customers_list', {})).toMatchObject({
    error: { code: 'RATE_LIMIT' },
    retry: { retryable: true, retryAfterS: expect.any(Number) },
  })
  expect(await http()).toBe(429)
})

test('a call writes one log line with tool, person and outcome, and without its arguments', async () => {
  const amy = await withKey(await member('OWNER'))
  await call(amy, 'customers_create', { name: 'Told in confidence', country: '' })
  const line = lines.filter(({ msg }) => msg === 'tool call').at(-1)
  expect(line).toMatchObject({ tool: 'customers_create', status: 400, error: 'VALIDATION', userId: amy.userId })
  expect(line).toMatchObject({ organizationId: amy.organizationId, keyId: expect.any(String), ms: expect.any(Number) })
  const written = JSON.stringify(lines)
  expect(written).not.toContain('Told in confidence')
  expect(written).not.toContain('kt_')
})
