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
import { sample } from '../../test/prove.ts'
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

// Spectral takes most of a minute for all operations. In npm test it reads the description of every eighth: what its rules
// say about a single one, Redocly and the examples below check for all.
test('Spectral reports no problems', async () => {
  const some = sample(operations, 8)
  expect(some.length).toBeGreaterThanOrEqual(30)
  const part = JSON.stringify(openApi(some, { url: 'http://127.0.0.1:3000', version: '1.0.0' }))
  const spectral = new spectralCore.Spectral()
  spectral.setRuleset({ extends: [[spectralRulesets.oas as unknown as RulesetDefinition, 'recommended']] }) // its own types disagree
  expect((await spectral.run(part)).map(({ path, message }) => `${path.join('.')}: ${message}`)).toEqual([])
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

test('every example that has totals adds up', () => {
  const bodies = Object.values(document.paths)
    .flatMap((item) => Object.values(item))
    .flatMap(({ operationId, requestBody }) => {
      const { content } = (requestBody ?? {}) as { content?: Record<string, { examples?: object }> }
      const examples = content?.['application/json']?.examples ?? {}
      return Object.values(examples as object).map(({ value }) => ({ operationId, value }))
    })
  let added = 0
  for (const { operationId, value } of bodies)
    for (const { says, is, of } of sumsIn(value)) {
      added += 1
      expect(is, `${operationId}: ${says} of ${JSON.stringify(of)}`).toBeCloseTo(0, 2)
    }
  expect(added).toBeGreaterThanOrEqual(30)
})

type Sum = { says: string; is: number; of: unknown }
type Parts = Record<string, number | null> & Record<string, Parts[] | undefined>

/** What must be zero in a body, as far as it has the fields, and in everything inside it. */
function sumsIn(body: unknown): Sum[] {
  if (typeof body !== 'object' || body === null) return []
  const {
    amount,
    quantity,
    unitPrice,
    discountAmount,
    subtotal,
    taxAmount,
    taxRate,
    total,
    items,
    splits,
    lines,
    debit,
    credit,
  } = body as Parts
  const sum = (list: Parts[], field: string) => list.reduce((all, each) => all + Number(each[field] ?? 0), 0)
  const has = (...values: unknown[]) => values.every((value) => typeof value === 'number' || Array.isArray(value))
  const tax =
    subtotal === undefined
      ? (Number(amount) * Number(taxRate)) / (100 + Number(taxRate))
      : (Number(subtotal) * Number(taxRate)) / 100
  const checks: [applies: boolean, says: string, is: number][] = [
    [has(quantity, unitPrice, amount), 'quantity × unitPrice less discountAmount is amount', Number(quantity) * Number(unitPrice) - Number(discountAmount ?? 0) - Number(amount)],
    [has(items, subtotal), 'the items are subtotal', sum(items ?? [], 'amount') - Number(subtotal)],
    [has(subtotal, taxAmount, total), 'subtotal and taxAmount are total', Number(subtotal) + Number(taxAmount) - Number(total)],
    [has(taxRate, taxAmount) && has(subtotal ?? amount), 'taxAmount is the tax at taxRate', tax - Number(taxAmount)],
    [has(splits, amount), 'the splits are amount', sum(splits ?? [], 'amount') - Number(amount)],
    [(lines ?? []).some((line) => 'accountId' in line), 'debits are credits', sum(lines ?? [], 'debit') - sum(lines ?? [], 'credit')],
    [has(debit) || has(credit), 'a line is a debit or a credit', has(debit, credit) ? 1 : 0],
  ] // biome-ignore format: a check a line
  const own = checks.flatMap(([applies, says, is]) => (applies ? [{ says, is, of: body }] : []))
  return [...own, ...Object.values(body).flatMap((part) => (Array.isArray(part) ? part.flatMap(sumsIn) : sumsIn(part)))]
}

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

const wrongBy = (find: (operation: Operation) => unknown[]) =>
  operations
    .map((operation) => ({ name: operation.name, problems: find(operation) }))
    .filter(({ problems }) => problems.length > 0)

test('every operation accepts its own examples, the shortest and the longest', () => {
  expect(operations.length).toBeGreaterThanOrEqual(250)
  for (const optional of [false, true])
    expect(wrongBy(({ input }) => problemsOf(input, example(input, { optional })))).toEqual([])
})

test('every operation has a valid example answer', () => {
  expect(wrongBy(({ output }) => problemsOf(output, example(output, { optional: true })))).toEqual([])
})
