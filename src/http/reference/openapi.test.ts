import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import spectralCore, { type RulesetDefinition } from '@stoplight/spectral-core'
import spectralRulesets from '@stoplight/spectral-rulesets'
import { expect, test } from 'vitest'
import { apiOperations as operations } from '../../catalog/operations.ts'
import { example } from '../../core/contract/example.ts'
import { toolList } from '../../core/contract/tool-list.ts'
import type { Operation } from '../../core/define/operation.ts'
import { defaulted, Type } from '../../core/define/schema.ts'
import { problemsOf } from '../../core/define/validate.ts'
import { openApi } from './openapi.ts'

const document = openApi(operations, { url: 'http://127.0.0.1:3000', version: '1.0.0' })
const text = `${JSON.stringify(document, null, 2)}\n`

const file = fileURLToPath(new URL('../../../docs/openapi.json', import.meta.url))

test('docs/openapi.json matches the operations', async () => {
  expect(existsSync(file), 'A missing file would be written instead of compared.').toBe(true)
  await expect(
    text,
    'The API changed. If this is intended, run `npm run openapi` and commit the file.',
  ).toMatchFileSnapshot(file)
})

test('Spectral reports no problems', async () => {
  const spectral = new spectralCore.Spectral()
  spectral.setRuleset({ extends: [[spectralRulesets.oas as unknown as RulesetDefinition, 'recommended']] }) // its own types disagree
  expect((await spectral.run(text)).map(({ path, message }) => `${path.join('.')}: ${message}`)).toEqual([])
})

/** Addresses beside /api/expenses/{id}/… whose second word is never an id: the contract gives the first, payments are like it. */
const beside = ['`/api/expenses/attachments/{id}`', '`/api/expenses/payments/{id}', '`/api/expenses/fetch-logs/{id}`']

test('Redocly reports no problems', async () => {
  const config = await createConfig({ extends: ['recommended'] })
  const problems = await lintFromString({ source: text, absoluteRef: 'openapi.json', config })
  const unexpected = problems.filter(
    ({ ruleId, message }) => ruleId !== 'no-ambiguous-paths' || !beside.some((address) => message.includes(address)),
  )
  expect(unexpected.map(({ ruleId, message, location }) => `${location[0]?.pointer} ${ruleId}: ${message}`)).toEqual([])
})

test('every operation is one OpenAPI entry and one tool with the same method and path', () => {
  const addresses = operations.map(({ name, http }) => `${name} ${http}`).sort()
  const entries = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { operationId }]) => `${operationId} ${method.toUpperCase()} ${path}`),
  )
  const { tools } = toolList(operations, new Date())
  expect(entries.sort()).toEqual(addresses)
  expect(tools.map(({ name, method, path }) => `${name} ${method} ${path}`).sort()).toEqual(addresses)
})

test('a recursive schema becomes a component, and internal keywords do not appear', async () => {
  const tree = Type.Cyclic({ Tree: Type.Object({ parts: Type.Optional(Type.Array(Type.Ref('Tree'))) }) }, 'Tree')
  const [first] = operations.filter(({ method }) => method === 'POST')
  const planted = { ...first, input: Type.Object({ tree: defaulted(tree, {}) }) } as Operation
  const described = JSON.stringify(openApi([planted], { url: 'http://127.0.0.1:3000', version: '1.0.0' }))
  expect(described).toContain(
    '"Tree":{"type":"object","properties":{"parts":{"type":"array","items":{"$ref":"#/components/schemas/Tree"}}}',
  )
  expect(described).not.toMatch(/"~|\$defs|\$id/)
})

test('shared answer shapes have the names of their resources', () => {
  expect(Object.keys(document.components.schemas ?? {})).toEqual(
    expect.arrayContaining([
      'ApiKey',
      'BankAccount',
      'Customer',
      'CustomerRecipient',
      'ExpenseCategory',
      'Organization',
      'Pagination',
    ]),
  )
})

test.each(operations)('$name accepts its own examples', ({ input }) => {
  for (const optional of [false, true]) expect(problemsOf(input, example(input, { optional }))).toEqual([])
})

test.each(operations)('$name has a valid example answer', ({ output }) => {
  expect(problemsOf(output, example(output, { optional: true }))).toEqual([])
})
