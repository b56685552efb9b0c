import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import { unauthenticated } from './failure.ts'

/**
 * Locks the account of the caller until the transaction ends, and throws 401 if the session has ended since the call was
 * authorized. Called before anything is made that outlives the session: a key, an app, another session. Sessions are ended
 * under the same lock, so a request that is being executed cannot escape the end of its session.
 */
export async function requireLiveSession(
  db: Database,
  { userId, sessionId }: { userId: string; sessionId: string | null },
): Promise<void> {
  const { rows } = await sql<{ live: boolean }>`select lock_session(${userId}, ${sessionId}) as live`.execute(db)
  if (!rows[0]?.live) throw unauthenticated('The session has ended. Sign in again.')
}
