import type { FastifyInstance } from 'fastify'
import { buildVersion } from '../../core/observe/build-version.ts'
import type { Pool } from '../../db/pool.ts'
import type { ServerDependencies } from '../server-dependencies.ts'
import { watchStalls } from './stalls.ts'

const databaseTimeoutMs = 3_000

/** The answer of `/health`. */
export const health = { status: 'ok', version: buildVersion } as const

/**
 * `/health`: the process answers. `/ready`: it can serve requests, so both pools must reach the database, which has space
 * to write, and the process must not be stopping or recovering from a stall.
 */
export function mountHealth(app: FastifyInstance, { system, confined, disks }: ServerDependencies) {
  const open = { config: { open: true }, exposeHeadRoute: true } as const
  const stalled = watchStalls(app)
  app.get('/health', open, async () => health)
  app.get('/ready', open, async (_, reply) => {
    const notReady = (reason: string) => reply.code(503).send({ status: 'not ready', reason })
    if (app.draining) return notReady('the process is stopping')
    if (stalled()) return notReady('the process was blocked for about two of the last seconds')
    if (disks.isFull('database')) return notReady('the disk of the database is full')
    if (disks.isFull('files')) return notReady('the file store is full')
    try {
      await Promise.all([ping(system), ping(confined)])
      return { status: 'ready' }
    } catch (error) {
      app.outages?.cover(error)
      void disks.suspect()
      return notReady('the database cannot be reached')
    }
  })
}

export const ping = (pool: Pool) => pool.use((_, connection) => connection.query('select 1'), databaseTimeoutMs)
