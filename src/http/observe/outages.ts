import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { Failure } from '../../core/define/failure.ts'
import type { FullDisks } from '../../core/observe/full-disks.ts'
import { isLost, isStorageFull } from '../../core/run/errors.ts'
import type { Pool } from '../../db/pool.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Logs outages of the database, once each. */
    outages?: Outages
  }
}

export type Outages = {
  /** Whether the error comes from an outage of the database, which is then logged: once, however many errors it has. */
  cover(error: unknown): boolean
  close(): void
}

type Disks = Pick<FullDisks, 'found' | 'suspect' | 'isFull'>
type Log = Pick<FastifyInstance['log'], 'error' | 'warn'>

const retryMs = 500
const pingMs = 3_000

/** Gives a server the log of outages of its database. */
export function watchOutages(app: FastifyInstance, system: Pool, disks: FullDisks) {
  const ping = () => system.use((_, connection) => connection.query('select 1'), pingMs)
  const outages = createOutages(ping, app.log, disks)
  app.decorate('outages', outages)
  app.addHook('onClose', async () => outages.close())
}

/**
 * Logs when the database can no longer be reached, and when it can again. In between, its errors need no lines of their own. While
 * its disk is full that is the reason, which has two lines already (program/data-folder/full-disks.ts): PostgreSQL then ends and starts again
 * and again, and would have two more each time.
 */
export function createOutages(ping: () => Promise<unknown>, log: Log, disks?: Disks): Outages {
  const closing = new AbortController()
  let watching = false

  async function watch(error: unknown) {
    const began = performance.now()
    if (disks && (await isBecauseOfDisk(disks))) return
    log.error({ reason: error instanceof Error ? error.message : String(error) }, 'The database cannot be reached.')
    const isBack = () =>
      ping()
        .then(() => true)
        .catch(() => false)
    do await sleep(retryMs, undefined, { signal: closing.signal, ref: false })
    while (!(await isBack()))
    const seconds = (performance.now() - began) / 1000
    log.warn({ ms: Math.round(seconds * 1000) }, `The database can be reached again, after ${seconds.toFixed(1)} s.`)
  }

  return {
    cover(error) {
      if (disks && isOfFullDisk(error)) disks.found('database')
      const isKnown = watching || disks?.isFull('database') === true
      if (isKnown && isWait(error)) return true
      if (!isOfOutage(error)) return false
      if (disks?.isFull('database')) return true
      if (watching || closing.signal.aborted) return true
      watching = true
      watch(error)
        .catch(() => {}) // the process stops
        .finally(() => {
          watching = false
        })
      return true
    },
    close: () => closing.abort(),
  }
}

/** The queue passes on the texts of errors only. */
const texts = /ECONNREFUSED|ECONNRESET|EPIPE|terminating connection|database system is|No space left on device/
const isOfFullDisk = (error: unknown): boolean =>
  error instanceof Error &&
  !(error instanceof Failure) &&
  (isStorageFull(error) || /No space left on device/.test(error.message))

async function isBecauseOfDisk(disks: Disks): Promise<boolean> {
  await disks.suspect()
  return disks.isFull('database')
}

/** Requests that wait for a connection in vain, which may also come from too many of them. */
const isWait = (error: unknown) => error instanceof Error && error.message === 'No connection became free.'

const isOfOutage = (error: unknown): boolean => isLost(error) || (error instanceof Error && texts.test(error.message))
