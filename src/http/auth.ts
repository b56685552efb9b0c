import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Static } from '../core/schema.ts'
import { Success, success } from '../core/schema.ts'
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

  app.post('/api/auth/sign-up', open, async (request, reply) => {
    requireOwnPage(request, config.url)
    check(SignUp, request.body ?? {})
    await limiter.take('signUp', request.ip)
    return begin(
      reply.code(201),
      request,
      await signUp(system, request.body as Static<typeof SignUp>, originOf(request)),
    )
  })

  app.post('/api/auth/sign-in', open, async (request, reply) => {
    requireOwnPage(request, config.url)
    check(SignIn, request.body ?? {})
    return begin(reply, request, await signIn(system, request.body as Static<typeof SignIn>, originOf(request)))
  })

  app.post('/api/auth/sign-out', open, async (request, reply) => {
    requireOwnPage(request, config.url)
    const secret = sessionCookie(request, config)
    if (secret) await system.use((db) => endSessionBySecret(db, secret))
    clearSessionCookie(reply, config)
    return reply.type(json).send(toJson(Success, success))
  })

  app.get('/api/auth/session', open, async (request, reply) => {
    const signedIn = await system.use(async (db) =>
      signedInAs(db, (await sessionOf(db, sessionCookie(request, config))).userId),
    )
    return reply.type(json).send(toJson(SignedIn, signedIn))
  })

  app.get('/api/auth/sessions', open, async (request, reply) => {
    const sessions = await system.use(async (db) =>
      listSessions(db, await sessionOf(db, sessionCookie(request, config))),
    )
    return reply.type(json).send(toJson(SessionList, sessions))
  })

  app.delete<{ Params: { id: string } }>('/api/auth/sessions/:id', open, async (request, reply) => {
    requireOwnPage(request, config.url)
    const secret = sessionCookie(request, config)
    await system.use(async (db) => endSession(db, { ...(await sessionOf(db, secret)), sessionId: request.params.id }))
    return reply.type(json).send(toJson(Success, success))
  })
}

const json = 'application/json; charset=utf-8'

const originOf = (request: FastifyRequest): Origin => ({
  address: request.ip,
  userAgent: request.headers['user-agent'] ?? null,
})
