import { forbidden, invalid } from '../../core/define/failure.ts'
import { toUuid } from '../../core/define/query.ts'
import { insertAudit } from '../../core/run/audit.ts'
import { withConnection } from '../../core/run/connection.ts'
import { newId } from '../../core/values/id.ts'
import type { Pool } from '../../db/pool.ts'

/** What a person agreed to on the consent page. */
export type Agreement = {
  userId: string
  sessionId: string
  requestId: string
  clientId: string
  clientName: string
  clientUri: string | null
  scopes: string[]
  /** What tokens may be for. */
  resources: string[]
  organizationIds: string[]
}

/** Lets an app in where its person belongs, and nowhere else; its first token prolongs it. The trail says who did. */
export function connect(system: Pool, agreed: Agreement): Promise<string> {
  const organizationIds = [...new Set(agreed.organizationIds.map((id) => toUuid(id).toLowerCase()))]
  if (organizationIds.length === 0) throw invalid('organizationIds', 'Choose at least one organization.')
  const id = newId()
  return withConnection(system, true, async ({ connection }) => {
    const { userId, sessionId, requestId, clientId, clientName, clientUri, scopes, resources } = agreed
    await connection.query(appText, [id, userId, clientId, clientName, clientUri, scopes, resources])
    const { affected } = await connection.query(placesText, [id, userId, organizationIds])
    if (affected !== organizationIds.length) throw forbidden('You do not belong to that organization.', 'ORGANIZATION')
    await insertAudit(connection.ask, {
      operation: 'oauth.connect',
      source: 'SESSION',
      ...{ requestId, userId, sessionId, clientId },
      objectId: id,
      detail: { scopes, organizationIds },
    })
    return id
  })
}

const appText = `insert into connected_apps (id, user_id, client_id, client_name, client_uri, scopes, resources, expires_at)
  values ($1, $2, $3, $4, $5, $6, $7, now() + interval '10 minutes')`

const placesText = `insert into connected_app_organizations (app_id, organization_id, user_id)
  select $1, m.organization_id, m.user_id from memberships m where m.user_id = $2 and m.organization_id = any ($3::uuid[])`
