import type { Pool } from '../../db/pool.ts'
import { allows, allScopes, atLeast, type Role } from '../define/access.ts'
import type { Operation } from '../define/operation.ts'
import { type Authorization, credentialKind, unknownCaller } from './authorize.ts'
import type { Caller } from './call.ts'
import { sendWithoutWaiting, withConnection } from './connection.ts'

/** What a caller may do, as far as it can be said before they name an organization. */
export type Capabilities = {
  userId: string
  keyId: string | null
  /** The connected app that calls, and which app that is. */
  appId: string | null
  clientId: string | null
  /** null: everything that the role allows. */
  scopes: string[] | null
  /** The highest role in any organization that the credential reaches. */
  role: Role | null
}

const enterText = 'select * from enter($1, $2, $3, $4, null, $5::text::member_role, $6)'
const roleText = 'select max(role) as role from memberships where user_id = (select current_person())'

/** Who calls and what they may do anywhere, or 401. Read afresh each time, like everything about a credential. */
export function capabilitiesOf(pool: Pool, caller: Caller): Promise<Capabilities> {
  return withConnection(pool, true, async ({ connection }) => {
    const values = [
      credentialKind(caller.source),
      caller.credential,
      caller.userId ?? null,
      'ALL',
      'EMPLOYEE',
      allScopes,
    ]
    sendWithoutWaiting(connection.query('set local role kontor_across'))
    const [entered, best] = await Promise.all([connection.query(enterText, values), connection.query(roleText)])
    const { userId, keyId, appId, clientId, scopes } = entered.rows[0] as Authorization
    if (userId === null) throw unknownCaller(caller)
    return { userId, keyId, appId, clientId, scopes, role: (best.rows[0] as { role: Role | null }).role }
  })
}

/** Whether there is any organization in which this caller could do this. */
export function mayCall(
  { scopes, role }: Capabilities,
  { source }: Pick<Caller, 'source'>,
  operation: Operation,
): boolean {
  if (source === 'LINK' || source === 'PUBLIC' || !operation.sources.includes(source)) return false
  if (scopes && !allows(scopes, operation.scope)) return false
  // Whoever belongs anywhere may do it to themselves: leave, say.
  const needed = operation.orSelf ? 'EMPLOYEE' : operation.role
  return operation.within === 'caller' || (role !== null && atLeast(role, needed))
}
