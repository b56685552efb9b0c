import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { countedAddress } from '../core/counted-address.ts'
import { Failure } from '../core/failure.ts'
import { type Static, Success, success, type TObject } from '../core/schema.ts'
import { toJson } from '../core/serialize.ts'
import { check } from '../core/validate.ts'
import { SessionList, SignedIn, SignIn, SignUp } from '../features/people/person.ts'
import { endSession, endSessionBySecret, listSessions, sessionOf, signedInAs } from '../features/people/session.ts'
import { type Origin, signIn, signUp } from '../features/people/sign-in.ts'
import { clearSessionCookie, sessionCookie, setSessionCookie } from './credentials.ts'
import { requireOwnPage } from './guard.ts'
import type { Ground } from './server.ts'

/** Signing up, in and out: the protocol that gives a browser its session. Outside the list of tools. */
export function mountAuth(app: FastifyInstance, { config, system, limiter }: Ground) {
  const open = { config: { open: true } } as const

  async function begin(reply: FastifyReply, request: FastifyRequest, started: Awaited<ReturnType<typeof signIn>>) {
    const before = sessionCookie(request, config)
    if (before) await system.use((db) => endSessionBySecret(db, before)) // a new secret at every sign-in (WEB-1)
    setSessionCookie(reply, config, started.secret, started.endsAt)
    return reply.type(json).send(toJson(SignedIn, started.signedIn))
  }

  /** The session of the request's cookie, which counts as used; strangers are counted by their address. */
  async function requireSession(request: FastifyRequest) {
    const from = countedAddress(request.ip)
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

  app.post('/api/auth/sign-up', open, async (request, reply) => {
    requireOwnPage(request, config.url)
    const given = bodyOf(SignUp, request)
    await limiter.take('signUp', countedAddress(request.ip))
    return begin(reply.code(201), request, await signUp(system, given, originOf(request)))
  })

  app.post('/api/auth/sign-in', open, async (request, reply) => {
    requireOwnPage(request, config.url)
    const given = bodyOf(SignIn, request)
    const counting = { countedAddress: countedAddress(request.ip), scale: config.rateLimitScale }
    return begin(reply, request, await signIn(system, given, originOf(request), counting))
  })

  app.post('/api/auth/sign-out', open, async (request, reply) => {
    requireOwnPage(request, config.url)
    const secret = sessionCookie(request, config)
    if (secret) await system.use((db) => endSessionBySecret(db, secret))
    clearSessionCookie(reply, config)
    return reply.type(json).send(toJson(Success, success))
  })

  app.get('/api/auth/session', open, async (request, reply) => {
    const { userId } = await requireSession(request)
    return reply.type(json).send(toJson(SignedIn, await system.use((db) => signedInAs(db, userId))))
  })

  app.get('/api/auth/sessions', open, async (request, reply) => {
    const session = await requireSession(request)
    return reply.type(json).send(toJson(SessionList, await system.use((db) => listSessions(db, session))))
  })

  app.delete<{ Params: { id: string } }>('/api/auth/sessions/:id', open, async (request, reply) => {
    requireOwnPage(request, config.url)
    const { userId } = await requireSession(request)
    await system.use((db) => endSession(db, { userId, sessionId: request.params.id }))
    return reply.type(json).send(toJson(Success, success))
  })
}

const json = 'application/json; charset=utf-8'

/** The body, checked, with the e-mail address as it was meant. */
function bodyOf<S extends TObject>(schema: S, { body, bodyProblem }: FastifyRequest): Static<S> {
  if (bodyProblem) throw bodyProblem
  const given = { ...(body as { email?: unknown } | undefined) }
  if (typeof given.email === 'string') given.email = given.email.trim()
  check(schema, given)
  return given as Static<S>
}

const originOf = (request: FastifyRequest): Origin => ({
  address: request.ip,
  userAgent: request.headers['user-agent'] ?? null,
})
