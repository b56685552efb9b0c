import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { filterable } from '../../../core/define/filterable.ts'
import { withConnection } from '../../../core/run/connection.ts'
import { setContextOfFlushes } from '../../../core/run/transaction-context.ts'
import { action, automate, graphOf, lastRun, settle, trigger } from '../../../test/automations.ts'
import { customer, take, where } from '../../../test/filters.ts'
import { sell } from '../../../test/sales-documents.ts'
import { member, type Someone, theApp } from '../../../test/world.ts'
import { all } from '../template.ts'
import { checkedPlan, featuresOf, missingForPlan } from './check.ts'
import { findResults } from './filter.ts'
import type { FilterSpec } from './spec.ts'

const filter = (spec: object, id = 'found') => ({ id, kind: 'FILTER' as const, config: { spec } })
const query = (text: string, values: unknown[]) => theApp().system.raw.query(text, values)

/** Tries an automation that consists of a filter, and gives what it came to. */
async function tried(someone: Someone, spec: object, payload: object = {}) {
  const id = await automate(someone, graphOf([trigger('customer.created'), filter(spec)], 'start>found'), {
    armed: false,
  })
  const run = await someone.call('automations_test', { id, payload: payload as Record<string, unknown> })
  return { ...run, output: run.steps[1]?.output }
}

test('every overdue document is written about, and no other', async () => {
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

test('the filters of the templates find something', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id } = await sell(amy, { status: 'SENT', dueDate: '2026-01-10' })
  const { blocks = [] } = all.find((template) => template.id === 'overdue-reminders') ?? {}
  const { output } = await tried(amy, blocks[1]?.config.spec as object)
  expect(output).toEqual([{ id, invoiceNumber: expect.any(String) }])
})

test('values may be bound, also to a list; whole ones keep their type', async () => {
  const amy = await member('CONTRIBUTOR')
  const [a, b] = [await customer(amy, 'A'), await customer(amy, 'B')]
  await customer(amy, 'C')
  const names = { root: 'Customer', extract: take('Customer.name'), shape: 'scalars' }
  const bound = (field: string, op: string, value: unknown) => ({
    ...names,
    predicates: [where('Customer', field, op, value)],
  })
  const payload = { ids: [a.id, b.id], one: { id: a.id }, letter: 'C' }
  expect((await tried(amy, bound('id', 'in', '{{trigger.ids}}'), payload)).output).toEqual(['A', 'B'])
  expect((await tried(amy, bound('id', 'in', ['{{trigger.one.id}}']), payload)).output).toEqual(['A'])
  expect((await tried(amy, bound('name', 'eq', '{{trigger.letter}}'), payload)).output).toEqual(['C'])
  expect((await tried(amy, bound('email', 'eq', '{{trigger.absent}}'), payload)).output).toEqual(['A', 'B', 'C'])
  expect((await tried(amy, { ...names, shape: 'scalar' })).output).toBe('A')
})

test('what is named cannot be bound: a filter reads what it showed when it was saved', async () => {
  const amy = await member('CONTRIBUTOR')
  const run = await tried(amy, { root: '{{trigger.what}}', extract: take('Customer.name') }, { what: 'Customer' })
  expect(run).toMatchObject({ status: 'FAILED', error: expect.stringContaining('{{trigger.what}}') })
})

test.each([
  null,
  'Document',
  [],
  {},
  { root: 'Document' },
  { root: 'Nothing', extract: [{ as: 'a', path: 'Nothing.a' }] },
])('a block with the spec %j fails and says what is wrong', async (spec) => {
  const run = await tried(await member('CONTRIBUTOR'), spec as object)
  expect(run).toMatchObject({ status: 'FAILED', error: expect.stringMatching(/config\.spec|fields need attention/) })
})

test('LIMIT_EXCEEDED: nobody takes the first thousand results for all of them', async () => {
  const amy = await member('CONTRIBUTOR')
  await query(
    `insert into customers (organization_id, id, name, kind, default_currencies, status)
     select $1, gen_random_uuid(), 'Customer ' || n, 'ORGANIZATION', '{}', 'ACTIVE' from generate_series(1, 1001) n`,
    [amy.organizationId],
  )
  const spec = { root: 'Customer', extract: take('Customer.id'), shape: 'scalars' }
  expect(await tried(amy, spec)).toMatchObject({ status: 'FAILED', error: expect.stringContaining('more than 1000') })
  const counted = { ...spec, extract: [{ as: 'n', path: 'Customer.id', fn: 'count' }], shape: 'scalar' }
  expect((await tried(amy, counted)).output).toBe(1001)
  await query("delete from customers where organization_id = $1 and name = 'Customer 7'", [amy.organizationId])
  expect((await tried(amy, spec)).output).toHaveLength(1000)
})

test('an owner who may no longer read the books has the filter read nothing', async () => {
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

test('who arms an automation is told what its filters get wrong', async () => {
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

  test('is filtered by contributors with the scope to read payroll', () => {
    expect(missingForPlan(plan, { role: 'CONTRIBUTOR', scopes: null })).toBeUndefined()
    expect(missingForPlan(plan, { role: 'CONTRIBUTOR', scopes: ['*:read'] })).toBeUndefined()
    expect(missingForPlan(plan, { role: 'VIEWER', scopes: null })).toMatchObject({ code: 'ROLE' })
    expect(missingForPlan(plan, { role: 'OWNER', scopes: ['automations:read'] })).toMatchObject({ code: 'SCOPE' })
  })

  test('and what was found is marked as such', () => {
    expect(featuresOf(plan)).toEqual(new Set(['payroll']))
  })
})

test('a filter that takes too long is given up, and says so', async () => {
  const amy = await member('OWNER')
  const slow = filterable({
    feature: 'customers',
    from: sql`(select current_organization() as organization_id, '1' as id, pg_sleep(60) is null as done)`,
    fields: { id: 'text', done: 'boolean' },
  })
  const spec: FilterSpec = { root: 'Slow', extract: take('Slow.done'), shape: 'objects' }
  const plan = checkedPlan(spec, { objects: { Slow: slow }, zone: 'UTC', at: 'spec' })
  const finding = (within: 'transaction' | 'flush') =>
    withConnection(theApp().confined, within === 'transaction', async ({ connection, db }) => {
      setContextOfFlushes(connection, amy)
      return findResults({ db, now: new Date(), timezone: 'UTC' }, plan, { shown: 5, at: 'spec', patienceMs: 50 })
    })
  const refused = { status: 400, details: [{ path: 'spec', code: 'FILTER_TIMEOUT' }] }
  await expect(finding('transaction')).rejects.toMatchObject(refused) // of a run
  await expect(finding('flush')).rejects.toMatchObject(refused) // of a preview
})
