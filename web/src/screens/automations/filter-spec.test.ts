import { describe, expect, test } from 'vitest'
import {
  addFollow,
  fieldsInScope,
  nameFor,
  newSpec,
  type Objects,
  removeFollow,
  scopeOf,
  tidySpec,
} from './filter-spec.ts'

const text = (name: string) => ({ name, type: 'string' as const })
const objects: Objects = {
  Document: { fields: [text('id'), text('total')], morphisms: { customer: 'Customer', source: 'Document' } },
  Customer: { fields: [text('id'), text('email')], morphisms: { documents: 'Document' } },
}
const start = newSpec(objects, 'Document')
const followed = addFollow(objects, start, 'Document', 'customer')

describe('filters', () => {
  test('a new filter takes the fields that name a row', () =>
    expect(start.extract.map(({ as }) => as)).toEqual(['id', 'total']))

  test('relations bring their objects into scope, each under a name of its own', () => {
    const twice = addFollow(objects, followed, 'Customer', 'documents')
    expect([...scopeOf(objects, twice)]).toEqual([
      ['Document', 'Document'],
      ['Customer', 'Customer'],
      ['documents', 'Document'],
    ])
    expect(fieldsInScope(objects, followed).map(({ path }) => path)).toContain('Customer.email')
  })

  test('what names a removed relation goes with it', () => {
    const spec = {
      ...addFollow(objects, followed, 'Customer', 'documents'),
      predicates: [{ object: 'Customer', field: 'email', op: 'ne' as const, value: '' }],
      extract: [...start.extract, { as: 'email', path: 'Customer.email' }],
    }
    expect(tidySpec(removeFollow(objects, spec, 0))).toEqual({ root: 'Document', extract: start.extract })
  })

  test('two results have two names', () => {
    expect(nameFor(start, 'Customer.email')).toBe('email')
    expect(nameFor(start, 'Customer.id')).toBe('customer_id')
  })
})
