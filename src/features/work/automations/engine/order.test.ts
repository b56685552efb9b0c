import '../../../../test/own-world.ts'
import { expect, test } from 'vitest'
import { unavailable } from '../../../../core/define/failure.ts'
import type { Providers } from '../../../../core/define/services.ts'
import { action, automate, carryOn, graphOf, settle, trigger } from '../../../../test/automations/automations.ts'
import { doJob } from '../../../../test/job.ts'
import { findJobs, ofRun, removeJobs } from '../../../../test/queue.ts'
import { member, type Someone, theApp } from '../../../../test/world.ts'
import { verify } from '../../../../verify/verify.ts'
import { runAutomation } from './run-automation.ts'

const query = async (text: string, values: unknown[] = []) => (await theApp().system.raw.query(text, values)).rows

type Row = { id: string; status: string; waits: boolean; jobs: number }
/** The runs of an automation in the order of their events, each with the number of its jobs. */
async function runsOf(automationId: string): Promise<Row[]> {
  const text = 'select id, status, waits from automation_runs where automation_id = $1 order by place'
  const runs: Omit<Row, 'jobs'>[] = await query(text, [automationId])
  return Promise.all(runs.map(async (run) => ({ ...run, jobs: (await findJobs(ofRun, [run.id])).length })))
}
const summary = async (automationId: string) =>
  (await runsOf(automationId)).map(({ status, jobs }) => `${status} ${jobs}`)

/** Executes the jobs of the runs that have one, as a worker does. */
async function work({ organizationId = '' }: Someone, automationId: string, providers: Providers = theApp().providers) {
  for (const { id, jobs } of await runsOf(automationId)) {
    if (jobs === 0) continue
    await removeJobs(ofRun, [id])
    await doJob(runAutomation, { runId: id }, { flags: { [`organization:${organizationId}`]: true }, providers })
  }
}

const down: Pick<Providers, 'run'> = { run: () => Promise.reject(unavailable()) }
const copies = graphOf([trigger('customer.updated'), action('copy', 'customers_create', { name: 'Copy {{trigger.name}}', country: 'SG' })], 'start>copy') // biome-ignore format: a list of words
const copied = async ({ organizationId }: Someone) =>
  (await query("select name from customers where organization_id = $1 and name like 'Copy %' order by id", [organizationId])).map(({ name }) => name) // biome-ignore format: a list of words

async function customer(amy: Someone, graph = copies) {
  const { id: customerId } = await amy.call('customers_create', { name: '0', country: 'SG' })
  const id = await automate(amy, graph)
  const rename = (name: string, other = customerId) => amy.call('customers_update_patch', { id: other, name })
  return { id, customerId, rename }
}

test('events of one record are processed in their order, also if the first one waits for a retry; others are not delayed', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id: other } = await amy.call('customers_create', { name: 'Other', country: 'SG' })
  const { id, rename } = await customer(amy)
  for (const name of ['1', '2', '3']) await rename(name)
  await rename('Another', other)
  expect(await summary(id)).toEqual(['RUNNING 1', 'RUNNING 0', 'RUNNING 0', 'RUNNING 1'])
  const [first] = await runsOf(id)
  await removeJobs(ofRun, [first?.id])
  await doJob(runAutomation, { runId: first?.id ?? '' }, { flags: { [`organization:${amy.organizationId}`]: true }, providers: { ...theApp().providers, ...down } }) // biome-ignore format: a list of words
  expect(await summary(id)).toEqual(['RUNNING 1', 'RUNNING 0', 'RUNNING 0', 'RUNNING 1'])
  expect(await query('select id from lost_runs() l where l.id in (select id from automation_runs where automation_id = $1)', [id])).toEqual([]) // biome-ignore format: a list of words
  for (let n = 0; n < 4; n++) await work(amy, id)
  expect(await summary(id)).toEqual(['SUCCEEDED 0', 'SUCCEEDED 0', 'SUCCEEDED 0', 'SUCCEEDED 0'])
  expect((await copied(amy)).filter((name) => name !== 'Copy Another')).toEqual(['Copy 1', 'Copy 2', 'Copy 3'])
})

test('a run that failed lets the next one start, and its replay neither starts one twice nor delays one that has begun', async () => {
  const amy = await member('CONTRIBUTOR')
  const wrong = (name: string) => graphOf([trigger('customer.updated'), action('copy', 'customers_create', { name, country: 'SG' })], 'start>copy') // biome-ignore format: a list of words
  const { id, rename } = await customer(amy, wrong(''))
  for (const name of ['1', '2', '3']) await rename(name)
  await work(amy, id)
  expect(await summary(id)).toEqual(['FAILED 0', 'RUNNING 1', 'RUNNING 0'])
  await amy.call('automations_update', { id, ...wrong('Copy {{trigger.name}}') } as never)
  const [first, second] = await runsOf(id)
  expect(await amy.call('automations_replay', { id, runId: first?.id ?? '' })).toMatchObject({ status: 'SUCCEEDED' })
  expect((await summary(id)).slice(1)).toEqual(['RUNNING 1', 'RUNNING 0'])
  await removeJobs(ofRun, [second?.id])
  await carryOn(amy.organizationId ?? '', second?.id ?? '')
  expect((await summary(id)).slice(1)).toEqual(['FAILED 0', 'RUNNING 1'])
  await work(amy, id)
  expect((await summary(id)).slice(1)).toEqual(['FAILED 0', 'FAILED 0'])
})

/** Ends a run in a transaction that is still open. */
async function ending(runId: string | undefined) {
  const client = await theApp().system.raw.connect()
  await client.query('begin')
  await client.query("select set_config('app.organization', organization_id::text, true) from automation_runs where id = $1", [runId]) // biome-ignore format: a list of words
  const ended = client.query("update automation_runs set status = 'SUCCEEDED', finished_at = now() where id = $1", [runId]) // biome-ignore format: a list of words
  const commit = async () => {
    await ended
    await client.query('commit')
    client.release()
  }
  return { ended, commit }
}

test('if a run and the replay of an earlier one end at the same time, the next one of the record starts once', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id, rename } = await customer(amy)
  for (const name of ['1', '2', '3']) await rename(name)
  const [first, second] = await runsOf(id)
  // As after a replay of the first, whose failure had started the second.
  await query('update automation_runs set token = 2 where id = any ($1)', [[first?.id, second?.id]])
  const one = await ending(first?.id)
  await one.ended
  const other = await ending(second?.id)
  await Promise.all([one.commit(), other.commit()])
  expect((await summary(id))[2]).toBe('RUNNING 1')
})

test('INV-11: an event at the moment when a run of its record ends is neither lost nor started twice', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id, rename } = await customer(amy)
  const rounds = 25
  await rename('first')
  for (let n = 1; n <= rounds; n++) {
    const runs = await runsOf(id)
    const last = runs.at(-1)
    expect(last?.jobs).toBe(1)
    await Promise.all([ending(last?.id).then(({ commit }) => commit()), rename(`${n}`)])
  }
  const runs = await runsOf(id)
  expect(runs).toHaveLength(rounds + 1)
  expect(runs.filter(({ status }) => status === 'RUNNING')).toMatchObject([{ jobs: 1 }])
  expect(runs.filter(({ jobs }) => jobs > 1)).toEqual([])
})

test('INV-11: many events of a few records at once: each starts one run, and those of a record run in their order', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id, rename } = await customer(amy)
  const ids = await Promise.all(['a', 'b', 'c'].map(async (name) => (await amy.call('customers_create', { name, country: 'SG' })).id)) // biome-ignore format: a list of words
  const workers = (async () => {
    for (let idle = 0; idle < 20; ) {
      const runs = (await runsOf(id)).filter(({ status, jobs }) => status === 'RUNNING' && jobs > 0)
      idle = runs.length > 0 ? 0 : idle + 1
      await Promise.all(
        runs.map(async (run) => {
          await removeJobs(ofRun, [run.id])
          await carryOn(amy.organizationId ?? '', run.id)
        }),
      )
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  })()
  await Promise.all(ids.map(async (each) => {
    for (let n = 10; n < 20; n++) await rename(`${each} ${n}`, each)
  })) // biome-ignore format: a list of words
  await workers
  const runs = await runsOf(id)
  expect(runs).toHaveLength(30)
  expect(runs.filter(({ status }) => status !== 'SUCCEEDED')).toEqual([])
  const made = await copied(amy)
  for (const each of ids) {
    const mine = made.filter((name) => name.includes(each))
    expect(mine).toEqual([...mine].sort())
    expect(mine).toHaveLength(10)
  }
  expect((await verify(theApp())).filter(({ id: rule }) => rule === 'INV-11' || rule === 'INV-13')).toEqual([])
})

test('an automation can be deleted while events of a record wait for each other', async () => {
  const amy = await member('MANAGER')
  const { id, rename } = await customer(amy)
  for (const name of ['1', '2']) await rename(name)
  await amy.call('automations_delete', { id })
  expect(await runsOf(id)).toEqual([])
  await settle(amy)
  expect(await copied(amy)).toEqual([])
})
