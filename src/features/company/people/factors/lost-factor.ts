import { insertAudit } from '../../../../core/run/audit.ts'
import type { Connection } from '../../../../db/wire/connection.ts'

/** Removes the authenticator app and the recovery codes of a person; false if there are none. Passkeys stay. */
export async function removeSecondFactor(connection: Connection, email: string): Promise<boolean> {
  const { rows } = await connection.query(
    `delete from authenticators a using users u where u.id = a.user_id and lower(u.email) = lower($1) returning u.id`,
    [email],
  )
  const userId = rows[0]?.id as string | undefined
  if (!userId) return false
  await connection.query('delete from recovery_codes where user_id = $1', [userId])
  const operation = 'auth.authenticator_removed'
  await insertAudit(connection.query.bind(connection), { operation, source: 'SYSTEM', requestId: '', userId })
  return true
}
