import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Success, success } from '../../core/define/schema.ts'
import { withConnection } from '../../core/run/connection.ts'
import { enqueueJob } from '../../core/run/record.ts'
import { toJson } from '../../core/run/serialize.ts'
import { rateLimitAddress } from '../../core/values/rate-limit-address.ts'
import {
  changePassword,
  confirmEmail,
  EmailChange,
  EmailVerified,
  endAllSessions,
  noteAccount,
  PasswordChange,
  Reset,
  ResetAsked,
  requirePassword,
  resetPassword,
  WithToken,
} from '../../features/people/account.ts'
import { type AccountMail, accountMailName } from '../../features/people/account-mail.ts'
import { signedInAs } from '../../features/people/session.ts'
import { requireOwnPage } from '../guard.ts'
import { languageOf } from '../pages/language.ts'
import type { ServerDependencies } from '../server.ts'
import { clearSessionCookie } from './credentials.ts'
import { bodyOf, json, open, sessionsOf } from './session.ts'

/**
 * Password and address of an account. What is asked for by address answers alike whether or not there is such an
 * account: all that happens in the request is an order for a job (THR-09).
 */
export function mountAccount(app: FastifyInstance, ground: ServerDependencies) {
  const { config, system, limiter } = ground
  const { requireSession, renew } = sessionsOf(ground)
  const done = toJson(Success, success)

  const order = (mail: AccountMail) => system.use((_, connection) => enqueueJob(connection, accountMailName, mail))
  const language = (request: FastifyRequest) => languageOf(undefined, request.headers['accept-language'])

  app.post('/api/auth/password/reset', open, async (request, reply) => {
    requireOwnPage(request, config.url)
    const { email } = bodyOf(ResetAsked, request)
    await limiter.take('accountMail', rateLimitAddress(request.ip))
    await limiter.take('passwordReset', email.toLowerCase())
    await order({ about: 'RESET_PASSWORD', email, language: language(request) })
    return reply.type(json).send(done)
  })

  app.post('/api/auth/password/reset/confirm', open, async (request, reply) => {
    requireOwnPage(request, config.url)
    const given = bodyOf(Reset, request)
    await limiter.take('accountMail', rateLimitAddress(request.ip))
    await resetPassword(system, { ...given, requestId: request.id })
    clearSessionCookie(reply, config)
    return reply.type(json).send(done)
  })

  app.post('/api/auth/password', open, async (request, reply) => {
    const { userId, sessionId, requestId } = await requireSession(request)
    const given = bodyOf(PasswordChange, request)
    await limiter.take('proof', userId)
    await changePassword(system, { userId, sessionId, requestId, ...given })
    await renew(reply, request, userId)
    return reply.type(json).send(done)
  })

  app.post('/api/auth/email/verify', open, async (request, reply) => {
    const { userId } = await requireSession(request)
    await limiter.take('passwordReset', `verify:${userId}`)
    const { user } = await system.use((db) => signedInAs(db, userId))
    await order({ about: 'VERIFY_EMAIL', email: user.email, language: language(request) })
    return reply.type(json).send(done)
  })

  app.post('/api/auth/email', open, async (request, reply) => {
    const { userId } = await requireSession(request)
    const { email, password } = bodyOf(EmailChange, request)
    await limiter.take('proof', userId)
    await requirePassword(system, userId, password)
    await limiter.take('passwordReset', `change:${userId}`)
    const { user } = await system.use((db) => signedInAs(db, userId))
    await order({ about: 'CHANGE_EMAIL', email: user.email, newEmail: email, language: language(request) })
    return reply.type(json).send(done)
  })

  app.post('/api/auth/email/confirm', open, async (request, reply) => {
    requireOwnPage(request, config.url)
    const { token } = bodyOf(WithToken, request)
    await limiter.take('accountMail', rateLimitAddress(request.ip))
    const { userId, email, before, changed } = await confirmEmail(system, { token, requestId: request.id })
    if (changed) await order({ about: 'EMAIL_CHANGED', email: before, newEmail: email, language: language(request) })
    return reply.type(json).send(toJson(EmailVerified, { userId, email }))
  })

  app.post('/api/auth/sign-out-everywhere', open, async (request, reply) => {
    const actor = await requireSession(request)
    await withConnection(system, true, async ({ db }) => {
      await endAllSessions(db, actor.userId)
      await noteAccount(db, actor, 'auth.signed_out_everywhere')
    })
    clearSessionCookie(reply, config)
    return reply.type(json).send(done)
  })
}
