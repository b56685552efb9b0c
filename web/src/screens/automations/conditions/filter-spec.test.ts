import { describe, expect, test } from 'vitest'
import {
  addFollow,
  contextValue,
  fieldsInScope,
  forPreview,
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

  test('a preview uses today and the values of the last run, and leaves out what is not known', () => {
    const predicate = (field: string, value: unknown) => ({ object: 'Document', field, op: 'eq' as const, value })
    const spec = {
      ...start,
      predicates: [
        predicate('total', '{{trigger.total}}'),
        predicate('id', '{{blocks.x.id}}'),
        predicate('day', '{{context.today-3d}}'),
      ],
    }
    const known = (path: string) => (path === 'trigger.total' ? 5 : contextValue(path, '2026-03-02'))
    expect(forPreview(spec, known)).toMatchObject({
      leftOut: 1,
      spec: { predicates: [{ value: 5 }, { value: '2026-02-27' }] },
    })
  })
})
