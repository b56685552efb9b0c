import '../../../../test/own-world.ts'
import { expect, test } from 'vitest'
import { unavailable } from '../../../../core/define/failure.ts'
import type { Providers } from '../../../../core/define/services.ts'
import {
  action,
  automate,
  carryOn,
  graphOf,
  lastRun,
  runSoFar,
  settle,
  trigger,
} from '../../../../test/automations/automations.ts'
import { doJob } from '../../../../test/job.ts'
import { member, type Someone, theApp } from '../../../../test/world.ts'
import { runAutomation } from './run-automation.ts'

const query = async (text: string, values: unknown[] = []) => (await theApp().system.raw.query(text, values)).rows
const add = (id: string, name: string) => action(id, 'customers_create', { name, country: 'SG' })
const edit = (someone: Someone, id: string, graph: object) =>
  someone.call('automations_update', { id, ...graph } as never)
const names = async ({ organizationId }: Someone) =>
  (await query('select name from customers where organization_id = $1 order by name', [organizationId])).map(
    ({ name }) => name,
  )
const list = (id: string, fields: string[] = ['id', 'name']) => ({
  id,
  kind: 'FILTER' as const,
  config: { spec: { root: 'Customer', extract: fields.map((as) => ({ as, path: `Customer.${as}` })) } },
})

/** Calls of one operation fail for a while, as if the database were unreachable. */
function outage(name: string): Providers {
  const { providers } = theApp()
  const run: Providers['run'] = (operation, call) =>
    operation.name === name ? Promise.reject(unavailable()) : providers.run(operation, call)
  return { ...providers, run }
}

const items = [{ id: '1', description: 'Advice', quantity: 2, unitPrice: 50, amount: 100 }]
const sums = { subtotal: 100, taxRate: 9, taxAmount: 9, total: 109 }
const invoice = (id: string) =>
  action(id, 'invoices_create', { customerId: '{{trigger.id}}', currency: 'SGD', items, ...sums, status: 'SENT' })
const note = (id: string, text = 'x') => action(id, 'customers_update_patch', { id: '{{trigger.id}}', notes: text })
const issued = async ({ organizationId }: Someone) =>
  (
    await query('select count(*)::int as count from documents where organization_id = $1 and number is not null', [
      organizationId,
    ])
  )[0]?.count

const start = trigger('customer.created')
test.each([
  ['renamed', graphOf([start, invoice('other'), note('n')], 'start>other', 'other>n')],
  ['removed', graphOf([start, note('n')], 'start>n')],
  ['added', graphOf([start, invoice('bill'), invoice('more'), note('n')], 'start>bill', 'bill>more', 'more>n')],
  ['re-wired', graphOf([start, invoice('bill'), note('n')], 'start>n', 'n>bill')],
])('INV-13: a run that waits for a retry keeps its graph if a block is %s meanwhile: one event, one invoice', async (_, changed) => {
  const amy = await member('MANAGER')
  const { organizationId = '' } = amy
  const id = await automate(amy, graphOf([start, invoice('bill'), note('n')], 'start>bill', 'bill>n'))
  await amy.call('customers_create', { name: 'Globex', country: 'SG' })
  const { id: runId } = await lastRun(amy, id)
  await doJob(runAutomation, { runId }, { flags: { [`organization:${organizationId}`]: true }, providers: outage('customers_update_patch') })
  expect(await lastRun(amy, id)).toMatchObject({ status: 'RUNNING', steps: [{}, { status: 'SUCCEEDED' }, { status: 'PENDING' }] })
  expect(await issued(amy)).toBe(1)
  await edit(amy, id, changed)
  await doJob(runAutomation, { runId }, { flags: { [`organization:${organizationId}`]: true }, providers: outage('customers_update_patch') })
  await carryOn(organizationId, runId)
  expect(await lastRun(amy, id)).toMatchObject({ status: 'SUCCEEDED', steps: [{}, { status: 'SUCCEEDED' }, { status: 'SUCCEEDED' }] })
  expect(await issued(amy)).toBe(1)
}) // biome-ignore format: a list of words

test('INV-13: after the list was replaced, a replay carries out only the elements without a success', async () => {
  const amy = await member('CONTRIBUTOR')
  for (const name of ['A', 'B', 'C']) await amy.call('customers_create', { name, country: 'SG' })
  const patch = (input: string) => action('each', 'customers_update_patch', { id: input, notes: 'Seen {{item.name}}' })
  const id = await automate(amy, graphOf([trigger('invoice.paid'), list('found'), patch('{{item.id}}')], 'start>found', 'found*each'), { armed: false })
  const failing = outage('customers_update_patch').run
  let calls = 0
  const providers = { ...theApp().providers, run: ((operation, call) => (operation.name === 'customers_update_patch' && ++calls > 1 ? failing(operation, call) : theApp().providers.run(operation, call))) as Providers['run'] }
  const runId = await runSoFar(amy, id, [])
  const { organizationId = '' } = amy
  for (let n = 0; n < 6; n++) await doJob(runAutomation, { runId }, { flags: { [`organization:${organizationId}`]: true }, providers })
  const failed = await lastRun(amy, id)
  expect(failed).toMatchObject({ status: 'FAILED' })
  expect(failed.steps.slice(2).map(({ status }) => status)).toEqual(['SUCCEEDED', 'FAILED'])
  await amy.call('customers_create', { name: '0 is new', country: 'SG' })
  await edit(amy, id, graphOf([trigger('invoice.paid'), list('again', ['name', 'id']), patch('{{item.id}}')], 'start>again', 'again*each'))
  const preview = await amy.call('automations_replay_preview', { id, runId })
  expect(preview.next).toMatchObject([{ blockId: 'again', why: { code: 'NEW_BLOCK' } }])
  expect(preview.later).toMatchObject([{ blockId: 'each', why: { code: 'FAILED' } }])
  expect(preview.gone).toMatchObject([{ blockId: 'found', status: 'SUCCEEDED' }])
  const replayed = await amy.call('automations_replay', { id, runId })
  expect(replayed).toMatchObject({ status: 'SUCCEEDED' })
  const steps = replayed.steps.filter(({ blockId }) => blockId === 'each')
  expect(steps.map(({ status }) => status)).toEqual(['SUCCEEDED', 'SUCCEEDED', 'SUCCEEDED', 'SUCCEEDED'])
  const updates = await query("select count(*)::int as count from events where organization_id = $1 and type = 'customer.updated'", [organizationId])
  expect(updates).toEqual([{ count: 4 }])
}) // biome-ignore format: a list of words

test('a chain carries out its blocks for the same element, and a list in a field is one with each', async () => {
  const amy = await member('CONTRIBUTOR')
  const graph = graphOf([trigger('invoice.paid'), add('made', '{{item.name}}'), action('fix', 'customers_update_patch', { id: '{{blocks.made.id}}', notes: 'for {{item.n}}' }), add('last', 'Last {{blocks.fix.count}}')], 'start*made', 'made*fix', 'fix>last')
  Object.assign(graph.edges[0] ?? {}, { each: 'people.0' })
  const id = await automate(amy, graph, { armed: false })
  const run = await amy.call('automations_test', { id, payload: { people: [[{ name: 'A', n: 1 }, { name: 'B', n: 2 }]] } })
  expect(run).toMatchObject({ status: 'SUCCEEDED' })
  expect(run.steps.filter(({ blockId }) => blockId === 'fix').map(({ output }) => output)).toMatchObject([{ name: 'A', notes: 'for 1' }, { name: 'B', notes: 'for 2' }])
  expect(await names(amy)).toEqual(['A', 'B', 'Last 2'])
}) // biome-ignore format: a list of words

test('INV-13: a replay without a failed element, or without a block that waits, leaves no step unfinished', async () => {
  const amy = await member('CONTRIBUTOR')
  const graph = (...blocks: ReturnType<typeof add>[]) => graphOf([trigger('invoice.paid'), ...blocks], ...blocks.map(({ id }) => `start>${id}`))
  const id = await automate(amy, graph(add('a', 'A'), add('b', '')), { armed: false })
  const { id: runId } = await amy.call('automations_test', { id })
  for (const status of ['PENDING', 'RUNNING']) {
    await query("update automation_runs set status = 'FAILED', error = 'x', finished_at = now() where id = $1", [runId])
    await edit(amy, id, graph(add('a', 'A')))
    await query("update automation_steps set status = $2 where run_id = $1 and block_id = 'b'", [runId, status])
    const { status: ended, steps } = await amy.call('automations_replay', { id, runId })
    expect([ended, steps.map((step) => step.status)]).toEqual(['SUCCEEDED', ['SUCCEEDED', 'SUCCEEDED', 'FAILED']])
    expect(steps[2]?.error).toEqual(expect.any(String))
  }
  // An element that a later list does not have: its step neither waits nor fails the run.
  const each = (cond: object | null, list: unknown[]) => ({ graph: graphOf([trigger('invoice.paid'), add('each', '{{item.name}}')], ['start*each', cond ?? {}]), list })
  const { graph: perElement } = each(null, [])
  Object.assign(perElement.edges[0] ?? {}, { each: 'people' })
  const other = await automate(amy, perElement, { armed: false })
  const failed = await amy.call('automations_test', { id: other, payload: { people: [{ name: 'P' }, { name: '' }], rest: [{ name: 'P' }] } })
  expect(failed).toMatchObject({ status: 'FAILED' })
  Object.assign(perElement.edges[0] ?? {}, { each: 'rest' })
  await edit(amy, other, perElement)
  const replayed = await amy.call('automations_replay', { id: other, runId: failed.id })
  expect(replayed.steps.map(({ status }) => status)).toEqual(['SUCCEEDED', 'SUCCEEDED', 'SKIPPED'])
  expect(replayed.steps[2]?.error).toContain('no longer in the list')
  expect((await names(amy)).filter((name) => name === 'P')).toHaveLength(1)
}) // biome-ignore format: a list of words

test('data that looks like the marker of a large output is data in a payload, a condition and an input, also after a restart', async () => {
  const amy = await member('CONTRIBUTOR')
  const data = { truncated: true, bytes: 5, message: 'Not stored: 5 bytes' }
  const graph = graphOf([trigger('invoice.paid'), add('a', 'Size {{trigger.data.bytes}}'), add('b', '{{blocks.start.data.bytes}} {{blocks.a.name}}')], ['start>a', { left: '{{blocks.start.data.truncated}}', op: 'eq', right: true }], 'a>b')
  const id = await automate(amy, graph, { armed: false })
  expect(await amy.call('automations_test', { id, payload: { data, ...data } })).toMatchObject({ status: 'SUCCEEDED' })
  await runSoFar(amy, id, [{ block: 'start', output: { data, ...data } }, { block: 'a', output: { ...data, name: 'kept' } }])
  await settle(amy)
  expect(await lastRun(amy, id)).toMatchObject({ status: 'SUCCEEDED' })
  expect(await names(amy)).toEqual(['5 Size 5', '5 kept', 'Size 5'])
}) // biome-ignore format: a list of words
