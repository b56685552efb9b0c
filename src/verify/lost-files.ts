import type { Storage } from '../core/outside/storage.ts'
import type { Pool } from '../db/pool.ts'

const batch = 5_000
const lostMax = 20

export const filesAreKept = { id: 'FLT-08', says: 'Every file that a row names is in the file store.' }

type Means = { system: Pool; storage: Storage }
type Row = { organizationId: string; id: string }

/** Rows whose file is not in the store. One listing of the store is compared with all rows; what it lacks is asked for. */
export async function lostFiles({ system, storage }: Means): Promise<Row[]> {
  const kept = new Set<string>()
  for (let page = await storage.list(); ; page = await storage.list(page.next)) {
    for (const { key } of page.objects) kept.add(key)
    if (page.next === undefined) break
  }
  const lost: Row[] = []
  for (let after = ''; lost.length < lostMax; ) {
    const rows = await system.use((db) =>
      db
        .selectFrom('files')
        .select(['organizationId', 'id', 'storageKey'])
        .where('storageKey', '>', after)
        .orderBy('storageKey')
        .limit(batch)
        .execute(),
    )
    for (const { organizationId, id, storageKey } of rows) {
      if (!kept.has(storageKey) && !(await storage.has(storageKey))) lost.push({ organizationId, id })
    }
    if (rows.length < batch) break
    after = rows.at(-1)?.storageKey ?? ''
  }
  return lost
}
