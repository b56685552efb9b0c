import type { FastifyReply, FastifyRequest } from 'fastify'
import { Failure } from '../../core/define/failure.ts'
import type { Static, TObject } from '../../core/define/schema.ts'
import { check } from '../../core/define/validate.ts'
import { toJson } from '../../core/run/serialize.ts'
import { rateLimitAddress } from '../../core/values/rate-limit-address.ts'
import { SignedIn } from '../../features/people/person.ts'
import { endSessionBySecret, sessionOf, startSession } from '../../features/people/session.ts'
import type { Origin } from '../../features/people/sign-in.ts'
import { requireOwnPage } from '../guard.ts'
import type { ServerDependencies } from '../server.ts'
import { sessionCookie, setSessionCookie } from './credentials.ts'

/** What the routes of the sign-in protocol share: open to anybody, they do their own checking. */
export const open = { config: { open: true } } as const

export const json = 'application/json; charset=utf-8'

/** How sessions of browsers begin and are read back. */
export function sessionsOf({ config, system, limiter }: Pick<ServerDependencies, 'config' | 'system' | 'limiter'>) {
  type Started = Awaited<ReturnType<typeof startSession>>

  /** Answers with a session of its own; the one before has ended: a new secret at every sign-in (WEB-1). */
  async function begin(reply: FastifyReply, request: FastifyRequest, started: Started) {
    const before = sessionCookie(request, config)
    if (before) await system.use((db) => endSessionBySecret(db, before))
    setSessionCookie(reply, config, started.secret, started.endsAt)
    return reply.type(json).send(toJson(SignedIn, started.signedIn))
  }

  return {
    begin,

    /** A fresh secret for whoever is signed in and has just proven more, or changed what proves them. */
    async renew(reply: FastifyReply, request: FastifyRequest, userId: string) {
      const before = sessionCookie(request, config)
      const started = await system.use((db) => startSession(db, { userId, remember: false, ...originOf(request) }))
      if (before) await system.use((db) => endSessionBySecret(db, before))
      setSessionCookie(reply, config, started.secret, started.endsAt)
    },

    /** The session of the request's cookie, which counts as used; strangers are counted by their address. */
    async requireSession(request: FastifyRequest) {
      requireOwnPage(request, config.url)
      const from = rateLimitAddress(request.ip)
      const secret = sessionCookie(request, config)
      if (!secret) limiter.refuseKnown('unauthenticated', from)
      try {
        const session = await system.use((db) => sessionOf(db, secret))
        Object.assign(request.trace, { userId: session.userId, sessionId: session.id })
        return { ...session, sessionId: session.id, requestId: request.id }
      } catch (error) {
        if (error instanceof Failure && error.status === 401) await limiter.take('unauthenticated', from)
        throw error
      }
    },
  }
}

/** The body, checked, with the e-mail address as it was meant. */
export function bodyOf<S extends TObject>(schema: S, { body, bodyProblem }: FastifyRequest): Static<S> {
  if (bodyProblem) throw bodyProblem
  const given = { ...(body as { email?: unknown } | undefined) }
  if (typeof given.email === 'string') given.email = given.email.trim()
  check(schema, given)
  return given as Static<S>
}

export const originOf = (request: FastifyRequest): Origin => ({
  address: request.ip,
  userAgent: request.headers['user-agent'] ?? null,
})
