import fastify, { type FastifyInstance } from 'fastify'
import type { Pool } from '../../db/pool.ts'
import { handleErrors } from '../errors.ts'
import { addSecurityHeaders } from '../guard.ts'
import { receiveOptions, rememberResponses, socketErrorAnswer } from '../socket-errors.ts'
import { health, ping } from './health.ts'
import { type MetricsDependencies, mountMetrics } from './metrics.ts'

const receiveMs = 5_000

export type WorkerPools = { system: Pool; confined: Pool }

/** The server of a worker that runs without the API: `/metrics`, `/health` and `/ready` only. */
export function createMetricsServer(
  dependencies: MetricsDependencies & WorkerPools,
  isWorking: () => boolean,
): FastifyInstance {
  const app = fastify({
    exposeHeadRoutes: false,
    bodyLimit: 1024,
    requestTimeout: receiveMs,
    connectionTimeout: 20_000,
    clientErrorHandler: socketErrorAnswer(receiveMs),
    http: receiveOptions({ receiveMs, checkMs: 1_000 }),
  })
  rememberResponses(app.server)
  addSecurityHeaders(app, dependencies.config)
  handleErrors(app, dependencies.meter)
  app.get('/health', { config: { open: true } }, async () => health)
  mountWorkerReady(app, dependencies, isWorking)
  mountMetrics(app, dependencies)
  return app
}

/** A worker is ready while it fetches jobs and its pools reach the database. */
function mountWorkerReady(app: FastifyInstance, { system, confined }: WorkerPools, isWorking: () => boolean) {
  app.get('/ready', { config: { open: true } }, async (_, reply) => {
    const notReady = (reason: string) => reply.code(503).send({ status: 'not ready', reason })
    if (!isWorking()) return notReady('the worker is starting or stopping')
    try {
      await Promise.all([ping(system), ping(confined)])
      return { status: 'ready' }
    } catch {
      return notReady('the database cannot be reached')
    }
  })
}
