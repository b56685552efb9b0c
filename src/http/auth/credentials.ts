import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../config/config.ts'
import { bearerCaller } from '../../core/run/bearer.ts'
import type { Caller } from '../../core/run/call.ts'
import { sha256 } from '../../core/values/id.ts'
import { requireOwnPage } from '../guard.ts'

/** The cookie is `__Host-` and Secure exactly when people reach us over https (WEB-1). */
export const cookieName = ({ url }: Pick<Config, 'url'>) => (url.startsWith('https:') ? '__Host-sid' : 'sid')

/** A request with an Authorization header is judged by it alone, even if it is bad; cookies are then ignored (WEB-2). */
export function callerOf(request: FastifyRequest, config: Config): Caller {
  const { authorization } = request.headers
  const of = { requestId: request.id, traceparent: request.span?.traceparent }
  if (authorization !== undefined) return { ...bearerCaller(authorization, request.id), ...of }
  const session = sessionCookie(request, config)
  if (session) requireOwnPage(request, config.url)
  return { source: 'SESSION', credential: session ? sha256(session) : null, ...of }
}

export const sessionCookie = ({ cookies, headers }: FastifyRequest, config: Config) =>
  headers.authorization === undefined ? cookies[cookieName(config)] : undefined

export function setSessionCookie(reply: FastifyReply, config: Config, secret: string, endsAt: Date) {
  reply.setCookie(cookieName(config), secret, { ...cookieRules(config), expires: endsAt })
}

export function clearSessionCookie(reply: FastifyReply, config: Config) {
  reply.clearCookie(cookieName(config), cookieRules(config))
}

const cookieRules = ({ url }: Config) =>
  ({ path: '/', httpOnly: true, sameSite: 'lax', secure: url.startsWith('https:') }) as const
