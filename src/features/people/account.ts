import { sql } from 'kysely'
import { forbidden } from '../../core/failure.ts'
import { lending } from '../../core/lend.ts'
import { Email, Id, Instant, nullable, type Static, Text, Type } from '../../core/schema.ts'
import type { Database, Pool } from '../../db/pool.ts'
import { useLink } from './account-link.ts'
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

/** Chooses a new password by a link from a mail. Whoever was signed in is not any more. */
export async function resetPassword(pool: Pool, { token, password }: Static<typeof Reset>): Promise<string> {
  const passwordHash = await hashPassword(password)
  return lending(pool, true, async ({ db }) => {
    const { userId, email } = await useLink(db, token, ['RESET_PASSWORD'])
    await setPassword(db, userId, passwordHash)
    // The link arrived at the address, which shows that the address is theirs.
    await db
      .updateTable('users')
      .set({ emailVerifiedAt: sql`coalesce(email_verified_at, now())` })
      .where('id', '=', userId)
      .where('email', '=', email)
      .execute()
    await noteAccount(db, userId, 'auth.password_reset')
    return userId
  })
}

/** Changes the password; every session but those begun later has ended. */
export async function changePassword(
  pool: Pool,
  { userId, currentPassword, password }: { userId: string } & Static<typeof PasswordChange>,
) {
  await requirePassword(pool, userId, currentPassword)
  const passwordHash = await hashPassword(password)
  await lending(pool, true, async ({ db }) => {
    await setPassword(db, userId, passwordHash)
    await noteAccount(db, userId, 'auth.password_changed')
  })
}

async function setPassword(db: Database, userId: string, passwordHash: string) {
  await db.updateTable('users').set({ passwordHash }).where('id', '=', userId).execute()
  await endAllSessions(db, userId)
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
export const confirmEmail = (pool: Pool, token: string) =>
  lending(pool, true, async ({ db }) => {
    const { userId, purpose, email } = await useLink(db, token, ['VERIFY_EMAIL', 'CHANGE_EMAIL'])
    const before = await db.selectFrom('users').select('email').where('id', '=', userId).executeTakeFirstOrThrow()
    await db
      .updateTable('users')
      .set({ emailVerifiedAt: sql`now()`, ...(purpose === 'CHANGE_EMAIL' && { email }) })
      .where('id', '=', userId)
      .$if(purpose === 'VERIFY_EMAIL', (query) => query.where('email', '=', email)) // it may have changed since
      .execute()
    await noteAccount(db, userId, purpose === 'CHANGE_EMAIL' ? 'auth.email_changed' : 'auth.email_verified')
    return { userId, email, before: before.email, changed: purpose === 'CHANGE_EMAIL' }
  })

/** Whose account it is, and whether letters are known to reach them. */
export const accountOf = (db: Database, userId: string) =>
  db
    .selectFrom('users')
    .select(['name', 'email', sql<boolean>`email_verified_at is not null`.as('verified')])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()

export async function factorsOf(db: Database, userId: string): Promise<Static<typeof Factors>> {
  const [authenticator, left, passkeys] = await Promise.all([
    db.selectFrom('authenticators').select('confirmedAt').where('userId', '=', userId).executeTakeFirst(),
    db
      .selectFrom('recoveryCodes')
      .select(sql<number>`count(*)::int`.as('count'))
      .where('userId', '=', userId)
      .where('usedAt', 'is', null)
      .executeTakeFirstOrThrow(),
    db
      .selectFrom('passkeys')
      .select(['id', 'name', 'createdAt', 'lastUsedAt'])
      .where('userId', '=', userId)
      .orderBy('createdAt')
      .orderBy('id')
      .execute(),
  ])
  return { authenticator: { confirmedAt: authenticator?.confirmedAt ?? null, recoveryCodesLeft: left.count }, passkeys }
}

/** The audit trail of an account: what changed and when, never the secret itself (INV-19, INV-20). */
export const noteAccount = (db: Database, userId: string, operation: string, detail: object | null = null) =>
  sql`insert into audit_log (id, user_id, source, request_id, operation, detail)
      values (gen_random_uuid(), ${userId}, 'SESSION', '', ${operation}, ${detail && JSON.stringify(detail)}::jsonb)`.execute(
    db,
  )
