import { sql } from 'kysely'
import type { Database } from '../../core/define/operation.ts'
import { newId } from '../../core/values/id.ts'
import type { Kind, NotificationFacts } from './notification.ts'

const leastRole = { MANAGERS: 'MANAGER', CONTRIBUTORS: 'CONTRIBUTOR' } as const

type Told<K extends Kind> = {
  kind: K
  /** Everybody who manages the organization, or works on its documents, or these of its members. */
  to: keyof typeof leastRole | readonly string[]
  except?: string
  data: NotificationFacts<K>
}

/**
 * Tells members of the organization that the transaction is confined to, in that transaction. Whoever did it is told
 * like the others: it may have been somebody else with their session.
 */
export async function notify<K extends Kind>(db: Database, { kind, to, except, data }: Told<K>): Promise<void> {
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
  if (rows.length > 0) await db.insertInto('notifications').values(rows).execute()
}
