import { afterEach, expect, test } from 'vitest'
import { job } from '../core/define/job.ts'
import { Type } from '../core/define/schema.ts'
import { member, theApp } from '../test/world.ts'
import { createFetchJobs } from './fetch-jobs.ts'

const Anything = Type.Object({}, { additionalProperties: true })
const tick = job('tick', Anything, async () => {})

const query = async (text: string, values: unknown[] = []) => (await theApp().system.raw.query(text, values)).rows
afterEach(() => query('delete from graphile_worker._private_jobs'))

/** Adds a job, due in the past unless said otherwise; `more` are further arguments of `add_job`. */
const add = async (payload: object, more = "run_at => now() - interval '1 minute'") =>
  void (await query(`select graphile_worker.add_job('tick', $1::json, ${more})`, [JSON.stringify(payload)]))

const ids = async (count: number, next: ReturnType<typeof createFetchJobs>) => {
  const ready = await Promise.all(Array.from({ length: count }, () => next('pool-1')))
  return ready.map((each) => (each?.payload as { n: number } | undefined)?.n)
}

test('jobs are fetched in the order of the queue, each once, and locked by this worker', async () => {
  for (const [n, priority] of [
    [1, 5],
    [2, 0],
    [3, 0],
  ])
    await add({ n }, `priority => ${priority}, run_at => now() - make_interval(mins => ${9 - (n ?? 0)})`)
  const next = createFetchJobs(theApp().system, [tick], () => [])
  expect(await ids(4, next)).toEqual([2, 3, 1, undefined])
  const locked = await query('select locked_by, locked_at <= now() as at, attempts from graphile_worker._private_jobs')
  expect(locked).toEqual(Array(3).fill({ locked_by: 'pool-1', at: true, attempts: 1 }))
  expect(await ids(2, next)).toEqual([undefined, undefined])
})

test('slots that ask while a fetch is under way share the next one', async () => {
  for (let n = 0; n < 8; n++) await add({ n })
  const { system } = theApp()
  let fetches = 0
  const counting: typeof system = { ...system, use: (...given) => system.use(...given).finally(() => (fetches += 1)) }
  const fetched = await ids(
    8,
    createFetchJobs(counting, [tick], () => []),
  )
  expect(fetched.sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
  expect(fetches).toBe(2)
})

test('FLT-05: jobs of an organization that has its share of running jobs are left in the queue', async () => {
  const [loud, quiet] = [await member('OWNER'), await member('OWNER')]
  const flag = (organizationId: string | undefined) => `organization:${organizationId}`
  await add({ n: 1 }, `flags => array['${flag(loud.organizationId)}']`)
  await add({ n: 2 }, `flags => array['${flag(quiet.organizationId)}']`)
  let full = [flag(loud.organizationId)]
  const next = createFetchJobs(theApp().system, [tick], () => full)
  expect(await ids(2, next)).toEqual([2, undefined])
  full = []
  expect(await ids(1, next)).toEqual([1])
})

test('jobs that are not due, that this worker does not know, or that are in a named queue are left in the queue', async () => {
  await add({ n: 1 }, "run_at => now() + interval '1 minute'")
  await add({ n: 2 }, "queue_name => 'one at a time'")
  await query("select graphile_worker.add_job('of a newer version')")
  await add({ n: 3 })
  expect(
    await ids(
      3,
      createFetchJobs(theApp().system, [tick], () => []),
    ),
  ).toEqual([3, undefined, undefined])
})

test('FLT-04: a slot gets no job while the database cannot be reached, and one afterwards', async () => {
  await add({ n: 1 })
  const { system } = theApp()
  let isDown = true
  const use: typeof system.use = (...given) => (isDown ? Promise.reject(new Error('refused')) : system.use(...given))
  const next = createFetchJobs({ ...system, use }, [tick], () => [])
  expect(await ids(1, next)).toEqual([undefined])
  isDown = false
  expect(await ids(1, next)).toEqual([1])
})
