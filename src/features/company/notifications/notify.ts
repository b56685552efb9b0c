import { sql } from 'kysely'
import type { Database } from '../../../core/define/operation.ts'
import { newId } from '../../../core/values/id.ts'
import type { Kind, NotificationFacts } from './notification.ts'

const leastRole = { OWNERS: 'OWNER', MANAGERS: 'MANAGER', CONTRIBUTORS: 'CONTRIBUTOR' } as const

type NotifyInput<K extends Kind> = {
  kind: K
  /** All owners, managers or contributors, or these members. */
  to: keyof typeof leastRole | readonly string[]
  except?: string
  data: NotificationFacts<K>
}

/**
 * Notifies members of the organization of the transaction, in that transaction. The actor is notified too, because someone
 * else may have used their session.
 */
export async function notify<K extends Kind>(db: Database, { kind, to, except, data }: NotifyInput<K>): Promise<void> {
  const people = await db
    .selectFrom('memberships')
    .innerJoin('organizations', 'organizations.id', 'organizationId')
    .select(['userId', 'organizationId', 'organizations.name as organization'])
    .select(sql<string | null>`(select name from users where id = current_person())`.as('by'))
    .where((member) => (typeof to === 'string' ? member('role', '>=', leastRole[to]) : member('userId', 'in', [...to])))
    .execute()
  const rows = people
    .filter(({ userId }) => userId !== except)
    .map(({ userId, organizationId, organization, by }) => ({
      id: newId(),
      userId,
      organizationId,
      kind,
      data: JSON.stringify(Object.assign({ by, organization }, data)),
    }))
  if (rows.length === 0) return
  // A notice that a kind gives once a day is there already.
  await db
    .insertInto('notifications')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
