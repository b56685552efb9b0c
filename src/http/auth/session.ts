import type { FastifyRequest } from 'fastify'
import { Failure } from '../../core/define/failure.ts'
import { rateLimitAddress } from '../../core/values/rate-limit-address.ts'
import { sessionOf } from '../../features/company/people/session.ts'
import { requireOwnPage } from '../guard.ts'
import type { ServerDependencies } from '../server-dependencies.ts'
import { sessionCookie } from './credentials.ts'

type Dependencies = Pick<ServerDependencies, 'config' | 'system' | 'limiter'>

/** The session of the request's cookie, for pages; it counts as used. A request without a valid one counts against its address. */
export async function requireSession({ config, system, limiter }: Dependencies, request: FastifyRequest) {
  requireOwnPage(request, config.url)
  const from = rateLimitAddress(request.ip)
  const secret = sessionCookie(request, config)
  if (!secret) limiter.refuseKnown('unauthenticated', from)
  try {
    const session = await system.use((db) => sessionOf(db, secret))
    Object.assign(request.trace, { userId: session.userId, sessionId: session.id })
    return session
  } catch (error) {
    if (error instanceof Failure && error.status === 401) await limiter.take('unauthenticated', from)
    throw error
  }
}
