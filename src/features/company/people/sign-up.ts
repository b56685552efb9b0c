import { sql } from 'kysely'
import { forbidden } from '../../../core/define/failure.ts'
import type { Services } from '../../../core/define/services.ts'
import { newId } from '../../../core/values/id.ts'
import type { Language } from '../../../core/values/language.ts'
import type { Database } from '../../../db/database.ts'

/**
 * Refuses an account if sign-up is closed and no open invitation to the address exists. The answer is the same whether the
 * address has an account or not. The invitation itself still needs its token and, in strict mode, a verified address.
 */
export async function requireOpenSignUp(db: Database, { signUp }: Services['installation'], email: string) {
  if (signUp === 'open') return
  const invited = await db
    .selectFrom('invitations')
    .select('id')
    .where(sql`lower(email)`, '=', sql`lower(${email})`)
    .where('acceptedAt', 'is', null)
    .where('expiresAt', '>', sql<string>`now()`)
    .limit(1)
    .executeTakeFirst()
  if (!invited) throw forbidden(closed, 'SIGN_UP_CLOSED')
}

const closed =
  'Accounts are made for invited people only. Use the address to which the invitation was sent, or ask for an invitation.'

type NewAccount = { name: string; email: string; passwordHash: string; locale: Language }

/**
 * Stores an account that nobody can use before its address is confirmed. Of an address that has such an account the last sign-up
 * counts; one that has an account in use is left alone.
 */
export async function keepUntilConfirmed(db: Database, { email, ...given }: NewAccount): Promise<void> {
  await db
    .insertInto('users')
    .values({ id: newId(), email, ...given, confirmFirst: true })
    .onConflict((same) => same.expression(sql`lower(email)`).doUpdateSet(given).where('users.confirmFirst', '=', true))
    .execute()
}
