import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { apiOperations as operations } from '../catalog/operations.ts'
import { everydayTools } from '../core/search/everyday-tools.ts'
import { firstSentence } from '../core/values/first-sentence.ts'
import { connected, newest, post, previous, told } from '../test/mcp.ts'
import { member, withKey } from '../test/world.ts'

const compact = '?tools=compact'
const everyday = Object.values(everydayTools).flat()
const names = (tools: { name: string }[]) => tools.map(({ name }) => name)

/**
 * More than a tokenizer makes of JSON: each part of a camelCase name, each run of punctuation and each three digits is a token, and
 * a word of more than ten letters is several.
 */
const tokensOf = (text: string) =>
  (text.match(/\p{Lu}?\p{Ll}+|\p{Lu}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+|\s+/gu) ?? []).reduce(
    (sum, part) => sum + Math.ceil(part.length / 10),
    0,
  )

test('every everyday tool exists, is for API keys and is declared once', () => {
  const forKeys = operations.filter(({ sources }) => sources.includes('API_KEY')).map(({ name }) => name)
  expect(everyday.filter((name) => !forKeys.includes(name))).toEqual([])
  expect(new Set(everyday).size).toBe(everyday.length)
})

test('the compact list has less than 10,000 tokens for an owner with all scopes, in at most 36,000 bytes', async () => {
  const client = await connected(await withKey(await member('OWNER')), newest, compact)
  const { tools, nextCursor } = await client.listTools()
  expect(nextCursor).toBeUndefined()
  expect(names(tools).sort()).toEqual(['search_tools', ...everyday].sort())
  const text = JSON.stringify(tools)
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(36_000)
  expect(tokensOf(text)).toBeLessThan(10_000)
  expect(tokensOf(client.getInstructions() ?? '')).toBeLessThan(400)
})

test('a compact tool has a sentence, an input schema that a client can compile, and no output schema', async () => {
  const amy = await withKey(await member('OWNER'))
  const { tools } = await (await connected(amy, newest, compact)).listTools()
  const full = new Map((await (await connected(amy)).listTools()).tools.map((tool) => [tool.name, tool]))
  const ajv = new Ajv2020({ strict: false, logger: false, allowUnionTypes: true })
  for (const { name, description, inputSchema, outputSchema, annotations } of tools) {
    const whole = full.get(name)
    expect(description, name).toBe(firstSentence(whole?.description ?? ''))
    expect(outputSchema, name).toBeUndefined()
    expect(ajv.compile({ ...inputSchema }), name).toBeTypeOf('function')
    expect(inputSchema.required, name).toEqual(whole?.inputSchema.required)
    expect(annotations?.readOnlyHint ?? false, name).toBe(whole?.annotations?.readOnlyHint)
    expect(annotations?.destructiveHint ?? !annotations?.readOnlyHint, name).toBe(whole?.annotations?.destructiveHint)
  }
})

test('the compact list says what building an automation takes: bindings, filters, conditions, lists, and that a test acts', async () => {
  const { tools } = await (await connected(await withKey(await member('OWNER')), newest, compact)).listTools()
  const tool = (name: string) => tools.find((each) => each.name === name)
  expect(tool('automations_test')?.description).toMatch(/really carrying out its actions/)
  expect(tool('automations_catalog')?.description).toMatch(/give kind or query .* or names .* everything, some 2 MB/)
  const made = JSON.parse(JSON.stringify(tool('automations_create')?.inputSchema.properties))
  const { config } = made.blocks.items.properties
  expect(config.description).toMatch(/\{input\}.*\{spec\} as automations_preview takes it.*\{\{trigger\.total\}\}.*\{\{blocks\..*\{\{item\.id\}\}/)
  expect(config.description.length).toBeLessThanOrEqual(500)
  const { cond, mode, each } = made.edges.items.properties
  expect(cond.description).toMatch(/\{left, op, right\}.*eq, ne, gt.*exists and empty/)
  expect(mode.description).toMatch(/FOR_EACH runs it for each element .* as \{\{item\}\}/)
  expect(each.description).toMatch(/path of the list inside the output of the source/)
  const changed = JSON.stringify(tool('automations_update')?.inputSchema)
  expect(changed.match(/as in automations_create\./g)).toHaveLength(2)
  for (const { name, inputSchema } of tools) expect(JSON.stringify(inputSchema), name).not.toMatch(/"description":"[^"]{501}/)
}) // biome-ignore format: a list of expectations

test('the compact list holds only what the caller may call', async () => {
  const client = await connected(await withKey(await member('OWNER'), ['customers:read']), newest, compact)
  expect(names((await client.listTools()).tools)).toEqual(['search_tools', 'customers_list', 'customers_get'])
})

test.each([newest, previous])(
  'with protocol %s a tool that is not listed is found by search and called by its name',
  async (version) => {
    const client = await connected(await withKey(await member('OWNER')), version, compact)
    expect(client.getInstructions()).toMatch(/search_tools finds every other/)
    expect(names((await client.listTools()).tools)).not.toContain('expense_categories_create')
    const { structuredContent } = await client.callTool({
      name: 'search_tools',
      arguments: { query: 'add an expense category' },
    })
    const { tools } = structuredContent as { tools: { name: string; description: string; inputSchema: object }[] }
    expect(tools[0]).toMatchObject({
      name: 'expense_categories_create',
      description: expect.any(String),
      inputSchema: { required: expect.arrayContaining(['name']), additionalProperties: false },
    })
    const made = await client.callTool({ name: 'expense_categories_create', arguments: { name: 'Tools' } })
    expect(made.structuredContent).toMatchObject({ name: 'Tools' })
  },
)

test('the list is complete unless compact is asked for, and an unknown list is refused', async () => {
  const { credentials } = await withKey(await member('OWNER'))
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
  const listed = async (query: string) => {
    const answer = await told(await post(list, { ...credentials }, query))
    return (answer.result as unknown as { tools: object[] }).tools
  }
  expect(await listed('?tools=full')).toEqual(await listed(''))
  const refused = await post(list, { ...credentials }, '?tools=tiny')
  expect(refused.status).toBe(400)
  expect(await refused.json()).toMatchObject({
    error: { code: 'VALIDATION', message: expect.stringContaining('tools=compact') },
  })
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'customers_list', arguments: {} } }
  expect((await post(call, { ...credentials }, compact)).status).toBe(200)
  expect((await post(call, { ...credentials }, '?tools=tiny')).status).toBe(400)
  expect((await post(list, {}, '?tools=tiny')).status).toBe(401)
})

test.each([
  ['Reads one customer.', 'Reads one customer.'],
  ['Changes an automation. Its graph is replaced whole.', 'Changes an automation.'],
  ['Reads winmail.dat and e.g. zip files. Twice.', 'Reads winmail.dat and e.g. zip files.'],
  ['Object.field', 'Object.field'],
])('the first sentence of %j is %j', (text, sentence) => {
  expect(firstSentence(text)).toBe(sentence)
})
