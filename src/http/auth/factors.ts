import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Success, success, Type } from '../../core/define/schema.ts'
import { withConnection } from '../../core/run/connection.ts'
import { toJson } from '../../core/run/serialize.ts'
import { rateLimitAddress } from '../../core/values/rate-limit-address.ts'
import {
  Factors,
  factorsOf,
  NewAuthenticator,
  noteAccount,
  Passkey,
  RecoveryCodes,
  requirePassword,
  WithCode,
  WithPassword,
} from '../../features/people/account.ts'
import {
  Assertion,
  addPasskey,
  beginRegistration,
  beginSignIn,
  Registration,
  removePasskey,
  signInWithPasskey,
  siteOf,
} from '../../features/people/passkey.ts'
import {
  beginAuthenticator,
  confirmAuthenticator,
  newRecoveryCodes,
  removeAuthenticator,
} from '../../features/people/second-factor.ts'
import { signedInAs, startSession } from '../../features/people/session.ts'
import { requireOwnPage } from '../guard.ts'
import type { ServerDependencies } from '../server.ts'
import { bodyOf, json, open, originOf, sessionsOf } from './session.ts'

const NewPasskey = Type.Object({ name: Type.String({ minLength: 1, maxLength: 80 }), response: Registration })
const PasskeyRemoval = Type.Object({ ...WithPassword.properties, id: Type.String({ minLength: 1, maxLength: 1400 }) })
const PasskeySignIn = Type.Object({ response: Assertion })

/** What proves a person beside, or instead of, the password. A stolen session cannot change it: that takes the password. */
export function mountFactors(app: FastifyInstance, ground: ServerDependencies) {
  const { config, system, limiter, services } = ground
  const { requireSession, renew, begin } = sessionsOf(ground)
  const { secrets } = services
  const site = siteOf(config.url)
  const done = toJson(Success, success)

  /** Somebody signed in who knows their password as well. */
  async function requireProof(
    request: FastifyRequest,
    body: typeof WithPassword | typeof PasskeyRemoval = WithPassword,
  ) {
    const actor = await requireSession(request)
    const { password } = bodyOf(body, request)
    await limiter.take('proof', actor.userId)
    await requirePassword(system, actor.userId, password)
    return actor
  }

  app.get('/api/auth/factors', open, async (request, reply) => {
    const { userId } = await requireSession(request)
    return reply.type(json).send(toJson(Factors, await system.use((db) => factorsOf(db, userId))))
  })

  app.post('/api/auth/authenticator', open, async (request, reply) => {
    const { userId } = await requireProof(request)
    const { user } = await system.use((db) => signedInAs(db, userId))
    const begun = await system.use((db) => beginAuthenticator(db, secrets, user))
    return reply.type(json).send(toJson(NewAuthenticator, begun))
  })

  app.post('/api/auth/authenticator/confirm', open, async (request, reply) => {
    const actor = await requireSession(request)
    const { userId } = actor
    const { code } = bodyOf(WithCode, request)
    await limiter.take('proof', userId)
    const recoveryCodes = await withConnection(system, true, async ({ db }) => {
      const codes = await confirmAuthenticator(db, secrets, { userId, code })
      await noteAccount(db, actor, 'auth.authenticator_added')
      return codes
    })
    await renew(reply, request, userId)
    return reply.type(json).send(toJson(RecoveryCodes, { recoveryCodes }))
  })

  app.post('/api/auth/authenticator/remove', open, async (request, reply) => {
    const actor = await requireProof(request)
    const { userId } = actor
    await withConnection(system, true, async ({ db }) => {
      await removeAuthenticator(db, userId)
      await noteAccount(db, actor, 'auth.authenticator_removed')
    })
    await renew(reply, request, userId)
    return reply.type(json).send(done)
  })

  app.post('/api/auth/recovery-codes', open, async (request, reply) => {
    const actor = await requireProof(request)
    const recoveryCodes = await withConnection(system, true, async ({ db }) => {
      const codes = await newRecoveryCodes(db, secrets, actor.userId)
      await noteAccount(db, actor, 'auth.recovery_codes_renewed')
      return codes
    })
    return reply.type(json).send(toJson(RecoveryCodes, { recoveryCodes }))
  })

  app.post('/api/auth/passkeys/options', open, async (request, reply) => {
    const { userId } = await requireProof(request)
    const { user } = await system.use((db) => signedInAs(db, userId))
    return reply.type(json).send(await system.use((db) => beginRegistration(db, site, user)))
  })

  app.post('/api/auth/passkeys', open, async (request, reply) => {
    const actor = await requireSession(request)
    const { userId } = actor
    const { name, response: given } = bodyOf(NewPasskey, request)
    // No transaction: a challenge is spent whether or not the answer to it was right.
    const added = await system.use((db) => addPasskey(db, site, { userId, name, given }))
    await system.use((db) => noteAccount(db, actor, 'auth.passkey_added', { name }))
    return reply.code(201).type(json).send(toJson(Passkey, added))
  })

  app.post('/api/auth/passkeys/remove', open, async (request, reply) => {
    const actor = await requireProof(request, PasskeyRemoval)
    const { id } = bodyOf(PasskeyRemoval, request)
    await withConnection(system, true, async ({ db }) => {
      const { name } = await removePasskey(db, { userId: actor.userId, id })
      await noteAccount(db, actor, 'auth.passkey_removed', { name })
    })
    return reply.type(json).send(done)
  })

  app.post('/api/auth/passkeys/sign-in/options', open, async (request, reply) => {
    requireOwnPage(request, config.url)
    await limiter.take('accountMail', rateLimitAddress(request.ip))
    return reply.type(json).send(await system.use((db) => beginSignIn(db, site)))
  })

  app.post('/api/auth/passkeys/sign-in', open, async (request, reply) => {
    requireOwnPage(request, config.url)
    const { response } = bodyOf(PasskeySignIn, request)
    await limiter.take('accountMail', rateLimitAddress(request.ip))
    const userId = await system.use((db) => signInWithPasskey(db, site, response))
    const started = await system.use((db) => startSession(db, { userId, remember: false, ...originOf(request) }))
    return begin(reply, request, started)
  })
}
