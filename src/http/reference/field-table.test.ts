import { expect, test } from 'vitest'
import { html } from '../../core/values/html.ts'
import { limitsOf, typeOf } from './field-table.ts'

test.each([
  [{ type: 'string' }, 'string'],
  [{ type: ['string', 'null'], format: 'date-time' }, 'date-time | null'],
  [{ type: 'array', items: { type: 'integer' } }, 'integer[]'],
  [{ anyOf: [{ type: 'string', format: 'email' }, { const: '' }] }, 'email | &quot;&quot;'],
  [{ type: 'array', items: { $ref: '#/components/schemas/Customer' } }, '<a href="#shape-Customer">Customer</a>[]'],
  [{}, 'any'],
])('the type of %j is shown as %s', (schema, expected) => {
  expect(html`${typeOf(schema)}`.text).toBe(expected)
})

test.each([
  [{ type: 'integer', minimum: 1, maximum: 100, default: 25 }, ['Default `25`', '1 to 100']],
  [{ type: 'string', maxLength: 10_000 }, ['At most 10,000 characters']],
  [{ type: 'array', minItems: 1, items: { enum: ['A', null] } }, ['One of `A`', 'At least 1 entry']],
  [{ type: 'number', minimum: 0 }, ['At least 0']],
  [{ type: 'string' }, []],
])('%j has the limits %j', (schema, expected) => {
  expect(limitsOf(schema)).toEqual(expected)
})
