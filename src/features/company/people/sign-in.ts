import { type RawBuilder, sql } from 'kysely'
import type { AccountContext } from '../../../core/define/account.ts'
import { tooMany, unauthenticated } from '../../../core/define/failure.ts'
import type { Outside } from '../../../core/define/operation.ts'
import type { Database } from '../../../db/database.ts'
import { secondFactor } from './factors/second-factor.ts'
import { lockAccount } from './lock-account.ts'
import { isPassword } from './password.ts'

type Credentials = { email: string; password: string; code?: string | undefined }

/** A person and the password that was right; `requireSamePassword` checks it again when the session starts. */
type Authenticated = { userId: string; passwordHash: string | null }

/**
 * The person whose credentials these are. A wrong password and an unknown address are refused alike, after the
 * same time. Each step is a transaction of its own: a counted try stays counted when the sign-in is refused.
 */
export async function authenticate(
  { tx, secrets }: Pick<Outside<'caller'>, 'tx' | 'secrets'>,
  attempt: SignInAttempt,
  { email, password, code }: Credentials,
): Promise<Authenticated> {
  const waitS = await tx(({ db }) => countAttempt(db, attempt))
  if (waitS > 0) throw tooMany('failed sign-ins', Math.ceil(waitS))
  const user = await tx(({ db }) => findUser(db, email))
  const right = await isPassword(password, user?.passwordHash).catch(async (error) => {
    await tx(({ db }) => uncountAttempt(db, attempt)) // the password was not checked
    throw error
  })
  if (!right || !user) throw wrongCredentials()
  // No session before everything is proven (THR-10).
  const second = await tx(({ db }) => secondFactor(db, secrets, { userId: user.id, code }))
  if (second === 'MISSING') {
    await tx(({ db }) => uncountAttempt(db, attempt)) // asking for the code is no failed try
    throw unauthenticated('Enter the code that your authenticator app shows, or a recovery code.', 'SECOND_FACTOR')
  }
  if (second === 'LOST') {
    if (!code?.trim()) await tx(({ db }) => uncountAttempt(db, attempt))
    throw unauthenticated(lostFactor, 'SECOND_FACTOR_LOST')
  }
  if (second === 'WRONG') throw unauthenticated('That code is wrong, or was used before.', 'WRONG_CODE')
  return { userId: user.id, passwordHash: user.passwordHash }
}

const lostFactor =
  'Your authenticator app and recovery codes no longer work, because the key of this server was lost. Sign in with a passkey, or ask the people who run this server to remove the second factor from your account. Set it up again after that.'

const wrongCredentials = () => unauthenticated('The e-mail address or the password is wrong.', 'WRONG_CREDENTIALS')

/**
 * Locks the account until the session is stored, and refuses a password that was replaced while it was being checked: a
 * sign-in that is under way must not survive a change of the password.
 */
export async function requireSamePassword(db: Database, { userId, passwordHash }: Authenticated): Promise<void> {
  const account = await lockAccount(db, userId)
  if (!account.active || account.passwordHash !== passwordHash) throw wrongCredentials()
}

type SignInAttempt = { account: RawBuilder<string>; perAccount: number; address: string; perAddress: number }

/** Whose tries are counted: how many failures an account and an address may have before they wait (RATE). */
export function signInAttempt(
  email: string,
  { origin, rateLimitScale: scale }: Pick<AccountContext, 'origin'> & Pick<Outside, 'rateLimitScale'>,
): SignInAttempt {
  return {
    account: sql`'account:' || ${lowerCase(email)}`,
    perAccount: Math.max(1, Math.round(5 * scale)),
    address: `address:${origin.rateLimitAddress}`,
    perAddress: Math.max(1, Math.round(20 * scale)),
  }
}

/** Counts a try before its outcome is known; answers how many seconds to wait, 0 for none. */
async function countAttempt(db: Database, { account, perAccount, address, perAddress }: SignInAttempt) {
  const { rows } = await sql<{ wait: number }>`
    select count_sign_in(${account}, ${perAccount}, ${address}, ${perAddress}) as wait`.execute(db)
  return rows[0]?.wait ?? 0
}

const uncountAttempt = (db: Database, { account, perAccount, address, perAddress }: SignInAttempt) =>
  sql`select subtract_sign_in_failure(${account}, ${perAccount}), subtract_sign_in_failure(${address}, ${perAddress})`.execute(
    db,
  )

/** After a success: the account starts from zero, and the address gets its own try back. */
export const clearFailures = (db: Database, { account, address, perAddress }: SignInAttempt) =>
  sql`select record_sign_in_success(${account}, ${address}, ${perAddress})`.execute(db)

/** Lower case by PostgreSQL, which also keeps addresses unique by it: JavaScript differs, for İ say. */
const lowerCase = (email: string) => sql<string>`lower(${email}::text)`

const findUser = (db: Database, email: string) =>
  db
    .selectFrom('users')
    .select(['id', 'passwordHash'])
    .where(sql`lower(email)`, '=', lowerCase(email))
    .where('disabledAt', 'is', null)
    .where('confirmFirst', '=', false)
    .executeTakeFirst()
