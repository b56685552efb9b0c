import { beforeAll, describe, expect, test } from 'vitest'
import { action, automate, graphOf, lastRun, settle, trigger } from '../../../../test/automations/automations.ts'
import { hire } from '../../../../test/payroll/company.ts'
import { member, type Someone, theApp, withKey } from '../../../../test/world.ts'
import { mayReadStep } from '../../automations/protected-steps.ts'

let amy: Someone
let organizationId: string
beforeAll(async () => {
  amy = await member('OWNER')
  organizationId = String(amy.organizationId)
  for (const name of ['Globex', 'Initech']) await amy.call('customers_create', { name, country: 'SG' })
  await hire(amy, { residencyStatus: 'CITIZEN' })
})

const howMany = 'How many customers do we have?'
const count = { type: 'object', properties: { count: { type: 'integer' } }, required: ['count'] }
const employees = {
  type: 'object',
  properties: { names: { type: 'array', items: { type: 'string' } } },
  required: ['names'],
}
const whoWorks = 'List the employees'
const asking = (question: string, schema: Record<string, unknown>) => ({ organizationId, question, schema })

test('the answer fits the schema, is told in words and says what was read', async () => {
  const { answer, text, calls } = await amy.call('companion_write_ask', asking(howMany, count))
  expect(answer).toEqual({ count: 2 })
  expect(text).toMatch(/2 customers/)
  expect(calls.map(({ tool }) => tool)).toEqual(expect.arrayContaining(['customers_list']))
})

test('what cannot be filled in is refused with its path, and what asks for an effect has none', async () => {
  const both = {
    type: 'object',
    properties: { ...count.properties, iban: { type: 'string' } },
    required: ['count', 'iban'],
  }
  await expect(amy.call('companion_write_ask', asking(howMany, both))).rejects.toMatchObject({
    status: 409,
    message: expect.stringContaining('answer.iban is missing'),
  })
  const create = amy.call('companion_write_ask', asking('Create a customer named Umbrella', count))
  await expect(create).rejects.toMatchObject({ status: 409, message: expect.stringContaining('customers_create') })
  expect((await amy.call('customers_list', { organizationId })).customers).toHaveLength(2)
})

test.each([
  ['question', { question: 'x'.repeat(4_001) }],
  ['schema.type', { schema: {} }],
  ['schema.pattern', { schema: { type: 'string', pattern: '(a+)+$' } }],
  ['schema', { schema: { type: 'string', description: 'x'.repeat(17_000) } }],
])('a wrong %s is refused', async (path, wrong) => {
  const refused = amy.call('companion_write_ask', { ...asking(howMany, count), ...wrong })
  await expect(refused).rejects.toMatchObject({ status: 400, message: expect.stringContaining(path) })
})

describe('rights', () => {
  test('a person reads what they may read, and nothing else', async () => {
    expect((await amy.call('companion_write_ask', asking(whoWorks, employees))).answer).toMatchObject({
      names: [expect.any(String)],
    })
    const cleo = await withKey(amy, ['companion:write', 'customers:read'])
    expect((await cleo.call('companion_write_ask', asking(howMany, count))).answer).toEqual({ count: 2 })
    await expect(cleo.call('companion_write_ask', asking(whoWorks, employees))).rejects.toMatchObject({ status: 409 })
  })

  test('a question stays in its organization', async () => {
    const eve = await member('OWNER')
    await expect(eve.call('companion_write_ask', asking(howMany, count))).rejects.toMatchObject({ status: 403 })
    const own = await eve.call('companion_write_ask', {
      ...asking(howMany, count),
      organizationId: String(eve.organizationId),
    })
    expect(own.answer).toEqual({ count: 0 })
  })
})

const ask = (question: string, schema: Record<string, unknown>) =>
  action('ask', 'companion_write_ask', { question, schema })
const onCategory = (...blocks: Parameters<typeof graphOf>[0]) =>
  graphOf(
    [trigger('customer.created'), ...blocks],
    ...blocks.map(({ id }, at) => `${blocks[at - 1]?.id ?? 'start'}>${id}`),
  )

/** Fires an automation of somebody and returns its run. */
async function fire(who: Someone, graph: ReturnType<typeof graphOf>) {
  const id = await automate(who, graph)
  await amy.call('customers_create', { name: 'Fired', country: 'SG' })
  await settle(amy)
  const run = await lastRun(amy, id)
  await amy.call('automations_disable', { id })
  return run
}

describe('in an automation', () => {
  test('the next step uses the answer', async () => {
    const note = action('note', 'expense_categories_create', { name: 'Customers: {{blocks.ask.answer.count}}' })
    const { status, error } = await fire(amy, onCategory(ask(howMany, count), note))
    expect({ status, error }).toEqual({ status: 'SUCCEEDED', error: null })
    const { customers } = await amy.call('customers_list', { organizationId })
    const { categories } = await amy.call('expense_categories_list', { organizationId })
    expect(categories.map(({ name }) => name)).toContain(`Customers: ${customers.length}`)
  })

  test('a graph has no right that its author lacks: not on payroll', async () => {
    const scoped = await withKey(amy, ['automations:read', 'automations:write', 'companion:write', 'customers:read'])
    expect(await fire(scoped, onCategory(ask(howMany, count)))).toMatchObject({ status: 'SUCCEEDED' })
    const refused = await fire(scoped, onCategory(ask(whoWorks, employees)))
    expect(refused).toMatchObject({ status: 'FAILED', error: expect.stringContaining('payroll_employees_list') })
    expect(await fire(amy, onCategory(ask(whoWorks, employees)))).toMatchObject({ status: 'SUCCEEDED' })
  })

  test('what it answers has the strictest mark, and so has a step that is given it', async () => {
    const note = action('note', 'expense_categories_create', { name: 'First: {{blocks.ask.answer.names.0}}' })
    const { id } = await fire(amy, onCategory(ask(whoWorks, employees), note))
    const { rows } = await theApp().system.raw.query<{ feature: string }>(
      "select feature from automation_steps where run_id = $1 and block_id in ('ask', 'note') and status = 'SUCCEEDED'",
      [id],
    )
    expect(rows).toHaveLength(2)
    for (const { feature } of rows) {
      expect(mayReadStep(feature, { role: 'OWNER', scopes: null })).toBe(true)
      expect(mayReadStep(feature, { role: 'CONTRIBUTOR', scopes: null })).toBe(false)
      expect(mayReadStep(feature, { role: 'OWNER', scopes: ['companion:read', 'invoices:read'] })).toBe(false)
    }
  })

  test('somebody who may not see payroll sees neither the answer nor the question', async () => {
    const run = await fire(amy, onCategory(ask(whoWorks, employees)))
    expect(JSON.stringify(run)).toContain('List the employees')
    const vera = await member('VIEWER', { of: amy })
    const seen = await vera.call('automations_run', { id: run.automationId, runId: run.id })
    expect(JSON.stringify(seen)).not.toContain('List the employees')
  })
})
