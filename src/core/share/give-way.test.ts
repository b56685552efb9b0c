import { expect, test } from 'vitest'
import { unavailable } from '../define/failure.ts'
import { createFairQueue } from './fair-queue.ts'
import { createGiveWay, type GiveWay, noQuietWork } from './give-way.ts'
import { organizationSubject } from './organization-holder.ts'

const quiet = [organizationSubject('quiet'), 'person:quinn']
const busy = [organizationSubject('busy'), 'person:betty']

/** A clock that is moved by hand. */
function clocked() {
  let now = 1_000
  const giveWay = createGiveWay({ now: () => now, startsEveryMs: 500 })
  const pass = (ms: number) => {
    now += ms
  }
  const work = (subject: readonly string[], ms: number) => {
    const end = giveWay.begin(subject)
    pass(ms)
    end()
  }
  return { giveWay, pass, work }
}

const queueWith = (giveWay: GiveWay, waitMs: number) =>
  createFairQueue({
    called: 'requests',
    runningMax: 12,
    perSubjectMax: 6,
    waitingMax: 100,
    waitingPerSubjectMax: 50,
    waitMs,
    overloaded: () => unavailable(),
    waitedTooLong: () => unavailable(),
    giveWay,
  })

test('LOAD-14: a busy organization waits beside a quiet one, as long as it has worked more than its share', () => {
  const { giveWay, pass, work } = clocked()
  work(busy, 1_000)
  work(quiet, 1)
  expect(giveWay.waitMs(quiet)).toBe(0)
  expect(giveWay.waitMs(busy)).toBeCloseTo(499, 0) // no more than 450 ms are counted, 200 of which are free
  pass(45)
  work(quiet, 1)
  expect(giveWay.waitMs(busy)).toBeCloseTo(453, 0)
})

test('a busy organization that is alone does not wait', () => {
  const { giveWay, work } = clocked()
  for (let n = 0; n < 50; n++) {
    work(busy, 20)
    expect(giveWay.waitMs(busy)).toBe(0)
  }
})

test('a busy organization stops waiting when the quiet ones have stopped calling', () => {
  const { giveWay, pass, work } = clocked()
  work(busy, 1_000)
  work(quiet, 1)
  pass(49)
  expect(giveWay.waitMs(busy)).toBeGreaterThan(0)
  pass(2)
  expect(giveWay.waitMs(busy)).toBe(0)
})

test('two busy organizations do not wait for each other', () => {
  const { giveWay, pass } = clocked()
  const ends = ['one', 'other'].map((name) => giveWay.begin([name]))
  pass(1_000)
  for (const end of ends) end()
  expect([giveWay.waitMs(['one']), giveWay.waitMs(['other'])]).toEqual([0, 0])
})

test('work that still runs counts too, and a subject with work elsewhere asks again soon', () => {
  const { giveWay, pass, work } = clocked()
  giveWay.begin(busy)
  pass(402) // half of it is its share
  work(quiet, 1)
  expect(giveWay.waitMs(busy)).toBe(5)
})

test('the queue starts the work of a busy subject after its pause, and that of quiet ones at once', async () => {
  const giveWay = createGiveWay()
  const queue = queueWith(giveWay, 60_000)
  const started: string[] = []
  const enter = async (subject: string) => {
    const turn = await queue.enter([subject], { givesWay: true })
    started.push(subject)
    return turn
  }
  const first = await Promise.all(Array.from({ length: 6 }, () => enter('busy')))
  await new Promise((resolve) => setTimeout(resolve, 60)) // six times as much is counted
  for (const turn of first) turn.leave()
  const calls = setInterval(async () => (await queue.enter(quiet, { givesWay: true })).leave(), 5)
  ;(await queue.enter(quiet, { givesWay: true })).leave()
  started.length = 0
  const late = enter('busy')
  ;(await enter('other')).leave()
  const job = await queue.enter(['busy']) // a job of the product does not give way
  job.leave()
  expect(started).toEqual(['other'])
  ;(await late).leave()
  clearInterval(calls)
  expect(started).toEqual(['other', 'busy'])
})

test('a busy subject that waits too long is told that it has too much work, not that the server is overloaded', async () => {
  const giveWay = { waitMs: ([subject]: readonly string[]) => (subject === 'busy' ? 1_000 : 0), begin: () => () => {} }
  const queue = queueWith(giveWay, 20)
  await expect(queue.enter(['busy'], { givesWay: true })).rejects.toMatchObject({ status: 429 })
})

test('work whose pause ends at the moment when it begins to wait starts all the same', async () => {
  const pauses = [1, 0, 0, 0]
  const giveWay = { waitMs: () => pauses.shift() ?? 0, begin: () => () => {} }
  const queue = queueWith(giveWay, 1_000)
  const turn = await queue.enter(['busy'], { givesWay: true })
  expect([queue.running, queue.waiting]).toEqual([1, 0])
  turn.leave()
})

test('a busy organization starts something every half second, even if one piece of its work does not end', () => {
  const { giveWay, pass, work } = clocked()
  giveWay.begin(busy)
  const callsOf = (ms: number) => {
    for (let n = 0; n < ms / 20; n++) {
      work(quiet, 1)
      pass(19)
    }
  }
  callsOf(480)
  expect(giveWay.waitMs(busy)).toBeGreaterThan(0)
  callsOf(40)
  expect(giveWay.waitMs(busy)).toBe(0)
  giveWay.begin(busy)()
  expect(giveWay.waitMs(busy)).toBeGreaterThan(0)
})

test('LOAD-14: nobody gives way to a caller without an organization', () => {
  const { giveWay, work } = clocked()
  work(busy, 1_000)
  for (const caller of ['credential:invented', 'person:somebody']) work([caller], 1)
  expect(giveWay.waitMs(busy)).toBe(0)
})

test('LOAD-14: a person who calls in many organizations does not wait for their own calls, but for those of others', () => {
  const { giveWay, work } = clocked()
  const person = ['person:betty']
  for (let n = 0; n < 50; n++) {
    work(person, 20)
    work([organizationSubject(`client ${n}`), ...person], 1)
    expect(giveWay.waitMs(person)).toBe(0)
  }
  work(quiet, 1)
  work([organizationSubject('client 1'), ...person], 1)
  expect(giveWay.waitMs(person)).toBeGreaterThan(0)
})

test('LOAD-14: the calls of a person in an organization do not hide those of their colleagues there', () => {
  const { giveWay, work } = clocked()
  work(busy, 1_000)
  work(quiet, 1)
  work([quiet[0] ?? '', 'person:betty'], 1)
  expect(giveWay.waitMs(busy)).toBeGreaterThan(0)
})

test('each queue counts for itself, and queues give way to the quiet organizations of each other', () => {
  const shared = noQuietWork()
  let now = 1_000
  const [requests, reports] = [
    createGiveWay({ now: () => now, quiet: shared }),
    createGiveWay({ now: () => now, quiet: shared }),
  ]
  const end = reports.begin(busy)
  now += 1_000
  end()
  requests.begin(quiet)()
  expect(reports.waitMs(busy)).toBeGreaterThan(0)
  expect(requests.waitMs(busy)).toBe(0)
})

/** A queue whose work that gives way is held back. */
const heldQueue = () => queueWith({ waitMs: () => 1_000, begin: () => () => {} }, 60_000)

test('work that does not give way goes past work of its subject that does', async () => {
  const queue = heldQueue()
  const held = queue.enter(['busy'], { givesWay: true })
  void Promise.resolve(held).catch(() => {})
  const all = await Promise.all(Array.from({ length: 6 }, () => queue.enter(['busy'])))
  const job = queue.enter(['busy']) // its subject has its part of the places
  all[0]?.leave()
  await job
  expect([queue.running, queue.waiting]).toEqual([6, 1])
  queue.close(() => unavailable())
})

test('work that does not give way holds nobody back', async () => {
  const begun: string[] = []
  const begin = (subjects: readonly string[]) => {
    begun.push(...subjects)
    return () => {}
  }
  const queue = queueWith({ waitMs: () => 0, begin }, 60_000)
  ;(await queue.enter(['job'])).leave()
  ;(await queue.enter(['request'], { givesWay: true })).leave()
  expect(begun).toEqual(['request'])
})

test('a busy subject that finds its waiting list full is told that it has too much work', async () => {
  const queue = heldQueue()
  for (let n = 0; n < 50; n++) void Promise.resolve(queue.enter(['busy'], { givesWay: true })).catch(() => {})
  expect(() => queue.enter(['busy'], { givesWay: true })).toThrow('Too many requests at the same time')
  queue.close(() => unavailable())
})
