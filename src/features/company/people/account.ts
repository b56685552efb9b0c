import { sql } from 'kysely'
import { forbidden } from '../../../core/define/failure.ts'
import type { Outside } from '../../../core/define/operation.ts'
import { Email, Id, Instant, nullable, type Static, Success, Text, Type } from '../../../core/define/schema.ts'
import type { Database } from '../../../db/database.ts'
import { pipeline } from '../../../db/pipeline.ts'
import { dropLinks, expiredLink, passwordBehind, useLink } from './account-link.ts'
import { Ended, endAccess, nothingEnded, sessionsEnded } from './end-access.ts'
import { isPassword } from './password.ts'
import { password } from './person.ts'
import { endAllSessions, hasSession } from './session.ts'

/** The account of a person: password, e-mail address, and what proves them beside the password. */

export const ResetRequest = Type.Object({ email: Type.String({ minLength: 1, maxLength: 320 }) })
export const Reset = Type.Object({ token: Text, password })
export const PasswordChange = Type.Object({ currentPassword: Type.String({ minLength: 1, maxLength: 500 }), password })
export const EmailChange = Type.Object({ email: Email, password: Type.String({ minLength: 1, maxLength: 500 }) })
export const EmailConfirmation = Type.Object({
  token: Text,
  password: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 500,
      description:
        'The password of the account, without a session: it proves that you made the account, and nothing is ended.',
    }),
  ),
})
export const WithPassword = Type.Object({ password: Type.String({ minLength: 1, maxLength: 500 }) })
export const WithCode = Type.Object({ code: Text })

export const Factors = Type.Object({
  authenticator: Type.Object({ confirmedAt: nullable(Instant), recoveryCodesLeft: Type.Integer() }),
  passkeys: Type.Array(Type.Object({ id: Text, name: Text, createdAt: Instant, lastUsedAt: nullable(Instant) })),
})
export const NewAuthenticator = Type.Object({ secret: Text, uri: Text, qr: Type.String() })
export const RecoveryCodes = Type.Object({ recoveryCodes: Type.Array(Text) })
export const Passkey = Type.Object({ id: Text, name: Text, createdAt: Instant, lastUsedAt: nullable(Instant) })
export const EmailVerified = Type.Object({ userId: Id, email: Text, ended: Ended })
export const PasswordReset = Type.Object({ ...Success.properties, ended: Ended })

type NewPassword = { token: string; passwordHash: string; requestId: string }

/**
 * Sets a new password with an e-mailed link, and ends every session. Keys, apps and passkeys stay, as a forgotten
 * password must not stop a company's programs, unless the link is the first proof of the address (`endAccess`).
 */
export async function resetPassword(db: Database, { token, passwordHash, requestId }: NewPassword) {
  const { userId, before: email, verified } = await useLink(db, token, ['RESET_PASSWORD'])
  const ended = verified
    ? await sessionsEnded(db, userId)
    : await endAccess(db, { userId, requestId, cause: 'auth.password_reset', withPassword: false })
  await setPassword(db, userId, passwordHash)
  // The link arrived at the address, which proves that the address is theirs.
  if (!verified) await verifyEmail(db, userId)
  return { userId, email, ended }
}

const verifyEmail = (db: Database, userId: string) =>
  db.updateTable('users').set({ emailVerifiedAt: sql`now()`, confirmFirst: false }).where('id', '=', userId).execute()

/** The password of the account behind a link, where the given one is right; null where none is given. */
export async function provenByPassword(
  { tx }: Pick<Outside<'caller'>, 'tx'>,
  { token, password: given }: Static<typeof EmailConfirmation>,
): Promise<string | null> {
  if (given === undefined) return null
  const stored = await tx(({ db }) => passwordBehind(db, token))
  if (!(await isPassword(given, stored))) throw forbidden('The password is wrong.', 'WRONG_PASSWORD')
  return stored
}

/** Also ends every session and every link sent before. */
export async function setPassword(db: Database, userId: string, passwordHash: string) {
  await db.updateTable('users').set({ passwordHash }).where('id', '=', userId).execute()
  await endAllSessions(db, userId)
  await dropLinks(db, userId)
}

/** For what a stolen session must not do: 403 unless this is the person's password. */
export async function requirePassword({ tx }: Pick<Outside<'caller'>, 'tx'>, userId: string, given: string) {
  const user = await tx(({ db }) =>
    db.selectFrom('users').select('passwordHash').where('id', '=', userId).executeTakeFirst(),
  )
  if (!(await isPassword(given, user?.passwordHash))) throw forbidden('The password is wrong.', 'WRONG_PASSWORD')
}

type Confirmation = {
  token: string
  requestId: string
  /** The session that the request carried, valid or not. */
  sessionHash: Buffer | null
  /** The hash of the password that came with the token and was right. */
  provenBy: string | null
}

/**
 * Uses an e-mailed link: the address is proven, and becomes the account's if it is a new one. In a session of the account
 * its person confirms their own address. Without one, and without its password, the owner of the address confirms an account
 * that somebody else may have made, so all access ends, the password included. A new address can be confirmed in a session only: anybody can
 * request a change to an address that is not theirs.
 */
export async function confirmAddress(db: Database, { token, requestId, sessionHash, provenBy }: Confirmation) {
  const link = await useLink(db, token, ['VERIFY_EMAIL', 'CHANGE_EMAIL'])
  const { userId, purpose, email, before, verified, passwordHash } = link
  const isOwn = provenBy !== null && provenBy === passwordHash
  const inSession = await hasSession(db, { userId, sessionHash })
  if (purpose === 'CHANGE_EMAIL') {
    if (!inSession) throw forbidden(sessionNeeded, 'SESSION_NEEDED')
    await changeAddress(db, { userId, email })
    return { userId, email, before, changed: true, ended: nothingEnded }
  }
  if (before !== email) throw expiredLink() // the address has changed since
  const ended =
    inSession || isOwn || verified
      ? nothingEnded
      : await endAccess(db, { userId, requestId, cause: 'auth.email_verified', withPassword: true })
  await verifyEmail(db, userId)
  return { userId, email, before, changed: false, ended }
}

const sessionNeeded =
  'Sign in to the account first, then open the link again: the new address of an account is confirmed by the person who is signed in to it.'

async function changeAddress(db: Database, { userId, email }: { userId: string; email: string }) {
  // The address is proven, so an account that somebody began with it and never confirmed is nobody's.
  await db
    .deleteFrom('users')
    .where(sql`lower(email)`, '=', sql`lower(${email}::text)`)
    .where('confirmFirst', '=', true)
    .execute()
  await db.updateTable('users').set({ email }).where('id', '=', userId).execute()
  await verifyEmail(db, userId)
  await dropLinks(db, userId) // they were sent to the old address
}

/** Name and address of a person, and whether the address is verified. */
export const accountOf = (db: Database, userId: string) =>
  db
    .selectFrom('users')
    .select(['name', 'email', sql<boolean>`email_verified_at is not null`.as('verified')])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()

export async function factorsOf(db: Database, userId: string): Promise<Static<typeof Factors>> {
  const { authenticator, left, passkeys } = await pipeline({
    authenticator: db
      .selectFrom('authenticators')
      .select('confirmedAt')
      .where('userId', '=', userId)
      .executeTakeFirst(),
    left: db
      .selectFrom('recoveryCodes')
      .select(sql<number>`count(*)::int`.as('count'))
      .where('userId', '=', userId)
      .where('usedAt', 'is', null)
      .executeTakeFirstOrThrow(),
    passkeys: db
      .selectFrom('passkeys')
      .select(['id', 'name', 'createdAt', 'lastUsedAt'])
      .where('userId', '=', userId)
      .orderBy('createdAt')
      .orderBy('id')
      .execute(),
  })
  return { authenticator: { confirmedAt: authenticator?.confirmedAt ?? null, recoveryCodesLeft: left.count }, passkeys }
}
