import { describe, expect, test } from 'vitest'
import { bringWords } from '../../words.ts'
import { controlOf, fieldsOf, missingIn, readJson, type Schema, shownJson, startOf, withField } from './schema.ts'
import { choiceOf, labelOf } from './schema-words.ts'

await bringWords('he')

const line: Schema = {
  type: 'object',
  required: ['description', 'amount'],
  properties: { description: { type: 'string' }, amount: { type: 'number' }, unit: { type: 'string', default: 'h' } },
}
const order: Schema = {
  type: 'object',
  required: ['customerId', 'lines'],
  properties: {
    notes: { type: ['string', 'null'] },
    customerId: { type: 'string' },
    lines: { type: 'array', items: line },
    address: { type: 'object', required: ['city'], properties: { city: { type: 'string' } } },
  },
}

describe('forms made from a schema', () => {
  test.each<[Schema, string]>([
    [{ type: 'string' }, 'text'],
    [{ type: ['string', 'null'], maxLength: 10_000 }, 'long'],
    [{ type: ['string', 'null'], examples: ['2026-01-31'], maxLength: 40 }, 'day'],
    [{ type: 'string', format: 'date' }, 'day'],
    [{ type: ['string', 'null'], enum: ['A', 'B', null] }, 'choice'],
    [{ type: 'integer' }, 'number'],
    [{ type: ['number', 'null'] }, 'number'],
    [{ type: 'boolean' }, 'switch'],
    [{ type: 'array', items: { type: 'string' } }, 'list'],
    [{ type: 'array', items: { enum: ['A'] } }, 'choices'],
    [line, 'object'],
    [{ type: 'object', patternProperties: { '^.*$': {} } }, 'pairs'],
    [{ anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] }, 'text'],
    [{}, 'json'],
  ])('%j is typed into a %s', (schema, control) => expect(controlOf(schema)).toBe(control))

  test('required fields come first, and fields that are known are left out', () => {
    expect(fieldsOf(order, ['notes']).map(({ name }) => name)).toEqual(['customerId', 'lines', 'address'])
  })

  test('what is missing is found inside lists and objects that are there', () => {
    expect(missingIn(order, {})).toEqual(['customerId', 'lines'])
    expect(missingIn(order, { customerId: 'c', lines: [{ amount: 0 }], address: {} })).toEqual([
      'lines.0.description',
      'address.city',
    ])
    expect(missingIn(order, { customerId: 'c', lines: [{ description: 'x', amount: 0 }] })).toEqual([])
  })

  test('a new element has its defaults only', () => expect(startOf(line)).toEqual({ unit: 'h' }))

  test('a cleared field is taken out', () => {
    expect(withField({ a: 1, b: 2 }, 'a', undefined)).toEqual({ b: 2 })
    expect(withField({ a: 1, b: 2 }, 'a', 3)).toEqual({ a: 3, b: 2 })
    expect(withField(undefined, 'a', 3)).toEqual({ a: 3 })
  })

  test('JSON is read as JSON, and anything else as text', () => {
    expect(['{"a":1}', 'a b', '', '12'].map(readJson)).toEqual([{ a: 1 }, 'a b', undefined, 12])
    expect([{ a: 1 }, 'a b', undefined].map(shownJson)).toEqual(['{\n  "a": 1\n}', 'a b', ''])
  })

  test('fields and choices are named as people say them', () => {
    expect(['bankAccountId', 'dueDate', 'id', 'customerIds'].map((name) => labelOf('en', name))).toEqual([
      'Bank account',
      'Due date',
      'Id',
      'Customer',
    ])
    expect(labelOf('he', 'customerId')).toBe('לקוח')
    expect(['BANK_TRANSFER', 'USD', 'en'].map((value) => choiceOf('en', value))).toEqual([
      'Bank transfer',
      'USD',
      'English',
    ])
  })
})
