import { operation } from '../../../core/define/operation.ts'
import { Success, success, Type } from '../../../core/define/schema.ts'
import { newId } from '../../../core/values/id.ts'
import { type AccountMail, accountMailName, countMessageTo } from './account-mail.ts'
import { countedByAddress, withoutSession } from './account-surface.ts'
import {
  Assertion,
  AuthenticationOptions,
  authenticationOptions,
  insertChallenge,
  siteOf,
  spendChallenge,
  verifyPasskey,
} from './factors/passkey.ts'
import { lockAccount } from './lock-account.ts'
import { hashPassword } from './password.ts'
import { Mailed, SignedIn, SignIn, SignUp } from './person.ts'
import { beginSession, endSessionByHash } from './session.ts'
import { authenticate, clearFailures, requireSamePassword, signInAttempt } from './sign-in.ts'
import { keepUntilConfirmed, requireOpenSignUp } from './sign-up.ts'

export const signUp = operation({
  ...withoutSession,
  pool: 'system',
  name: 'auth_sign_up',
  http: 'POST /api/auth/sign-up',
  does: 'Creates an account and signs in. In strict mode with a mail server the account begins with a letter instead.',
  input: SignUp,
  output: Type.Union([SignedIn, Mailed]),
  status: 201,
  alsoRates: [{ bucket: 'signUp', per: 'address' }],
  session: 'STARTS',
  recordedAs: null,
  outside: true,
  async run(context, { name, email, password }) {
    const passwordHash = await hashPassword(password)
    return context.once(async ({ db, enqueue }) => {
      await requireOpenSignUp(db, context.installation, email)
      const { language } = context.origin
      if (context.installation.signUpByLetter) {
        await countMessageTo(db, email)
        await keepUntilConfirmed(db, { name, email, passwordHash, locale: language })
        enqueue(accountMailName, { about: 'SIGN_UP', email, language } satisfies AccountMail)
        return { mailed: true as const }
      }
      const user = { id: newId(), name, email, passwordHash, locale: language }
      await db.insertInto('users').values(user).execute()
      enqueue(accountMailName, { about: 'VERIFY_EMAIL', email, language } satisfies AccountMail)
      return beginSession(db, context, { userId: user.id })
    })
  },
})

/** Failed tries are counted per account and per address by `authenticate`, exactly and before the password is looked at. */
export const signIn = operation({
  ...withoutSession,
  pool: 'system',
  name: 'auth_sign_in',
  http: 'POST /api/auth/sign-in',
  does: 'Signs in and starts a new session.',
  input: SignIn,
  output: SignedIn,
  session: 'STARTS',
  recordedAs: null,
  outside: true,
  async run(context, { email, password, code, remember }) {
    const attempt = signInAttempt(email, context)
    const authenticated = await authenticate(context, attempt, { email, password, code })
    return context.once(async ({ db }) => {
      await requireSamePassword(db, authenticated)
      await clearFailures(db, attempt)
      return beginSession(db, context, { userId: authenticated.userId, remember })
    })
  },
})

export const signOut = operation({
  ...withoutSession,
  pool: 'system',
  name: 'auth_sign_out',
  http: 'POST /api/auth/sign-out',
  does: 'Ends the session and clears the cookie.',
  input: Type.Object({}),
  output: Success,
  session: 'ENDS',
  recordedAs: null,
  async run({ db, sessionHash, session }) {
    if (sessionHash) await endSessionByHash(db, sessionHash)
    session({ end: true })
    return success
  },
})

export const passkeySignInOptions = operation({
  ...withoutSession,
  pool: 'system',
  name: 'auth_passkey_sign_in_options',
  http: 'POST /api/auth/passkeys/sign-in/options',
  does: 'Starts signing in with a passkey.',
  input: Type.Object({}),
  output: AuthenticationOptions,
  alsoRates: [countedByAddress],
  recordedAs: null,
  outside: true,
  async run({ once, installation }) {
    const options = await authenticationOptions(siteOf(installation.url))
    return once(async ({ db }) => {
      await insertChallenge(db, options.challenge, null)
      return options
    })
  },
})

export const passkeySignIn = operation({
  ...withoutSession,
  pool: 'system',
  name: 'auth_passkey_sign_in',
  http: 'POST /api/auth/passkeys/sign-in',
  does: 'Signs in; a passkey replaces password and second factor.',
  input: Type.Object({ response: Assertion }),
  output: SignedIn,
  alsoRates: [countedByAddress],
  session: 'STARTS',
  recordedAs: null,
  outside: true,
  async run(context, { response }) {
    // In a transaction of its own: a challenge is spent whether or not the answer to it is right.
    await context.tx(({ db }) => spendChallenge(db, response, null))
    const { userId, recordUse } = await verifyPasskey(context, siteOf(context.installation.url), response)
    return context.once(async ({ db }) => {
      await lockAccount(db, userId)
      await recordUse(db)
      return beginSession(db, context, { userId })
    })
  },
})
