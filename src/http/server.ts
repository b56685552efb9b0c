import type { Writable } from 'node:stream'
import cookie from '@fastify/cookie'
import fastify, { type FastifyInstance, LogController } from 'fastify'
import { type Operation, onSurface } from '../core/define/operation.ts'
import type { Services } from '../core/define/services.ts'
import type { Tracer } from '../core/observe/tracing.ts'
import type { Egress } from '../core/outside/egress.ts'
import type { Storage } from '../core/outside/storage.ts'
import type { Runner } from '../core/run/run.ts'
import type { Usage } from '../core/run/usage.ts'
import { newId } from '../core/values/id.ts'
import type { Pool } from '../db/pool.ts'
import { mountAccount } from './auth/mount.ts'
import { answerErrors } from './errors.ts'
import { guardPaths, safetyHeaders, secureHeaders } from './guard.ts'
import { readJsonBodies } from './json-body.ts'
import { mountOperations } from './mount.ts'
import { mountOAuth } from './oauth/mount.ts'
import { mountHealth } from './observe/health.ts'
import { loggedError, logRequests } from './observe/log.ts'
import { measureRequests } from './observe/measure.ts'
import { type Measured, mountMetrics } from './observe/metrics.ts'
import { mountAccountPages } from './pages/account/mount.ts'
import { mountDocumentPages } from './pages/document/mount.ts'
import { mountReference } from './reference/mount.ts'

/** What the surface stands on. */
export type ServerDependencies = Measured & {
  /** Of every surface. */
  operations: readonly Operation[]
  runner: Runner
  usage: Usage
  /** Signs and checks links. */
  services: Services
  /** Where files arrive. */
  storage: Storage
  /** Connections that are not confined, for sign-in and health. */
  system: Pool
  tracer?: Tracer | undefined
  /** Those of the operations, for health. */
  confined: Pool
  /** The way out, for what apps say about themselves. */
  egress: Egress
  /** Where the log goes; standard output unless given. */
  log?: Writable
}

/** Holds for the path too: whatever arrives as an id reaches the door, and what is none is not found there. */
const headersMax = 16 * 1024

export async function createServer(ground: ServerDependencies): Promise<FastifyInstance> {
  const app = fastify({
    logger: {
      level: ground.config.logLevel,
      serializers: { err: loggedError },
      ...(ground.log && { stream: ground.log }),
    },
    logController: new LogController({ disableRequestLogging: true }), // log.ts writes one line per request
    childLoggerFactory: (logger) => logger, // whatever is logged names its request itself
    exposeHeadRoutes: false,
    return503OnClosing: false, // what arrives while we drain is still answered, and its connection then closed
    bodyLimit: 1024 * 1024,
    requestTimeout: 15_000,
    connectionTimeout: 60_000,
    keepAliveTimeout: 72_000,
    trustProxy: ground.config.trustedProxies.length > 0 ? ground.config.trustedProxies : false,
    genReqId: ({ headers }) => requestId(headers['x-request-id']),
    frameworkErrors: (error, request, reply) =>
      answerErrors.framework(error, request, reply.headers(safetyHeaders(ground.config))),
    clientErrorHandler: answerErrors.client,
    routerOptions: { ignoreTrailingSlash: false, caseSensitive: true, maxParamLength: headersMax },
    http: { maxHeaderSize: headersMax },
  })
  await app.register(cookie)
  measureRequests(app, ground)
  logRequests(app, ground.usage)
  secureHeaders(app, ground.config)
  guardPaths(app)
  readJsonBodies(app)
  answerErrors.on(app, ground.meter)
  requireDeclarations(app)
  mountHealth(app, ground)
  mountMetrics(app, ground)
  mountAccount(app, ground)
  mountOperations(app, ground)
  const assets = mountReference(app, { ...ground, operations: onSurface(ground.operations, 'api') })
  mountOAuth(app, ground, assets)
  mountAccountPages(app, ground, assets)
  mountDocumentPages(app, ground, assets)
  return app
}

/** A caller's own id for the request, if it is fit for logs and headers. */
const requestId = (given: string | string[] | undefined) =>
  typeof given === 'string' && /^[\w.:-]{1,128}$/.test(given) ? given : newId()

/** Every route says that it is an operation or that it is open to anybody; a route that says neither stops the start (THR-28). */
function requireDeclarations(app: FastifyInstance) {
  app.addHook('onRoute', ({ method, url, config }) => {
    if (!config?.operation && !config?.open)
      throw new Error(`The route ${method} ${url} declares neither an operation nor that it is open.`)
  })
}

declare module 'fastify' {
  interface FastifyContextConfig {
    operation?: Operation
    /** Open to anybody, or does its own checking (sign-in). */
    open?: true
  }
}
