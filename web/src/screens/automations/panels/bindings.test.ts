import { describe, expect, test } from 'vitest'
import { bindingsIn, elementSchema, isBound, listsOf, onlyBinding, pathsOf, sampleOf, valueAt } from './bindings.ts'

const schema = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    customer: { type: ['object', 'null'], properties: { name: { type: 'string' } } },
    lines: { type: 'array', items: { type: 'object', properties: { amount: { type: 'number' } } } },
  },
} as const

describe('bindings', () => {
  test('the fields of a value are paths', () =>
    expect(pathsOf(schema).map(({ path }) => path)).toEqual(['id', 'customer.name', 'lines', 'lines.count']))

  test('the lists of a value, and the fields of their elements', () => {
    expect(listsOf(schema)).toEqual(['lines'])
    expect(listsOf({ type: 'array' })).toEqual([''])
    expect(pathsOf(elementSchema(schema, 'lines')).map(({ path }) => path)).toEqual(['amount'])
    expect(elementSchema({ type: 'array', items: { type: 'string' } }, null)).toEqual({ type: 'string' })
  })

  test('a text is one binding, has some, or none', () => {
    expect(onlyBinding('{{ trigger.id }}')).toBe('trigger.id')
    expect(onlyBinding('No. {{trigger.id}}')).toBeUndefined()
    expect(bindingsIn('{{a.b}} of {{ c }}')).toEqual(['a.b', 'c'])
    expect([isBound('{{a}}'), isBound('{a}'), isBound(3)]).toEqual([true, false, false])
  })

  test('the values of a recorded run are found by their paths', () => {
    const steps = [{ blockId: 'late', element: null, output: [{ id: 7 }, { id: 8 }] }]
    const sample = sampleOf({ input: { total: 5 }, steps }, { blockId: 'late', each: null })
    expect(valueAt(sample, 'trigger.total')).toBe(5)
    expect(valueAt(sample, 'item.id')).toBe(7)
    expect(valueAt(sample, 'blocks.late.count')).toBe(2)
    expect(valueAt(sample, 'blocks.late.1.id')).toBe(8)
    expect(valueAt(sample, 'blocks.gone.x')).toBeUndefined()
  })
})
