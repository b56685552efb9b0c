import type pg from 'pg'
import { withSession } from '../../backup/session.ts'
import { backedUpParts } from '../../backup/table-list.ts'

/** How many rows each part of a backup of this database would have, by its name: `tables/customers`, `queue/jobs`. */
export const rowCounts = (database: pg.ClientConfig): Promise<Record<string, number>> =>
  withSession(database, async (client) => {
    const counts: Record<string, number> = {}
    for (const { part, from } of await backedUpParts(client)) {
      const { rows } = await client.query<{ count: number }>(`select count(*)::int as count from ${from}`)
      counts[part] = rows[0]?.count ?? 0
    }
    return counts
  })
