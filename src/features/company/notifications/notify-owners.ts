import type { Database } from '../../../core/define/operation.ts'
import { newId } from '../../../core/values/id.ts'
import type { Kind, NotificationFacts } from './notification.ts'

/**
 * Notifies the owners of all organizations, each person once, of something that concerns the whole installation. The
 * transaction must not be confined to an organization. `except` are addresses of accounts that nobody reads, such as the demo's.
 */
export async function notifyOwners<K extends Kind>(
  db: Database,
  { kind, data, except }: { kind: K; data: NotificationFacts<K>; except: readonly string[] },
): Promise<void> {
  const owners = await db
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'userId')
    .select('userId')
    .distinct()
    .where('role', '=', 'OWNER')
    .where('users.disabledAt', 'is', null)
    .where('users.email', 'not in', except)
    .execute()
  const rows = owners.map(({ userId }) => ({
    id: newId(),
    userId,
    organizationId: null,
    kind,
    data: JSON.stringify(Object.assign({ by: null, organization: null }, data)),
  }))
  if (rows.length > 0) await db.insertInto('notifications').values(rows).execute()
}
