import { expect, test } from 'vitest'
import { createStalls } from './stalls.ts'

/** Ticks at these times; returns the times at which the process was not ready, looked at with every tick. */
function notReadyAt(times: number[]): number[] {
  const stalls = createStalls()
  return times.filter((now) => {
    stalls.tick(now)
    return stalls.isBlocked(now)
  })
}

const regular = (from: number, to: number) => Array.from({ length: (to - from) / 250 }, (_, n) => from + n * 250)

test('a stall of a second does not change readiness', () => {
  expect(notReadyAt([...regular(0, 5_000), ...regular(6_300, 12_000), ...regular(13_000, 30_000)])).toEqual([])
})

test('a process that is blocked for two of five seconds is not ready, until five seconds have gone by', () => {
  const notReady = notReadyAt([...regular(0, 1_000), ...regular(2_750, 30_000)])
  expect([notReady.at(0), notReady.at(-1)]).toEqual([2_750, 7_500])
  expect(notReadyAt([0, 1_000, 2_000, 3_000]).at(0)).toBe(3_000) // several shorter ones
})
