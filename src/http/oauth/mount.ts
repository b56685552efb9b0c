import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Provider } from 'oidc-provider'
import { toFailure } from '../../core/run/errors.ts'
import { encodingProblem } from '../../core/run/headers.ts'
import { rateLimitAddress } from '../../core/values/rate-limit-address.ts'
import { languageOf } from '../pages/language.ts'
import type { Assets } from '../pages/page.ts'
import type { ServerDependencies } from '../server-dependencies.ts'
import { type ClientMetadata, InvalidClientMetadata, parseClientMetadata } from './client-metadata.ts'
import { type Clients, createClients } from './clients.ts'
import { mountConsent } from './consent.ts'
import { refusedPage } from './consent-page.ts'
import { paths, resourceMetadata, serverMetadata } from './metadata.ts'
import { createProvider } from './provider.ts'

const open = { config: { open: true } } as const

/** OAuth 2.1 for third-party apps: discovery, registration, the person's consent, tokens. */
export function mountOAuth(app: FastifyInstance, dependencies: ServerDependencies, assets: Assets) {
  const { config, system, egress, limiter } = dependencies
  const { secrets } = dependencies.services
  const clients = createClients({ pool: system, egress, mode: config.mode })
  const load = loadOnce(() =>
    createProvider({
      url: config.url,
      pool: system,
      clients,
      secrets,
      errorPage: (error, accepted) => refusedPage({ assets, lang: languageOf(undefined, accepted) }, error),
      logError: (error) => app.log.error({ err: error }, 'OAuth'),
    }),
  )
  mountMetadata(app, config.url)
  mountConsent(app, { config, system, assets, load })
  mountRegistration(app, { limiter, clients })
  mountEndpoints(app, { limiter, load })
}

/** Readable by scripts of any site, since the documents are the same for everybody. */
function mountMetadata(app: FastifyInstance, url: string) {
  const documents = {
    '/.well-known/oauth-authorization-server': serverMetadata(url),
    '/.well-known/openid-configuration': serverMetadata(url),
    '/.well-known/oauth-protected-resource': resourceMetadata(url, ''),
    '/.well-known/oauth-protected-resource/mcp': resourceMetadata(url, '/mcp'),
  }
  for (const [path, document] of Object.entries(documents)) {
    app.get(path, open, (_, reply) =>
      reply.header('access-control-allow-origin', '*').header('cache-control', 'public, max-age=300').send(document),
    )
  }
}

type RegistrationDependencies = { limiter: ServerDependencies['limiter']; clients: Clients }

/** Dynamic client registration (RFC 7591). Unknown fields of the metadata are ignored. */
function mountRegistration(app: FastifyInstance, { limiter, clients }: RegistrationDependencies) {
  app.post(paths.register, { ...open, errorHandler: answerOAuthError }, async (request, reply) => {
    await limiter.take('appRegistration', rateLimitAddress(request.ip))
    if (request.bodyProblem) throw request.bodyProblem
    const metadata = parseClientMetadata(request.body, { authMethod: 'client_secret_basic' })
    const secret = metadata.token_endpoint_auth_method === 'none' ? undefined : randomBytes(32).toString('base64url')
    const { id, issuedAt } = await clients.register(metadata, secret)
    return reply
      .code(201)
      .header('cache-control', 'no-store')
      .send(registrationResponse(metadata, { id, issuedAt, secret }))
  })
}

type NewClient = { id: string; issuedAt: number; secret: string | undefined }

const registrationResponse = (metadata: ClientMetadata, { id, issuedAt, secret }: NewClient) => ({
  client_id: id,
  client_id_issued_at: issuedAt,
  ...(secret && { client_secret: secret, client_secret_expires_at: 0 }),
  ...metadata,
})

type EndpointDependencies = { limiter: ServerDependencies['limiter']; load: () => Promise<Provider> }

/** The endpoints of oidc-provider, which reads the raw request and writes the answer itself. */
function mountEndpoints(app: FastifyInstance, { limiter, load }: EndpointDependencies) {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_, __, done) => done(null))
    scope.setErrorHandler(answerOAuthError)
    const delegate = async (request: FastifyRequest, reply: FastifyReply) => {
      const answer = (await load()).callback()
      reply.hijack()
      for (const [name, value] of Object.entries(reply.getHeaders()))
        if (value !== undefined) reply.raw.setHeader(name, value)
      await answer(request.raw, reply.raw)
    }

    // Anybody can start an authorization, and each one inserts a row: hence the limit.
    scope.get(paths.authorize, open, async (request, reply) => {
      await limiter.take('unauthenticated', rateLimitAddress(request.ip))
      return delegate(request, reply)
    })
    scope.get(`${paths.authorize}/:uid`, open, delegate)

    /** Only apps call these endpoints, so cookies are removed (WEB-2). Refused calls count against the caller's address. */
    const delegateAppRequest = async (request: FastifyRequest, reply: FastifyReply) => {
      const from = rateLimitAddress(request.ip)
      limiter.refuseKnown('unauthenticated', from)
      const encoded = encodingProblem(request.headers['content-encoding'])
      if (encoded) throw encoded
      delete request.raw.headers.cookie
      await delegate(request, reply)
      if (reply.raw.statusCode >= 400) await Promise.resolve(limiter.take('unauthenticated', from)).catch(() => {})
    }
    for (const path of [paths.token, paths.revoke]) {
      scope.post(path, open, delegateAppRequest)
      scope.options(path, open, delegateAppRequest)
    }
    scope.get(paths.jwks, open, delegateAppRequest)
  })
}

/** Answers errors in the format of OAuth (RFC 6749, 5.2). */
function answerOAuthError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  if (error instanceof InvalidClientMetadata) {
    request.errorCode = error.error
    return reply.code(400).send({ error: error.error, error_description: error.message })
  }
  const failure = toFailure(error)
  request.errorCode = failure.code
  if (failure.status === 500)
    request.log.error({ err: failure.cause ?? failure, requestId: request.id }, failure.message)
  if (failure.retryAfterS !== undefined) reply.header('retry-after', String(failure.retryAfterS))
  const code = failure.status < 429 ? 'invalid_request' : 'temporarily_unavailable'
  return reply.code(failure.status).send({ error: code, error_description: failure.message })
}

/** Creates the value on first use; a failed attempt is repeated on the next use. */
function loadOnce<T>(make: () => Promise<T>): () => Promise<T> {
  let value: Promise<T> | undefined
  return () => {
    value ??= make().catch((error) => {
      value = undefined
      throw error
    })
    return value
  }
}
