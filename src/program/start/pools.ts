import type { PoolSizes } from '../../config/pools.ts'
import { unavailable } from '../../core/define/failure.ts'
import { createFairQueue, type FairQueueOptions } from '../../core/share/fair-queue.ts'
import { createGiveWay, noQuietWork } from '../../core/share/give-way.ts'
import { type DatabaseConfig, openPool, type Pool } from '../../db/pool.ts'

/** The connections of a process. One organization, person or address may hold half of each pool (docs/decisions/0037). */
export type Pools = {
  /** For requests and jobs, confined to an organization by row security. */
  confined: Pool
  /** The same for reads that take long: previews, dashboards, exports. */
  heavy: Pool
  /** For what belongs to no organization. */
  system: Pool
}

/** How many connections a process may open: all pools, and the one that listens (db/notifications.ts). */
export function connectionsOf({ requests, heavy, system, queue }: PoolSizes): { api: number; worker: number } {
  const api = requests + heavy + system + 1
  return { api, worker: api + queue }
}

export const openSystemPool = (database: DatabaseConfig, { system }: PoolSizes): Pool =>
  openPool(database, { confined: false, max: system, turns: turnsOf(system, requests) })

export function openConfinedPools(
  database: DatabaseConfig,
  sizes: PoolSizes,
  { servesRequests }: { servesRequests: boolean },
): Pick<Pools, 'confined' | 'heavy'> {
  const quiet = noQuietWork()
  const open = (max: number, kind: Kind, lowPriority: boolean) =>
    openPool(database, { confined: true, lowPriority, max, turns: turnsOf(max, kind) })
  return {
    confined: open(
      sizes.requests,
      { ...requests, giveWay: createGiveWay({ quiet, startsEveryMs: 500 }) },
      !servesRequests,
    ),
    heavy: open(sizes.heavy, { ...heavyReads, giveWay: createGiveWay({ quiet }) }, true),
  }
}

/**
 * `waitMs` as long as a request waits for any connection (db/pool.ts). After that the database is unavailable: connections
 * that do not come back for so long are waiting for it (FLT-04).
 */
const requests = {
  called: 'requests of this organization or person',
  waitMs: 3_000,
  waitingPerSubjectMax: 200,
  waitedTooLong: () => unavailable(new Error('No connection became free.')),
}
const heavyReads = {
  called: 'previews, dashboards and exports of this organization',
  waitMs: 5_000,
  waitingPerSubjectMax: 50,
}

type Kind = Pick<FairQueueOptions, 'called' | 'waitMs' | 'waitingPerSubjectMax' | 'waitedTooLong' | 'giveWay'>

const turnsOf = (max: number, kind: Kind) =>
  createFairQueue({
    ...kind,
    runningMax: max,
    perSubjectMax: Math.ceil(max / 2),
    waitingMax: 2_000,
    overloaded: () => unavailable(new Error('All connections are in use.')),
  })
