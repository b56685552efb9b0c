import '../test/own-world.ts'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { conflict } from '../core/define/failure.ts'
import { operation } from '../core/define/operation.ts'
import { InOrganization, Success, success } from '../core/define/schema.ts'
import { createLimiter } from '../core/run/rate-limit.ts'
import { createUsage } from '../core/run/usage.ts'
import { member, testConfig, theApp, withKey } from '../test/world.ts'
import { mountMcp } from './mount.ts'

/** Stand-ins for operations that call the network and report progress. */
const long = operation({
  name: 'customers_long',
  http: 'POST /api/customers/long',
  does: 'Takes several steps.',
  scope: 'customers:write',
  within: 'organizationId',
  outside: true,
  input: InOrganization,
  output: Success,
  async run({ tx }) {
    await tx(async () => {})
    await tx(async () => {})
    return success
  },
})

const failing = operation({
  ...{ does: 'Fails on its way.', scope: 'customers:write', within: 'organizationId', input: InOrganization },
  name: 'customers_failing',
  http: 'POST /api/customers/failing',
  outside: true,
  output: Success,
  run: async () => {
    throw conflict('It cannot be done.')
  },
})

const app = fastify()
const usageOf = () => createUsage(theApp().system, () => {})
let usage: ReturnType<typeof usageOf>
let url: string

beforeAll(async () => {
  const { runner, confined, system } = theApp()
  usage = usageOf()
  app.decorate('draining', false).decorateRequest('trace', null as never)
  const operations = [long, failing] as never
  mountMcp(app, { config: testConfig(), operations, runner, confined, usage, limiter: createLimiter(system, 100) })
  url = await app.listen({ host: '127.0.0.1', port: 0 })
})

afterAll(async () => {
  await app.close()
  await usage.close()
})

describe.each(['2026-07-28', '2025-11-25'])('with protocol %s', (version) => {
  async function connect() {
    const { credentials } = await withKey(await member('OWNER'))
    const mode = version === '2026-07-28' ? { pin: version } : ('legacy' as const)
    const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } })
    const transport = new StreamableHTTPClientTransport(new URL('/mcp', url), {
      requestInit: { headers: { ...credentials } },
    })
    await client.connect(transport)
    return client
  }

  test('a long tool reports progress if the client asks for it', async () => {
    const client = await connect()
    const steps: { progress: number; message?: string | undefined }[] = []
    const order = { name: 'customers_long', arguments: {} }
    const { structuredContent } = await client.callTool(order, { onprogress: (step) => void steps.push(step) })
    expect(structuredContent).toEqual({ success: true })
    expect(steps.map(({ progress, message }) => `${progress} ${message}`)).toEqual([
      '1 Started',
      '2 Recorded a step',
      '3 Recorded a step',
      '4 Finishing',
    ])
    expect(await client.callTool(order)).toMatchObject({ structuredContent: { success: true } })
    await client.close()
  })

  test('a long tool that fails returns the error', async () => {
    const client = await connect()
    const order = { name: 'customers_failing', arguments: {} }
    const result = await client.callTool(order, { onprogress: () => {} })
    expect(result).toMatchObject({ isError: true, structuredContent: { error: { code: 'CONFLICT' } } })
    await client.close()
  })

  test('a tool that calls the network has the open-world hint', async () => {
    const client = await connect()
    const { tools } = await client.listTools()
    expect(tools.find(({ name }) => name === 'customers_long')?.annotations).toMatchObject({ openWorldHint: true })
    await client.close()
  })
})
