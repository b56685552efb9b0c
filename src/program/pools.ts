import { unavailable } from '../core/define/failure.ts'
import { createFairQueue, type FairQueueOptions } from '../core/share/fair-queue.ts'
import { type DatabaseConfig, openPool, type Pool } from '../db/pool.ts'

/** The connections of a process. One organization, person or address may hold half of each pool (docs/decisions/0037). */
export type Pools = {
  /** For requests and jobs, confined to an organization by row security. */
  confined: Pool
  /** The same for reads that take long: previews, dashboards, exports. */
  heavy: Pool
  /** For what belongs to no organization. */
  system: Pool
}

const sizes = { confined: 12, heavy: 4, system: 4 }

/** How many connections the pools may open together, and the one that listens (db/notifications.ts). */
export const poolConnections = sizes.confined + sizes.heavy + sizes.system + 1

export const openSystemPool = (database: DatabaseConfig): Pool =>
  openPool(database, { confined: false, max: sizes.system, turns: turnsOf(sizes.system, requests) })

export const openConfinedPools = (database: DatabaseConfig): Pick<Pools, 'confined' | 'heavy'> => ({
  confined: openPool(database, { confined: true, max: sizes.confined, turns: turnsOf(sizes.confined, requests) }),
  heavy: openPool(database, { confined: true, max: sizes.heavy, turns: turnsOf(sizes.heavy, heavyReads) }),
})

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

type Kind = Pick<FairQueueOptions, 'called' | 'waitMs' | 'waitingPerSubjectMax' | 'waitedTooLong'>

const turnsOf = (max: number, kind: Kind) =>
  createFairQueue({
    ...kind,
    runningMax: max,
    perSubjectMax: Math.ceil(max / 2),
    waitingMax: 2_000,
    overloaded: () => unavailable(new Error('All connections are in use.')),
  })
