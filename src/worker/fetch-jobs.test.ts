import '../test/own-world.ts'
import { afterEach, expect, test, vi } from 'vitest'
import { job } from '../core/define/job.ts'
import { Type } from '../core/define/schema.ts'
import { changeJobs, findJobs, removeJobs } from '../test/queue.ts'
import { member, theApp } from '../test/world.ts'
import { createFetchJobs } from './fetch-jobs.ts'

const Anything = Type.Object({}, { additionalProperties: true })
const tick = job('tick', Anything, async () => {})

const query = async (text: string, values: unknown[] = []) => (await theApp().system.raw.query(text, values)).rows
afterEach(() => removeJobs().then(() => {}))

/** Adds a job, due in the past unless said otherwise; `more` are further arguments of `add_job`. */
const add = async (payload: object, more = "run_at => now() - interval '1 minute'") =>
  void (await query(`select graphile_worker.add_job('tick', $1::json, ${more})`, [JSON.stringify(payload)]))

const ids = async (count: number, queue: ReturnType<typeof createFetchJobs>) => {
  const ready = await Promise.all(Array.from({ length: count }, () => queue.next('pool-1')))
  return ready.map((each) => (each?.payload as { n: number } | undefined)?.n)
}

test('jobs are fetched in the order of the queue, each once, and locked by this worker', async () => {
  for (const [n, priority] of [
    [1, 5],
    [2, 0],
    [3, 0],
  ])
    await add({ n }, `priority => ${priority}, run_at => now() - make_interval(mins => ${9 - (n ?? 0)})`)
  const queue = createFetchJobs(theApp().system, [tick], () => [])
  expect(await ids(4, queue)).toEqual([2, 3, 1, undefined])
  const locked = await findJobs('locked_at <= now()')
  expect(locked).toMatchObject(Array(3).fill({ lockedBy: 'pool-1', attempts: 1 }))
  expect(await ids(2, queue)).toEqual([undefined, undefined])
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
  const queue = createFetchJobs(theApp().system, [tick], () => full)
  expect(await ids(2, queue)).toEqual([2, undefined])
  full = []
  expect(await ids(1, queue)).toEqual([1])
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
  const queue = createFetchJobs({ ...system, use }, [tick], () => [])
  expect(await ids(1, queue)).toEqual([undefined])
  isDown = false
  expect(await ids(1, queue)).toEqual([1])
})

test('what a job preloads is read with its fetch; jobs without a preload have none', async () => {
  const greeted = job('greeted', Anything, async () => {}, {
    preload: "select j.payload ->> 'name' as name, 1 as one where j.payload ->> 'name' <> 'nobody'",
  })
  for (const name of ['Amy', 'nobody']) await query("select graphile_worker.add_job('greeted', $1::json)", [{ name }])
  await add({ name: 'Amy' })
  const queue = createFetchJobs(theApp().system, [greeted, tick], () => [])
  const ready = await Promise.all([queue.next('pool-1'), queue.next('pool-1'), queue.next('pool-1')])
  const found = ready.map((each) => [each?.job.name, each?.preloaded?.value])
  expect(found.sort()).toEqual([
    ['greeted', null],
    ['greeted', { name: 'Amy', one: 1 }],
    ['tick', null],
  ])
})

const lockedJobs = async () =>
  (await findJobs('locked_by is not null')).map(({ payload, attempts }) => ({ payload, attempts }))

test('while the queue is long, a fetch brings the jobs of the next slots too; each is given out once', async () => {
  for (let n = 0; n < 30; n++) await add({ n })
  const { system } = theApp()
  let fetches = 0
  const counting: typeof system = { ...system, use: (...given) => system.use(...given).finally(() => (fetches += 1)) }
  const queue = createFetchJobs(counting, [tick], () => [])
  const taken: unknown[] = []
  for (let n = 0; n < 30; n++) taken.push(...(await ids(1, queue)))
  expect(new Set(taken).size).toBe(30)
  expect(fetches).toBeLessThan(6)
  expect(await ids(1, queue)).toEqual([undefined])
})

test('FLT-05: a spare job of an organization that has its share of running jobs is not given out before others', async () => {
  const loud = await member('OWNER')
  const flag = `organization:${loud.organizationId}`
  await add({ n: 0 }, "priority => -2, run_at => now() - interval '1 minute'")
  for (const n of [1, 2]) await add({ n }, `priority => -1, flags => array['${flag}']`)
  for (let n = 3; n < 12; n++) await add({ n })
  let full: string[] = []
  const queue = createFetchJobs(theApp().system, [tick], () => full)
  expect(await ids(2, queue)).toEqual([0, 1]) // the second fetch brings spare jobs
  full = [flag]
  expect(await ids(1, queue)).not.toEqual([2])
  full = []
  expect(await ids(1, queue)).toEqual([2])
  await queue.returnSpare()
})

test('FLT-16: spare jobs are returned to the queue as if they had not been fetched: after a moment, and when the worker stops', async () => {
  for (let n = 10; n < 30; n++) await add({ n })
  const queue = createFetchJobs(theApp().system, [tick], () => [])
  const taken = [...(await ids(1, queue)), ...(await ids(1, queue))]
  expect((await lockedJobs()).length).toBeGreaterThan(2)
  await queue.returnSpare()
  expect(await lockedJobs()).toEqual(taken.map((n) => ({ payload: { n }, attempts: 1 })))
  taken.push(...(await ids(1, queue)))
  expect((await lockedJobs()).length).toBeGreaterThan(3)
  await vi.waitFor(async () => expect(await lockedJobs()).toEqual(taken.map((n) => ({ payload: { n }, attempts: 1 }))))
  const unlocked = await findJobs('locked_by is null')
  expect(new Set(unlocked.map(({ attempts }) => attempts))).toEqual(new Set([0]))
})

test('INV-13: a job that another worker has fetched meanwhile is not returned to the queue', async () => {
  for (let n = 0; n < 12; n++) await add({ n })
  const queue = createFetchJobs(theApp().system, [tick], () => [])
  await ids(1, queue)
  await ids(1, queue)
  await changeJobs("locked_by = 'pool-2', attempts = attempts + 1", 'locked_by is not null')
  const before = await lockedJobs()
  await queue.returnSpare()
  expect(await lockedJobs()).toEqual(before)
})
