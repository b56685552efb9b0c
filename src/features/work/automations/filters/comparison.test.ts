import { describe, expect, test } from 'vitest'
import { automate, graphOf, trigger } from '../../../../test/automations/automations.ts'
import { customer, preview, take, where } from '../../../../test/automations/filters.ts'
import { sell } from '../../../../test/sales-documents.ts'
import { member, type Someone, theApp } from '../../../../test/world.ts'

/** The notes of the documents, or names of the customers, that a filter with one predicate finds. */
async function found(someone: Someone, object: string, field: string, op: string, value: unknown) {
  const named = object === 'Document' ? 'Document.notes' : 'Customer.name'
  const spec = { root: object, predicates: [where(object, field, op, value)], extract: take(named), shape: 'scalars' }
  return (await preview(someone, spec)).sample
}

describe('comparing', () => {
  test('numbers compare with numeric text, booleans with their words, and text is taken literally', async () => {
    const amy = await member('CONTRIBUTOR')
    const { id: customerId } = await customer(amy, '100%_sure')
    await customer(amy, 'a')
    await sell(amy, { customerId, notes: 'draft' })
    const cases: [string, string, string, unknown, string[]][] = [
      ['Document', 'total', 'eq', 109, ['draft']],
      ['Document', 'total', 'eq', ' 109.00 ', ['draft']],
      ['Document', 'total', 'gt', '20', ['draft']], // as text 109 would come before 20
      ['Document', 'total', 'in', ['5', 109], ['draft']],
      ['Document', 'total', 'contains', '09', ['draft']],
      ['Document', 'inDispute', 'eq', 'false', ['draft']],
      ['Document', 'inDispute', 'lt', true, ['draft']],
      ['Document', 'inDispute', 'ne', false, []],
      ['Document', 'customerId', 'eq', customerId.toUpperCase(), ['draft']],
      ['Document', 'customerId', 'eq', 'nope', []],
      ['Document', 'customerId', 'nin', ['nope'], ['draft']],
      ['Document', 'customerId', 'contains', customerId.slice(3, 9), ['draft']],
      ['Customer', 'name', 'eq', 'A', []],
      ['Customer', 'name', 'gt', 'A', ['a']], // capitals come before small letters
      ['Customer', 'name', 'contains', '%', ['100%_sure']],
      ['Customer', 'name', 'contains', '_', ['100%_sure']],
      ['Customer', 'name', 'contains', '', ['100%_sure', 'a']],
      ['Customer', 'name', 'contains', 100, ['100%_sure']],
      ['Customer', 'name', 'in', 'a', ['a']],
      ['Customer', 'name', 'in', [], []],
      ['Customer', 'name', 'nin', [], ['100%_sure', 'a']],
    ] // biome-ignore format: a table
    for (const [object, field, op, value, names] of cases)
      expect([field, op, value, await found(amy, object, field, op, value)]).toEqual([field, op, value, names])
  })

  test('a missing value equals only a missing value, and is neither greater nor less than any value', async () => {
    const amy = await member('CONTRIBUTOR')
    await customer(amy, 'With', { email: 'x@x.test' })
    await customer(amy, 'Without')
    const cases: [string, unknown, string[]][] = [
      ['eq', null, ['Without']],
      ['ne', null, ['With']],
      ['ne', 'y', ['With', 'Without']],
      ['in', [null, 'x@x.test'], ['With', 'Without']],
      ['nin', ['x@x.test'], ['Without']],
      ['nin', [null], ['With']],
      ['lt', 'z', ['With']],
      ['gte', null, []],
      ['contains', null, []],
      ['contains', '@', ['With']],
    ]
    for (const [op, value, names] of cases)
      expect([op, value, await found(amy, 'Customer', 'email', op, value)]).toEqual([op, value, names])
  })

  test('days are in the time zone of the organization, and an instant compared with a day counts as its day', async () => {
    const amy = await member('CONTRIBUTOR') // in Singapore, eight hours ahead
    await sell(amy, { dueDate: '2026-03-05', notes: 'due' })
    await theApp().system.raw.query(
      "update documents set created_at = '2026-03-04T20:30:00.123456Z' where organization_id = $1",
      [amy.organizationId],
    )
    const cases: [string, string, unknown, boolean][] = [
      ['dueDate', 'eq', '2026-03-05', true],
      ['dueDate', 'lt', '2026-03-05T15:59:59Z', false], // still the fifth in Singapore
      ['dueDate', 'lt', '2026-03-05T16:00:00Z', true],
      ['dueDate', 'contains', '2026-03', true],
      ['createdAt', 'eq', '2026-03-05', true],
      ['createdAt', 'lte', '2026-03-05', true],
      ['createdAt', 'lte', '2026-03-04', false],
      ['createdAt', 'eq', '2026-03-04T20:30:00.123Z', true],
      ['createdAt', 'eq', '2026-03-05T04:30:00.123+08:00', true],
      ['createdAt', 'gt', '2026-03-04T20:30:00.122Z', true],
      ['createdAt', 'in', ['2026-03-05', '2020-01-01T00:00:00Z'], true],
      ['createdAt', 'contains', 'T20:30', true],
    ]
    for (const [field, op, value, holds] of cases)
      expect([field, op, value, (await found(amy, 'Document', field, op, value)).length > 0]).toEqual([
        field,
        op,
        value,
        holds,
      ])
  })

  test('an impossible date is refused by a preview, and compared as text by a run', async () => {
    const amy = await member('CONTRIBUTOR')
    await sell(amy, { dueDate: '2026-03-05' })
    const cases: [string, string, unknown, boolean][] = [
      ['dueDate', 'eq', '2026-02-30', false],
      ['dueDate', 'ne', '2026-13-01', true],
      ['dueDate', 'gt', '2026-02-30', true],
      ['dueDate', 'in', ['2026-02-30', '2026-03-05'], true],
      ['createdAt', 'eq', '2026-03-05T25:00:00Z', false],
      ['createdAt', 'lt', '9999-13-01T00:00:00Z', true],
    ]
    for (const [field, op, value, isFound] of cases) {
      await expect(found(amy, 'Document', field, op, value)).rejects.toMatchObject({ status: 400 })
      const spec = { root: 'Document', predicates: [where('Document', field, op, '{{trigger.value}}')], extract: take('Document.id') }
      const filter = { id: 'found', kind: 'FILTER' as const, config: { spec } }
      const id = await automate(amy, graphOf([trigger('customer.created'), filter], 'start>found'), { armed: false })
      const run = await amy.call('automations_test', { id, payload: { value } })
      expect([field, op, value, run.status, (run.steps[1]?.output as unknown[])?.length > 0]).toEqual([field, op, value, 'SUCCEEDED', isFound])
    } // biome-ignore format: a list of words
  })
})
