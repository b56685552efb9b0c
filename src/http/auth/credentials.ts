import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../config/config.ts'
import type { Origin, SessionEffect } from '../../core/define/account.ts'
import type { Operation } from '../../core/define/operation.ts'
import type { Caller } from '../../core/run/call.ts'
import { bearerCaller } from '../../core/run/headers.ts'
import { sha256 } from '../../core/values/id.ts'
import { rateLimitAddress } from '../../core/values/rate-limit-address.ts'
import { requireOwnPage } from '../guard.ts'
import { languageOf } from '../pages/language.ts'

/** The cookie is `__Host-` and Secure exactly when the server is reached over https (WEB-1). */
export const cookieName = ({ url }: Pick<Config, 'url'>) => (url.startsWith('https:') ? '__Host-sid' : 'sid')

/** With an Authorization header, valid or not, cookies are ignored (WEB-2). */
export function callerOf(request: FastifyRequest, config: Config): Caller {
  const { authorization } = request.headers
  const traceparent = request.span?.traceparent
  if (authorization !== undefined) return bearerCaller(authorization, request.id, traceparent)
  const session = sessionCookie(request, config)
  if (session) requireOwnPage(request, config.url)
  return { source: 'SESSION', credential: session ? sha256(session) : null, requestId: request.id, traceparent }
}

/**
 * The caller of an account operation: a browser, with its session or without. An Authorization header names no session,
 * and cookies beside it are ignored (WEB-2).
 */
export function accountCallerOf(request: FastifyRequest, { open }: Operation, config: Config): Caller {
  requireOwnPage(request, config.url)
  const session = sessionCookie(request, config)
  return {
    source: open ? 'PUBLIC' : 'SESSION',
    credential: session ? sha256(session) : null,
    origin: originOf(request),
    requestId: request.id,
    traceparent: request.span?.traceparent,
  }
}

export const originOf = (request: FastifyRequest): Origin => ({
  address: request.ip,
  rateLimitAddress: rateLimitAddress(request.ip),
  userAgent: request.headers['user-agent'] ?? null,
  language: languageOf(undefined, request.headers['accept-language']),
})

export const sessionCookie = ({ cookies, headers }: FastifyRequest, config: Config) =>
  headers.authorization === undefined ? cookies[cookieName(config)] : undefined

/** Sets or clears the session cookie as the operation says. */
export function applySession(reply: FastifyReply, config: Config, effect: SessionEffect) {
  const name = cookieName(config)
  if ('end' in effect) reply.clearCookie(name, cookieRules(config))
  else reply.setCookie(name, effect.start.secret, { ...cookieRules(config), expires: effect.start.endsAt })
}

const cookieRules = ({ url }: Config) =>
  ({ path: '/', httpOnly: true, sameSite: 'lax', secure: url.startsWith('https:') }) as const
