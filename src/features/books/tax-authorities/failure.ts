import { sql } from 'kysely'
import type { Database } from '../../../core/define/operation.ts'
import { notify } from '../../company/notifications/notify.ts'
import { noteValidation } from './connection.ts'
import { findIntegration } from './integrations.ts'

/** Credentials that the authority does not accept: noted, and the managers are notified once until they work again. */
export async function noteFailure(db: Database, connectionId: string, reason: string): Promise<void> {
  await noteValidation(db, connectionId, reason)
  const first = await db
    .updateTable('taxAuthorityConnections')
    .set({ failureNotifiedAt: sql<string>`now()` })
    .where('id', '=', connectionId)
    .where('failureNotifiedAt', 'is', null)
    .returning('integrationId')
    .executeTakeFirst()
  if (!first) return
  const { integrationId } = first
  const name = findIntegration(integrationId)?.name ?? integrationId
  await notify(db, { kind: 'TAX_AUTHORITY_FAILED', to: 'MANAGERS', data: { integrationId, name, reason } })
}
