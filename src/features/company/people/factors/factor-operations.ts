import { operation } from '../../../../core/define/operation.ts'
import { Success, success, Type } from '../../../../core/define/schema.ts'
import {
  accountOf,
  Factors,
  factorsOf,
  NewAuthenticator,
  Passkey,
  RecoveryCodes,
  requirePassword,
  WithCode,
  WithPassword,
} from '../account.ts'
import { countedProofs, withSession } from '../account-surface.ts'
import { beginSession } from '../session.ts'
import {
  removePasskey as deletePasskey,
  insertChallenge,
  insertPasskey,
  passkeyIds,
  Registration,
  RegistrationOptions,
  registrationOptions,
  siteOf,
  spendChallenge,
  verifyRegistration,
} from './passkey.ts'
import {
  confirmAuthenticator as confirmCode,
  removeAuthenticator as deleteAuthenticator,
  insertAuthenticator,
  newAuthenticator,
  newRecoveryCodes,
} from './second-factor.ts'

/** What proves a person beside, or instead of, the password. Changing it takes the password: a stolen session cannot. */

export const factors = operation({
  ...withSession,
  pool: 'system',
  name: 'auth_factors',
  http: 'GET /api/auth/factors',
  does: 'Shows which factors are set up besides the password.',
  scope: 'users:read',
  input: Type.Object({}),
  output: Factors,
  run: async ({ db, who }) => factorsOf(db, (await who).userId),
})

export const addAuthenticator = operation({
  ...withSession,
  pool: 'system',
  name: 'auth_authenticator',
  http: 'POST /api/auth/authenticator',
  does: 'Starts the setup of an authenticator app; it takes effect when a code is confirmed.',
  scope: 'users:write',
  input: WithPassword,
  output: NewAuthenticator,
  alsoRates: countedProofs,
  recordedAs: null,
  outside: true,
  async run(context, { password }) {
    const { userId } = await context.who
    await requirePassword(context, userId, password)
    const { email } = await context.tx(({ db }) => accountOf(db, userId))
    const { sealed, ...shown } = await newAuthenticator(context.secrets, { id: userId, email })
    return context.once(async ({ db }) => {
      await insertAuthenticator(db, userId, sealed)
      return shown
    })
  },
})

export const confirmAuthenticator = operation({
  ...withSession,
  pool: 'system',
  name: 'auth_authenticator_confirm',
  http: 'POST /api/auth/authenticator/confirm',
  does: 'Confirms a code of the authenticator app and turns the second factor on.',
  scope: 'users:write',
  input: WithCode,
  output: RecoveryCodes,
  alsoRates: countedProofs,
  session: 'STARTS',
  recordedAs: 'auth.authenticator_added',
  async run(context, { code }) {
    const { db, secrets, who } = context
    const { userId } = await who
    const recoveryCodes = await confirmCode(db, secrets, { userId, code })
    await beginSession(db, context, { userId })
    return { recoveryCodes }
  },
})

export const removeAuthenticator = operation({
  ...withSession,
  pool: 'system',
  name: 'auth_authenticator_remove',
  http: 'POST /api/auth/authenticator/remove',
  does: 'Turns the second factor off.',
  scope: 'users:write',
  input: WithPassword,
  output: Success,
  alsoRates: countedProofs,
  session: 'STARTS',
  recordedAs: 'auth.authenticator_removed',
  outside: true,
  async run(context, { password }) {
    const { userId } = await context.who
    await requirePassword(context, userId, password)
    return context.once(async ({ db }) => {
      await deleteAuthenticator(db, userId)
      await beginSession(db, context, { userId })
      return success
    })
  },
})

export const renewRecoveryCodes = operation({
  ...withSession,
  pool: 'system',
  name: 'auth_recovery_codes',
  http: 'POST /api/auth/recovery-codes',
  does: 'Creates new recovery codes; the old ones become invalid.',
  scope: 'users:write',
  input: WithPassword,
  output: RecoveryCodes,
  alsoRates: countedProofs,
  recordedAs: 'auth.recovery_codes_renewed',
  outside: true,
  async run(context, { password }) {
    const { userId } = await context.who
    await requirePassword(context, userId, password)
    return context.once(async ({ db, secrets }) => ({ recoveryCodes: await newRecoveryCodes(db, secrets, userId) }))
  },
})

export const passkeyOptions = operation({
  ...withSession,
  pool: 'system',
  name: 'auth_passkey_options',
  http: 'POST /api/auth/passkeys/options',
  does: 'Starts the registration of a passkey (WebAuthn).',
  scope: 'users:write',
  input: WithPassword,
  output: RegistrationOptions,
  alsoRates: countedProofs,
  recordedAs: null,
  outside: true,
  async run(context, { password }) {
    const { userId } = await context.who
    await requirePassword(context, userId, password)
    const known = await context.tx(({ db }) => passkeyIds(db, userId))
    const { name, email } = await context.tx(({ db }) => accountOf(db, userId))
    const site = siteOf(context.installation.url)
    const options = await registrationOptions(site, { id: userId, name, email }, known)
    return context.once(async ({ db }) => {
      await insertChallenge(db, options.challenge, userId)
      return options
    })
  },
})

export const addPasskey = operation({
  ...withSession,
  pool: 'system',
  name: 'auth_passkey_add',
  http: 'POST /api/auth/passkeys',
  does: 'Completes the registration of a passkey.',
  scope: 'users:write',
  input: Type.Object({ name: Type.String({ minLength: 1, maxLength: 80 }), response: Registration }),
  output: Passkey,
  status: 201,
  recordedAs: 'auth.passkey_added',
  outside: true,
  async run({ tx, once, who, installation }, { name, response }) {
    const { userId } = await who
    // In a transaction of its own: a challenge is spent whether or not the answer to it is right.
    await tx(({ db }) => spendChallenge(db, response, userId))
    const verified = await verifyRegistration(siteOf(installation.url), response)
    return once(({ db, audit }) => {
      audit({ name })
      return insertPasskey(db, { userId, name, ...verified })
    })
  },
})

export const removePasskey = operation({
  ...withSession,
  pool: 'system',
  name: 'auth_passkey_remove',
  http: 'POST /api/auth/passkeys/remove',
  does: 'Removes a passkey.',
  scope: 'users:write',
  input: Type.Object({ ...WithPassword.properties, id: Type.String({ minLength: 1, maxLength: 1400 }) }),
  output: Success,
  alsoRates: countedProofs,
  recordedAs: 'auth.passkey_removed',
  outside: true,
  async run(context, { id, password }) {
    const { userId } = await context.who
    await requirePassword(context, userId, password)
    return context.once(async ({ db, audit }) => {
      audit(await deletePasskey(db, { userId, id }))
      return success
    })
  },
})
