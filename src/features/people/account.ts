import { sql } from 'kysely'
import { forbidden } from '../../core/define/failure.ts'
import { sendThrough } from '../../core/define/query.ts'
import { Email, Id, Instant, nullable, type Static, Text, Type } from '../../core/define/schema.ts'
import { insertAudit } from '../../core/run/audit.ts'
import { withConnection } from '../../core/run/connection.ts'
import type { Database } from '../../db/database.ts'
import { pipeline } from '../../db/pipeline.ts'
import type { Pool } from '../../db/pool.ts'
import { dropLinks, expiredLink, useLink } from './account-link.ts'
import { hashPassword, isPassword } from './password.ts'
import { password } from './person.ts'

/** What somebody does with their own account: password, address, and what proves them. */

export const ResetAsked = Type.Object({ email: Type.String({ minLength: 1, maxLength: 320 }) })
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

/** Who acts on their own account, and how: in a session of theirs, or by the link of a letter. */
export type Actor = { userId: string; requestId: string; sessionId?: string }

/**
 * Chooses a new password by a link from a mail. Whoever was signed in is not any more. Keys, apps and passkeys stay, as a
 * forgotten password must not stop a company's programs, unless the address is proven only now: then whoever made the
 * account may have been somebody else, and keeps no way in (THR-08).
 */
export async function resetPassword(
  pool: Pool,
  { token, password, requestId }: Static<typeof Reset> & { requestId: string },
): Promise<string> {
  const passwordHash = await hashPassword(password)
  return withConnection(pool, true, async ({ db }) => {
    const { userId } = await useLink(db, token, ['RESET_PASSWORD'])
    await setPassword(db, userId, passwordHash)
    // The link arrived at the address, which shows that the address is theirs.
    const proven = await db
      .updateTable('users')
      .set({ emailVerifiedAt: sql`now()` })
      .where('id', '=', userId)
      .where('emailVerifiedAt', 'is', null)
      .returning('id')
      .executeTakeFirst()
    if (proven) await closeOtherWays(db, userId)
    await noteAccount(db, { userId, requestId }, 'auth.password_reset')
    return userId
  })
}

/** An authenticator app stays: it lets nobody in by itself, and letters alone must not do away with it. */
async function closeOtherWays(db: Database, userId: string) {
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

/** Changes the password; every session but those begun later has ended. */
export async function changePassword(
  pool: Pool,
  { currentPassword, password, ...actor }: Actor & Static<typeof PasswordChange>,
) {
  await requirePassword(pool, actor.userId, currentPassword)
  const passwordHash = await hashPassword(password)
  await withConnection(pool, true, async ({ db }) => {
    await setPassword(db, actor.userId, passwordHash)
    await noteAccount(db, actor, 'auth.password_changed')
  })
}

async function setPassword(db: Database, userId: string, passwordHash: string) {
  await db.updateTable('users').set({ passwordHash }).where('id', '=', userId).execute()
  await endAllSessions(db, userId)
  await dropLinks(db, userId)
}

export const endAllSessions = (db: Database, userId: string) =>
  db.deleteFrom('sessions').where('userId', '=', userId).execute()

/** For what a stolen session must not do: 403 unless this is the person's password. */
export async function requirePassword(pool: Pool, userId: string, given: string) {
  const user = await pool.use((db) =>
    db.selectFrom('users').select('passwordHash').where('id', '=', userId).executeTakeFirst(),
  )
  if (!(await isPassword(given, user?.passwordHash))) throw forbidden('The password is wrong.', 'WRONG_PASSWORD')
}

/** Follows the link from a mail: the address is theirs, and becomes the account's if it is a new one. */
export const confirmEmail = (pool: Pool, { token, requestId }: { token: string; requestId: string }) =>
  withConnection(pool, true, async ({ db }) => {
    const { userId, purpose, email } = await useLink(db, token, ['VERIFY_EMAIL', 'CHANGE_EMAIL'])
    const before = await db.selectFrom('users').select('email').where('id', '=', userId).executeTakeFirstOrThrow()
    if (purpose === 'VERIFY_EMAIL' && before.email !== email) throw expiredLink() // it has changed since
    await db
      .updateTable('users')
      .set({ emailVerifiedAt: sql`now()`, ...(purpose === 'CHANGE_EMAIL' && { email }) })
      .where('id', '=', userId)
      .execute()
    const changed = purpose === 'CHANGE_EMAIL'
    if (changed) await dropLinks(db, userId) // they are in letters to the old address
    const detail = changed ? { from: before.email, to: email } : { email }
    await noteAccount(db, { userId, requestId }, changed ? 'auth.email_changed' : 'auth.email_verified', detail)
    return { userId, email, before: before.email, changed }
  })

/** Whose account it is, and whether letters are known to reach them. */
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

/** The audit trail of an account: what changed and when, never the secret itself (INV-19, INV-20). */
export const noteAccount = (
  db: Database,
  { userId, requestId, sessionId }: Actor,
  operation: string,
  detail: object | null = null,
) =>
  insertAudit(sendThrough(db), {
    operation,
    source: sessionId ? 'SESSION' : 'LINK',
    ...{ userId, requestId, sessionId, detail },
  })
