import type { Storage } from '../core/outside/storage.ts'
import type { Pool } from '../db/pool.ts'

const batchSize = 5_000
const reportedMax = 20

export const lostFilesRule = { id: 'FLT-08', says: 'Every file that a row refers to is in the file store.' }

type Row = { organizationId: string; id: string }

/** Finds rows whose file is not in the store: lists the store once, and asks for each file that is not in the list. */
export async function lostFiles({ system, storage }: { system: Pool; storage: Storage }): Promise<Row[]> {
  const stored = new Set<string>()
  for (let page = await storage.list(); ; page = await storage.list(page.next)) {
    for (const { key } of page.objects) stored.add(key)
    if (page.next === undefined) break
  }
  const lost: Row[] = []
  for (let after = ''; lost.length < reportedMax; ) {
    const rows = await system.use((db) =>
      db
        .selectFrom('files')
        .select(['organizationId', 'id', 'storageKey'])
        .where('storageKey', '>', after)
        .orderBy('storageKey')
        .limit(batchSize)
        .execute(),
    )
    for (const { organizationId, id, storageKey } of rows) {
      if (!stored.has(storageKey) && !(await storage.has(storageKey))) lost.push({ organizationId, id })
    }
    if (rows.length < batchSize) break
    after = rows.at(-1)?.storageKey ?? ''
  }
  return lost
}
