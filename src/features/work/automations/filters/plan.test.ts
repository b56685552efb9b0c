import { describe, expect, test } from 'vitest'
import { preview, someone, take, where } from '../../../../test/automations/filters.ts'
import '../../../../test/world.ts'

describe('an invalid spec is refused with the path of the problem', () => {
  const withChange = (change: object) => ({ root: 'Document', extract: take('Document.id'), ...change })
  const withPredicate = (predicate: object) =>
    withChange({ predicates: [{ ...where('Document', 'total', 'eq', 1), ...predicate }] })
  const refused: [object, string, string | undefined][] = [
    [withChange({ root: 'documents' }), 'spec.root', 'UNKNOWN_OBJECT'],
    [withChange({ root: '__proto__' }), 'spec.root', 'UNKNOWN_OBJECT'],
    [withChange({ follows: [{ from: 'Customer', name: 'documents' }] }), 'spec.follows.0.from', 'UNKNOWN_OBJECT'],
    [withChange({ follows: [{ from: 'Document', name: 'constructor' }] }), 'spec.follows.0.name', 'UNKNOWN_RELATION'],
    [withChange({ follows: [{ from: 'Document', name: 'derivedDocuments' }] }), 'spec.follows.0.as', 'NAME'],
    [withChange({ follows: [{ from: 'Document', name: 'customer', as: 'a.b' }] }), 'spec.follows.0.as', 'NAME'],
    [withChange({ follows: Array(6).fill({ from: 'Document', name: 'customer' }) }), 'spec.follows', undefined],
    [withPredicate({ object: 'Customer' }), 'spec.predicates.0.object', 'UNKNOWN_OBJECT'],
    [withPredicate({ field: 'total_minor' }), 'spec.predicates.0.field', 'UNKNOWN_FIELD'],
    [withPredicate({ field: 'toString' }), 'spec.predicates.0.field', 'UNKNOWN_FIELD'],
    [withPredicate({ op: 'like' }), 'spec.predicates.0.op', undefined],
    [withPredicate({ value: 'much' }), 'spec.predicates.0.value', 'VALUE'],
    [withPredicate({ value: '' }), 'spec.predicates.0.value', 'VALUE'],
    [withPredicate({ value: '1e999' }), 'spec.predicates.0.value', 'VALUE'],
    [withPredicate({ value: true }), 'spec.predicates.0.value', 'VALUE'],
    [withPredicate({ value: [1] }), 'spec.predicates.0.value', 'VALUE'],
    [withPredicate({ value: { $gt: 1 } }), 'spec.predicates.0.value', 'VALUE'],
    [withPredicate({ op: 'in', value: [[1]] }), 'spec.predicates.0.value', 'VALUE'],
    [withPredicate({ op: 'in', value: Array(1001).fill(1) }), 'spec.predicates.0.value', 'VALUE'],
    [withPredicate({ field: 'inDispute', value: 'maybe' }), 'spec.predicates.0.value', 'VALUE'],
    [withPredicate({ field: 'dueDate', value: '2026-02-30' }), 'spec.predicates.0.value', 'VALUE'],
    [withPredicate({ field: 'dueDate', value: 20260101 }), 'spec.predicates.0.value', 'VALUE'],
    [withPredicate({ field: 'notes', value: 'a\0b' }), 'spec.predicates.0.value', 'VALUE'],
    [withPredicate({ field: 'notes', value: 'x'.repeat(10_001) }), 'spec.predicates.0.value', 'VALUE'],
    [withChange({ aggregateBy: ['Document.colour'] }), 'spec.aggregateBy.0', 'UNKNOWN_FIELD'],
    [withChange({ aggregateBy: ['Document.status'] }), 'spec.extract.0.path', 'NOT_GROUPED'],
    [withChange({ extract: [] }), 'spec.extract', undefined],
    [withChange({ extract: take('Document') }), 'spec.extract.0.path', 'PATH'],
    [withChange({ extract: take('Document.customer.name') }), 'spec.extract.0.path', 'PATH'],
    [withChange({ extract: [{ as: 'n', path: 'Document.status', fn: 'sum' }] }), 'spec.extract.0.fn', 'FN'],
    [withChange({ extract: [{ as: 'n', path: 'Document.total', fn: 'avg' }] }), 'spec.extract.0.fn', undefined],
    [withChange({ extract: [...take('Document.id'), ...take('Document.id')] }), 'spec.extract.1.as', 'NAME'],
    [withChange({ extract: [{ as: '__proto__', path: 'Document.id' }] }), 'spec.extract.0.as', 'NAME'],
    [withChange({ extract: take('Document.id', 'Document.total'), shape: 'scalars' }), 'spec.extract', 'SHAPE'],
    [withChange({ shape: 'table' }), 'spec.shape', undefined],
    [withChange({ limit: 5 }), 'spec.limit', undefined],
  ] // biome-ignore format: a table

  test.each(refused)('%j', async (spec, path, code) => {
    const amy = await someone()
    const problem = { path, ...(code && { code }), message: expect.stringContaining(path) }
    await expect(preview(amy, spec)).rejects.toMatchObject({ status: 400, details: [problem] })
  })

  test('all problems are reported together', async () => {
    const wrong = {
      ...withChange({ extract: take('Document.a', 'Document.b') }),
      predicates: [where('Document', 'c', 'eq', 1)],
    }
    await expect(preview(await someone(), wrong)).rejects.toMatchObject({ details: { length: 3 } })
  })
})
