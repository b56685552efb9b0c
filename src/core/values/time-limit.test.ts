import { EventEmitter, once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { timeLimit } from './time-limit.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

test('aborts after its time, also if garbage was collected meanwhile', async () => {
  const other = new AbortController()
  const never = new EventEmitter()
  const waits = Array.from({ length: 5 }, () => once(never, 'event', { signal: timeLimit(100, other.signal) }))
  const failed = Promise.allSettled(waits)
  for (let round = 0; round < 5; round++) {
    collectGarbage()
    await sleep(10)
  }
  expect((await failed).map(({ status }) => status)).toEqual(Array(5).fill('rejected'))
})

test('aborts with a given signal, for its reason', () => {
  const other = new AbortController()
  const signal = timeLimit(60_000, other.signal)
  other.abort('stopped')
  expect(signal.reason).toBe('stopped')
})

test('names the time that has passed', async () => {
  const signal = timeLimit(1)
  await sleep(20)
  expect(signal.reason).toMatchObject({ name: 'TimeoutError' })
})
