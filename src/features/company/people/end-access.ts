import { sql } from 'kysely'
import { Count, type Static, Type } from '../../../core/define/schema.ts'
import type { Database } from '../../../db/database.ts'
import { endAllSessions } from './session.ts'

/** What a proof of the address has ended, for the person to read. */
export const Ended = Type.Object({
  everything: Type.Boolean({
    description: 'Whether all access was ended, because the address had not been confirmed before. Else only sessions.',
  }),
  sessions: Count,
  apiKeys: Count,
  connectedApps: Count,
  passkeys: Count,
  secondFactor: Type.Boolean(),
  password: Type.Boolean({ description: 'Whether the password was removed too: ask for a new one.' }),
  invitations: Type.Integer({
    minimum: 0,
    description: 'Pending invitations that were sent in the name of the account.',
  }),
  automations: Type.Integer({ minimum: 0, description: 'Automations of the account that were paused.' }),
  organizations: Type.Integer({
    minimum: 0,
    description: 'Organizations that the account still belongs to. Check their members.',
  }),
})
export type Ended = Static<typeof Ended>

export const nothingEnded: Ended = {
  everything: false, sessions: 0, apiKeys: 0, connectedApps: 0, passkeys: 0, secondFactor: false, password: false,
  invitations: 0, automations: 0, organizations: 0,
} // biome-ignore format: a list of words

export const sessionsEnded = async (db: Database, userId: string): Promise<Ended> => {
  const [{ numDeletedRows: sessions } = { numDeletedRows: 0n }] = await endAllSessions(db, userId)
  return { ...nothingEnded, sessions: Number(sessions) }
}

type Ending = {
  userId: string
  requestId: string
  /** The name of the audit row of what proved the address. */
  cause: string
  /** Whether the password ends too, because it is not replaced. */
  withPassword: boolean
}

/**
 * Ends all access to an account whose address is proven for the first time, in the transaction that proves it. Until then
 * anybody may have made the account with somebody else's address, and must keep no access to it (THR-08): sessions, keys,
 * connected apps, passkeys, the second factor and links in mails. Invitations from it are withdrawn and its automations
 * paused. Keys and apps end as revoked ones, each with its audit row.
 */
export async function endAccess(db: Database, { userId, requestId, cause, withPassword }: Ending): Promise<Ended> {
  const { rows } = await sql<{ ended: Ended }>`
    select end_access(${userId}, ${requestId}, ${cause}, ${withPassword}) as ended`.execute(db)
  const [row] = rows
  if (!row) throw new Error('end_access() returns a row.')
  return row.ended
}
