import fastify, { type FastifyInstance } from 'fastify'
import { handleErrors } from '../errors.ts'
import { addSecurityHeaders } from '../guard.ts'
import { receiveOptions, rememberResponses, socketErrorAnswer } from '../socket-errors.ts'
import { type MetricsDependencies, mountMetrics } from './metrics.ts'

const receiveMs = 5_000

/** The server of a worker that runs without the API: `/metrics` and `/health` only. */
export function createMetricsServer(dependencies: MetricsDependencies): FastifyInstance {
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
  app.get('/health', { config: { open: true } }, async () => ({ status: 'ok' }))
  mountMetrics(app, dependencies)
  return app
}
