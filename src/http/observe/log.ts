import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Call } from '../../core/run/call.ts'
import type { Usage } from '../../core/run/usage.ts'
import { newId } from '../../core/values/id.ts'

declare module 'fastify' {
  interface FastifyRequest {
    trace: Call['trace']
    isLogged: boolean
  }
}

/** Logs one line per request, without bodies, queries or secrets (THR-32), and records the usage of API keys. */
export function logRequests(app: FastifyInstance, usage: Usage) {
  app.decorateRequest('trace', null as never)
  app.decorateRequest('isLogged', false)
  app.addHook('onRequest', (request, _, done) => {
    request.trace = {}
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    if (!request.isLogged) logAnswer(request, reply, usage)
    done()
  })
}

/** Logs the request when its answer is sent; of a stream that stays open, when it is opened. */
export function logAnswer(request: FastifyRequest, { statusCode, elapsedTime }: FastifyReply, usage: Usage) {
  const { userId, organizationId, keyId, appId, clientId } = request.trace
  const durationMs = Math.round(elapsedTime)
  const path = pathOf(request)
  request.isLogged = true
  // The logger leaves out what is undefined.
  request.log.info(
    {
      requestId: request.id,
      method: request.method,
      path,
      status: statusCode,
      ms: durationMs,
      address: request.ip,
      agent: request.headers['user-agent']?.slice(0, 200),
      userId,
      organizationId,
      keyId,
      clientId,
      error: request.errorCode ?? undefined,
    },
    'request',
  )
  if (keyId && userId) recordUsage(request, usage, { keyId, userId, path, durationMs, statusCode })
  else if (appId) usage.called(appId)
  else if (request.trace.sessionId) usage.seen(request.trace.sessionId)
}

type UsedCall = { keyId: string; userId: string; path: string; durationMs: number; statusCode: number }

function recordUsage(request: FastifyRequest, usage: Usage, { keyId, userId, path, durationMs, statusCode }: UsedCall) {
  const { operation } = request.routeOptions.config
  usage.note({
    id: newId(),
    apiKeyId: keyId,
    userId,
    method: request.method,
    path,
    feature: operation?.feature ?? null,
    verb: operation?.verb ?? null,
    statusCode,
    errorCode: request.errorCode,
    durationMs,
    organizationId: request.trace.organizationId ?? null,
    createdAt: new Date(),
  })
}

/** The fields of an error that are logged: without `detail`, in which PostgreSQL quotes the row. */
export function loggedError(error: Error & { code?: unknown; constraint?: unknown; table?: unknown }): LoggedError {
  const { name, message, stack = '', code, constraint, table, cause } = error
  const because = cause instanceof Error && { cause: loggedError(cause) }
  return { type: name, message, stack, code, constraint, table, ...because }
}

type LoggedError = { type: string; message: string; stack: string; [more: string]: unknown }

/** The path without its query, which may carry a signed token, and without the token of a document page (THR-26). */
const pathOf = ({ url }: FastifyRequest) =>
  (url.split('?', 1)[0]?.slice(0, 500) ?? '/').replace(/^\/d\/[^/]+/, '/d/...')
