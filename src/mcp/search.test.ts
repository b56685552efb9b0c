import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { apiOperations as operations } from '../catalog/operations.ts'
import { searchTerms } from '../core/search/search-terms.ts'
import { firstSentence } from '../core/values/first-sentence.ts'
import { heldOutQueries, knownQueries, type SearchQuery } from '../test/search-queries.ts'
import { search, searchTool } from './search.ts'
import { createToolbox } from './tool.ts'

const tools = [...createToolbox(operations).values()].filter(({ operation }) => operation.sources.includes('API_KEY'))
const found = (query: string, limit = 3) => search(tools, { query, limit }).tools.map(({ name }) => name)
const isHit = ([query, ...expected]: SearchQuery) => found(query).some((name) => expected.includes(name))

test('every tool that a search expects or describes exists', () => {
  const names = new Set(operations.map(({ name }) => name))
  const expected = [...knownQueries, ...heldOutQueries].flatMap(([, ...tools]) => tools)
  expect([...expected, ...Object.keys(searchTerms)].filter((name) => !names.has(name))).toEqual([])
})

test('the queries are at least 50, 12 of them in Hebrew', () => {
  expect(knownQueries.length).toBeGreaterThanOrEqual(50)
  expect(knownQueries.filter(([query]) => /\p{Script=Hebrew}/u.test(query)).length).toBeGreaterThanOrEqual(12)
})

test.each(knownQueries)('the search for %j finds %s among the first three', (query, ...expected) => {
  expect(
    found(query).some((name) => expected.includes(name)),
    found(query, 6).join(' '),
  ).toBe(true)
})

test('at least 18 of 20 queries that the search was not tuned with find their tool among the first three', () => {
  expect(heldOutQueries).toHaveLength(20)
  expect(heldOutQueries.filter(isHit).length).toBeGreaterThanOrEqual(18)
})

test.each([
  ['email when expense is created', true],
  ['every month create an invoice', true],
  ['alert me if stock is low', true],
  ['שלח מייל כשנוצרת הוצאה', true],
  ['כל חודש לשלוח תזכורת', true],
  ['when was the mail sent', false],
  ['send every invoice', false],
  ['when is the invoice due', false],
  ['שלח את כל החשבוניות', false],
])('the search for %j asks for an automation: %s', (query, isMeant) => {
  expect(found(query, 1)[0] === 'automations_create').toBe(isMeant)
  const withoutRight = tools.filter(({ listed }) => listed.name !== 'automations_create')
  expect(search(withoutRight, { query }).tools.map(({ name }) => name)).not.toContain('automations_create')
})

test('the name of a tool finds it first, also with dots', () => {
  for (const { listed } of tools) expect(found(listed.name, 1)).toEqual([listed.name])
  expect(found('invoices.payments', 1)).toEqual(['invoices_payments'])
})

test('an answer has at most 16,000 bytes and mostly less than 12,000: the best with their schemas, the others in a sentence', () => {
  const isValid = new Ajv2020({ strict: false }).compile(searchTool.outputSchema)
  const sizes = [...knownQueries, ...heldOutQueries].map(([query]) => {
    const answer = search(tools, { query })
    expect(isValid(answer), query).toBe(true)
    expect(answer.tools[0]).toHaveProperty('inputSchema')
    for (const { name, description, inputSchema } of answer.tools.slice(1)) {
      const whole = tools.find(({ listed }) => listed.name === name)?.listed
      expect(description, name).toBe(inputSchema ? whole?.description : firstSentence(whole?.description ?? ''))
    }
    expect(answer.tools.filter(({ inputSchema }) => inputSchema).length).toBeLessThanOrEqual(3)
    return Buffer.byteLength(JSON.stringify(answer))
  })
  expect(Math.max(...sizes)).toBeLessThanOrEqual(16_000)
  expect(sizes.filter((size) => size >= 12_000).length).toBeLessThanOrEqual(5)
})

test('the name of a tool gives its whole description and input schema', () => {
  for (const { listed } of tools) {
    const { name, title, description, inputSchema } = listed
    expect(search(tools, { query: name }).tools[0]).toEqual({ name, title, description, inputSchema })
  }
})

test('inflected and mistyped words find what the word finds', () => {
  for (const query of ['refunds', 'refunding', 'refnud', 'החזרים', 'וההחזר'])
    expect(found(query), query).toContain('invoices_payments_refund')
})

test('the same search always has the same answer, and a search for nothing finds nothing', () => {
  expect(search(tools, { query: 'send' })).toEqual(search(tools, { query: 'send' }))
  expect(search(tools, { query: 'xyzzy' })).toEqual({ tools: [], total: 0 })
  expect(search(tools, { query: 'the of and' })).toEqual({ tools: [], total: 0 })
})

test('tools that the caller may not call are not found', () => {
  const others = tools.filter(({ operation }) => operation.feature !== 'payroll')
  const names = search(others, { query: 'payslip', limit: 50 }).tools.map(({ name }) => name)
  expect(names.filter((name) => name.startsWith('payroll'))).toEqual([])
})
