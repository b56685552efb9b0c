import fastify, { type FastifyInstance } from 'fastify'
import { answerErrors } from '../errors.ts'
import { secureHeaders } from '../guard.ts'
import { type Measured, mountMetrics } from './metrics.ts'

/** `/metrics` and `/health` and nothing else: what a worker without an API shows of itself. */
export function createMetricsServer(measured: Measured): FastifyInstance {
  const app = fastify({ exposeHeadRoutes: false, bodyLimit: 1024, requestTimeout: 5_000, connectionTimeout: 20_000 })
  secureHeaders(app, measured.config)
  answerErrors.on(app, measured.meter)
  app.get('/health', { config: { open: true } }, async () => ({ status: 'ok' }))
  mountMetrics(app, measured)
  return app
}
