import '../../test/own-world.ts'
import { expect, test } from 'vitest'
import { theDatabase } from '../../test/world.ts'
import { connectionsOf, openConfinedPools, openSystemPool } from './pools.ts'

test('each pool opens as many connections as its setting says, and one more listens', async () => {
  const sizes = { requests: 3, heavy: 1, system: 2, queue: 5 }
  const pools = {
    ...openConfinedPools(theDatabase(), sizes, { servesRequests: true }),
    system: openSystemPool(theDatabase(), sizes),
  }
  const opened = Object.values(pools).map(({ raw }) => raw.options.max ?? 0)
  expect(opened).toEqual([3, 1, 2])
  expect(connectionsOf(sizes)).toEqual({ api: 3 + 1 + 2 + 1, worker: 3 + 1 + 2 + 1 + 5 })
  await Promise.all(Object.values(pools).map((pool) => pool.close()))
})
