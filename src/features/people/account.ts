import { sql } from 'kysely'
import { forbidden } from '../../core/define/failure.ts'
import type { Outside } from '../../core/define/operation.ts'
import { Email, Id, Instant, nullable, type Static, Text, Type } from '../../core/define/schema.ts'
import type { Database } from '../../db/database.ts'
import { pipeline } from '../../db/pipeline.ts'
import { dropLinks, expiredLink, useLink } from './account-link.ts'
import { isPassword } from './password.ts'
import { password } from './person.ts'
import { endAllSessions } from './session.ts'

/** The account of a person: password, e-mail address, and what proves them beside the password. */

export const ResetRequest = Type.Object({ email: Type.String({ minLength: 1, maxLength: 320 }) })
export const Reset = Type.Object({ token: Text, password })
export const PasswordChange = Type.Object({ currentPassword: Type.String({ minLength: 1, maxLength: 500 }), password })
export const EmailChange = Type.Object({ email: Email, password: Type.String({ minLength: 1, maxLength: 500 }) })
export const WithToken = Type.Object({ token: Text })
export const WithPassword = Type.Object({ password: Type.String({ minLength: 1, maxLength: 500 }) })
export const WithCode = Type.Object({ code: Text })

export const Factors = Type.Object({
  authenticator: Type.Object({ confirmedAt: nullable(Instant), recoveryCodesLeft: Type.Integer() }),
  passkeys: Type.Array(Type.Object({ id: Text, name: Text, createdAt: Instant, lastUsedAt: nullable(Instant) })),
})
export const NewAuthenticator = Type.Object({ secret: Text, uri: Text, qr: Type.String() })
export const RecoveryCodes = Type.Object({ recoveryCodes: Type.Array(Text) })
export const Passkey = Type.Object({ id: Text, name: Text, createdAt: Instant, lastUsedAt: nullable(Instant) })
export const EmailVerified = Type.Object({ userId: Id, email: Text })

/**
 * Sets a new password with an e-mailed link, and ends every session. Keys, apps and passkeys stay, as a forgotten
 * password must not stop a company's programs, unless the link is the first proof of the address: then somebody else may
 * have made the account, and must keep no access to it (THR-08).
 */
export async function resetPassword(
  db: Database,
  { token, passwordHash }: { token: string; passwordHash: string },
): Promise<string> {
  const { userId } = await useLink(db, token, ['RESET_PASSWORD'])
  await setPassword(db, userId, passwordHash)
  // The link arrived at the address, which proves that the address is theirs.
  const proven = await db
    .updateTable('users')
    .set({ emailVerifiedAt: sql`now()` })
    .where('id', '=', userId)
    .where('emailVerifiedAt', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (proven) await revokeOtherAccess(db, userId)
  return userId
}

/** An authenticator app stays: it gives no access by itself, and access to the mailbox alone must not remove it. */
async function revokeOtherAccess(db: Database, userId: string) {
  const revokedAt = sql<string>`now()`
  await pipeline({
    passkeys: db.deleteFrom('passkeys').where('userId', '=', userId).execute(),
    apiKeys: db
      .updateTable('apiKeys')
      .set({ revokedAt })
      .where('userId', '=', userId)
      .where('revokedAt', 'is', null)
      .execute(),
    connectedApps: db
      .updateTable('connectedApps')
      .set({ revokedAt })
      .where('userId', '=', userId)
      .where('revokedAt', 'is', null)
      .execute(),
  })
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

/** Uses an e-mailed link: the address is proven, and becomes the account's if it is a new one. */
export async function confirmAddress(db: Database, token: string) {
  const { userId, purpose, email } = await useLink(db, token, ['VERIFY_EMAIL', 'CHANGE_EMAIL'])
  const { email: before } = await accountOf(db, userId)
  if (purpose === 'VERIFY_EMAIL' && before !== email) throw expiredLink() // the address has changed since
  const changed = purpose === 'CHANGE_EMAIL'
  await db
    .updateTable('users')
    .set({ emailVerifiedAt: sql`now()`, ...(changed && { email }) })
    .where('id', '=', userId)
    .execute()
  if (changed) await dropLinks(db, userId) // they were sent to the old address
  return { userId, email, before, changed }
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
