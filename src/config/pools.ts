import { number } from './number.ts'
import type { Environment } from './wrong-setting.ts'

/** How many connections each pool of a process may open (program/start/pools.ts). */
export type PoolSizes = { requests: number; heavy: number; system: number; queue: number }

/** Requests and the system need two: one may wait for another. The queue needs one to listen, one to fetch and one to run. */
export const poolSizes = (env: Environment): PoolSizes => ({
  requests: number(env, 'DATABASE_POOL_REQUESTS', 12, { min: 2, max: 1_000, whole: true }),
  heavy: number(env, 'DATABASE_POOL_HEAVY', 4, { min: 1, max: 1_000, whole: true }),
  system: number(env, 'DATABASE_POOL_SYSTEM', 4, { min: 2, max: 1_000, whole: true }),
  queue: number(env, 'DATABASE_POOL_QUEUE', 10, { min: 3, max: 1_000, whole: true }),
})
