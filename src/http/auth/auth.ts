import type { FastifyInstance } from 'fastify'
import { Success, success } from '../../core/define/schema.ts'
import { toJson } from '../../core/run/serialize.ts'
import { rateLimitAddress } from '../../core/values/rate-limit-address.ts'
import { SessionList, SignedIn, SignIn, SignUp } from '../../features/people/person.ts'
import { endSession, endSessionBySecret, listSessions, signedInAs } from '../../features/people/session.ts'
import { signIn, signUp } from '../../features/people/sign-in.ts'
import { requireOwnPage } from '../guard.ts'
import { languageOf } from '../pages/language.ts'
import type { ServerDependencies } from '../server.ts'
import { clearSessionCookie, sessionCookie } from './credentials.ts'
import { bodyOf, json, open, originOf, sessionsOf } from './session.ts'

/** Signing up, in and out: the protocol that gives a browser its session. Outside the list of tools. */
export function mountAuth(app: FastifyInstance, ground: ServerDependencies) {
  const { config, system, limiter, services } = ground
  const { begin, requireSession } = sessionsOf(ground)

  app.post('/api/auth/sign-up', open, async (request, reply) => {
    requireOwnPage(request, config.url)
    const given = bodyOf(SignUp, request)
    await limiter.take('signUp', rateLimitAddress(request.ip))
    const language = languageOf(undefined, request.headers['accept-language'])
    return begin(reply.code(201), request, await signUp(system, { ...given, language }, originOf(request)))
  })

  app.post('/api/auth/sign-in', open, async (request, reply) => {
    requireOwnPage(request, config.url)
    const given = bodyOf(SignIn, request)
    const counting = { countedAddress: rateLimitAddress(request.ip), scale: config.rateLimitScale }
    const means = { pool: system, secrets: services.secrets }
    return begin(reply, request, await signIn(means, given, originOf(request), counting))
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
    const { userId } = await requireSession(request)
    await system.use((db) => endSession(db, { userId, sessionId: request.params.id }))
    return reply.type(json).send(toJson(Success, success))
  })
}
