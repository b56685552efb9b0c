import { sql } from 'kysely'
import type { Database } from '../../../core/define/operation.ts'

/** The sender name of mail that no organization sends. */
const product = 'Kontor'

/** The sender name and the reply address of a message, from the settings of the organization. */
export async function senderOf(db: Database, organizationId: string | null) {
  const organization = organizationId
    ? await db
        .selectFrom('organizations')
        .leftJoin('organizationSettings', 'organizationId', 'organizations.id')
        .select(['email', sql<string>`coalesce(sender_name, name)`.as('name')])
        .where('organizations.id', '=', organizationId)
        .executeTakeFirst()
    : undefined
  return { senderName: organization?.name ?? product, replyTo: organization?.email ?? null }
}
