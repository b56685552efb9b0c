import { sql } from 'kysely'
import { invalid } from '../../../core/define/failure.ts'
import { base62, sha256 } from '../../../core/values/id.ts'
import type { Database } from '../../../db/database.ts'
import { lockAccount } from './lock-account.ts'

export type Purpose = 'RESET_PASSWORD' | 'VERIFY_EMAIL' | 'CHANGE_EMAIL'

export const validMinutes: Record<Purpose, number> = { RESET_PASSWORD: 30, VERIFY_EMAIL: 3 * 24 * 60, CHANGE_EMAIL: 60 }

type NewLink = { userId: string; purpose: Purpose; email: string }

/** The token of a new link; only its hash is stored (SEC-1). It replaces an older link for the same purpose. */
export async function makeLink(db: Database, { userId, purpose, email }: NewLink): Promise<string> {
  const token = base62(43)
  const fresh = {
    tokenHash: sha256(token),
    email,
    expiresAt: sql<string>`now() + make_interval(mins => ${validMinutes[purpose]})`,
    createdAt: sql<string>`now()`,
  }
  await db
    .insertInto('accountLinks')
    .values({ userId, purpose, ...fresh })
    .onConflict((conflict) => conflict.columns(['userId', 'purpose']).doUpdateSet(fresh))
    .execute()
  return token
}

/** Uses a link up and locks its account; tells whose it is. Of several requests at once, one succeeds. */
export async function useLink(db: Database, token: string, purposes: readonly Purpose[]) {
  const found = await db
    .selectFrom('accountLinks')
    .select('userId')
    .where('tokenHash', '=', sha256(token))
    .executeTakeFirst()
  if (!found) throw expiredLink()
  const { email: before, verified, passwordHash } = await lockAccount(db, found.userId)
  const link = await db
    .deleteFrom('accountLinks')
    .where('tokenHash', '=', sha256(token))
    .where('purpose', 'in', purposes)
    .returning(['userId', 'purpose', 'email', sql<boolean>`expires_at > now()`.as('isValid')])
    .executeTakeFirst()
  if (!link?.isValid) throw expiredLink()
  return { ...link, before, verified, passwordHash }
}

export const expiredLink = () => invalid('token', 'This link was used before or is too old. Ask for a new one.', 'LINK')

/** The password of the account that a link is for, so that it can be compared before the link is used up. */
export async function passwordBehind(db: Database, token: string): Promise<string | null> {
  const found = await db
    .selectFrom('accountLinks')
    .innerJoin('users', 'users.id', 'userId')
    .select('passwordHash')
    .where('tokenHash', '=', sha256(token))
    .where('expiresAt', '>', sql<string>`now()`)
    .executeTakeFirst()
  if (!found) throw expiredLink()
  return found.passwordHash
}

/** For a new password or address: links requested before may have been requested by somebody else. */
export const dropLinks = (db: Database, userId: string) =>
  db.deleteFrom('accountLinks').where('userId', '=', userId).execute()
