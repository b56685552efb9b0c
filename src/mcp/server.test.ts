import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { apiOperations as operations } from '../catalog/operations.ts'
import { connected, newest, post, previous, told } from '../test/mcp.ts'
import { sell } from '../test/sales-documents.ts'
import { member, operationNamed, person, withKey } from '../test/world.ts'

const names = (tools: { name: string }[]) => tools.map(({ name }) => name)
const forKeys = operations.filter(({ sources }) => sources.includes('API_KEY')).map(({ name }) => name)

describe('the list of tools', () => {
  test('an owner with all scopes sees every tool for API keys, in the order of the operations', async () => {
    const client = await connected(await withKey(await member('OWNER')))
    const { tools, nextCursor } = await client.listTools()
    expect(names(tools)).toEqual(['search_tools', ...forKeys])
    expect(nextCursor).toBeUndefined()
    expect(names((await client.listTools()).tools)).toEqual(names(tools))
  })

  test('a key sees the tools of its scopes only', async () => {
    const client = await connected(await withKey(await member('OWNER'), ['customers:read']))
    const expected = forKeys.filter((name) => operationNamed(name).scope === 'customers:read')
    expect(names((await client.listTools()).tools)).toEqual(['search_tools', ...expected])
  })

  test('a viewer sees no tool that requires a higher role', async () => {
    const client = await connected(await withKey(await member('VIEWER')))
    const shown = names((await client.listTools()).tools)
    expect(shown).toContain('customers_list')
    expect(shown).toContain('organizations_create') // requires no organization
    expect(shown).not.toContain('customers_create')
    expect(shown).not.toContain('organizations_delete')
    expect(shown).toContain('users_member_delete') // every member may leave
  })

  test('a key without organizations sees the tools that require none', async () => {
    const client = await connected(await withKey(await member('OWNER'), ['*:*'], {}))
    const expected = forKeys.filter((name) => operationNamed(name).within === 'caller')
    expect(names((await client.listTools()).tools)).toEqual(['search_tools', ...expected])
  })

  test('the highest role in the organizations of the key decides', async () => {
    const amy = await member('VIEWER')
    const own = await amy.call('organizations_create', { name: 'Own', country: 'SG' })
    const everywhere = await connected(await withKey(amy))
    expect(names((await everywhere.listTools()).tools)).toContain('organizations_delete')
    const narrow = await connected(await withKey(amy, ['*:*'], { organizationIds: [amy.organizationId ?? ''] }))
    expect(names((await narrow.listTools()).tools)).not.toContain('organizations_delete')
    expect(own.id).not.toBe(amy.organizationId)
  })

  test('every tool has a title, hints, and schemas that a client can compile', async () => {
    const client = await connected(await withKey(await member('OWNER')))
    const { tools } = await client.listTools()
    const ajv = new Ajv2020({ strict: false, logger: false })
    for (const { name, title, description, annotations, inputSchema, outputSchema } of tools) {
      expect(title, name).toMatch(/^[A-Z]/)
      expect(description, name).toMatch(/\.$/)
      expect(annotations, name).toMatchObject({ readOnlyHint: expect.any(Boolean), openWorldHint: expect.any(Boolean) })
      expect(inputSchema, name).toMatchObject({ type: 'object', additionalProperties: false })
      expect(outputSchema, name).toMatchObject({ type: 'object' })
      for (const schema of [inputSchema, outputSchema]) expect(ajv.compile({ ...schema })).toBeTypeOf('function')
    }
  })

  test('hints mark tools that only read, that may overwrite, and that can be repeated', async () => {
    const client = await connected(await withKey(await member('OWNER')))
    const { tools } = await client.listTools()
    const hints = (name: string) => tools.find((tool) => tool.name === name)?.annotations
    expect(hints('customers_get')).toMatchObject({ readOnlyHint: true, destructiveHint: false, idempotentHint: true })
    expect(hints('customers_create')).toMatchObject({
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: false,
    })
    expect(hints('customers_delete')).toMatchObject({
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: true,
    })
    expect(hints('customers_update')).toMatchObject({
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: true,
    })
  })
})

describe.each([newest, previous])('with protocol %s', (version) => {
  test('a customer is created and read', async () => {
    const amy = await withKey(await member('OWNER'))
    const client = await connected(amy, version)
    expect(client.getNegotiatedProtocolVersion()).toBe(version)
    const made = await client.callTool({ name: 'customers_create', arguments: { name: 'Globex', country: 'SG' } })
    const { id } = made.structuredContent as { id: string }
    const read = await client.callTool({ name: 'customers.get', arguments: { id } }) // dots are underscores
    expect(read.structuredContent).toEqual(await amy.call('customers_get', { id }))
    expect(read.content).toEqual([{ type: 'text', text: JSON.stringify(read.structuredContent) }])
  })

  test('a tool can be called by its alias', async () => {
    const amy = await withKey(await member('OWNER'))
    const client = await connected(amy, version)
    const { id } = await sell(amy)
    const changed = await client.callTool({ name: 'invoices.update_patch', arguments: { id, notes: 'Thank you' } })
    expect(changed.structuredContent).toMatchObject({ id, notes: 'Thank you' })
  })

  test('a refusal is a result with the invalid fields and a retry hint', async () => {
    const client = await connected(await withKey(await member('OWNER')), version)
    const refused = await client.callTool({ name: 'customers_create', arguments: { name: '' } })
    expect(refused.isError).toBe(true)
    expect(refused.structuredContent).toEqual({
      error: {
        code: 'VALIDATION',
        message: expect.any(String),
        details: expect.arrayContaining([{ path: 'country', message: expect.any(String), code: 'REQUIRED' }]),
        requestId: expect.any(String),
      },
      retry: { retryable: false },
    })
  })

  test('an unknown tool is a protocol error', async () => {
    const client = await connected(await withKey(await member('OWNER')), version)
    expect(await client.callTool({ name: 'customers_list', arguments: {} })).toHaveProperty('structuredContent')
    await expect(client.callTool({ name: 'customers_burn', arguments: {} })).rejects.toMatchObject({ code: -32602 })
  })

  test('the search finds tools by keywords, among those that the caller may call', async () => {
    const client = await connected(await withKey(await member('OWNER'), ['customers:*']), version)
    const search = async (query: string) =>
      (await client.callTool({ name: 'search_tools', arguments: { query } })).structuredContent as {
        tools: { name: string; inputSchema: object }[]
        total: number
      }
    const { tools } = await search('add a new customer')
    expect(tools[0]).toMatchObject({ name: 'customers_create', inputSchema: { required: ['name', 'country'] } })
    const bankTools = (found: { tools: { name: string }[] }) =>
      found.tools.filter(({ name }) => name.startsWith('bank'))
    expect(bankTools(await search('bank account'))).toEqual([])
    const owner = await connected(await withKey(await member('OWNER')), version)
    const all = await owner.callTool({ name: 'search_tools', arguments: { query: 'bank account' } })
    expect(bankTools(all.structuredContent as { tools: { name: string }[] })).not.toEqual([])
    expect(await search('zzz')).toEqual({ tools: [], total: 0 })
    const wrong = await client.callTool({ name: 'search_tools', arguments: {} })
    expect(wrong).toMatchObject({ isError: true, structuredContent: { error: { code: 'VALIDATION' } } })
  })
})

test.each(['2025-06-18', '2025-03-26', '2024-11-05'])(
  'a client with the older protocol version %s is supported',
  async (version) => {
    const { credentials } = await withKey(await member('OWNER'))
    const clientInfo = { name: 'old', version: '0' }
    const params = { protocolVersion: version, capabilities: {}, clientInfo }
    const initialized = await told(
      await post({ jsonrpc: '2.0', id: 'a', method: 'initialize', params }, { ...credentials }),
    )
    expect(initialized.result).toMatchObject({ protocolVersion: version, capabilities: { tools: {} } })
    const headers = { ...credentials, 'mcp-protocol-version': version }
    expect((await post({ jsonrpc: '2.0', method: 'notifications/initialized' }, headers)).status).toBe(202)
    const params2 = { name: 'customers_list', arguments: {} }
    const { result } = await told(await post({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: params2 }, headers))
    expect(result?.structuredContent).toMatchObject({ customers: [] })
  },
)

test('a missing id is reported after authorization', async () => {
  const client = await connected(await withKey(await member('OWNER')))
  const { structuredContent } = await client.callTool({ name: 'customers_get', arguments: {} })
  expect(structuredContent).toMatchObject({ error: { code: 'VALIDATION', details: [{ path: 'id' }] } })
  const other = await connected(await withKey(await person(), ['expenses:read']))
  const refused = await other.callTool({ name: 'customers_get', arguments: {} })
  expect(refused.structuredContent).toMatchObject({ error: { code: 'FORBIDDEN' } })
})

test('an invalid cursor is a protocol error', async () => {
  const client = await connected(await withKey(await member('OWNER')))
  expect((await client.listTools({ cursor: '0' })).tools).not.toEqual([])
  await expect(client.listTools({ cursor: 'nowhere' })).rejects.toMatchObject({ code: -32602 })
})
