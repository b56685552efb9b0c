import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '../config/config.ts'
import { Failure, forbidden } from '../core/define/failure.ts'
import { isJson } from './json-body.ts'
import { isForm } from './uploads/form-upload.ts'

/** Doubled slashes and encoded separators never reach a route by another name (THR-28). */
export function guardPaths(app: FastifyInstance) {
  app.addHook('onRequest', ({ raw }, _, done) => {
    const crooked = /^[^/]|^[^?]*(\/\/|\\|%2f|%5c|%00)/i.test(raw.url ?? '')
    done(
      crooked
        ? new Failure('VALIDATION', 'The path has doubled slashes or encoded separators. Write it plainly.')
        : undefined,
    )
  })
}

/** The headers of every answer (WEB-5, THR-14). */
export function secureHeaders(app: FastifyInstance, config: Config) {
  const headers = safetyHeaders(config)
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers).header('x-request-id', request.id)
    if (request.url.startsWith('/api/')) reply.header('cache-control', 'no-store')
    done()
  })
}

export function safetyHeaders({ url }: Config) {
  const https = url.startsWith('https:')
  return {
    'content-security-policy':
      "default-src 'self'; base-uri 'none'; object-src 'none'; frame-ancestors 'none'; form-action 'self'; img-src 'self' data:",
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    ...(https && { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }),
  }
}

/**
 * A browser that carries somebody's cookie says where the page came from; a write from elsewhere is refused (WEB-3). A
 * client that says nothing of the kind is no browser and carries no one else's cookie.
 */
export function requireOwnPage({ method, headers, routeOptions }: FastifyRequest, ownOrigin: string) {
  if (method === 'GET' || method === 'HEAD') return
  const { origin, host, 'sec-fetch-site': site, 'content-type': mediaType } = headers
  if (origin !== undefined && origin !== ownOrigin && origin !== sameHost(ownOrigin, host)) throw foreignPage()
  if (site !== undefined && site !== 'same-origin' && site !== 'none') throw foreignPage()
  const form = routeOptions.config.operation?.upload && isForm(mediaType)
  if (hasBody(headers) && !isJson(mediaType) && !form) throw foreignForm()
}

const hasBody = ({ 'content-length': length, 'transfer-encoding': encoding }: IncomingHttpHeaders) =>
  encoding !== undefined || Number(length ?? 0) > 0

/** On a development machine the page may be open as localhost and 127.0.0.1; both are this server. */
function sameHost(ownOrigin: string, host: string | undefined) {
  const { protocol, hostname } = new URL(ownOrigin)
  const loopback = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/
  const named = host?.replace(/:\d+$/, '')
  return loopback.test(hostname) && named && loopback.test(named) ? `${protocol}//${host}` : undefined
}

const foreignPage = () =>
  forbidden(
    'This request comes from another site and carries a session cookie. It was not carried out.',
    'FOREIGN_ORIGIN',
  )

/** A form on any page can post other media types without asking; JSON needs our permission. */
const foreignForm = () => forbidden('With a session cookie, send JSON: Content-Type: application/json.', 'MEDIA_TYPE')
