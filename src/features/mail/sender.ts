import { sql } from 'kysely'
import type { Database } from '../../core/define/operation.ts'

/** Under whose name mail goes out that no organization sends. */
const product = 'Kontor'

/** Whom a message comes from and where answers to it go, as the organization has set it up. */
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
