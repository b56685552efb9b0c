import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config/config.ts'
import { Failure, forbidden } from '../core/define/failure.ts'
import { isJson } from './json-body.ts'
import { isForm } from './uploads/form-upload.ts'

/** Refuses paths with doubled slashes or encoded separators, which could reach a route under a second spelling (THR-28). */
export function refuseAmbiguousPaths(app: FastifyInstance) {
  app.addHook('onRequest', ({ raw }, _, done) => {
    const isAmbiguous = /^[^/]|^[^?]*(\/\/|\\|%2f|%5c|%00)/i.test(raw.url ?? '')
    done(
      isAmbiguous
        ? new Failure('VALIDATION', 'The path contains doubled slashes or encoded separators. Send it without them.')
        : undefined,
    )
  })
}

/**
 * Adds the security headers to every answer (WEB-5, THR-14). The handler of an operation writes them itself if it succeeds
 * (send-json.ts), so for these they are added only when Fastify sends the answer: a refusal, a file.
 */
export function addSecurityHeaders(app: FastifyInstance, config: Config) {
  const usual = Object.entries(securityHeaders(config))
  const add = (request: FastifyRequest, reply: FastifyReply) => {
    const isApi = request.url.startsWith('/api/')
    const own = [['x-request-id', request.id], ...(isApi ? [['cache-control', 'no-store']] : [])] as [string, string][]
    for (const [name, value] of [...usual, ...own]) if (!reply.hasHeader(name)) reply.header(name, value)
  }
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.routeOptions.config.operation) add(request, reply)
    done()
  })
  app.addHook('onSend', (request, reply, _, done) => {
    if (request.routeOptions.config.operation) add(request, reply)
    done()
  })
}

export function securityHeaders({ url }: Config) {
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
 * Protects writes with a session cookie against cross-site request forgery (WEB-3). Browsers name the origin of the page in
 * `Origin` or `Sec-Fetch-Site`, and any other origin is refused. A client that sends neither header is not a browser, so no
 * foreign page can make it send a cookie.
 */
export function requireOwnPage({ method, headers, routeOptions }: FastifyRequest, ownOrigin: string) {
  if (method === 'GET' || method === 'HEAD') return
  const { origin, host, 'sec-fetch-site': site, 'content-type': mediaType } = headers
  if (origin !== undefined && origin !== ownOrigin && origin !== sameHost(ownOrigin, host)) throw foreignOrigin()
  if (site !== undefined && site !== 'same-origin' && site !== 'none') throw foreignOrigin()
  const form = routeOptions.config.operation?.upload && isForm(mediaType)
  if (hasBody(headers) && !isJson(mediaType) && !form) throw wrongMediaType()
}

const hasBody = ({ 'content-length': length, 'transfer-encoding': encoding }: IncomingHttpHeaders) =>
  encoding !== undefined || Number(length ?? 0) > 0

/** On a development machine the page may be opened as localhost or as 127.0.0.1; both are this server. */
function sameHost(ownOrigin: string, host: string | undefined) {
  const { protocol, hostname } = new URL(ownOrigin)
  const loopback = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/
  const hostName = host?.replace(/:\d+$/, '')
  return loopback.test(hostname) && hostName && loopback.test(hostName) ? `${protocol}//${host}` : undefined
}

const foreignOrigin = () =>
  forbidden('This request comes from another site and carries a session cookie. It was refused.', 'FOREIGN_ORIGIN')

/** Any page can post a form with the media types of forms. A browser sends JSON across origins only if this server allows it. */
const wrongMediaType = () =>
  forbidden('With a session cookie, send JSON: Content-Type: application/json.', 'MEDIA_TYPE')
