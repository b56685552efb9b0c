import { pipeline } from '../../db/pipeline.ts'
import type { BorrowedConnection, Pool } from '../../db/pool.ts'
import { allScopes, atLeast, hasScope, type Role } from '../define/access.ts'
import type { Operation } from '../define/operation.ts'
import { type Authorization, credentialKind, unknownCaller } from './authorize.ts'
import { type Caller, subjectOf } from './call.ts'
import { withConnection } from './connection.ts'
import { readAcrossOrganizations } from './transaction-context.ts'

/** What a caller may do, as far as it is known before they name an organization. */
export type Capabilities = {
  userId: string
  keyId: string | null
  /** The connected app that calls, and which app that is. */
  appId: string | null
  clientId: string | null
  /** null: every scope. */
  scopes: string[] | null
  /** The highest role in any organization that the credential can access. */
  role: Role | null
}

const authorizeText = 'select * from authorize_request($1, $2, $3, $4, null, $5::text::member_role, $6)'
const highestRoleText = 'select max(role) as role from memberships where user_id = (select current_person())'

/** Who the caller is and what they may do in any organization, or 401. Read anew each time, because rights change. */
export function capabilitiesOf(pool: Pool, caller: Caller): Promise<Capabilities> {
  const read = async ({ connection }: BorrowedConnection) => {
    const values = [credentialKind(caller), caller.credential, caller.userId ?? null, 'ALL', 'EMPLOYEE', allScopes]
    readAcrossOrganizations(connection)
    const { authorized, highest } = await pipeline({
      authorized: connection.query(authorizeText, values),
      highest: connection.query(highestRoleText),
    })
    const { userId, keyId, appId, clientId, scopes } = authorized.rows[0] as Authorization
    if (userId === null) throw unknownCaller(caller)
    const { role } = highest.rows[0] as { role: Role | null }
    return { userId, keyId, appId, clientId, scopes, role }
  }
  return withConnection(pool, true, read, { holder: { subjects: [subjectOf(caller)], turn: undefined } })
}

/** Whether there is an organization in which this caller may call the operation. */
export function mayCall(
  { scopes, role }: Capabilities,
  { source }: Pick<Caller, 'source'>,
  operation: Operation,
): boolean {
  if (source === 'LINK' || source === 'PUBLIC' || !operation.sources.includes(source)) return false
  if (!hasScope(scopes, operation.scope)) return false
  // With orSelf every member may apply it to themselves, for example to leave.
  const needed = operation.orSelf ? 'EMPLOYEE' : operation.role
  return operation.within === 'caller' || (role !== null && atLeast(role, needed))
}
