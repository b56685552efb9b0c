import { expect, test } from 'vitest'
import { readSchema } from './answer-schema.ts'
import { misfitsOf } from './misfits.ts'

const text = { type: 'string' } as const
const object = (properties: object, more = {}) => ({ type: 'object', properties, ...more })
const nested = (levels: number): object => (levels === 1 ? text : { type: 'array', items: nested(levels - 1) })

test.each([
  [{ type: 'number' }],
  [{ type: ['number', 'null'], minimum: 0, maximum: 10, description: 'How many.' }],
  [{ type: 'string', format: 'date' }],
  [{ type: 'string', enum: ['a', 'b'] }],
  [object({ a: text, b: { type: 'array', items: object({ c: { type: 'boolean' } }) } }, { required: ['a'] })],
  [object({ a: text }, { additionalProperties: false })],
  [nested(8)],
])('%j is possible', (schema) => {
  expect(readSchema(schema)).toBe(schema)
})

test.each([
  ['schema.type', {}],
  ['schema.type', { type: 'date' }],
  ['schema.type', { type: ['string', 'number'] }],
  ['schema.type', { type: [] }],
  ['schema.$ref', { $ref: 'https://schemas.test/answer' }],
  ['schema.$defs', { type: 'string', $defs: {} }],
  ['schema.pattern', { type: 'string', pattern: '^(a+)+$' }],
  ['schema.anyOf', { anyOf: [text] }],
  ['schema.format', { type: 'string', format: 'uri' }],
  ['schema.minimum', { type: 'number', minimum: '0' }],
  ['schema.enum', { type: 'string', enum: [] }],
  ['schema.enum', { type: 'string', enum: [{}] }],
  ['schema.items', { type: 'array' }],
  ['schema.items', { type: 'string', items: text }],
  ['schema.properties', { type: 'object' }],
  ['schema.properties', { type: 'string', properties: {} }],
  ['schema.properties.constructor', object({ constructor: text })],
  ['schema.properties.__proto__', JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}')],
  ['schema.required', object({ a: text }, { required: ['b'] })],
  ['schema.required', object({ a: text }, { required: 'a' })],
  ['schema.additionalProperties', object({ a: text }, { additionalProperties: text })],
  ['schema.description', { type: 'string', description: 1 }],
  ['schema.properties.a.items.pattern', object({ a: { type: 'array', items: { type: 'string', pattern: 'x' } } })],
  [`schema${'.items'.repeat(8)}`, nested(9)],
  ['schema', { type: 'string', description: 'x'.repeat(17_000) }],
  ['schema', { type: 'string', enum: ['a\u0000'] }],
  ['schema', object({ 'a\u0000': text })],
])('%s is refused by its path', (path, schema) => {
  expect(() => readSchema(schema)).toThrow(path)
  try {
    readSchema(schema)
  } catch (error) {
    expect(error).toMatchObject({ status: 400, details: [{ path }] })
  }
})

test.each([
  [{ type: 'number' } as const, 1.5, []],
  [{ type: 'number' } as const, Number.NaN, ['answer']],
  [{ type: 'integer' } as const, 1.5, ['answer']],
  [{ type: 'number', minimum: 2 } as const, 1, ['answer']],
  [{ type: 'number', maximum: 2 } as const, 3, ['answer']],
  [{ type: ['string', 'null'] } as const, null, []],
  [text, null, ['answer']],
  [{ type: 'string', enum: ['a'] } as const, 'b', ['answer']],
  [{ type: 'string', format: 'date' } as const, '2026-02-30', ['answer']],
  [{ type: 'string', format: 'date' } as const, '2026-02-28', []],
  [{ type: 'array', items: text } as const, ['a', 1], ['answer.1']],
  [object({ a: text }, { required: ['a'] }), {}, ['answer.a']],
  [object({ a: text }), {}, []],
  [object({ a: text }), { b: 1 }, ['answer.b']],
  [object({ a: text }, { additionalProperties: true }), { b: 1 }, []],
  [object({ a: text }), [], ['answer']],
])('%j and %j: %j', (schema, value, paths) => {
  expect(misfitsOf(schema as never, value).map(({ path }) => path)).toEqual(paths)
})
