import '../../../../test/own-world.ts'
import { expect, test, vi } from 'vitest'
import { Failure, tooMany, unavailable } from '../../../../core/define/failure.ts'
import { type Operation, operation } from '../../../../core/define/operation.ts'
import { Id, Type } from '../../../../core/define/schema.ts'
import type { Providers } from '../../../../core/define/services.ts'
import { withConnection } from '../../../../core/run/connection.ts'
import { createInFlight, createLimiter } from '../../../../core/run/rate-limit.ts'
import { createRunner } from '../../../../core/run/run.ts'
import { withTransaction } from '../../../../core/run/transaction-context.ts'
import { createUsage } from '../../../../core/run/usage.ts'
import { createSeal } from '../../../../core/secrets/seal.ts'
import { newId } from '../../../../core/values/id.ts'
import type { Database } from '../../../../db/database.ts'
import type { Connection } from '../../../../db/wire/connection.ts'
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
import { queryAsSuperuser } from '../../../../test/database.ts'
import { doJob } from '../../../../test/job.ts'
import { findJobs, ofRun, removeJobs } from '../../../../test/queue.ts'
import { sell } from '../../../../test/sales-documents.ts'
import { member, type Someone, theApp, theDatabase, withKey } from '../../../../test/world.ts'
import { fireDue } from '../../../../worker/clock.ts'
import { awaitRun } from './await-run.ts'
import { retryAfterMs } from './retry.ts'
import { requeueLostRuns, runAutomation, scheduleSubscriber } from './run-automation.ts'
import { advanceRun, claimRun, readUnclaimedRun, toUnclaimedRun, unclaimedRunOfJob } from './run-record.ts'

const query = async (text: string, values: unknown[] = []) => (await theApp().system.raw.query(text, values)).rows
const add = (id: string, name: string) => action(id, 'customers_create', { name, country: 'SG' })
const names = async ({ organizationId }: Someone) =>
  (await query('select name from customers where organization_id = $1 order by name', [organizationId])).map(
    ({ name }) => name,
  )
const byEvent = { triggerEventId: 'e' }
const byHand = { triggerEventId: null }
const broken = new Failure('INTERNAL', 'x')

test.each<[string, { triggerEventId: string | null }, number, Failure, number | undefined]>([
  ['the second attempt after 1 second', byEvent, 1, broken, 1_000],
  ['the third after 5 seconds', byEvent, 2, broken, 5_000],
  ['the fourth after 25 seconds', byEvent, 3, broken, 25_000],
  ['the fifth after 2 minutes', byEvent, 4, broken, 120_000],
  ['there is no sixth', byEvent, 5, broken, undefined],
  ['not before the rate limit allows it', byEvent, 1, tooMany('writes', 90), 90_000],
  ['at most 10 minutes later', byEvent, 1, tooMany('writes', 9_000), 600_000],
  ['in a test the second attempt after 200 ms', byHand, 1, broken, 200],
  ['in a test the third after 1 second', byHand, 2, broken, 1_000],
  ['in a test there is no fourth', byHand, 3, broken, undefined],
  ['an invalid input is not retried', byEvent, 1, new Failure('VALIDATION', 'x'), undefined],
  ['a refusal is not retried', byEvent, 1, new Failure('FORBIDDEN', 'x'), undefined],
  ['a missing row is not retried', byEvent, 1, new Failure('NOT_FOUND', 'x'), undefined],
  ['a conflict is not retried', byEvent, 1, new Failure('CONFLICT', 'x'), undefined],
  ['a lock conflict (BUSY) is retried', byEvent, 1, new Failure('CONFLICT', 'x', { details: [{ path: '', message: 'x', code: 'BUSY' }] }), 1_000],
])('attempts after a failed step: %s', (_, run, attempt, failure, expected) => {
  const delay = retryAfterMs(run, attempt, failure)
  if (expected === undefined) expect(delay).toBeUndefined()
  else expect(Math.abs((delay ?? 0) - expected)).toBeLessThanOrEqual(expected * 0.2)
}) // biome-ignore format: a case a line

/** The database is unreachable for the first calls of actions. */
function outage(times: number): { providers: Providers; calls: () => number } {
  const { providers } = theApp()
  let calls = 0
  const run: Providers['run'] = (operation, call) => {
    calls += 1
    return calls <= times ? Promise.reject(unavailable()) : providers.run(operation, call)
  }
  return { providers: { ...providers, run }, calls: () => calls }
}

test('a step with a temporary failure is retried later in the same run', async () => {
  const amy = await member('CONTRIBUTOR')
  const { organizationId = '' } = amy
  const id = await automate(amy, graphOf([trigger('customer.created'), action('a', 'customers_update_patch', { id: '{{trigger.id}}', notes: 'x' })], 'start>a'))
  await amy.call('customers_create', { name: 'Globex', country: 'SG' })
  const { id: runId } = await lastRun(amy, id)
  const { providers } = outage(1)
  await doJob(runAutomation, { runId }, { flags: { [`organization:${organizationId}`]: true }, providers })
  const waiting = await lastRun(amy, id)
  expect(waiting).toMatchObject({ status: 'RUNNING', steps: [{}, { status: 'PENDING', attempt: 2, error: expect.any(String) }] })
  const jobs = await query("select run_at > now() as later from graphile_worker.jobs where key = $1", [`run:${runId}`])
  expect(jobs).toEqual([{ later: true }])
  await carryOn(organizationId, runId)
  expect(await lastRun(amy, id)).toMatchObject({ status: 'SUCCEEDED', steps: [{}, { status: 'SUCCEEDED', attempt: 2, error: null, id: waiting.steps[1]?.id }] })
}) // biome-ignore format: a list of words

test('LIMIT_EXCEEDED FLT-20: a run that waits beyond its time limit fails with its pending step, and a replay tries the step again', async () => {
  const amy = await member('CONTRIBUTOR')
  const { organizationId = '' } = amy
  const id = await automate(amy, graphOf([trigger('customer.created'), action('a', 'customers_list')], 'start>a'))
  await amy.call('customers_create', { name: 'Globex', country: 'SG' })
  const { id: runId } = await lastRun(amy, id)
  await doJob(runAutomation, { runId }, { flags: { [`organization:${organizationId}`]: true }, providers: outage(1).providers })
  const { steps: [, waiting] } = await lastRun(amy, id)
  expect(waiting).toMatchObject({ status: 'PENDING', attempt: 2 })
  await query("update automation_runs set deadline = now() - interval '1 second' where id = $1", [runId])
  await carryOn(organizationId, runId)
  const failed = await lastRun(amy, id)
  expect(failed).toMatchObject({ status: 'FAILED', error: 'LIMIT_EXCEEDED: The run took more than 15 minutes.' })
  expect(failed.steps[1]).toMatchObject({ status: 'FAILED', error: waiting?.error })
  expect(await amy.call('automations_replay', { id, runId })).toMatchObject({ status: 'SUCCEEDED', steps: [{}, { status: 'SUCCEEDED', attempt: 1 }] })
}) // biome-ignore format: a list of words

test('a step fails after five attempts, and its run with it', async () => {
  const amy = await member('CONTRIBUTOR')
  const { organizationId = '' } = amy
  const id = await automate(amy, graphOf([trigger('customer.created'), action('a', 'customers_list')], 'start>a'))
  await amy.call('customers_create', { name: 'Globex', country: 'SG' })
  const { id: runId } = await lastRun(amy, id)
  const { providers, calls } = outage(100)
  for (let n = 0; n < 5; n++) await doJob(runAutomation, { runId }, { flags: { [`organization:${organizationId}`]: true }, providers })
  expect(calls()).toBe(5)
  expect(await lastRun(amy, id)).toMatchObject({ status: 'FAILED', steps: [{}, { status: 'FAILED', attempt: 5 }] })
  expect((await amy.call('automations_replay', { id, runId })).status).toBe('SUCCEEDED')
}) // biome-ignore format: a list of words

test('FLT-02: a step that is interrupted in every execution fails after ten attempts', async () => {
  const amy = await member('CONTRIBUTOR')
  const id = await automate(amy, graphOf([trigger('customer.created'), add('a', 'Never')], 'start>a'))
  await amy.call('customers_create', { name: 'Globex', country: 'SG' })
  const { id: runId } = await lastRun(amy, id)
  const run: Providers['run'] = async () => {
    throw unavailable(new Error('Connection terminated unexpectedly'))
  }
  const worker = { flags: { [`organization:${amy.organizationId}`]: true as const }, providers: { ...theApp().providers, run } }
  await doJob(runAutomation, { runId }, worker)
  expect(await lastRun(amy, id)).toMatchObject({ status: 'RUNNING', steps: [] }) // recorded only with its result
  for (let attempts = 2; attempts <= 11; attempts++) {
    await doJob(runAutomation, { runId }, { ...worker, attempts })
    expect(await lastRun(amy, id)).toMatchObject({ status: 'RUNNING', steps: [{}, { status: 'RUNNING', attempt: attempts - 1 }] })
  }
  await doJob(runAutomation, { runId }, { ...worker, attempts: 12 })
  expect(await lastRun(amy, id)).toMatchObject({ status: 'FAILED', steps: [{}, { status: 'FAILED', error: 'The step was interrupted too often.' }] })
}) // biome-ignore format: a list of words

test('FLT-04 INV-14: an action is not repeated if it was committed and only its answer was lost', async () => {
  const amy = await member('CONTRIBUTOR')
  const { organizationId = '' } = amy
  const id = await automate(amy, graphOf([trigger('customer.updated'), add('a', 'First'), add('b', 'Second')], 'start>a', 'a>b'))
  const { id: customerId } = await amy.call('customers_create', { name: 'Globex', country: 'SG' })
  await amy.call('customers_update_patch', { id: customerId, notes: 'x' })
  const { id: runId } = await lastRun(amy, id)
  for (const made of ['First', 'Second']) {
    const { providers } = theApp()
    const run: Providers['run'] = async (operation, call) => {
      await providers.run(operation, call)
      throw unavailable(new Error('Connection terminated unexpectedly'))
    }
    const asWorker = { flags: { [`organization:${organizationId}`]: true as const }, providers: { ...providers, run } }
    await doJob(runAutomation, { runId }, asWorker).catch(() => {}) // the end of the run deleted the job
    expect((await names(amy)).filter((name) => name === made)).toHaveLength(1)
  }
  await settle(amy)
  expect(await lastRun(amy, id)).toMatchObject({ status: 'SUCCEEDED', steps: [{}, { status: 'SUCCEEDED', attempt: 1 }, { status: 'SUCCEEDED' }] })
  expect(await names(amy)).toEqual(['First', 'Globex', 'Second'])
}) // biome-ignore format: a list of words

test('FLT-04: a run continues at once if an action that uses the network was recorded and only its answer was lost', async () => {
  const amy = await member('CONTRIBUTOR')
  const { organizationId = '' } = amy
  const paying = action('pay', 'invoices_mark_paid', { id: '{{trigger.id}}', paymentDate: '{{context.today}}', paymentMethod: 'CASH', sendReceiptEmail: false })
  const id = await automate(amy, graphOf([trigger('invoice.issued'), paying, add('b', 'Paid {{blocks.pay.document.status}}')], 'start>pay', 'pay>b'))
  const { id: documentId } = await sell(amy, { status: 'UNSENT' })
  const { id: runId } = await lastRun(amy, id)
  const { providers } = theApp()
  const run: Providers['run'] = async (operation, call) => {
    await providers.run(operation, call)
    throw unavailable(new Error('Connection terminated unexpectedly'))
  }
  await removeJobs(ofRun, [runId])
  await doJob(runAutomation, { runId }, { flags: { [`organization:${organizationId}`]: true }, providers: { ...providers, run } })
  expect(await lastRun(amy, id)).toMatchObject({ status: 'RUNNING', steps: [{}, { status: 'SUCCEEDED', attempt: 1 }] })
  expect(await query('select id from lost_runs() where id = $1', [runId])).toEqual([])
  await settle(amy)
  expect(await lastRun(amy, id)).toMatchObject({ status: 'SUCCEEDED', steps: [{}, { attempt: 1 }, { output: { name: 'Paid PAID' } }] })
  expect(await query('select document_id from allocations where document_id = $1', [documentId])).toHaveLength(1)
}) // biome-ignore format: a list of words

test('IDEM-6: a step that sent a document but was not recorded sends a different document if the graph is changed before the replay', async () => {
  const amy = await member('CONTRIBUTOR')
  const customerIds: string[] = []
  for (const name of ['first', 'second'])
    customerIds.push((await amy.call('customers_create', { name, country: 'SG', email: `${name}@x.test` })).id)
  const [first, second] = [await sell(amy, { customerId: customerIds[0] }), await sell(amy, { customerId: customerIds[1] })]
  const graph = ({ id }: { id: string }) => graphOf([trigger('invoice.paid'), action('unrecorded', 'invoices_send', { id })], 'start>unrecorded')
  const id = await automate(amy, graph(first), { armed: false })
  await query(`create function refuse_success() returns trigger language plpgsql as $$ begin raise exception 'not now'; end $$;
    create trigger refuse_success before update on automation_steps for each row
    when (new.block_id = 'unrecorded' and new.status = 'SUCCEEDED') execute function refuse_success()`)
  const run = await amy.call('automations_test', { id })
  await query('drop function refuse_success() cascade')
  expect(run).toMatchObject({ status: 'FAILED', steps: [{}, { status: 'FAILED', attempt: 3 }] })
  await amy.call('automations_update', { id, ...graph(second) } as never)
  expect(await amy.call('automations_replay', { id, runId: run.id })).toMatchObject({ status: 'SUCCEEDED', steps: [{}, { output: { sent: 1 } }] })
  const { messages } = await (await member('OWNER', { of: amy })).call('organizations_outbox', { organizationId: amy.organizationId ?? '' })
  expect(messages.map(({ to }) => to).sort()).toEqual(['first@x.test', 'second@x.test'])
  expect(await amy.call('invoices_get', { id: second.id })).toMatchObject({ status: 'SENT' })
}) // biome-ignore format: a list of words

test('INV-13: under FOR_EACH a replay continues at the first unfinished element', async () => {
  const amy = await member('CONTRIBUTOR')
  const graph = (name: string) => graphOf([trigger('invoice.paid'), action('list', 'customers_list'), add('each', name), add('last', 'Last {{blocks.each.count}}')], 'start>list', 'list*each', 'each>last')
  const id = await automate(amy, graph('{{item.name}}'), { armed: false })
  const listed = [{ name: 'A' }, { name: '' }, { name: 'C' }]
  const runId = await runSoFar(amy, id, [{ block: 'start', output: {} }, { block: 'list', output: listed }])
  await settle(amy)
  const failed = await lastRun(amy, id)
  expect(failed.steps.slice(2).map(({ element, status }) => [element, status])).toEqual([[0, 'SUCCEEDED'], [1, 'FAILED']])
  await amy.call('automations_update', { id, ...graph('Fixed {{item.name}}') } as never)
  const replayed = await amy.call('automations_replay', { id, runId })
  expect(replayed).toMatchObject({ status: 'SUCCEEDED' })
  expect(replayed.steps.slice(2).map(({ blockId, element, status }) => [blockId, element, status])).toEqual([
    ['each', 0, 'SUCCEEDED'], ['each', 1, 'SUCCEEDED'], ['each', 2, 'SUCCEEDED'], ['last', null, 'SUCCEEDED'],
  ])
  expect(replayed.steps[2]).toEqual(failed.steps[2])
  expect(await names(amy)).toEqual(['A', 'Fixed ', 'Fixed C', 'Last 3'])
}) // biome-ignore format: a list of words

test.each([
  { job: 'its first job', attempts: 1, recorded: [], repeated: 1 },
  { job: 'a job that was started before', attempts: 2, recorded: [{}, { status: 'RUNNING', attempt: 1 }], repeated: 2 },
])('INV-13 FLT-03: a worker that lost its claim on a run can neither act nor record steps, with $job', async ({ attempts, recorded, repeated }) => {
  const amy = await member('CONTRIBUTOR')
  const { organizationId = '' } = amy
  const id = await automate(amy, graphOf([trigger('customer.updated'), add('a', 'Once')], 'start>a'))
  const { id: customerId } = await amy.call('customers_create', { name: 'Globex', country: 'SG' })
  await amy.call('customers_update_patch', { id: customerId, notes: 'x' })
  const { id: runId } = await lastRun(amy, id)
  const { providers } = theApp()
  /** The worker pauses before its action and continues after another one has claimed the run. */
  const paused: Providers['run'] = async (operation, call) => {
    await query('update automation_runs set token = token + 1 where id = $1', [runId])
    return providers.run(operation, call)
  }
  await doJob(runAutomation, { runId }, { flags: { [`organization:${organizationId}`]: true }, attempts, providers: { ...providers, run: paused } })
  expect(await names(amy)).toEqual(['Globex'])
  expect(await lastRun(amy, id)).toMatchObject({ status: 'RUNNING', steps: recorded })
  await settle(amy)
  expect(await names(amy)).toEqual(['Globex', 'Once'])
  expect(await lastRun(amy, id)).toMatchObject({ status: 'SUCCEEDED', steps: [{}, { status: 'SUCCEEDED', attempt: repeated }] })
}) // biome-ignore format: a list of words

test('FLT-03: a run is enqueued again by the worker that has its job, if a worker that was taken for dead claims the run last', async () => {
  const amy = await member('CONTRIBUTOR')
  const { organizationId = '' } = amy
  const id = await automate(amy, graphOf([trigger('customer.updated'), add('a', 'First'), add('b', 'Second')], 'start>a', 'a>b'))
  const { id: customerId } = await amy.call('customers_create', { name: 'Globex', country: 'SG' })
  await amy.call('customers_update_patch', { id: customerId, notes: 'x' })
  const { id: runId } = await lastRun(amy, id)
  const { providers } = theApp()
  /** A worker that was frozen between fetching the job and claiming the run does so now. The job is no longer its own. */
  const late: Providers['run'] = async (operation, call) => {
    await query('update automation_runs set token = token + 1 where id = $1', [runId])
    return providers.run(operation, call)
  }
  await removeJobs(ofRun, [runId])
  await doJob(runAutomation, { runId }, { flags: { [`organization:${organizationId}`]: true }, providers: { ...providers, run: late } })
  expect(await lastRun(amy, id)).toMatchObject({ status: 'RUNNING' })
  expect(await query('select id from lost_runs() where id = $1', [runId])).toEqual([])
  await settle(amy)
  expect(await lastRun(amy, id)).toMatchObject({ status: 'SUCCEEDED' })
  expect(await names(amy)).toEqual(['First', 'Globex', 'Second'])
}) // biome-ignore format: a list of words

test('INV-13: the database refuses to restart a step that succeeded', async () => {
  const amy = await member('CONTRIBUTOR')
  const id = await automate(amy, graphOf([trigger('invoice.paid'), add('a', 'Globex')], 'start>a'))
  const run = await amy.call('automations_test', { id })
  const again = query("update automation_steps set status = 'RUNNING' where id = $1", [run.steps[1]?.id])
  await expect(again).rejects.toMatchObject({ constraint: 'succeeded_step_stays' })
})

test('a finished run cannot be claimed, and a new claim invalidates the old token', async () => {
  const amy = await member('CONTRIBUTOR')
  const id = await automate(amy, graphOf([trigger('customer.created')]))
  await amy.call('customers_create', { name: 'Globex', country: 'SG' })
  const { id: runId } = await lastRun(amy, id)
  await theApp().system.use(async (db, connection) => {
    const { ask } = connection
    const first = await claimRun({ db, ask }, runId)
    const second = await claimRun({ db, ask }, runId)
    expect([first?.token, second?.token]).toEqual([1, 2])
    const late = advanceRun(connection.ask, { id: runId, token: 1 }, { newSteps: [], finished: true })
    await expect(late).rejects.toMatchObject({ constraint: 'run_lost' })
  })
  await settle(amy)
  expect(await theApp().system.use((db, { ask }) => claimRun({ db, ask }, runId))).toBeUndefined()
}) // biome-ignore format: a list of words

test('INV-13: the first write to a run that was never claimed claims it, and the next one with the same token is refused', async () => {
  const amy = await member('CONTRIBUTOR')
  const id = await automate(amy, graphOf([trigger('customer.created')]))
  await amy.call('customers_create', { name: 'Globex', country: 'SG' })
  const { id: runId } = await lastRun(amy, id)
  const newStep = { id: newId(), blockId: 'start', element: -1, elementKey: '', isTruncated: false, ref: null, feature: null, status: 'SUCCEEDED' as const, input: null, output: {} }
  await theApp().system.use(async (_, { ask }) => {
    const [one, other] = [await readUnclaimedRun(ask, runId), await readUnclaimedRun(ask, runId)]
    expect([one, other]).toMatchObject([{ token: 0, steps: [] }, { token: 0, steps: [] }])
    const inOrganization = () => ask("select set_config('app.organization', $1, false)", [amy.organizationId])
    const write = () => advanceRun(ask, { id: runId, token: 0 }, { newSteps: [{ ...newStep, id: newId() }], finished: false })
    await inOrganization()
    expect(await write()).toHaveLength(1)
    await expect(write()).rejects.toMatchObject({ constraint: 'run_lost' })
    expect(await readUnclaimedRun(ask, runId)).toBeUndefined()
    await ask("select set_config('app.organization', '', false)")
  })
  expect(await query('select token::integer, deadline > now() as limited from automation_runs where id = $1', [runId])).toEqual([{ token: 1, limited: true }])
  await settle(amy)
  expect(await lastRun(amy, id)).toMatchObject({ status: 'SUCCEEDED', steps: [{ blockId: 'start' }] })
}) // biome-ignore format: a list of words

test('a run that is read with the fetch of its job is the same as the run read alone; a claimed run or one of another organization is not found', async () => {
  const [amy, eve] = [await member('CONTRIBUTOR'), await member('CONTRIBUTOR')]
  const id = await automate(amy, graphOf([trigger('customer.created'), add('a', 'A')], 'start>a'))
  await amy.call('customers_create', { name: 'Globex', country: 'SG' })
  const { id: runId } = await lastRun(amy, id)
  const preload = (organizationId: string | undefined) =>
    theApp().system.use(async (_, { ask }) => {
      const job = [JSON.stringify({ runId }), JSON.stringify({ [`organization:${organizationId}`]: true })]
      const { rows } = await ask(`select to_json(p) as found from (select $1::json as payload, $2::jsonb as flags) j, lateral (${unclaimedRunOfJob}) p`, job)
      return toUnclaimedRun(rows[0]?.found ?? null)
    })
  const alone = await theApp().system.use((_, { ask }) => readUnclaimedRun(ask, runId))
  expect(await preload(amy.organizationId)).toEqual({ ...alone, secondsLeft: expect.any(Number) })
  expect(await preload(eve.organizationId)).toBeUndefined()
  await theApp().system.use((db, { ask }) => claimRun({ db, ask }, runId))
  expect(await preload(amy.organizationId)).toBeUndefined()
  await settle(amy)
}) // biome-ignore format: a list of words

test('INV-13: a claim waits while a step of the run is being recorded, and then sees that step', async () => {
  const amy = await member('CONTRIBUTOR')
  const { organizationId = '' } = amy
  const id = await automate(amy, graphOf([trigger('customer.created')]))
  await amy.call('customers_create', { name: 'Globex', country: 'SG' })
  const { id: runId } = await lastRun(amy, id)
  const confined = <T>(work: (inside: { db: Database; connection: Connection }) => Promise<T>) =>
    withTransaction(theApp().confined, { organizationId }, work)
  const first = await confined(({ db, connection: { ask } }) => claimRun({ db, ask }, runId))
  const newStep = { id: newId(), blockId: 'start', element: -1, elementKey: '', isTruncated: false, ref: null, feature: null, status: 'SUCCEEDED' as const, input: null, output: {} }
  let second: ReturnType<typeof claimRun> | undefined
  await confined(async ({ connection }) => {
    await advanceRun(connection.ask, { id: runId, token: first?.token ?? 0 }, { newSteps: [newStep], finished: false })
    second = confined(({ db, connection: { ask } }) => claimRun({ db, ask }, runId))
    await vi.waitFor(async () => expect(await queryAsSuperuser(theDatabase(), "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'")).toHaveLength(1), 10_000)
  })
  expect(await second).toMatchObject({ token: 2, steps: [{ blockId: 'start', status: 'SUCCEEDED' }] })
}) // biome-ignore format: a list of words

test('a run without a job gets a new job, once', async () => {
  const amy = await member('CONTRIBUTOR')
  const id = await automate(amy, graphOf([trigger('customer.created')]))
  await amy.call('customers_create', { name: 'Globex', country: 'SG' })
  const { id: runId } = await lastRun(amy, id)
  const jobs = () => findJobs(ofRun, [runId])
  await removeJobs(ofRun, [runId])
  expect(await query('select id from lost_runs() where id = $1', [runId])).toHaveLength(1)
  await doJob(requeueLostRuns)
  expect(await jobs()).toHaveLength(1)
  await doJob(requeueLostRuns)
  expect(await jobs()).toHaveLength(1)
})

test('INV-10: an event is recorded even if one of its automations is being deleted at the same time', async () => {
  const boss = await member('MANAGER')
  const [gone, stays] = [await automate(boss, graphOf([trigger('customer.created')])), await automate(boss, graphOf([trigger('customer.created')]))]
  let creating: Promise<unknown> | undefined
  await withConnection(theApp().system, true, async ({ connection }) => {
    await connection.query('delete from automations where id = $1', [gone])
    creating = boss.call('customers_create', { name: 'Globex', country: 'SG' })
    await vi.waitFor(async () => expect(await queryAsSuperuser(theDatabase(), "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'")).toHaveLength(1), 10_000)
  })
  expect(await creating).toMatchObject({ name: 'Globex' })
  expect((await boss.call('automations_runs', { id: stays })).runs).toHaveLength(1)
}) // biome-ignore format: a list of words

test('INV-12: schedule events are created only for organizations with an automation enabled for them', async () => {
  const [amy, eve] = [await member('CONTRIBUTOR'), await member('CONTRIBUTOR')]
  await automate(amy, graphOf([trigger('schedule.daily'), action('a', 'customers_list')], 'start>a'))
  await automate(eve, graphOf([trigger('schedule.daily')]), { armed: false })
  const wanting = await query(scheduleSubscriber.wants?.replace('$1', "'schedule.daily'") ?? '')
  expect(wanting.map(({ organization_id }) => organization_id)).toEqual([amy.organizationId])
})

/** An operation that executes a run and waits `waitMs` for it; the transaction number `lost` fails. */
const waitForRun = operation({
  name: 'test_await',
  http: 'POST /api/test/await',
  does: 'Waits for a run.',
  scope: 'automations:write',
  within: 'organizationId',
  input: Type.Object({ organizationId: Id, runId: Id, waitMs: Type.Integer(), lost: Type.Optional(Type.Integer()) }),
  output: Type.Object({ status: Type.String() }),
  outside: true,
  async run(context, { runId, waitMs, lost }) {
    let transactions = 0
    const tx: typeof context.tx = (work) => {
      transactions += 1
      return transactions === lost ? Promise.reject(unavailable(new Error('Connection terminated'))) : context.tx(work)
    }
    await awaitRun({ ...context, tx }, runId, waitMs)
    return context.tx(({ db }) =>
      db.selectFrom('automationRuns').select('status').where('id', '=', runId).executeTakeFirstOrThrow(),
    )
  },
}) as unknown as Operation

/** A request that waits for a run, with the given providers. */
function requestRun({ userId, organizationId }: Someone, input: { runId: string; waitMs: number; lost?: number }, providers: Providers) {
  const { confined: pool, heavy, system, services } = theApp()
  const runner = createRunner({
    pool,
    heavy,
    system,
    limiter: createLimiter(system, 100),
    inFlight: createInFlight({ perCredential: 100, perOrganization: 200 }),
    seal: createSeal(services.secrets.derived('idempotency')),
    usage: createUsage(system, () => {}),
    subscriberJobs: () => [],
    services,
    providers,
  })
  const caller = { source: 'COMPANION' as const, credential: null, userId, requestId: newId() }
  return runner.run(waitForRun, { caller, input: { organizationId, ...input }, trace: {} })
} // biome-ignore format: a list of words

test('FLT-04: if the database is unreachable while a request records a failure, the run stays RUNNING and a worker continues it', async () => {
  const amy = await member('CONTRIBUTOR')
  const id = await automate(amy, graphOf([trigger('customer.created'), action('a', 'customers_list')], 'start>a'))
  await amy.call('customers_create', { name: 'Globex', country: 'SG' })
  const { id: runId } = await lastRun(amy, id)
  const recordingFailure = 3 // the first transaction reads the run, the second records that the step started
  await expect(requestRun(amy, { runId, waitMs: 10_000, lost: recordingFailure }, outage(1).providers)).rejects.toMatchObject({ status: 500 })
  expect(await lastRun(amy, id)).toMatchObject({ status: 'RUNNING', error: null })
  await settle(amy)
  expect(await lastRun(amy, id)).toMatchObject({ status: 'SUCCEEDED', steps: [{}, { status: 'SUCCEEDED', attempt: 2 }] })
}) // biome-ignore format: a list of words

test('a request that waits too long returns RUNNING; the current step is completed, and a worker continues the run', async () => {
  const amy = await member('CONTRIBUTOR')
  const id = await automate(amy, graphOf([trigger('customer.updated'), add('a', 'First'), add('b', 'Second')], 'start>a', 'a>b'))
  const { id: customerId } = await amy.call('customers_create', { name: 'Globex', country: 'SG' })
  await amy.call('customers_update_patch', { id: customerId, notes: 'x' })
  const { id: runId } = await lastRun(amy, id)
  const { providers } = theApp()
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const slow: Providers['run'] = (operation, call) => released.then(() => providers.run(operation, call))
  const { body } = await requestRun(amy, { runId, waitMs: 300 }, { ...providers, run: slow })
  expect(JSON.parse(body)).toEqual({ status: 'RUNNING' })
  release()
  await vi.waitFor(async () => expect(await query('select run_at <= now() as due from graphile_worker.jobs where key = $1', [`run:${runId}`])).toEqual([{ due: true }]), 10_000)
  expect(await names(amy)).toEqual(['First', 'Globex'])
  await settle(amy)
  expect(await names(amy)).toEqual(['First', 'Globex', 'Second'])
  expect(await lastRun(amy, id)).toMatchObject({ status: 'SUCCEEDED' })
}) // biome-ignore format: a list of words

test('the input and output of payroll steps are shown only to readers with access to payroll', async () => {
  const amy = await member('CONTRIBUTOR')
  const id = await automate(amy, graphOf([trigger('invoice.paid'), add('a', 'Globex')], 'start>a'), { armed: false })
  const run = await amy.call('automations_test', { id })
  await query('alter table automation_steps disable trigger succeeded_step_stays')
  await query("update automation_steps set feature = 'payroll' where id = $1", [run.steps[1]?.id])
  await query('alter table automation_steps enable trigger succeeded_step_stays')
  const outputFor = async (reader: Someone) => (await reader.call('automations_run', { id, runId: run.id })).steps[1]?.output
  expect(await outputFor(amy)).toEqual(run.steps[1]?.output)
  expect(await outputFor(await withKey(amy))).toEqual(run.steps[1]?.output)
  expect(await outputFor(await withKey(amy, ['automations:*']))).toMatch(/payroll/)
  expect(await outputFor(await member('VIEWER', { of: amy }))).toMatch(/payroll/)
}) // biome-ignore format: a list of words

test('THR-07: what an automation did with the rights of a manager is shown only to managers', async () => {
  const owner = await member('OWNER')
  const invite = action('a', 'users_invitations_post', { id: owner.organizationId, email: 'new@example.test', role: 'MANAGER' })
  const id = await automate(owner, graphOf([trigger('invoice.paid'), invite], 'start>a'), { armed: false })
  const { id: runId, status } = await owner.call('automations_test', { id })
  expect(status).toBe('SUCCEEDED')
  const shownTo = async (reader: Someone) => JSON.stringify([await reader.call('automations_run', { id, runId }), await reader.call('automations_runs', { id })])
  expect(await shownTo(await member('MANAGER', { of: owner }))).toContain('new@example.test')
  for (const role of ['VIEWER', 'CONTRIBUTOR'] as const)
    expect(await shownTo(await member(role, { of: owner }))).not.toContain('new@example.test')
}) // biome-ignore format: a list of words

test('INV-12: the start of a period starts each scheduled automation once', async () => {
  const amy = await member('CONTRIBUTOR')
  const id = await automate(amy, graphOf([trigger('schedule.daily'), add('a', 'Day {{trigger.localDate}}')], 'start>a'))
  const now = new Date(Date.now() + 36 * 3_600_000).toISOString()
  const fire = () => theApp().system.use((_, connection) => fireDue(connection, { type: 'schedule.daily', subscribers: [scheduleSubscriber], now }))
  await fire()
  await fire()
  await settle(amy)
  const { runs } = await amy.call('automations_runs', { id })
  expect(runs).toMatchObject([{ status: 'SUCCEEDED', input: { timezone: 'Asia/Singapore' } }])
  expect(await names(amy)).toEqual([expect.stringMatching(/^Day \d{4}-\d\d-\d\d$/)])
}) // biome-ignore format: a list of words

test('payroll data is also hidden in other steps that received it', async () => {
  const amy = await member('CONTRIBUTOR')
  const graph = graphOf([trigger('invoice.paid'), add('slip', 'Net 4200'), add('each', '{{blocks.slip.name}}!'), add('other', 'Plain')], 'start>slip', 'slip>each', 'slip>other')
  const id = await automate(amy, graph, { armed: false })
  const runId = await runSoFar(amy, id, [{ block: 'start', output: {} }, { block: 'slip', output: { name: 'Net 4200' }, feature: 'payroll' }])
  await settle(amy)
  const shown = async (reader: Someone) => (await reader.call('automations_run', { id, runId })).steps.map(({ input, output }) => JSON.stringify([input, output]))
  const [, slip, each, other] = await shown(amy)
  expect([slip, each]).toEqual([expect.stringContaining('4200'), expect.stringContaining('4200')])
  const [, hiddenSlip, hiddenEach, hiddenOther] = await shown(await withKey(amy, ['automations:*', 'customers:read', 'invoices:read']))
  expect([hiddenSlip, hiddenEach].join()).not.toContain('4200')
  expect(hiddenOther).toBe(other)
}) // biome-ignore format: a list of words

test('a condition on a truncated output fails the run, because its answer could be wrong', async () => {
  const amy = await member('CONTRIBUTOR')
  const condition = { left: '{{blocks.a.count}}', op: 'gt', right: 3 }
  const id = await automate(amy, graphOf([trigger('invoice.paid'), add('a', 'A'), add('b', 'B')], 'start>a', ['a>b', condition]), { armed: false })
  await runSoFar(amy, id, [{ block: 'start', output: {} }, { block: 'a', output: { truncated: true }, isTruncated: true }])
  await settle(amy)
  expect(await lastRun(amy, id)).toMatchObject({ status: 'FAILED', error: expect.stringMatching(/^The output of a was too large/) })
  expect(await names(amy)).toEqual([])
}) // biome-ignore format: a list of words
