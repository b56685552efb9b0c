import type { Database } from '../core/define/operation.ts'
import { newId } from '../core/values/id.ts'

/**
 * Adds an entry to the history of a document. The database numbers it and links it by a hash to the entry before. An entry
 * without an actor is written by the product; `payload.userId` is the person whose call caused it.
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
