import { expect, test } from 'vitest'
import { attemptsMax, retryInS } from './job.ts'

test('FLT-10: what may yet succeed is tried five times, 1, 5, 25 and 120 seconds apart', () => {
  const delays = [1, 2, 3, 4, 5, 6].map((attempts) => retryInS(attempts, () => 0.5))
  expect(delays).toEqual([1, 5, 25, 120, undefined, undefined])
  expect(attemptsMax).toBe(5)
})

test('FLT-10: delays are spread by up to a fifth either way', () => {
  expect(retryInS(4, () => 0)).toBeCloseTo(96)
  expect(retryInS(4, () => 1)).toBeCloseTo(144)
})
