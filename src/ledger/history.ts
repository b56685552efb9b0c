import type { Database } from '../core/define/operation.ts'
import { newId } from '../core/values/id.ts'

/**
 * Adds an entry to the history of a document; the database numbers it and chains it by a hash to the one before. Without an
 * actor it is the product's own entry, and `payload.userId` says on whose behalf.
 */
export const appendHistory = (db: Database, documentId: string, type: string, payload: object) =>
  db.insertInto('documentEvents').values(historyEntry({ documentId, type, payload })).execute()

type HistoryEntry = { documentId: string; type: string; payload: object | null; actorUserId?: string | null }

export const historyEntry = ({ documentId, type, payload, actorUserId = null }: HistoryEntry) => ({
  id: newId(),
  documentId,
  type,
  actorUserId,
  payload: payload && JSON.stringify(payload),
})
