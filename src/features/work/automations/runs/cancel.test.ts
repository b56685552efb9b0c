import { expect, test } from 'vitest'
import { newId } from '../../../../core/values/id.ts'
import {
  action,
  automate,
  carryOn,
  graphOf,
  lastRun,
  runSoFar,
  trigger,
} from '../../../../test/automations/automations.ts'
import { receiver } from '../../../../test/fakes/webhook-receiver.ts'
import { doJob } from '../../../../test/job.ts'
import { findJobs, ofRun } from '../../../../test/queue.ts'
import { member, type Someone, theApp } from '../../../../test/world.ts'
import { runAutomation } from '../engine/run-automation.ts'
import { interruptedText } from './cancel-runs.ts'

const query = async (text: string, values: unknown[] = []) => (await theApp().system.raw.query(text, values)).rows
const add = (id: string, name: string) => action(id, 'customers_create', { name, country: 'SG' })
const oneStep = graphOf([trigger('customer.updated'), add('add', 'Added')], 'start>add')
const customer = (amy: Someone) =>
  amy.call('customers_create', { organizationId: amy.organizationId ?? '', name: 'Globex', country: 'SG' })
const renamed = (amy: Someone, id: string, name: string) => amy.call('customers_update_patch', { id, name } as never)
const runsIn = async (automationId: string) =>
  query('select id, status, error, token from automation_runs where automation_id = $1 order by place', [automationId])
const jobsOf = (runId: string) => findJobs(ofRun, [runId])
const failures = async (amy: Someone) =>
  query("select from events where organization_id = $1 and type = 'automation.failed'", [amy.organizationId])

test('a run is cancelled: waiting steps are SKIPPED, running ones FAILED, and a second cancel and a replay are refused', async () => {
  const amy = await member('CONTRIBUTOR')
  const id = await automate(amy, oneStep)
  const runId = await runSoFar(amy, id, [{ block: 'start', output: {} }])
  for (const [block, status] of [['one', 'PENDING'], ['two', 'RUNNING']]) // biome-ignore format: a table
    await query(
      // Ids of this process are in order even within a millisecond, those of the database are not.
      `insert into automation_steps (organization_id, id, run_id, block_id, status) values ($1, $2, $3, $4, $5)`,
      [amy.organizationId, newId(), runId, block, status],
    )
  const cancelled = await amy.call('automations_cancel', { id, runId })
  expect(cancelled).toMatchObject({
    status: 'CANCELLED',
    error: 'Cancelled by CONTRIBUTOR.',
    finishedAt: expect.any(String),
    steps: [{ status: 'SUCCEEDED' }, { status: 'SKIPPED' }, { status: 'FAILED', error: interruptedText }],
    warnings: [{ code: 'EFFECT_UNKNOWN' }],
  })
  const ended = { status: 409, message: expect.stringContaining('this one is CANCELLED.') }
  await expect(amy.call('automations_cancel', { id, runId })).rejects.toMatchObject(ended)
  await expect(amy.call('automations_replay', { id, runId })).rejects.toMatchObject({ status: 409 })
  await carryOn(amy.organizationId ?? '', runId)
  expect(await runsIn(id)).toMatchObject([{ status: 'CANCELLED', token: '2' }])
  expect(await failures(amy)).toEqual([])
  const boss = await member('OWNER', { of: amy })
  const { entries } = await boss.call('organizations_audit', { operation: 'automations_cancel' })
  expect(entries).toMatchObject([{ objectId: id, detail: { runId } }])
})

test('a run is cancelled by the owner of its automation or a MANAGER, and by no automation', async () => {
  const amy = await member('CONTRIBUTOR')
  const id = await automate(amy, oneStep)
  const runId = await runSoFar(amy, id, [])
  const colleague = await member('CONTRIBUTOR', { of: amy })
  for (const call of [
    () => colleague.call('automations_cancel', { id, runId }),
    () => colleague.call('automations_disable', { id, stop: true }),
  ])
    await expect(call()).rejects.toMatchObject({ status: 403 })
  expect(await colleague.call('automations_disable', { id })).toMatchObject({ status: 'PAUSED' })
  const manager = await member('MANAGER', { of: amy })
  for (const [ref, input] of [
    ['automations_cancel', { id, runId }],
    ['automations_disable', { id, stop: true }],
  ] as const) {
    const by = await automate(manager, graphOf([trigger('invoice.paid'), action('do', ref, input)], 'start>do'), {
      armed: false,
    })
    expect(await manager.call('automations_test', { id: by })).toMatchObject({
      status: 'FAILED',
      error: expect.stringContaining('An automation cannot cancel runs.'),
    })
  }
  expect(await manager.call('automations_cancel', { id, runId })).toMatchObject({ status: 'CANCELLED' })
})

test('INV-13: a run that is cancelled while its webhook is sent stays CANCELLED, the next step is not executed, and nothing failed', async () => {
  const amy = await member('CONTRIBUTOR')
  let cancelled: unknown
  let automationId = ''
  const { heard, url } = await receiver(async (response) => {
    const run = await lastRun(amy, automationId)
    cancelled = await amy.call('automations_cancel', { id: automationId, runId: run.id })
    response.end('ok')
  })
  const blocks = [trigger('customer.created'), action('out', 'webhook.post', { url }), add('add', 'Added')]
  automationId = await automate(amy, graphOf(blocks, 'start>out', 'out>add'))
  await customer(amy)
  const { id: runId } = await lastRun(amy, automationId)
  await carryOn(amy.organizationId ?? '', runId)
  expect(heard).toHaveLength(1)
  expect(cancelled).toMatchObject({ status: 'CANCELLED', warnings: [{ code: 'EFFECT_UNKNOWN' }] })
  expect(await lastRun(amy, automationId)).toMatchObject({
    status: 'CANCELLED',
    steps: [{ status: 'SUCCEEDED' }, { status: 'FAILED', error: interruptedText }],
  })
  expect(
    await query("select from customers where organization_id = $1 and name = 'Added'", [amy.organizationId]),
  ).toEqual([])
  expect(await failures(amy)).toEqual([])
  expect(await amy.call('automations_get', { id: automationId })).toMatchObject({ status: 'ENABLED' })
})

test('an automation that is stopped while a webhook is sent warns of its effect, and of nothing that ended before', async () => {
  const amy = await member('CONTRIBUTOR')
  let stopped: unknown
  let id = ''
  const { url } = await receiver(async (response) => {
    stopped = await amy.call('automations_disable', { id, stop: true })
    response.end('ok')
  })
  const blocks = [trigger('customer.created'), action('out', 'webhook.post', { url })]
  id = await automate(amy, graphOf(blocks, 'start>out'))
  await customer(amy)
  const { id: runId } = await lastRun(amy, id)
  await carryOn(amy.organizationId ?? '', runId)
  const [, step] = (await lastRun(amy, id)).steps
  expect(stopped).toMatchObject({
    status: 'PAUSED',
    stopped: 1,
    warnings: [{ code: 'EFFECT_UNKNOWN', path: `runs.${runId}.steps.${step?.id}`, message: interruptedText }],
  })
  const again = await amy.call('automations_disable', { id, stop: true })
  expect(again).toMatchObject({ stopped: 0 })
  expect(again).not.toHaveProperty('warnings')
})

test('INV-13: an operation whose run is cancelled before it commits is rolled back', async () => {
  const amy = await member('CONTRIBUTOR')
  const id = await automate(amy, oneStep)
  const { id: customerId } = await customer(amy)
  await renamed(amy, customerId, 'Initech')
  const [{ id: runId }] = await runsIn(id)
  const blocker = await theApp().system.raw.connect() // keeps the operation waiting for its first insert
  await blocker.query('begin')
  await blocker.query('lock table customers in share mode')
  const flags = { [`organization:${amy.organizationId}`]: true as const }
  const working = doJob(runAutomation, { runId }, { flags })
  const waiting = "select from pg_locks where not granted and relation = 'customers'::regclass"
  await expect.poll(async () => (await query(waiting)).length, { timeout: 2_500 }).toBeGreaterThan(0)
  await amy.call('automations_cancel', { id, runId })
  await blocker.query('rollback')
  blocker.release()
  await working
  expect(
    await query("select from customers where organization_id = $1 and name = 'Added'", [amy.organizationId]),
  ).toEqual([])
  expect(await runsIn(id)).toMatchObject([{ status: 'CANCELLED' }])
  expect(await failures(amy)).toEqual([])
})

test('after a run is cancelled, the next run of the same record starts', async () => {
  const amy = await member('CONTRIBUTOR')
  const id = await automate(amy, oneStep)
  const { id: customerId } = await customer(amy)
  await renamed(amy, customerId, 'One')
  await renamed(amy, customerId, 'Two')
  const [first, second] = (await runsIn(id)).map((run) => String(run.id))
  expect(await jobsOf(second ?? '')).toHaveLength(0)
  await amy.call('automations_cancel', { id, runId: first ?? '' })
  expect(await jobsOf(second ?? '')).toHaveLength(1)
})

test('disable with stop cancels every run of the automation at once, also those that wait for each other', async () => {
  const amy = await member('CONTRIBUTOR')
  const id = await automate(amy, oneStep)
  const other = await automate(amy, oneStep)
  await query(
    `insert into automation_runs (organization_id, id, automation_id, input, depth, record_id)
     select $1, new_id(), $2, '{}', 0, 'same' from generate_series(1, 3000)`,
    [amy.organizationId, id],
  )
  await runSoFar(amy, other, [])
  expect(await amy.call('automations_disable', { id, stop: true })).toMatchObject({ status: 'PAUSED', stopped: 3000 })
  const states = await query(
    'select status, error, count(*) from automation_runs where automation_id = $1 group by 1, 2',
    [id],
  )
  expect(states).toEqual([
    { status: 'CANCELLED', error: 'Cancelled by CONTRIBUTOR, who stopped the automation.', count: '3000' },
  ])
  expect(await runsIn(other)).toMatchObject([{ status: 'RUNNING' }])
  const ofAutomation = "(payload ->> 'runId')::uuid in (select r.id from automation_runs r where r.automation_id = $1)"
  expect(await findJobs(ofAutomation, [id])).toEqual([])
  expect(await amy.call('automations_disable', { id, stop: true })).toMatchObject({ stopped: 0 })
  expect(await amy.call('automations_disable', { id: other })).not.toHaveProperty('stopped')
  expect(await runsIn(other)).toMatchObject([{ status: 'RUNNING' }])
}, 30_000)

test('disable with stop also cancels a run that an event is starting at the same moment', async () => {
  const amy = await member('CONTRIBUTOR')
  const id = await automate(amy, oneStep)
  const eventTransaction = await theApp().system.raw.connect()
  await eventTransaction.query('begin')
  await eventTransaction.query("select set_config('app.organization', $1, true)", [amy.organizationId])
  await eventTransaction.query(
    `insert into events (organization_id, id, type, payload, cause) values ($1, new_id(), 'customer.updated', '{}', '{}')`,
    [amy.organizationId],
  )
  const stopping = amy.call('automations_disable', { id, stop: true })
  const waiting = "select from pg_locks where not granted and locktype in ('transactionid', 'tuple')"
  await expect.poll(async () => (await query(waiting)).length, { timeout: 2_500 }).toBeGreaterThan(0)
  await eventTransaction.query('commit')
  eventTransaction.release()
  expect(await stopping).toMatchObject({ stopped: 1 })
  expect(await runsIn(id)).toMatchObject([{ status: 'CANCELLED' }])
})
