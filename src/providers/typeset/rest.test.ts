import { expect, test } from 'vitest'
import { createRest } from './rest.ts'

/** `active` of the time since the last look, which is 100 ms each time. */
const restAt = (active: number) =>
  createRest(() => ({ idle: 100 * (1 - active), active: 100 * active, utilization: active }))

test('LOAD: a thread rests after a document as long as it printed while requests keep the process busy', () => {
  expect(restAt(0.9)(12)).toBe(12)
  expect(restAt(0.9)(800)).toBe(100)
})

test('a thread prints the next document at once while the process is not busy', () => {
  expect(restAt(0.3)(12)).toBe(0)
})

test('a moment between two threads that end together says nothing', () => {
  const looks = [0, 0, 100, 0, 1] // milliseconds since the look before
  const rest = createRest(() => {
    const ms = looks.shift() ?? 0
    return { idle: ms * 0.9, active: ms * 0.1, utilization: ms > 1 ? 0.1 : 1 }
  })
  expect([rest(5), rest(5), rest(5)]).toEqual([0, 0, 0])
})

test('only what happened since the document before counts', async () => {
  const rest = createRest()
  const until = performance.now() + 60
  while (performance.now() < until) Math.sqrt(until) // the thread is busy
  expect(rest(5)).toBe(5)
  await new Promise((resolve) => setTimeout(resolve, 60))
  expect(rest(5)).toBe(0)
})
