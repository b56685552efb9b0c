import { describe, expect, test } from 'vitest'
import { preview, someone, take, where } from '../../../test/automations/filters.ts'
import '../../../test/world.ts'

describe('what does not fit is refused with its place', () => {
  const at = (change: object) => ({ root: 'Document', extract: take('Document.id'), ...change })
  const holding = (predicate: object) => at({ predicates: [{ ...where('Document', 'total', 'eq', 1), ...predicate }] })
  const refused: [object, string, string | undefined][] = [
    [at({ root: 'documents' }), 'spec.root', 'UNKNOWN_OBJECT'],
    [at({ root: '__proto__' }), 'spec.root', 'UNKNOWN_OBJECT'],
    [at({ follows: [{ from: 'Customer', name: 'documents' }] }), 'spec.follows.0.from', 'UNKNOWN_OBJECT'],
    [at({ follows: [{ from: 'Document', name: 'constructor' }] }), 'spec.follows.0.name', 'UNKNOWN_RELATION'],
    [at({ follows: [{ from: 'Document', name: 'derivedDocuments' }] }), 'spec.follows.0.as', 'NAME'],
    [at({ follows: [{ from: 'Document', name: 'customer', as: 'a.b' }] }), 'spec.follows.0.as', 'NAME'],
    [at({ follows: Array(6).fill({ from: 'Document', name: 'customer' }) }), 'spec.follows', undefined],
    [holding({ object: 'Customer' }), 'spec.predicates.0.object', 'UNKNOWN_OBJECT'],
    [holding({ field: 'total_minor' }), 'spec.predicates.0.field', 'UNKNOWN_FIELD'],
    [holding({ field: 'toString' }), 'spec.predicates.0.field', 'UNKNOWN_FIELD'],
    [holding({ op: 'like' }), 'spec.predicates.0.op', undefined],
    [holding({ value: 'much' }), 'spec.predicates.0.value', 'VALUE'],
    [holding({ value: '' }), 'spec.predicates.0.value', 'VALUE'],
    [holding({ value: '1e999' }), 'spec.predicates.0.value', 'VALUE'],
    [holding({ value: true }), 'spec.predicates.0.value', 'VALUE'],
    [holding({ value: [1] }), 'spec.predicates.0.value', 'VALUE'],
    [holding({ value: { $gt: 1 } }), 'spec.predicates.0.value', 'VALUE'],
    [holding({ op: 'in', value: [[1]] }), 'spec.predicates.0.value', 'VALUE'],
    [holding({ op: 'in', value: Array(1001).fill(1) }), 'spec.predicates.0.value', 'VALUE'],
    [holding({ field: 'inDispute', value: 'maybe' }), 'spec.predicates.0.value', 'VALUE'],
    [holding({ field: 'dueDate', value: '2026-02-30' }), 'spec.predicates.0.value', 'VALUE'],
    [holding({ field: 'dueDate', value: 20260101 }), 'spec.predicates.0.value', 'VALUE'],
    [holding({ field: 'notes', value: 'a\0b' }), 'spec.predicates.0.value', 'VALUE'],
    [holding({ field: 'notes', value: 'x'.repeat(10_001) }), 'spec.predicates.0.value', 'VALUE'],
    [at({ aggregateBy: ['Document.colour'] }), 'spec.aggregateBy.0', 'UNKNOWN_FIELD'],
    [at({ aggregateBy: ['Document.status'] }), 'spec.extract.0.path', 'NOT_GROUPED'],
    [at({ extract: [] }), 'spec.extract', undefined],
    [at({ extract: take('Document') }), 'spec.extract.0.path', 'PATH'],
    [at({ extract: take('Document.customer.name') }), 'spec.extract.0.path', 'PATH'],
    [at({ extract: [{ as: 'n', path: 'Document.status', fn: 'sum' }] }), 'spec.extract.0.fn', 'FN'],
    [at({ extract: [{ as: 'n', path: 'Document.total', fn: 'avg' }] }), 'spec.extract.0.fn', undefined],
    [at({ extract: [...take('Document.id'), ...take('Document.id')] }), 'spec.extract.1.as', 'NAME'],
    [at({ extract: [{ as: '__proto__', path: 'Document.id' }] }), 'spec.extract.0.as', 'NAME'],
    [at({ extract: take('Document.id', 'Document.total'), shape: 'scalars' }), 'spec.extract', 'SHAPE'],
    [at({ shape: 'table' }), 'spec.shape', undefined],
    [at({ limit: 5 }), 'spec.limit', undefined],
  ] // biome-ignore format: a table

  test.each(refused)('%j', async (spec, path, code) => {
    const amy = await someone()
    const problem = { path, ...(code && { code }), message: expect.stringContaining(path) }
    await expect(preview(amy, spec)).rejects.toMatchObject({ status: 400, details: [problem] })
  })

  test('all of it at once', async () => {
    const wrong = {
      ...at({ extract: take('Document.a', 'Document.b') }),
      predicates: [where('Document', 'c', 'eq', 1)],
    }
    await expect(preview(await someone(), wrong)).rejects.toMatchObject({ details: { length: 3 } })
  })
})
