import { expect, test } from 'vitest'
import api from '../../../../docs/openapi.json' with { type: 'json' }
import { isAmount, isHidden, isNothing } from './amounts.ts'

type Schema = {
  type?: string | string[]
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
  $ref?: string
}
type Operation = { operationId: string; responses: Record<string, { content?: Record<string, { schema: Schema }> }> }

const operations = Object.values(api.paths as unknown as Record<string, Record<string, Operation>>).flatMap(
  Object.values,
)
const reports = operations.filter(
  ({ operationId }) => /^reports_|^payroll_summary$/.test(operationId) && !operationId.endsWith('_send'),
)

/** The names of the whole numbers in an answer. */
function wholeNumbers(schema: Schema | undefined, name = ''): string[] {
  if (!schema || isHidden(name)) return []
  const { type, properties = {}, items, anyOf = [], $ref } = schema
  if ($ref) return wholeNumbers(components[$ref.split('/').at(-1) ?? ''], name)
  return [
    ...(type === 'integer' ? [name] : []),
    ...Object.entries(properties).flatMap(([field, each]) => wholeNumbers(each, field)),
    ...[items, ...anyOf].flatMap((each) => wholeNumbers(each, name)),
  ]
}
const components = api.components.schemas as unknown as Record<string, Schema>

test.each(reports)('$operationId shows no whole number as money', ({ responses }) => {
  const names = wholeNumbers(responses['200']?.content?.['application/json']?.schema)
  expect(names.filter((name) => isAmount(name))).toEqual([])
})

test('the boxes of a tax return are numbered, and what is in them is money', () => {
  expect(isAmount('box')).toBe(false)
  expect(isAmount('amount')).toBe(true)
})

test('a report is nothing without an amount anywhere', () => {
  const empty = {
    from: '2026-01-01',
    year: 2026,
    rows: [{ month: 1, net: 0, count: 3 }],
    totals: { net: 0, margin: null },
    pagination: { total: 4 },
  }
  expect(isNothing(empty)).toBe(true)
  expect(isNothing({ ...empty, totals: { net: -0.01 } })).toBe(false)
  expect(isNothing({ ...empty, rows: [{ lines: [{ debit: 5 }] }] })).toBe(false)
})
