import '../../../../test/own-world.ts'
import { expect, onTestFinished, test } from 'vitest'
import { newId } from '../../../../core/values/id.ts'
import {
  action,
  automate,
  carryOn,
  graphOf,
  lastRun,
  settle,
  trigger,
} from '../../../../test/automations/automations.ts'
import { doJob } from '../../../../test/job.ts'
import { ofRun, removeJobs } from '../../../../test/queue.ts'
import { sell } from '../../../../test/sales-documents.ts'
import { member, type Someone, theApp } from '../../../../test/world.ts'
import { runAutomation } from './run-automation.ts'
import { toStored } from './stored-values.ts'

const query = async (text: string, values: unknown[] = []) => (await theApp().system.raw.query(text, values)).rows
const customers = async (someone: Someone) =>
  (await query('select name, notes from customers where organization_id = $1 order by name', [
    someone.organizationId,
  ])) as {
    name: string
    notes: string | null
  }[]
const add = (id: string, name: string, more: object = {}) =>
  action(id, 'customers_create', { name, country: 'SG', ...more })
const statuses = ({ steps }: { steps: { blockId: string | null; status: string }[] }) =>
  steps.map(({ blockId, status }) => `${blockId} ${status}`)

test('a test executes the actions of a draft with the given payload and returns the run', async () => {
  const amy = await member('CONTRIBUTOR')
  const id = await automate(amy, graphOf([trigger('invoice.paid'), add('a', 'Hi {{trigger.who}}', { notes: '{{trigger.note}}' })], 'start>a'), { armed: false })
  const run = await amy.call('automations_test', { id, payload: { who: 'Bob', note: 'n' } })
  expect(run).toMatchObject({
    automationId: id,
    organizationId: amy.organizationId,
    triggerEventId: null,
    input: { who: 'Bob', note: 'n' },
    status: 'SUCCEEDED',
    error: null,
    finishedAt: expect.any(String),
    steps: [
      { blockId: 'start', status: 'SUCCEEDED', attempt: 1 },
      { blockId: 'a', status: 'SUCCEEDED', attempt: 1, error: null, latencyMs: expect.any(Number), input: { name: 'Hi Bob', notes: 'n', country: 'SG' }, output: { name: 'Hi Bob' } },
    ],
  })
  expect(await customers(amy)).toEqual([{ name: 'Hi Bob', notes: 'n' }])
  expect(await amy.call('automations_run', { id, runId: run.id })).toEqual(run)
  expect((await amy.call('automations_get', { id })).status).toBe('DRAFT')
}) // biome-ignore format: a list of words

test('a test without a payload has an empty trigger, and bindings to it resolve to null or an empty text', async () => {
  const amy = await member('CONTRIBUTOR')
  const id = await automate(amy, graphOf([trigger('invoice.paid'), add('a', 'Hi{{trigger.who}}', { notes: '{{trigger.note}}' })], 'start>a'), { armed: false })
  const run = await amy.call('automations_test', { id })
  expect(run).toMatchObject({ input: {}, status: 'SUCCEEDED' })
  expect(run.steps[1]?.input).toMatchObject({ name: 'Hi', notes: null })
}) // biome-ignore format: a list of words

test('only the owner or a manager can test an automation, and it runs with the rights of the owner', async () => {
  const amy = await member('CONTRIBUTOR')
  const [bob, boss] = [await member('CONTRIBUTOR', { of: amy }), await member('MANAGER', { of: amy })]
  const id = await automate(amy, graphOf([trigger('invoice.paid'), action('a', 'automations_delete', { id: newId() })], 'start>a'), { armed: false })
  await expect(bob.call('automations_test', { id })).rejects.toMatchObject({ status: 403 })
  const run = await boss.call('automations_test', { id })
  expect(run).toMatchObject({ status: 'FAILED', steps: [{}, { status: 'FAILED', error: expect.stringContaining('MANAGER') }] })
  expect(await amy.call('automations_test', { id })).toMatchObject({ status: 'FAILED' })
}) // biome-ignore format: a list of words

test('INV-10 INV-11: an event starts each automation enabled for it once, with its payload', async () => {
  const amy = await member('CONTRIBUTOR')
  const graph = graphOf([trigger('customer.created'), action('a', 'customers_update', { id: '{{trigger.id}}', notes: 'seen {{trigger.name}}' })], 'start>a')
  const [enabled, other, draft] = [await automate(amy, graph), await automate(amy, graphOf([trigger('invoice.paid')])), await automate(amy, graph, { armed: false })]
  const paused = await automate(amy, graph)
  await amy.call('automations_disable', { id: paused })
  const { id: customerId } = await amy.call('customers_create', { name: 'Globex', country: 'SG' })
  const [event] = await query("select id from events where organization_id = $1 and type = 'customer.created'", [amy.organizationId])
  expect(await lastRun(amy, enabled)).toMatchObject({ status: 'RUNNING', triggerEventId: event?.id, finishedAt: null })
  await settle(amy)
  expect(await lastRun(amy, enabled)).toMatchObject({ status: 'SUCCEEDED', triggerEventId: event?.id, input: { id: customerId, name: 'Globex' } })
  expect(await customers(amy)).toEqual([{ name: 'Globex', notes: 'seen Globex' }])
  for (const id of [other, draft, paused]) expect((await amy.call('automations_runs', { id })).runs).toEqual([])
}) // biome-ignore format: a list of words

test('INV-10: a rolled-back operation starts no run', async () => {
  const amy = await member('CONTRIBUTOR')
  const id = await automate(amy, graphOf([trigger('invoice.created')]))
  await expect(sell(amy, { status: 'UNSENT', total: 1 })).rejects.toMatchObject({ status: 400 })
  expect((await amy.call('automations_runs', { id })).runs).toEqual([])
})

test('FLT-06: a job that is delivered twice executes the action once', async () => {
  const amy = await member('CONTRIBUTOR')
  const { organizationId = '' } = amy
  const id = await automate(amy, graphOf([trigger('customer.updated'), add('a', 'Once')], 'start>a'))
  const { id: customerId } = await amy.call('customers_create', { name: 'Globex', country: 'SG' })
  await amy.call('customers_update_patch', { id: customerId, notes: 'x' })
  const { id: runId } = await lastRun(amy, id)
  await Promise.all([carryOn(organizationId, runId), carryOn(organizationId, runId)])
  await carryOn(organizationId, runId)
  expect((await customers(amy)).filter(({ name }) => name === 'Once')).toHaveLength(1)
  expect(await lastRun(amy, id)).toMatchObject({ status: 'SUCCEEDED' })
  const again = query("insert into automation_runs (organization_id, id, automation_id, trigger_event_id, trigger_type, input, depth) select organization_id, $1, automation_id, trigger_event_id, trigger_type, input, depth from automation_runs where id = $2", [newId(), runId])
  await expect(again).rejects.toMatchObject({ constraint: 'one_run_per_event' })
}) // biome-ignore format: a list of words

test('INV-19: the audit log shows actions of an automation with its source, run and owner', async () => {
  const amy = await member('CONTRIBUTOR')
  const id = await automate(amy, graphOf([trigger('invoice.paid'), add('a', 'Globex')], 'start>a'))
  const { id: runId } = await amy.call('automations_test', { id })
  const trail = await query("select user_id, source, run_id from audit_log where organization_id = $1 and operation = 'customers_create'", [amy.organizationId])
  expect(trail).toEqual([{ user_id: amy.userId, source: 'AUTOMATION', run_id: runId }])
}) // biome-ignore format: a list of words

test('INV-14: an action commits in one transaction with the success of its step', async () => {
  const amy = await member('CONTRIBUTOR')
  const id = await automate(amy, graphOf([trigger('invoice.paid'), add('a', 'Globex')], 'start>a'), { armed: false })
  const run = await amy.call('automations_test', { id })
  const together = await query(
    `select s.xmin = c.xmin as together from automation_steps s, customers c where s.id = $1 and c.organization_id = $2`,
    [run.steps[1]?.id, amy.organizationId],
  )
  expect(together).toEqual([{ together: true }])
}) // biome-ignore format: a list of words

test('IDEM-1: an action that was recorded before it is executed has the key of its step', async () => {
  const amy = await member('CONTRIBUTOR')
  const paying = action('pay', 'invoices_mark_paid', { id: '{{trigger.id}}', paymentDate: '{{context.today}}', paymentMethod: 'CASH', sendReceiptEmail: false })
  const id = await automate(amy, graphOf([trigger('invoice.issued'), paying, add('a', 'Globex')], 'start>pay', 'pay>a'))
  await sell(amy, { status: 'UNSENT' })
  const { id: runId } = await lastRun(amy, id)
  await removeJobs(ofRun, [runId])
  await doJob(runAutomation, { runId }, { flags: { [`organization:${amy.organizationId}`]: true }, attempts: 2 }) // its worker was killed
  const { steps: [, usesNetwork, repeated] } = await lastRun(amy, id)
  const keys = await query("select key, status, organization_id from idempotency_keys where key like 'step:%' and organization_id = $1 order by created_at", [amy.organizationId])
  expect(keys).toEqual([
    { key: expect.stringMatching(`^step:${usesNetwork?.id}:`), status: 200, organization_id: amy.organizationId },
    { key: `step:${repeated?.id}`, status: 201, organization_id: amy.organizationId },
  ])
}) // biome-ignore format: a list of words

test('INV-13: steps that only read are recorded in one transaction with the next step, and their times are those of their execution', async () => {
  const amy = await member('CONTRIBUTOR')
  const filter = { id: 'filter', kind: 'FILTER' as const, config: { spec: { root: 'Customer', extract: [{ as: 'id', path: 'Customer.id' }] } } }
  const graph = graphOf([trigger('invoice.paid'), filter, action('read', 'customers_list'), add('a', 'A'), action('last', 'customers_list')], 'start>filter', 'filter>read', 'read>a', 'a>last')
  const run = await amy.call('automations_test', { id: await automate(amy, graph, { armed: false }) })
  expect(run).toMatchObject({ status: 'SUCCEEDED' })
  const steps = await query('select block_id, xmin, started_at <= finished_at as ordered, started_at between (select started_at from automation_runs where id = $1) and now() as during from automation_steps where run_id = $1 order by id', [run.id])
  expect(steps.map(({ block_id, ordered, during }) => [block_id, ordered, during])).toEqual(['start', 'filter', 'read', 'a', 'last'].map((block) => [block, true, true]))
  expect(new Set(steps.slice(0, 4).map(({ xmin }) => xmin)).size).toBe(1)
  expect(run.steps.map(({ latencyMs }) => latencyMs === null)).toEqual([true, false, false, false, false])
}) // biome-ignore format: a list of words

test('later steps can use the output of a step with its type', async () => {
  const amy = await member('CONTRIBUTOR')
  const graph = graphOf(
    [trigger('invoice.paid'), add('first', 'Globex'), action('list', 'customers_list', {}), action('note', 'customers.update.patch', { id: '{{blocks.first.id}}', notes: '{{blocks.list.pagination.total}} of us since {{context.today}} in {{context.orgId}}' })],
    'start>first', 'first>list', 'list>note',
  )
  const run = await amy.call('automations_test', { id: await automate(amy, graph, { armed: false }) })
  expect(run).toMatchObject({ status: 'SUCCEEDED' })
  expect((await customers(amy))[0]?.notes).toMatch(new RegExp(`^1 of us since \\d{4}-\\d\\d-\\d\\d in ${amy.organizationId}$`))
}) // biome-ignore format: a list of words

test('a target runs if a source succeeded and the condition of the edge passes, and is skipped otherwise', async () => {
  const amy = await member('CONTRIBUTOR')
  const large = { left: '{{trigger.total}}', op: 'gt', right: '100' }
  const graph = graphOf([trigger('invoice.paid'), add('large', 'Large'), add('small', 'Small'), add('after', 'After')], ['start>large', large], ['start>small', { not: large }], 'small>after')
  const id = await automate(amy, graph, { armed: false })
  expect(statuses(await amy.call('automations_test', { id, payload: { total: 500 } }))).toEqual(['start SUCCEEDED', 'large SUCCEEDED', 'small SKIPPED', 'after SKIPPED'])
  expect(statuses(await amy.call('automations_test', { id, payload: { total: 5 } }))).toEqual(['start SUCCEEDED', 'large SKIPPED', 'small SUCCEEDED', 'after SUCCEEDED'])
}) // biome-ignore format: a list of words

test('a test fires the first trigger and an event its own; blocks that only the others lead to are skipped', async () => {
  const amy = await member('CONTRIBUTOR')
  const graph = graphOf([trigger('invoice.paid', 'paid'), trigger('customer.created', 'new'), action('a', 'customers_list'), action('b', 'customers_list'), action('c', 'customers_list')], 'paid>a', 'new>b', 'paid>c', 'new>c')
  const id = await automate(amy, graph)
  const tried = await amy.call('automations_test', { id })
  expect(statuses(tried).sort()).toEqual(['a SUCCEEDED', 'b SKIPPED', 'c SUCCEEDED', 'new SKIPPED', 'paid SUCCEEDED'])
  await amy.call('customers_create', { name: 'Globex', country: 'SG' })
  await settle(amy)
  expect(statuses(await lastRun(amy, id)).sort()).toEqual(['a SKIPPED', 'b SUCCEEDED', 'c SUCCEEDED', 'new SUCCEEDED', 'paid SKIPPED'])
}) // biome-ignore format: a list of words

test('FOR_EACH over an output that is not a list runs its target once, with the output as the item', async () => {
  const amy = await member('CONTRIBUTOR')
  for (const name of ['A', 'B', 'C']) await amy.call('customers_create', { name, country: 'SG' })
  const graph = graphOf([trigger('invoice.paid'), action('list', 'customers_list'), action('note', 'customers_update_patch', { id: '{{item.customers.0.id}}', notes: 'only {{item.pagination.total}}' })], 'start>list', 'list*note')
  const run = await amy.call('automations_test', { id: await automate(amy, graph, { armed: false }) })
  expect(run).toMatchObject({ status: 'SUCCEEDED' })
  expect(run.steps.map(({ element }) => element)).toEqual([null, null, null])
  expect((await customers(amy)).filter(({ notes }) => notes === 'only 3')).toHaveLength(1)
}) // biome-ignore format: a list of words

test('a run ends at its first failed step with the error of that step', async () => {
  const amy = await member('CONTRIBUTOR')
  const graph = graphOf([trigger('invoice.paid'), add('a', ''), add('b', 'Never')], 'start>a', 'a>b')
  const run = await amy.call('automations_test', { id: await automate(amy, graph, { armed: false }) })
  expect(run).toMatchObject({ status: 'FAILED', error: expect.stringContaining('name'), finishedAt: expect.any(String) })
  expect(statuses(run)).toEqual(['start SUCCEEDED', 'a FAILED'])
  expect(run.steps[1]).toMatchObject({ attempt: 1, error: run.error })
  expect(await customers(amy)).toEqual([])
}) // biome-ignore format: a list of words

test.each([
  ['a CUSTOM block', { id: 'a', kind: 'CUSTOM' as const }, 'CUSTOM'],
  ['an unknown action', action('a', 'moon.land'), 'moon.land'],
  ['an action without a name', { id: 'a', kind: 'ACTION' as const }, 'no action'],
  ['an input that is not an object', { id: 'a', kind: 'ACTION' as const, ref: 'customers_list', config: { input: '{{trigger.x}}' } }, 'object'],
  ['an input for another organization', action('a', 'customers_list', { organizationId: newId() }), 'own organization'],
])('%s can be saved, and fails its step when it runs', async (_, block, why) => {
  const amy = await member('CONTRIBUTOR')
  const run = await amy.call('automations_test', { id: await automate(amy, graphOf([trigger('invoice.paid'), block], 'start>a')) })
  expect(run).toMatchObject({ status: 'FAILED', error: expect.stringContaining(why) })
  expect(statuses(run)).toEqual(['start SUCCEEDED', 'a FAILED'])
}) // biome-ignore format: a list of words

test('INV-18: an automation cannot change a row in another organization of its owner', async () => {
  const amy = await member('OWNER')
  const elsewhere = await amy.call('organizations_create', { name: 'Other', country: 'SG' })
  const { id: foreign } = await amy.call('customers_create', { organizationId: elsewhere.id, name: 'Foreign', country: 'SG' })
  const graph = graphOf([trigger('invoice.paid'), action('a', 'customers_update_patch', { id: foreign, notes: 'reached' })], 'start>a')
  expect(await amy.call('automations_test', { id: await automate(amy, graph) })).toMatchObject({ status: 'FAILED' })
  expect(await query('select notes from customers where id = $1', [foreign])).toEqual([{ notes: null }])
}) // biome-ignore format: a list of words

test('a missing right fails the run, pauses the automation and notifies the owner and the managers', async () => {
  const boss = await member('OWNER')
  const amy = await member('MANAGER', { of: boss })
  const graph = graphOf([trigger('customer.created'), action('a', 'automations_delete', { id: newId() })], 'start>a')
  const id = await automate(amy, graph)
  await query("update memberships set role = 'CONTRIBUTOR' where user_id = $1", [amy.userId])
  await amy.call('customers_create', { name: 'Globex', country: 'SG' })
  await settle(amy)
  expect(await lastRun(amy, id)).toMatchObject({ status: 'FAILED', error: expect.stringContaining('MANAGER') })
  expect((await amy.call('automations_get', { id })).status).toBe('PAUSED_NO_ACCESS')
  for (const who of [boss, amy]) {
    const { notifications } = await who.call('users_notifications')
    expect(notifications[0]).toMatchObject({ kind: 'AUTOMATION_PAUSED', text: expect.stringMatching(/needs the role MANAGER.* The owner .+ is CONTRIBUTOR\.$/) })
  }
  await amy.call('customers_create', { name: 'Initech', country: 'SG' })
  expect((await amy.call('automations_runs', { id })).runs).toHaveLength(1)
}) // biome-ignore format: a list of words

test('a binding has the weekday in the time zone of the organization', async () => {
  const amy = await member('OWNER')
  const graph = graphOf(
    [trigger('invoice.paid'), action('a', 'expense_categories_create', { name: '{{context.weekday}}' })],
    'start>a',
  )
  const { steps } = await amy.call('automations_test', { id: await automate(amy, graph) })
  const { timezone } = await amy.call('organizations_get', { id: String(amy.organizationId) })
  const weekday = new Date().toLocaleDateString('en', { weekday: 'long', timeZone: timezone }).toLowerCase()
  expect(steps.at(-1)).toMatchObject({ status: 'SUCCEEDED', output: { name: weekday } })
})

test('the owner is notified of failed runs once a day for each automation, and not of a run that somebody tries', async () => {
  const amy = await member('OWNER')
  const failing = graphOf([trigger('customer.created'), action('a', 'invoices_get', { id: newId() })], 'start>a')
  const [first, second] = [await automate(amy, failing), await automate(amy, failing)]
  await amy.call('automations_test', { id: first })
  expect((await amy.call('users_notifications')).notifications).toEqual([])
  for (const name of ['Globex', 'Initech', 'Umbrella']) await amy.call('customers_create', { name, country: 'SG' })
  await settle(amy)
  const { notifications } = await amy.call('users_notifications')
  expect(
    notifications.map(({ kind, data }) => [kind, (data as { automationId: string }).automationId]).toSorted(),
  ).toEqual([first, second].map((id) => ['AUTOMATION_FAILED', id]).toSorted())
  expect(notifications[0]?.text).toMatch(/^A run of the automation .+ failed\. .+ Further failures of today/)
})

test('if the owner has left the organization, the run fails and the automation is paused', async () => {
  const boss = await member('OWNER')
  const amy = await member('CONTRIBUTOR', { of: boss })
  const id = await automate(amy, graphOf([trigger('customer.created'), action('a', 'customers_list')], 'start>a'))
  await query('delete from memberships where user_id = $1', [amy.userId])
  await boss.call('customers_create', { name: 'Globex', country: 'SG' })
  await settle(boss)
  expect(await lastRun(boss, id)).toMatchObject({ status: 'FAILED', error: expect.stringContaining('owner') })
  expect((await boss.call('automations_get', { id })).status).toBe('PAUSED_NO_ACCESS')
})

test('INV-13: a replay continues at the failed step, repeats no action and keeps the payload and the outputs', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id: customerId } = await amy.call('customers_create', { name: 'Globex', country: 'SG' })
  await amy.call('customers_delete', { id: customerId })
  const graph = graphOf([trigger('invoice.paid'), add('a', 'Made {{trigger.n}}'), action('b', 'customers_update_patch', { id: '{{trigger.missing}}', notes: 'x' }), add('c', 'After {{blocks.a.name}}')], 'start>a', 'a>b', 'b>c')
  const id = await automate(amy, graph, { armed: false })
  const failed = await amy.call('automations_test', { id, payload: { n: 1 } })
  expect(statuses(failed)).toEqual(['start SUCCEEDED', 'a SUCCEEDED', 'b FAILED'])
  expect(await amy.call('automations_replay', { id, runId: failed.id })).toMatchObject({ status: 'FAILED' })
  const fixed = graphOf([trigger('invoice.paid'), add('a', 'Made {{trigger.n}}'), action('b', 'customers_list'), add('c', 'After {{blocks.a.name}}')], 'start>a', 'a>b', 'b>c')
  await amy.call('automations_update', { id, ...fixed } as never)
  const replayed = await amy.call('automations_replay', { id, runId: failed.id })
  expect(replayed).toMatchObject({ id: failed.id, status: 'SUCCEEDED', error: null, input: { n: 1 } })
  expect(statuses(replayed)).toEqual(['start SUCCEEDED', 'a SUCCEEDED', 'b SUCCEEDED', 'c SUCCEEDED'])
  expect(replayed.steps[1]).toEqual(failed.steps[1])
  expect((await customers(amy)).map(({ name }) => name)).toEqual(['After Made 1', 'Made 1'])
}) // biome-ignore format: a list of words

test('only a FAILED run can be replayed', async () => {
  const amy = await member('CONTRIBUTOR')
  const id = await automate(amy, graphOf([trigger('customer.created')]))
  const { id: runId } = await amy.call('automations_test', { id })
  await expect(amy.call('automations_replay', { id, runId })).rejects.toMatchObject({ status: 409 })
  await amy.call('customers_create', { name: 'Globex', country: 'SG' })
  const running = await lastRun(amy, id)
  await expect(amy.call('automations_replay', { id, runId: running.id })).rejects.toMatchObject({ status: 409 })
  await expect(amy.call('automations_replay', { id, runId: newId() })).rejects.toMatchObject({ status: 404 })
  await settle(amy)
})

test('recorded steps survive a change of the graph, and lose the id of a removed block', async () => {
  const amy = await member('CONTRIBUTOR')
  const id = await automate(amy, graphOf([trigger('invoice.paid'), add('a', 'Globex')], 'start>a'), { armed: false })
  const before = await amy.call('automations_test', { id })
  await amy.call('automations_update', { id, ...graphOf([trigger('invoice.paid')]) } as never)
  const after = await amy.call('automations_run', { id, runId: before.id })
  expect(after.steps.map(({ blockId }) => blockId)).toEqual(['start', null])
  expect(after.steps[1]).toEqual({ ...before.steps[1], blockId: null })
})

test('a failed step whose block was removed stays FAILED after a replay', async () => {
  const amy = await member('CONTRIBUTOR')
  const broken = [trigger('invoice.paid'), action('gone', 'customers_get', { id: newId() })]
  const id = await automate(amy, graphOf(broken, 'start>gone'), { armed: false })
  const { id: runId } = await amy.call('automations_test', { id })
  await amy.call('automations_update', {
    id,
    ...graphOf([trigger('invoice.paid'), add('after', 'Lim')], 'start>after'),
  } as never)
  const { status, steps } = await amy.call('automations_replay', { id, runId })
  expect(status).toBe('SUCCEEDED')
  expect(steps.map((step) => [step.blockId, step.status])).toEqual([
    ['start', 'SUCCEEDED'],
    [null, 'FAILED'],
    ['after', 'SUCCEEDED'],
  ])
})

test('a replay sets a failed step to SKIPPED if the graph no longer leads to it, and clears its earlier attempt', async () => {
  const amy = await member('CONTRIBUTOR')
  const graph = (right: number) => graphOf([trigger('invoice.paid'), action('a', 'customers_get', { id: newId() }), add('b', 'B')], ['start>a', { left: 1, op: 'eq', right }], 'start>b')
  const id = await automate(amy, graph(1), { armed: false })
  const run = await amy.call('automations_test', { id })
  expect(run).toMatchObject({ status: 'FAILED', steps: [{}, { status: 'FAILED', latencyMs: expect.any(Number) }] })
  await amy.call('automations_update', { id, ...graph(2) } as never)
  const replayed = await amy.call('automations_replay', { id, runId: run.id })
  expect(replayed).toMatchObject({ status: 'SUCCEEDED', steps: [{}, { status: 'SKIPPED', error: null, input: null, output: null, startedAt: null, latencyMs: null }, { status: 'SUCCEEDED' }] })
}) // biome-ignore format: a list of words

test('a payload that is too large to be stored is refused, and no run starts', async () => {
  const amy = await member('CONTRIBUTOR')
  const id = await automate(amy, graphOf([trigger('invoice.paid')]))
  const payload = { text: 'x'.repeat(256 * 1024) }
  await expect(amy.call('automations_test', { id, payload })).rejects.toMatchObject({ status: 400 })
  expect((await amy.call('automations_runs', { id })).runs).toEqual([])
})

test('an action can name a tool by an alias or with dots', async () => {
  const amy = await member('CONTRIBUTOR')
  for (const ref of ['invoices_update_patch', 'invoices.update.patch']) {
    const id = await automate(amy, graphOf([trigger('invoice.paid'), action('a', ref, { id: newId() })], 'start>a'), {
      armed: false,
    })
    expect(await amy.call('automations_enable', { id })).not.toHaveProperty('warnings')
    expect((await amy.call('automations_test', { id })).error).toBe('There is no such document.')
  }
})

test('an unpaired surrogate is refused in a graph and replaced in the data of a run', async () => {
  const amy = await member('CONTRIBUTOR')
  const surrogate = '\ud83d'
  const withSurrogate = graphOf(
    [trigger('invoice.paid'), action('a', 'customers_list', { search: surrogate })],
    'start>a',
  )
  await expect(automate(amy, withSurrogate)).rejects.toMatchObject({ status: 400 })
  const id = await automate(amy, graphOf([trigger('invoice.paid')]))
  expect(await amy.call('automations_test', { id, payload: { text: surrogate } })).toMatchObject({
    input: { text: '\ufffd' },
  })
  expect(toStored({ answer: `Thanks ${surrogate}` }).value).toEqual({ answer: 'Thanks \ufffd' })
})

test('a run in the list shows the input and output of its steps, without large values', async () => {
  const amy = await member('CONTRIBUTOR')
  const big = 'x'.repeat(2_000)
  const id = await automate(amy, graphOf([trigger('invoice.paid'), add('a', 'Lim', { notes: big })], 'start>a'))
  const run = await amy.call('automations_test', { id, payload: { total: 5 } })
  const [listed] = (await amy.call('automations_runs', { id })).runs
  expect(listed?.steps[0]).toEqual(run.steps[0])
  expect(listed?.steps[1]).toMatchObject({ blockId: 'a', input: { truncated: true, bytes: expect.any(Number) } })
})

test('runs are listed newest first, 25 per page, and are deleted with their automation', async () => {
  const boss = await member('MANAGER')
  const id = await automate(boss, graphOf([trigger('invoice.paid'), action('a', 'customers_list')], 'start>a'), { armed: false })
  const made = [await boss.call('automations_test', { id }), await boss.call('automations_test', { id })]
  const { runs, pagination } = await boss.call('automations_runs', { id })
  expect(runs.map((run) => run.id)).toEqual([made[1]?.id, made[0]?.id])
  expect(runs[0]?.steps.map(({ blockId, status }) => [blockId, status])).toEqual([['start', 'SUCCEEDED'], ['a', 'SUCCEEDED']])
  expect(pagination).toEqual({ page: 1, limit: 25, total: 2, totalPages: 1 })
  await boss.call('automations_delete', { id })
  for (const table of ['automation_runs', 'automation_steps'])
    expect(await query(`select from ${table} where organization_id = $1`, [boss.organizationId])).toEqual([])
}) // biome-ignore format: a list of words

test('FLT-20: a chain of automations that start each other stops after eight runs with LIMIT_EXCEEDED', async () => {
  const amy = await member('CONTRIBUTOR')
  const id = await automate(
    amy,
    graphOf([trigger('customer.created'), add('a', 'Echo of {{trigger.name}}')], 'start>a'),
  )
  await amy.call('customers_create', { name: 'x', country: 'SG' })
  await settle(amy)
  const { runs } = await amy.call('automations_runs', { id })
  expect(runs.map(({ status }) => status)).toEqual(['FAILED', ...Array(8).fill('SUCCEEDED')])
  expect(runs[0]?.error).toContain('LIMIT_EXCEEDED')
  expect(await customers(amy)).toHaveLength(9)
})

test('FLT-20: an automation that starts on failed runs and itself fails stops after a limited number of runs', async () => {
  const amy = await member('CONTRIBUTOR')
  const id = await automate(amy, graphOf([trigger('automation.failed'), { id: 'a', kind: 'CUSTOM' }], 'start>a'))
  await amy.call('automations_test', { id })
  await settle(amy)
  const { runs } = await amy.call('automations_runs', { id })
  expect(runs.length).toBeGreaterThan(1)
  expect(runs.length).toBeLessThanOrEqual(9)
  const [event] = await query("select payload, cause from events where organization_id = $1 and type = 'automation.failed' order by created_at limit 1", [amy.organizationId])
  expect(event).toMatchObject({ payload: { automationId: id, blockId: 'a', paused: false }, cause: { source: 'AUTOMATION', userId: amy.userId, depth: 0 } })
}) // biome-ignore format: a list of words

test('INV-20: stored inputs and outputs contain no secrets', async () => {
  expect(
    toStored({ password: 'hunter2', inner: [{ apiKey: 'k', url: 'https://x.test/f?token=abc&a=1' }], hasPassword: true, credentials: { user: 'u' } }).value,
  ).toEqual({ password: '[redacted]', inner: [{ apiKey: '[redacted]', url: 'https://x.test/f?token=[redacted]&a=1' }], hasPassword: true, credentials: { user: '[redacted]' } })
  const boss = await member('MANAGER')
  const graph = graphOf([trigger('invoice.paid'), action('a', 'users_invitations_post', { id: '{{context.orgId}}', email: 'new@x.test', role: 'VIEWER' })], 'start>a')
  const run = await boss.call('automations_test', { id: await automate(boss, graph), payload: { secret: 'canary-1' } })
  expect(run).toMatchObject({ status: 'SUCCEEDED', input: { secret: '[redacted]' }, steps: [{}, { output: { token: '[redacted]' } }] })
}) // biome-ignore format: a list of words

test('an output that is too large is replaced by a marker, and a later step cannot use it', async () => {
  expect(toStored({ list: Array(300_000).fill(1) })).toEqual({ value: { truncated: true, bytes: expect.any(Number), message: expect.any(String) }, isTruncated: true })
  const amy = await member('CONTRIBUTOR')
  await query("insert into customers (organization_id, id, name, kind, default_currencies, status, notes) select $1, gen_random_uuid(), 'Big ' || n, 'ORGANIZATION', '{}', 'ACTIVE', repeat('x', 9000) from generate_series(1, 100) n", [amy.organizationId])
  const graph = graphOf([trigger('invoice.paid'), action('list', 'customers_list', { limit: 100 }), add('b', 'First: {{blocks.list.customers.0.name}}')], 'start>list', 'list>b')
  const run = await amy.call('automations_test', { id: await automate(amy, graph) })
  expect(run.steps[1]).toMatchObject({ status: 'SUCCEEDED', output: { truncated: true } })
  expect(run).toMatchObject({ status: 'FAILED', error: expect.stringContaining('too large') })
}) // biome-ignore format: a list of words

test('LIMIT_EXCEEDED: a run fails if a list under FOR_EACH has more than 1000 elements', async () => {
  const amy = await member('CONTRIBUTOR')
  const id = await automate(amy, graphOf([trigger('customer.created'), action('list', 'customers_list'), add('b', 'x')], 'start>list', 'list*b'))
  await amy.call('customers_create', { name: 'Globex', country: 'SG' })
  const { id: runId } = await lastRun(amy, id)
  for (const [block, output] of [['start', '{}'], ['list', JSON.stringify(Array(1001).fill(1))]])
    await query("insert into automation_steps (organization_id, id, run_id, block_id, status, output) values ($1, $2, $3, $4, 'SUCCEEDED', $5)", [amy.organizationId, newId(), runId, block, output])
  await query('update automation_runs set token = 1 where id = $1', [runId]) // whoever recorded them had claimed the run
  await settle(amy)
  expect(await lastRun(amy, id)).toMatchObject({ status: 'FAILED', error: expect.stringContaining('LIMIT_EXCEEDED') })
}) // biome-ignore format: a list of words

test('deleting an organization deletes its automations, runs and events', async () => {
  const amy = await member('OWNER')
  const { organizationId = '' } = amy
  await automate(amy, graphOf([trigger('customer.created'), action('a', 'customers_list')], 'start>a'))
  await amy.call('customers_create', { name: 'Globex', country: 'SG' })
  await settle(amy)
  expect(await amy.call('organizations_delete', { id: organizationId })).toEqual({ success: true })
  for (const table of ['automations', 'automation_runs', 'automation_steps', 'events'])
    expect(await query(`select from ${table} where organization_id = $1`, [organizationId])).toEqual([])
})

test('LOAD-13: the engine sends at most 8 statements per step, not counting those of the action', async () => {
  const { confined } = theApp()
  const connections = new Set<{ sent: { statements: number } }>()
  const { borrow } = confined
  onTestFinished(() => void Object.assign(confined, { borrow }))
  confined.borrow = async () => {
    const lent = await borrow()
    connections.add(lent.connection)
    return lent
  }
  const statements = async (work: () => Promise<unknown>) => {
    await work() // by now every connection has been borrowed
    const before = [...connections].reduce((sum, { sent }) => sum + sent.statements, 0)
    await work()
    return [...connections].reduce((sum, { sent }) => sum + sent.statements, 0) - before
  }
  const amy = await member('CONTRIBUTOR')
  const chain = async (length: number) => {
    const blocks = Array.from({ length }, (_, n) => action(`a${n}`, 'expense_categories_create', { name: 'x' }))
    const arrows = blocks.slice(1).map((_, n) => `a${n}>a${n + 1}`)
    const id = await automate(amy, graphOf([trigger('invoice.paid'), ...blocks], 'start>a0', ...arrows), {
      armed: false,
    })
    return statements(() => amy.call('automations_test', { id }))
  }
  const own = await statements(() => amy.call('expense_categories_create', { name: 'x' }))
  const perStep = ((await chain(21)) - (await chain(1))) / 20
  expect(perStep - own).toBeLessThanOrEqual(8)
})

test('FLT-20: an automation cannot test or replay automations', async () => {
  const amy = await member('CONTRIBUTOR')
  const id = await automate(amy, graphOf([trigger('customer.created')]))
  const graph = graphOf([trigger('customer.created'), action('a', 'automations_test', { id })], 'start>a')
  const run = await amy.call('automations_test', { id: await automate(amy, graph, { armed: false }) })
  expect(run).toMatchObject({ status: 'FAILED', error: expect.stringContaining('cannot test or replay') })
  expect((await amy.call('automations_runs', { id })).runs).toEqual([])
})

test('THR-07: an action cannot create or change a graph, which would have the rights of the owner', async () => {
  const boss = await member('MANAGER')
  const amy = await member('CONTRIBUTOR', { of: boss })
  const victim = await automate(boss, graphOf([trigger('invoice.paid')]))
  const forManagers = graphOf([trigger('invoice.paid'), action('x', 'automations_delete', { id: victim })], 'start>x')
  for (const [ref, input] of [
    ['automations_update', { id: victim, ...forManagers }],
    ['automations_create', { name: 'Child', ...forManagers }],
  ] as const) {
    const id = await automate(boss, graphOf([trigger('customer.created')]))
    await amy.call('automations_update', {
      id,
      ...graphOf([trigger('customer.created'), action('a', ref, input)], 'start>a'),
    } as never)
    const run = await boss.call('automations_test', { id })
    expect(run).toMatchObject({ status: 'FAILED', error: 'An automation cannot write the graph of an automation.' })
  }
  const { automations } = await boss.call('automations_list', { organizationId: boss.organizationId ?? '' })
  expect(automations).toHaveLength(3)
  expect(automations.at(-1)?.blocks).toHaveLength(1)
})

test('an automation that deletes itself fails and is not deleted', async () => {
  const boss = await member('MANAGER')
  const id = await automate(boss, graphOf([trigger('invoice.paid')]))
  await boss.call('automations_update', {
    id,
    ...graphOf([trigger('invoice.paid'), action('x', 'automations_delete', { id })], 'start>x'),
  } as never)
  expect(await boss.call('automations_test', { id })).toMatchObject({
    status: 'FAILED',
    error: 'A step cannot delete the automation that it is part of.',
  })
})
