import { forbidden, invalid } from '../../../core/define/failure.ts'
import { requireLiveSession } from '../../../core/define/live-session.ts'
import { toUuid } from '../../../core/define/query.ts'
import { insertAudit } from '../../../core/run/audit.ts'
import { withConnection } from '../../../core/run/connection.ts'
import { newId } from '../../../core/values/id.ts'
import type { Pool } from '../../../db/pool.ts'

/** The consent that a person gave on the consent page. */
export type Consent = {
  userId: string
  sessionId: string
  requestId: string
  clientId: string
  clientName: string
  clientUri: string | null
  scopes: string[]
  /** The resources that tokens may be issued for. */
  resources: string[]
  organizationIds: string[]
}

/** Connects an app to organizations of the person, and writes an audit entry. The first token extends the expiry. */
export function connect(system: Pool, consent: Consent): Promise<string> {
  const organizationIds = [...new Set(consent.organizationIds.map((id) => toUuid(id).toLowerCase()))]
  if (organizationIds.length === 0) throw invalid('organizationIds', 'Choose at least one organization.')
  const id = newId()
  return withConnection(system, true, async ({ connection, db }) => {
    const { userId, sessionId, requestId, clientId, clientName, clientUri, scopes, resources } = consent
    await requireLiveSession(db, { userId, sessionId })
    await connection.query(appText, [id, userId, clientId, clientName, clientUri, scopes, resources])
    const { affected } = await connection.query(organizationsText, [id, userId, organizationIds])
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

const organizationsText = `insert into connected_app_organizations (app_id, organization_id, user_id)
  select $1, m.organization_id, m.user_id from memberships m where m.user_id = $2 and m.organization_id = any ($3::uuid[])`
