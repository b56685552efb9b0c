import cookie from '@fastify/cookie'
import fastify, { type FastifyInstance, LogController } from 'fastify'
import { type Operation, onSurface } from '../core/define/operation.ts'
import { newId } from '../core/values/id.ts'
import { mountAccount } from './auth/mount.ts'
import { answerFrameworkError, handleErrors } from './errors.ts'
import { addSecurityHeaders, refuseAmbiguousPaths, securityHeaders } from './guard.ts'
import { readJsonBodies } from './json-body.ts'
import { mountOperations } from './mount.ts'
import { mountOAuth } from './oauth/mount.ts'
import { mountHealth } from './observe/health.ts'
import { loggedError, logRequests } from './observe/log.ts'
import { standardOutput } from './observe/log-output.ts'
import { measureRequests } from './observe/measure.ts'
import { mountMetrics } from './observe/metrics.ts'
import { watchOutages } from './observe/outages.ts'
import { mountAccountPages } from './pages/account/mount.ts'
import { mountAssets } from './pages/assets.ts'
import { mountDocumentPages } from './pages/document/mount.ts'
import { mountLandingPage } from './pages/landing/mount.ts'
import { mountMailConnectPages } from './pages/mail-connect/mount.ts'
import { mountReference } from './reference/mount.ts'
import type { ReceiveLimits, ServerDependencies } from './server-dependencies.ts'
import { receiveOptions, rememberResponses, socketErrorAnswer } from './socket-errors.ts'
import { mountWebApp } from './web-app/mount.ts'

const productLimits: ReceiveLimits = { receiveMs: 15_000, checkMs: 1_000, keepAliveMs: 72_000 }

/** Also the limit of a path parameter: an overlong id reaches the operation, which answers 404 like for any unknown id. */
const headersMaxBytes = 16 * 1024

export async function createServer(dependencies: ServerDependencies): Promise<FastifyInstance> {
  const { receiveMs, checkMs, keepAliveMs } = dependencies.limits ?? productLimits
  const app = fastify({
    logger: {
      level: dependencies.config.logLevel,
      serializers: { err: loggedError },
      stream: dependencies.log ?? standardOutput(),
    },
    logController: new LogController({ disableRequestLogging: true }), // log.ts writes one line per request
    childLoggerFactory: (logger) => logger, // every log call names its request itself
    exposeHeadRoutes: false,
    return503OnClosing: false, // while the server drains, requests are still answered and their connections then closed
    bodyLimit: 1024 * 1024,
    requestTimeout: receiveMs,
    connectionTimeout: 60_000,
    keepAliveTimeout: keepAliveMs,
    trustProxy: dependencies.config.trustedProxies.length > 0 ? dependencies.config.trustedProxies : false,
    genReqId: ({ headers }) => requestId(headers['x-request-id']),
    frameworkErrors: (error, request, reply) =>
      answerFrameworkError(error, request, reply.headers(securityHeaders(dependencies.config))),
    clientErrorHandler: socketErrorAnswer(receiveMs),
    routerOptions: { ignoreTrailingSlash: false, caseSensitive: true, maxParamLength: headersMaxBytes },
    http: {
      maxHeaderSize: headersMaxBytes,
      ...receiveOptions({ receiveMs, checkMs }),
    },
  })
  rememberResponses(app.server)
  await app.register(cookie)
  measureRequests(app, dependencies)
  logRequests(app, dependencies.usage)
  addSecurityHeaders(app, dependencies.config)
  refuseAmbiguousPaths(app)
  readJsonBodies(app)
  handleErrors(app, dependencies.meter, dependencies.disks)
  watchOutages(app, dependencies.system, dependencies.disks)
  requireDeclarations(app)
  mountHealth(app, dependencies)
  mountMetrics(app, dependencies)
  mountAccount(app, dependencies)
  mountOperations(app, dependencies)
  const assets = mountAssets(app, dependencies.web)
  const hasMcp = () => app.hasRoute({ method: 'POST', url: '/mcp' })
  const { config, operations } = dependencies
  mountReference(app, { config, operations: onSurface(operations, 'api') }, { assets, hasMcp })
  mountLandingPage(app, dependencies, { assets, hasMcp })
  mountOAuth(app, dependencies, assets)
  mountAccountPages(app, dependencies, assets)
  mountDocumentPages(app, dependencies, assets)
  mountMailConnectPages(app, dependencies, assets)
  mountWebApp(app, config, dependencies.web)
  return app
}

/** The caller's own request id if it is safe in logs and headers, else a new one. */
const requestId = (given: string | string[] | undefined) =>
  typeof given === 'string' && /^[\w.:-]{1,128}$/.test(given) ? given : newId()

/** Every route declares its operation, or that it is open. A route with neither stops the server from starting (THR-28). */
function requireDeclarations(app: FastifyInstance) {
  app.addHook('onRoute', ({ method, url, config }) => {
    if (!config?.operation && !config?.open)
      throw new Error(`The route ${method} ${url} declares neither an operation nor that it is open.`)
  })
}

declare module 'fastify' {
  interface FastifyContextConfig {
    operation?: Operation
    /** Open to everybody, or checked by its own handler (sign-in). */
    open?: true
  }
}
