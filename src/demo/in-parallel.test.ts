import { expect, test } from 'vitest'
import { atMost, inParallel } from './in-parallel.ts'

const later = () => new Promise((resolve) => setImmediate(resolve))

test('of several pieces of work so many run at a time, and the others begin in turn', async () => {
  const inTurn = atMost(2)
  const begun: number[] = []
  let running = 0
  let most = 0
  const work = (nth: number) => async () => {
    begun.push(nth)
    most = Math.max(most, ++running)
    await later()
    running--
    if (nth === 1) throw new Error('the second')
    return nth
  }
  const results = await Promise.allSettled([0, 1, 2, 3, 4].map((nth) => inTurn(work(nth))))
  expect(begun).toEqual([0, 1, 2, 3, 4])
  expect(most).toBe(2)
  expect(results.map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected', // and its turn is given on
    ...['fulfilled', 'fulfilled', 'fulfilled'],
  ])
})

test('after a failure the running work is waited for and no other begins', async () => {
  const ended: number[] = []
  const work = inParallel([0, 1, 2, 3], async (nth) => {
    if (nth === 0) throw new Error('the first')
    await later()
    ended.push(nth)
  })
  await expect(work).rejects.toThrow('the first')
  expect(ended).toEqual([1])
})
