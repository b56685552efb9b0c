import { sql } from 'kysely'
import type { Database } from '../core/define/operation.ts'

/** The counters that a call may advance. */
type Counters = {
  /** The document that is issued, or that others are issued from; a receipt for a payment may have none. */
  documentId?: string
  /** Whether the draft becomes final: locks the counter of its type, or of the type that it changes to. */
  becomesFinal?: boolean
  documentType?: string | undefined
  /** The types of documents that are issued from it, such as RECEIPT. */
  issues?: readonly string[]
}

/** Locks counters in a fixed order, before the document is locked (reliability, lock order). */
export const lockCounters = (
  db: Database,
  { documentId, becomesFinal = false, documentType, issues = [] }: Counters,
) =>
  documentId === undefined
    ? sql`select lock_counters(${[...issues]}::text[])`.execute(db)
    : sql`select lock_counters(array_agg(t.type)) from (
      select coalesce(${documentType ?? null}::text, document_type) as type from documents
        where id = ${documentId} and issued_at is null and ${becomesFinal}
      union select i.type from documents, unnest(${[...issues]}::text[]) i (type) where id = ${documentId}) t`.execute(
        db,
      )

/** Locks a document against other changes until the transaction ends. */
export const lockDocument = (db: Database, id: string) =>
  db.selectFrom('documents').select('id').where('id', '=', id).forNoKeyUpdate().execute()
