import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { apiOperations } from '../../../../catalog/operations.ts'
import { neverOffered } from '../turns/effects.ts'
import { createTools } from './offered-tools.ts'

const all = apiOperations.filter((operation) => !neverOffered(operation))

/** Each tool as it is offered when it was found. */
const offered = all.map((operation) => {
  const tools = createTools([operation], '')
  tools.findByName(operation.name)
  return tools.offered().find(({ name }) => name === operation.name)
})

test('every tool has a name and a schema that all providers accept', () => {
  expect(offered.length).toBeGreaterThan(150)
  const ajv = new Ajv2020({ strict: false })
  for (const tool of offered) {
    expect(tool?.name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
    expect(tool?.description.length).toBeGreaterThan(10)
    const { type, properties, ...rest } = tool?.inputSchema ?? {}
    expect(type, tool?.name).toBe('object')
    // OpenAI refuses combinations at the top, and Anthropic other names of fields.
    expect(Object.keys(rest).filter((keyword) => /^(anyOf|oneOf|allOf|not|enum|if)$/.test(keyword))).toEqual([])
    for (const field of Object.keys(properties ?? {})) expect(field).toMatch(/^[a-zA-Z0-9_.-]{1,64}$/)
    expect(() => ajv.compile(tool?.inputSchema ?? {})).not.toThrow()
    expect(JSON.stringify(tool?.inputSchema)).not.toContain('"organizationId"')
  }
})

test('the tools of a turn take less than 40,000 characters', () => {
  for (const text of ['Hello', 'מה ההוצאות על דלק', 'email me when an invoice is paid', 'run payroll for March']) {
    const tools = createTools(all, text)
    tools.find('lock the books')
    expect(tools.offered().length).toBe(42)
    expect(JSON.stringify(tools.offered()).length, text).toBeLessThan(40_000)
  }
})

test('what was found last stays offered, also after many searches', () => {
  const tools = createTools(all, 'Hello')
  for (const query of ['payroll', 'stock', 'automation', 'mailbox', 'tax', 'journal']) tools.find(query)
  const { tools: found } = tools.find('refund a payment')
  const names = tools.offered().map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(found.map(({ name }) => name)))
  expect(names.length).toBe(42)
})

test('an empty search, and a name that does not exist, find nothing', () => {
  const tools = createTools(all, 'Hello')
  expect(tools.find('')).toEqual({ tools: [], total: 0 })
  expect(tools.findByName('constructor')).toBe(false)
})
