import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Provider } from 'oidc-provider'
import { toFailure } from '../../core/run/errors.ts'
import { rateLimitAddress } from '../../core/values/rate-limit-address.ts'
import { languageOf } from '../pages/landing/words.ts'
import type { Assets } from '../pages/page.ts'
import type { ServerDependencies } from '../server.ts'
import { type ClientFacts, ClientRefused, readClient } from './client-metadata.ts'
import { type Clients, createClients } from './clients.ts'
import { mountConsent } from './consent.ts'
import { refusedPage } from './consent-page.ts'
import { paths, resourceMetadata, serverMetadata } from './metadata.ts'
import { createProvider } from './provider.ts'

const open = { config: { open: true } } as const

/** OAuth 2.1 for the apps of others: discovery, registration, the person's consent, tokens. */
export function mountOAuth(app: FastifyInstance, ground: ServerDependencies, assets: Assets) {
  const { config, system, egress, limiter } = ground
  const { secrets } = ground.services
  const clients = createClients({ pool: system, egress, mode: config.mode })
  const load = once(() =>
    createProvider({
      url: config.url,
      pool: system,
      clients,
      secrets,
      errorPage: (told, accepted) => refusedPage({ assets, lang: languageOf(undefined, accepted) }, told),
      complain: (error) => app.log.error({ err: error }, 'OAuth'),
    }),
  )
  mountMetadata(app, config.url)
  mountConsent(app, { config, system, assets, load })
  mountRegistration(app, { limiter, clients })
  mountEndpoints(app, { limiter, load })
}

/** Readable by the script of any page: nothing here depends on who asks. */
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

type Registering = { limiter: ServerDependencies['limiter']; clients: Clients }

/** An app introduces itself (RFC 7591). What it says is shown as text, and what is not understood is left out. */
function mountRegistration(app: FastifyInstance, { limiter, clients }: Registering) {
  app.post(paths.register, { ...open, errorHandler: answerInTheirWords }, async (request, reply) => {
    await limiter.take('appRegistration', rateLimitAddress(request.ip))
    if (request.bodyProblem) throw request.bodyProblem
    const facts = readClient(request.body, { authMethod: 'client_secret_basic' })
    const secret = facts.token_endpoint_auth_method === 'none' ? undefined : randomBytes(32).toString('base64url')
    const { id, issuedAt } = await clients.register(facts, secret)
    return reply.code(201).header('cache-control', 'no-store').send(registered(facts, { id, issuedAt, secret }))
  })
}

type Registered = { id: string; issuedAt: number; secret: string | undefined }

const registered = (facts: ClientFacts, { id, issuedAt, secret }: Registered) => ({
  client_id: id,
  client_id_issued_at: issuedAt,
  ...(secret && { client_secret: secret, client_secret_expires_at: 0 }),
  ...facts,
})

type Serving = { limiter: ServerDependencies['limiter']; load: () => Promise<Provider> }

/** The endpoints of oidc-provider, which reads and answers the raw request by itself. */
function mountEndpoints(app: FastifyInstance, { limiter, load }: Serving) {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_, __, done) => done(null))
    scope.setErrorHandler(answerInTheirWords)
    const hand = async (request: FastifyRequest, reply: FastifyReply) => {
      const answer = (await load()).callback()
      reply.hijack()
      for (const [name, value] of Object.entries(reply.getHeaders()))
        if (value !== undefined) reply.raw.setHeader(name, value)
      await answer(request.raw, reply.raw)
    }

    // Anybody can start one, and each leaves a row.
    scope.get(paths.authorize, open, async (request, reply) => {
      await limiter.take('unauthenticated', rateLimitAddress(request.ip))
      return hand(request, reply)
    })
    scope.get(`${paths.authorize}/:uid`, open, hand)

    /** Apps alone come here, and a browser's cookies say nothing (WEB-2). What is refused counts against the address. */
    const handApp = async (request: FastifyRequest, reply: FastifyReply) => {
      const from = rateLimitAddress(request.ip)
      limiter.refuseKnown('unauthenticated', from)
      delete request.raw.headers.cookie
      await hand(request, reply)
      if (reply.raw.statusCode >= 400) await Promise.resolve(limiter.take('unauthenticated', from)).catch(() => {})
    }
    for (const path of [paths.token, paths.revoke]) {
      scope.post(path, open, handApp)
      scope.options(path, open, handApp)
    }
    scope.get(paths.jwks, open, handApp)
  })
}

/** Refusals in the form that clients of OAuth read. */
function answerInTheirWords(thrown: unknown, request: FastifyRequest, reply: FastifyReply) {
  if (thrown instanceof ClientRefused) {
    request.errorCode = thrown.error
    return reply.code(400).send({ error: thrown.error, error_description: thrown.message })
  }
  const failure = toFailure(thrown)
  request.errorCode = failure.code
  if (failure.status === 500)
    request.log.error({ err: failure.cause ?? failure, requestId: request.id }, failure.message)
  if (failure.retryAfterS !== undefined) reply.header('retry-after', String(failure.retryAfterS))
  const error = failure.status < 429 ? 'invalid_request' : 'temporarily_unavailable'
  return reply.code(failure.status).send({ error, error_description: failure.message })
}

/** Made when first asked for; what failed is tried again. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make().catch((error) => {
      made = undefined
      throw error
    })
    return made
  }
}
