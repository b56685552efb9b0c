import type { FastifyInstance } from 'fastify'
import type { Pool } from '../../db/pool.ts'
import type { ServerDependencies } from '../server.ts'
import { watchStalls } from './stalls.ts'

const patienceMs = 3_000

/**
 * `/health`: the process answers. `/ready`: it can serve, which takes a connection of either kind and a process that is
 * neither busy catching up nor about to stop.
 */
export function mountHealth(app: FastifyInstance, { system, confined }: ServerDependencies) {
  const open = { config: { open: true }, exposeHeadRoute: true } as const
  const stalled = watchStalls(app)
  app.get('/health', open, async () => ({ status: 'ok' }))
  app.get('/ready', open, async (_, reply) => {
    const notReady = (reason: string) => reply.code(503).send({ status: 'not ready', reason })
    if (app.draining) return notReady('the process is stopping')
    if (stalled()) return notReady('the process stood still for a moment')
    try {
      await Promise.all([answers(system), answers(confined)])
      return { status: 'ready' }
    } catch {
      return notReady('the database cannot be reached')
    }
  })
}

const answers = (pool: Pool) => pool.use((_, connection) => connection.query('select 1'), patienceMs)
