import fastify, { type FastifyInstance } from 'fastify'
import { handleErrors } from '../errors.ts'
import { addSecurityHeaders } from '../guard.ts'
import { type MetricsDependencies, mountMetrics } from './metrics.ts'

/** The server of a worker that runs without the API: `/metrics` and `/health` only. */
export function createMetricsServer(dependencies: MetricsDependencies): FastifyInstance {
  const app = fastify({ exposeHeadRoutes: false, bodyLimit: 1024, requestTimeout: 5_000, connectionTimeout: 20_000 })
  addSecurityHeaders(app, dependencies.config)
  handleErrors(app, dependencies.meter)
  app.get('/health', { config: { open: true } }, async () => ({ status: 'ok' }))
  mountMetrics(app, dependencies)
  return app
}
