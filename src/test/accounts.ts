import { TOTP } from 'otpauth'
import type { Operation } from '../core/define/operation.ts'
import { newId } from '../core/values/id.ts'
import { makeLink, type Purpose } from '../features/company/people/account-link.ts'
import { siteOf } from '../features/company/people/factors/passkey.ts'
import { hashPassword } from '../features/company/people/password.ts'
import { startSession } from '../features/company/people/session.ts'
import { createAuthenticator } from './fakes/authenticator.ts'
import { person, type Someone, send, theApp } from './world.ts'

/** People with a password, and a valid input for every operation of the account surface. */

const password = 'correct horse'
let passwordHash: Promise<string> | undefined

export async function personWithPassword(): Promise<Someone> {
  const someone = await person()
  passwordHash ??= hashPassword(password)
  const hash = await passwordHash
  await theApp().system.use((db) =>
    db.updateTable('users').set({ passwordHash: hash }).where('id', '=', someone.userId).execute(),
  )
  return someone
}

/** As world.ts makes people. */
export const emailOf = ({ userId }: Someone) => `${userId}@example.test`

type Recipe = (someone: Someone) => Promise<Record<string, unknown>>

const withPassword: Recipe = async () => ({ password })

/** What an operation takes beyond what its schema says; one without a line takes nothing. */
const recipes: Record<string, Recipe> = {
  auth_sign_up: async () => ({ name: 'Amy', email: `${newId()}@example.test`, password }),
  auth_sign_in: async (someone) => ({ email: emailOf(someone), password }),
  auth_passkey_sign_in: async (someone) => {
    const passkey = await storedPasskey(someone)
    const { body } = await send({ method: 'POST', url: '/api/auth/passkeys/sign-in/options', body: {} })
    return { response: passkey.signIn((body as { challenge: string }).challenge) }
  },
  auth_session_end: async ({ userId }) => {
    const origin = { remember: false, address: '192.0.2.1', userAgent: 'elsewhere' }
    await theApp().system.use((db) => startSession(db, { userId, ...origin }))
    const sessions = await theApp().system.use((db) =>
      db
        .selectFrom('sessions')
        .select('id')
        .where('userId', '=', userId)
        .where('userAgent', '=', 'elsewhere')
        .execute(),
    )
    return { id: sessions.at(-1)?.id }
  },
  auth_password_reset: async (someone) => ({ email: emailOf(someone) }),
  auth_password_reset_confirm: async (someone) => ({ token: await linkFor(someone, 'RESET_PASSWORD'), password }),
  auth_password_change: async () => ({ currentPassword: password, password: 'another horse' }),
  auth_email_change: async () => ({ email: `${newId()}@example.test`, password }),
  auth_email_confirm: async (someone) => ({ token: await linkFor(someone, 'VERIFY_EMAIL') }),
  auth_step_up: withPassword,
  auth_step_up_passkey: async (someone) => {
    const passkey = await storedPasskey(someone)
    const { challenge } = await someone.call('auth_step_up_passkey_options', {})
    return { response: passkey.signIn(challenge) }
  },
  auth_authenticator: withPassword,
  auth_authenticator_confirm: async (someone) => {
    const { uri } = await someone.call('auth_authenticator', { password })
    return { code: new TOTP({ secret: new URL(uri).searchParams.get('secret') ?? '' }).generate() }
  },
  auth_authenticator_remove: withPassword,
  auth_recovery_codes: withPassword,
  auth_passkey_options: withPassword,
  auth_passkey_add: async (someone) => {
    const { challenge } = await someone.call('auth_passkey_options', { password })
    return { name: 'Telephone', response: newAuthenticator().register(challenge) }
  },
  auth_passkey_remove: async (someone) => ({ id: (await storedPasskey(someone)).id, password }),
}

export const accountInput = async ({ name }: Operation, someone: Someone) => (await recipes[name]?.(someone)) ?? {}

/** The token of a link in an e-mail to the person, or for a change to the new address. */
export const linkFor = (someone: Someone, purpose: Purpose, email = emailOf(someone)) =>
  theApp().system.use((db) => makeLink(db, { userId: someone.userId, purpose, email }))

export function newAuthenticator() {
  const { id, origins } = siteOf(theApp().services.installation.url)
  return createAuthenticator({ rpId: id, origin: origins[0] ?? '' })
}

export async function storedPasskey({ userId }: Someone) {
  const authenticator = newAuthenticator()
  const { id, publicKey } = authenticator
  const passkey = { id, userId, name: 'Key', publicKey, counter: 0, transports: [], backedUp: false, lastUsedAt: null }
  await theApp().system.use((db) => db.insertInto('passkeys').values(passkey).execute())
  return authenticator
}
