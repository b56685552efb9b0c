import { sql } from 'kysely'
import type { Database } from '../../../db/database.ts'

/**
 * Locks an account until the transaction ends. Whoever starts or ends sessions, or changes what proves a person, does so
 * under this lock, and before any other row of the account, so that two of them cannot wait for each other.
 */
export const lockAccount = (db: Database, userId: string) =>
  db
    .selectFrom('users')
    .select(['email', 'passwordHash', 'confirmFirst', sql<boolean>`disabled_at is null`.as('active')])
    .select(sql<boolean>`email_verified_at is not null`.as('verified'))
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
