import { expect, test } from 'vitest'
import { unavailable } from '../define/failure.ts'
import { createFairQueue, type FairQueue, type FairQueueOptions } from './fair-queue.ts'

const queueOf = (options: Partial<FairQueueOptions>) =>
  createFairQueue({
    called: 'prints',
    runningMax: 4,
    perSubjectMax: 2,
    waitingMax: 100,
    waitingPerSubjectMax: 50,
    waitMs: 60_000,
    overloaded: () => unavailable(),
    ...options,
  })

/** Work that runs until it is ended by its name, and the names in the order in which it started. */
function workIn(queue: FairQueue) {
  const started: string[] = []
  const ends = new Map<string, () => void>()
  const begin = (name: string, ...subjects: string[]) =>
    queue.run(subjects, () => {
      started.push(name)
      return new Promise<void>((resolve) => ends.set(name, resolve))
    })
  const end = async (name: string) => {
    ends.get(name)?.()
    await settle()
  }
  return { started, begin, end }
}
const enter = async (queue: FairQueue, subject: string) => queue.enter([subject])
const settle = () => new Promise((resolve) => setImmediate(resolve))

test('a subject has at most its part of the places, and others go past its waiting work', async () => {
  const queue = queueOf({ runningMax: 4, perSubjectMax: 2 })
  const { started, begin, end } = workIn(queue)
  for (const name of ['a1', 'a2', 'a3', 'a4']) void begin(name, 'A')
  for (const name of ['b1', 'c1']) void begin(name, name.slice(0, 1))
  await settle()
  expect(started).toEqual(['a1', 'a2', 'b1', 'c1'])
  expect([queue.running, queue.waiting]).toEqual([4, 2])
  await end('a2')
  expect(started.slice(4)).toEqual(['a3'])
  await end('a1')
  expect(started.slice(5)).toEqual(['a4'])
})

test('the work of a subject starts in the order in which it came, and subjects take turns', async () => {
  const queue = queueOf({ runningMax: 1, perSubjectMax: 1 })
  const { started, begin, end } = workIn(queue)
  for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1']) void begin(name, name.slice(0, 1))
  await settle()
  for (let n = 0; n < 7; n++) await end(started[n] ?? '')
  expect(started).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4'])
  expect([queue.running, queue.waiting]).toEqual([0, 0])
})

test('work with several subjects needs a place of each', async () => {
  const queue = queueOf({ runningMax: 10, perSubjectMax: 2 })
  const { started, begin, end } = workIn(queue)
  void begin('1', 'A', 'amy')
  void begin('2', 'B', 'amy')
  void begin('3', 'C', 'amy') // the organization has places, the person has none
  void begin('4', 'C', 'bob')
  await settle()
  expect(started).toEqual(['1', '2', '4'])
  await end('1')
  expect(started).toEqual(['1', '2', '4', '3'])
})

test('work whose subjects become known later counts against them from then on', async () => {
  const queue = queueOf({ perSubjectMax: 1 })
  const turn = await queue.enter(['new'])
  turn.countAs(['A'])
  let entered = false
  const later = Promise.resolve(queue.enter(['A'])).then((each) => {
    entered = true
    return each
  })
  const other = await queue.enter(['new']) // its place is free again
  await settle()
  expect(entered).toBe(false)
  turn.leave()
  turn.leave()
  turn.countAs(['B'])
  ;(await later).leave()
  other.leave()
  expect([queue.running, queue.waiting]).toEqual([0, 0])
})

test('RATE: work that waited too long, or finds too much waiting work of its subject, is refused with 429', async () => {
  const queue = queueOf({ perSubjectMax: 1, waitMs: 5, waitingPerSubjectMax: 1 })
  const turn = await queue.enter(['A'])
  const refused = { status: 429, retryAfterS: 1, details: [{ code: 'TOO_MANY_AT_ONCE' }] }
  const waiting = expect(queue.enter(['A'])).rejects.toMatchObject(refused)
  await expect(enter(queue, 'A')).rejects.toMatchObject(refused)
  await waiting
  expect([queue.running, queue.waiting]).toEqual([1, 0])
  turn.leave()
  await expect(queue.run(['A'], async () => 'done')).resolves.toBe('done')
})

test('LOAD-10: work that finds all places taken by others is refused as overload', async () => {
  const queue = queueOf({ runningMax: 1, waitMs: 5, waitingMax: 1 })
  const turn = await queue.enter(['A'])
  const refused = { status: 500, details: [{ code: 'UNAVAILABLE' }] }
  const waiting = expect(queue.enter(['B'])).rejects.toMatchObject(refused)
  await expect(enter(queue, 'C')).rejects.toMatchObject(refused)
  await waiting
  turn.leave()
})

test('work that throws gives its place back', async () => {
  const queue = queueOf({ runningMax: 1 })
  const fail = () => queue.run(['A'], () => Promise.reject(new Error('failed')))
  for (let n = 0; n < 3; n++) await expect(fail()).rejects.toThrow('failed')
  expect(queue.running).toBe(0)
})

test('a queue that closes refuses what waits and everything later, and leaves running work alone', async () => {
  const queue = queueOf({ runningMax: 1 })
  const { begin, end } = workIn(queue)
  const [running, waiting] = [begin('1', 'A'), begin('2', 'B')]
  queue.close(() => unavailable())
  await expect(waiting).rejects.toMatchObject({ status: 500 })
  await expect(enter(queue, 'C')).rejects.toMatchObject({ status: 500 })
  await end('1')
  await expect(running).resolves.toBeUndefined()
  expect([queue.running, queue.waiting]).toEqual([0, 0])
})
