import { createHash } from 'node:crypto'
import type { Storage } from '../core/outside/storage.ts'
import type { Pool } from '../db/pool.ts'

const batchSize = 500
const atOnce = 8
const reportedMax = 20

export const alteredOriginalsRule = {
  id: 'INV-07',
  says: 'Every kept original has the bytes that its hash states.',
}

type Original = { organizationId: string; documentId: string; storageKey: string; sha256: string }
type Row = { organizationId: string; documentId: string }

/** Reads every kept original and compares its hash. A missing file is reported by the rule about lost files. */
export async function alteredOriginals({ system, storage }: { system: Pool; storage: Storage }): Promise<Row[]> {
  const altered: Row[] = []
  for (let after = ''; altered.length < reportedMax; ) {
    const originals = await originalsAfter(system, after)
    for (let at = 0; at < originals.length; at += atOnce) {
      const group = originals.slice(at, at + atOnce)
      const results = await Promise.all(group.map((original) => isAltered(storage, original)))
      for (const [n, { organizationId, documentId }] of group.entries())
        if (results[n]) altered.push({ organizationId, documentId })
    }
    if (originals.length < batchSize) break
    after = originals.at(-1)?.storageKey ?? ''
  }
  return altered
}

const originalsAfter = (system: Pool, after: string): Promise<Original[]> =>
  system.use((db) =>
    db
      .selectFrom('issuedCopies')
      .innerJoin('files', (on) =>
        on
          .onRef('files.organizationId', '=', 'issuedCopies.organizationId')
          .onRef('files.id', '=', 'issuedCopies.originalFileId'),
      )
      .select(['files.organizationId', 'documentId', 'storageKey', 'sha256'])
      .where('storageKey', '>', after)
      .orderBy('storageKey')
      .limit(batchSize)
      .execute(),
  )

async function isAltered(storage: Storage, { storageKey, sha256 }: Original): Promise<boolean> {
  if (!(await storage.has(storageKey))) return false
  const hash = createHash('sha256')
  for await (const piece of await storage.open(storageKey)) hash.update(piece)
  return hash.digest('hex') !== sha256
}
