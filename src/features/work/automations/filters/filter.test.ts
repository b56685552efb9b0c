import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { filterable } from '../../../../core/define/filterable.ts'
import { withConnection } from '../../../../core/run/connection.ts'
import { setContextOfFlushes } from '../../../../core/run/transaction-context.ts'
import { action, automate, graphOf, lastRun, settle, trigger } from '../../../../test/automations/automations.ts'
import { customer, take, where } from '../../../../test/automations/filters.ts'
import { sell } from '../../../../test/sales-documents.ts'
import { member, type Someone, theApp } from '../../../../test/world.ts'
import { templates } from '../template-list.ts'
import { checkedPlan, featuresOf, missingRightForPlan, missingScopesForPlan } from './check.ts'
import { findResults } from './filter.ts'
import type { FilterSpec } from './spec.ts'

const filter = (spec: object, id = 'found') => ({ id, kind: 'FILTER' as const, config: { spec } })
const query = (text: string, values: unknown[]) => theApp().system.raw.query(text, values)

/** Tests an automation with a single filter, and returns the run with the output of the filter. */
async function testFilter(someone: Someone, spec: object, payload: object = {}) {
  const id = await automate(someone, graphOf([trigger('customer.created'), filter(spec)], 'start>found'), {
    armed: false,
  })
  const run = await someone.call('automations_test', { id, payload: payload as Record<string, unknown> })
  return { ...run, output: run.steps[1]?.output }
}

test('an action runs for every overdue document and no other', async () => {
  const amy = await member('CONTRIBUTOR')
  const past = { status: 'SENT', dueDate: '2026-01-10' }
  const overdue = [await sell(amy, past), await sell(amy, past)]
  await sell(amy, { status: 'SENT', dueDate: '2099-01-10' })
  await sell(amy, { dueDate: '2026-01-10' })
  const paid = await sell(amy, past)
  await amy.call('invoices_payments', { id: paid.id, amount: 109, paidAt: '2026-01-09' })
  const spec = {
    root: 'Document',
    follows: [{ from: 'Document', name: 'customer' }],
    predicates: [where('Document', 'daysOverdue', 'gt', 0), where('Document', 'dueDate', 'lt', '{{context.today}}')],
    extract: [...take('Document.id', 'Document.invoiceNumber', 'Document.openBalance'), { as: 'name', path: 'Customer.displayName' }],
  } // biome-ignore format: a spec
  const remark = { text: '{{item.name}} owes {{item.openBalance}}' }
  const remind = action('remind', 'invoices_events_post', { id: '{{item.id}}', type: 'COMMENTED', payload: remark })
  const id = await automate(
    amy,
    graphOf([trigger('schedule.daily'), filter(spec), remind], 'start>found', 'found*remind'),
  )
  const run = await amy.call('automations_test', { id })
  expect(run).toMatchObject({ status: 'SUCCEEDED', steps: { length: 4 } })
  expect(run.steps[1]?.output).toEqual(
    overdue.map(({ id, invoiceNumber }) => ({ id, invoiceNumber, openBalance: 109, name: 'Globex' })),
  )
  expect(run.steps.slice(2).map(({ output }) => output)).toMatchObject(
    overdue.map(({ id }) => ({ documentId: id, payload: { text: 'Globex owes 109' } })),
  )
})

test('the filter of the template for reminders finds an overdue document', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id } = await sell(amy, { status: 'SENT', dueDate: '2026-01-10' })
  const { blocks = [] } = templates.find((template) => template.id === 'overdue-reminders') ?? {}
  const { output } = await testFilter(amy, blocks[1]?.config.spec as object)
  expect(output).toEqual([{ id, invoiceNumber: expect.any(String) }])
})

describe('a predicate with a binding without a value matches no row, and the step warns of it', () => {
  const filters = [
    ['eq', '{{trigger.typo}}'],
    ['ne', '{{trigger.typo}}'],
    ['ne', '{{trigger.none}}'],
    ['ne', '{{ trigger.typo.deeper }}'],
    ['nin', ['x', '{{trigger.typo}}']],
    ['nin', '{{trigger.typo}}'],
    ['in', ['A', '{{trigger.typo}}']],
    ['gt', '{{trigger.typo}}'],
    ['contains', '{{trigger.typo}}'],
    ['contains', 'A{{trigger.typo}}'],
    ['ne', 'Inv {{trigger.typo}}'],
    ['ne', '{{blocks.gone.id}}'],
    ['ne', '{{item.id}}'],
  ] as const
  test('whatever the operator is', async () => {
    const amy = await member('CONTRIBUTOR')
    await customer(amy, 'A', { email: 'a@a.test' })
    for (const [op, value] of filters) {
      const predicates = [where('Customer', 'kind', 'ne', 'x'), where('Customer', 'name', op, value)]
      const spec = { root: 'Customer', predicates, extract: take('Customer.name') }
      const run = await testFilter(amy, spec, { none: null })
      expect([op, value, run.status, run.output]).toEqual([op, value, 'SUCCEEDED', []])
      const [binding = ''] = /\{\{[^}]*\}\}/.exec(JSON.stringify(value)) ?? []
      const [warning, ...others] = run.steps[1]?.warnings ?? []
      expect(warning).toMatchObject({ code: 'MISSING_BINDING', path: 'config.spec.predicates.1.value' })
      for (const named of ['predicates.1', 'Customer.name', op, binding.replaceAll(' ', '')])
        expect(warning?.message).toContain(named)
      expect(others).toEqual([])
    }
  })

  test('on fields of every type, of followed objects, in counts, sums and groups', async () => {
    const amy = await member('CONTRIBUTOR')
    await sell(amy, { dueDate: '2026-01-10' })
    const root = { root: 'Document', follows: [{ from: 'Document', name: 'customer' }] }
    const count = [{ as: 'n', path: 'Document.id', fn: 'count' }, { as: 'sum', path: 'Document.total', fn: 'sum' }] // biome-ignore format: a spec
    for (const [object, field] of [['Document', 'total'], ['Document', 'dueDate'], ['Document', 'createdAt'], ['Document', 'inDispute'], ['Document', 'customerId'], ['Customer', 'email']] as const) {
      const predicates = [where(object, field, 'ne', 'Inv {{trigger.typo}}')]
      const { output, steps } = await testFilter(amy, { ...root, predicates, extract: count })
      expect([field, output, steps[1]?.warnings?.length]).toEqual([field, [{ n: 0, sum: 0 }], 1])
      const grouped = { ...root, predicates, aggregateBy: ['Document.currency'], extract: [...take('Document.currency'), ...count] }
      expect((await testFilter(amy, grouped)).output).toEqual([])
      const scalar = { ...root, predicates, extract: [count[0]], shape: 'scalar' }
      expect((await testFilter(amy, scalar)).output).toBe(0)
    } // biome-ignore format: a list of words
  })

  test('null in the spec and values that exist are compared as before, without a warning', async () => {
    const amy = await member('CONTRIBUTOR')
    await customer(amy, 'A')
    for (const [op, value, found] of [['eq', null, ['A']], ['in', [null], ['A']], ['ne', '{{trigger.empty}}', ['A']], ['nin', '{{trigger.list}}', ['A']], ['ne', '{{trigger.no}}', ['A']]] as const) {
      const spec = { root: 'Customer', predicates: [where('Customer', 'email', op, value)], extract: take('Customer.name'), shape: 'scalars' }
      const run = await testFilter(amy, spec, { empty: '', list: [], no: false })
      expect([op, value, run.output]).toEqual([op, value, found])
      expect(run.steps[1]).not.toHaveProperty('warnings.0')
    }
  }) // biome-ignore format: a list of words
})

test('predicate values can be bound, also to a list, and keep their type', async () => {
  const amy = await member('CONTRIBUTOR')
  const [a, b] = [await customer(amy, 'A'), await customer(amy, 'B')]
  await customer(amy, 'C')
  const names = { root: 'Customer', extract: take('Customer.name'), shape: 'scalars' }
  const bound = (field: string, op: string, value: unknown) => ({
    ...names,
    predicates: [where('Customer', field, op, value)],
  })
  const payload = { ids: [a.id, b.id], one: { id: a.id }, letter: 'C' }
  expect((await testFilter(amy, bound('id', 'in', '{{trigger.ids}}'), payload)).output).toEqual(['A', 'B'])
  expect((await testFilter(amy, bound('id', 'in', ['{{trigger.one.id}}']), payload)).output).toEqual(['A'])
  expect((await testFilter(amy, bound('name', 'eq', '{{trigger.letter}}'), payload)).output).toEqual(['C'])
  expect((await testFilter(amy, bound('email', 'eq', null), payload)).output).toEqual(['A', 'B', 'C'])
  expect((await testFilter(amy, { ...names, shape: 'scalar' })).output).toBe('A')
})

test('names in a spec cannot be bound, so what a filter reads is known when it is saved', async () => {
  const amy = await member('CONTRIBUTOR')
  const run = await testFilter(amy, { root: '{{trigger.what}}', extract: take('Customer.name') }, { what: 'Customer' })
  expect(run).toMatchObject({ status: 'FAILED', error: expect.stringContaining('{{trigger.what}}') })
})

test.each([
  null,
  'Document',
  [],
  {},
  { root: 'Document' },
  { root: 'Nothing', extract: [{ as: 'a', path: 'Nothing.a' }] },
])('a block with the spec %j fails with the reason', async (spec) => {
  const run = await testFilter(await member('CONTRIBUTOR'), spec as object)
  expect(run).toMatchObject({ status: 'FAILED', error: expect.stringMatching(/config\.spec|fields need attention/) })
})

test('LIMIT_EXCEEDED: a run fails if a filter has more than 1000 results', async () => {
  const amy = await member('CONTRIBUTOR')
  await query(
    `insert into customers (organization_id, id, name, kind, default_currencies, status)
     select $1, gen_random_uuid(), 'Customer ' || n, 'ORGANIZATION', '{}', 'ACTIVE' from generate_series(1, 1001) n`,
    [amy.organizationId],
  )
  const spec = { root: 'Customer', extract: take('Customer.id'), shape: 'scalars' }
  expect(await testFilter(amy, spec)).toMatchObject({
    status: 'FAILED',
    error: expect.stringContaining('more than 1000'),
  })
  const counted = { ...spec, extract: [{ as: 'n', path: 'Customer.id', fn: 'count' }], shape: 'scalar' }
  expect((await testFilter(amy, counted)).output).toBe(1001)
  await query("delete from customers where organization_id = $1 and name = 'Customer 7'", [amy.organizationId])
  expect((await testFilter(amy, spec)).output).toHaveLength(1000)
})

test('a filter fails if its owner no longer has the role to read the data', async () => {
  const boss = await member('OWNER')
  const amy = await member('CONTRIBUTOR', { of: boss })
  const spec = { root: 'Customer', extract: take('Customer.id') }
  const id = await automate(amy, graphOf([trigger('customer.created'), filter(spec)], 'start>found'))
  await boss.call('users_member_update', { id: boss.organizationId ?? '', userId: amy.userId, role: 'EMPLOYEE' })
  await customer(boss, 'Globex')
  await settle(boss)
  expect(await lastRun(boss, id)).toMatchObject({ status: 'FAILED', error: expect.stringContaining('VIEWER') })
  expect((await boss.call('automations_get', { id })).status).toBe('PAUSED_NO_ACCESS')
})

test('enabling an automation warns of problems in its filters', async () => {
  const amy = await member('CONTRIBUTOR')
  const spec = {
    root: 'Customer',
    predicates: [where('Customer', 'createdAt', 'gt', '{{context.today}}'), where('Customer', 'colour', 'eq', 1)],
    extract: take('Customer.id'),
  }
  const id = await automate(amy, graphOf([trigger('invoice.paid'), filter(spec)], 'start>found'), { armed: false })
  expect((await amy.call('automations_enable', { id })).warnings).toEqual([
    { code: 'FILTER', path: 'blocks.1.config.spec.predicates.1.field', message: expect.stringContaining('colour') },
  ])
})

describe('payroll', () => {
  const payslips = filterable({ feature: 'payroll', from: sql`customers`, fields: { id: 'id' } })
  const spec: FilterSpec = { root: 'Payslip', extract: take('Payslip.id'), shape: 'objects' }
  const plan = checkedPlan(spec, { objects: { Payslip: payslips }, zone: 'UTC', at: 'spec' })

  test('filtering payroll needs the role CONTRIBUTOR and the scope payroll:read', () => {
    expect(missingRightForPlan(plan, { role: 'CONTRIBUTOR' })).toBeUndefined()
    expect(missingRightForPlan(plan, { role: 'VIEWER' })).toMatchObject({ code: 'ROLE' })
    for (const scopes of [null, ['*:read'], ['payroll:read']])
      expect(missingScopesForPlan(plan, scopes, 'spec')).toEqual([])
    expect(missingScopesForPlan(plan, ['automations:read', 'payroll:write'], 'spec')).toMatchObject([
      { code: 'MISSING_SCOPE', path: 'spec.root', message: expect.stringContaining('payroll:read') },
    ])
  })

  test('results of a payroll filter are marked as payroll', () => {
    expect(featuresOf(plan)).toEqual(new Set(['payroll']))
  })
})

test('a filter that takes too long is stopped with FILTER_TIMEOUT', async () => {
  const amy = await member('OWNER')
  const slow = filterable({
    feature: 'customers',
    from: sql`(select current_organization() as organization_id, '1' as id, pg_sleep(60) is null as done)`,
    fields: { id: 'text', done: 'boolean' },
  })
  const spec: FilterSpec = { root: 'Slow', extract: take('Slow.done'), shape: 'objects' }
  const plan = checkedPlan(spec, { objects: { Slow: slow }, zone: 'UTC', at: 'spec' })
  const find = (mode: 'transaction' | 'flush') =>
    withConnection(theApp().confined, mode === 'transaction', async ({ connection, db }) => {
      setContextOfFlushes(connection, amy)
      const context = { db, now: new Date(), timezone: 'UTC', organizationId: amy.organizationId ?? '' }
      return findResults(context, plan, { shown: 5, at: 'spec', timeoutMs: 50 })
    })
  const refused = { status: 400, details: [{ path: 'spec', code: 'FILTER_TIMEOUT' }] }
  await expect(find('transaction')).rejects.toMatchObject(refused) // as in a run
  await expect(find('flush')).rejects.toMatchObject(refused) // as in a preview
})
