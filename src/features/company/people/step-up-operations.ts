import { sql } from 'kysely'
import type { AccountContext } from '../../../core/define/account.ts'
import { Failure, forbidden, invalid } from '../../../core/define/failure.ts'
import { type Database, type Outside, operation } from '../../../core/define/operation.ts'
import { Text, Type } from '../../../core/define/schema.ts'
import type { Services } from '../../../core/define/services.ts'
import { factorsOf, requirePassword } from './account.ts'
import { countedProofs, withSession } from './account-surface.ts'
import {
  Assertion,
  AuthenticationOptions,
  authenticationOptions,
  insertChallenge,
  siteOf,
  spendChallenge,
  verifyPasskey,
} from './factors/passkey.ts'
import { secondFactor } from './factors/second-factor.ts'
import { lockAccount } from './lock-account.ts'
import { SignedIn } from './person.ts'
import { beginSession } from './session.ts'

/**
 * A person who is signed in proves again who they are, so that operations that need a recent sign-in (`signedInWithinH`) go
 * on. One proof is enough: whoever has stolen a session has neither the password nor a factor.
 */

export const stepUp = operation({
  ...withSession,
  pool: 'system',
  name: 'auth_step_up',
  http: 'POST /api/auth/step-up',
  does: 'Proves the signed-in person again, with the password or a code of the second factor, and renews the session.',
  scope: 'users:write',
  input: Type.Object({
    password: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })),
    code: Type.Optional({ ...Text, minLength: 1, description: 'Of the authenticator app, or a recovery code.' }),
  }),
  output: SignedIn,
  alsoRates: countedProofs,
  session: 'STARTS',
  recordedAs: 'auth.stepped_up',
  outside: true,
  async run(context, { password, code }) {
    const { userId } = await context.who
    if (password === undefined && code === undefined) throw invalid('password', 'Give your password, or a code.')
    if (password !== undefined) await requirePassword(context, userId, password)
    if (code !== undefined) await requireCode(context, userId, code)
    return context.once(async ({ db }) => renewSession(db, context, userId))
  },
})

export const stepUpPasskeyOptions = operation({
  ...withSession,
  pool: 'system',
  name: 'auth_step_up_passkey_options',
  http: 'POST /api/auth/step-up/passkey/options',
  does: 'Starts proving the signed-in person again with a passkey.',
  scope: 'users:write',
  input: Type.Object({}),
  output: AuthenticationOptions,
  recordedAs: null,
  outside: true,
  async run({ once, who, installation }) {
    const { userId } = await who
    const options = await authenticationOptions(siteOf(installation.url))
    return once(async ({ db }) => {
      await insertChallenge(db, options.challenge, userId)
      return options
    })
  },
})

export const stepUpPasskey = operation({
  ...withSession,
  pool: 'system',
  name: 'auth_step_up_passkey',
  http: 'POST /api/auth/step-up/passkey',
  does: 'Proves the signed-in person again with one of their passkeys, and renews the session.',
  scope: 'users:write',
  input: Type.Object({ response: Assertion }),
  output: SignedIn,
  alsoRates: countedProofs,
  session: 'STARTS',
  recordedAs: 'auth.stepped_up',
  outside: true,
  async run(context, { response }) {
    const { userId } = await context.who
    // In a transaction of its own: a challenge is spent whether or not the answer to it is right.
    await context.tx(({ db }) => spendChallenge(db, response, userId))
    const site = siteOf(context.installation.url)
    const passkey = await verifyPasskey(context, site, response).catch(refuseUnknown)
    if (passkey.userId !== userId) throw wrongPasskey()
    return context.once(async ({ db }) => {
      await lockAccount(db, userId)
      await passkey.recordUse(db).catch(refuseUnknown)
      return renewSession(db, context, userId)
    })
  },
})

/** The session itself is valid, so a passkey that is not known is refused with 403: after 401 the app would sign out. */
function refuseUnknown(error: unknown): never {
  throw error instanceof Failure && error.status === 401 ? wrongPasskey() : error
}

const wrongPasskey = () => forbidden('This passkey is not one of yours.', 'WRONG_CREDENTIALS')

async function requireCode({ tx, secrets }: Pick<Outside<'caller'>, 'tx' | 'secrets'>, userId: string, code: string) {
  const { authenticator } = await tx(({ db }) => factorsOf(db, userId))
  const hasFactor = authenticator.confirmedAt !== null
  const outcome = hasFactor ? await tx(({ db }) => secondFactor(db, secrets, { userId, code })) : 'WRONG'
  if (outcome !== 'PASSED') throw forbidden('That code is wrong, or was used before.', 'WRONG_CODE')
}

/** The new session lasts as long as the old one was meant to. */
async function renewSession(
  db: Database,
  context: AccountContext & Pick<Services, 'catalog'>,
  userId: string,
): Promise<SignedIn> {
  const session = await db
    .selectFrom('sessions')
    .select(sql<boolean>`ends_at - signed_in_at > interval '8 days'`.as('remember'))
    .where('secretHash', '=', context.sessionHash)
    .executeTakeFirst()
  return beginSession(db, context, { userId, remember: session?.remember })
}
