import { sql } from 'kysely'
import { conflict } from '../core/define/failure.ts'
import type { Database } from '../core/define/operation.ts'
import { one } from '../core/define/query.ts'
import { newId } from '../core/values/id.ts'
import { appendHistory } from './history.ts'
import type { LedgerKind } from './kind.ts'

const attachmentsMax = 20

/** Locks a document of a kind and returns the position of its next attachment. The database enforces the same maximum. */
export async function nextAttachment(db: Database, { name }: LedgerKind, id: string) {
  const locked = db.selectFrom('documents').select(['id', 'organizationId']).where('id', '=', id)
  const { organizationId } = await one(locked.where('kind', '=', sql.lit(name)).forNoKeyUpdate(), 'document')
  const { last } = await db
    .selectFrom('documentAttachments')
    .select(sql<number>`coalesce(max(position), 0)::integer`.as('last'))
    .where('documentId', '=', id)
    .executeTakeFirstOrThrow()
  if (last >= attachmentsMax)
    throw conflict(`A document cannot have more than ${attachmentsMax} attachments.`, 'TOO_MANY_ATTACHMENTS')
  return { organizationId, position: last + 1 }
}

type NewAttachment = { documentId: string; position: number; userId: string; file: { id: string; fileName: string } }

/** Attaches a stored file to a locked document. Returns the id of the attachment. */
export async function insertAttachment(db: Database, { documentId, position, userId, file }: NewAttachment) {
  const id = newId()
  await db.insertInto('documentAttachments').values({ id, documentId, position, fileId: file.id }).execute()
  await db.updateTable('files').set({ attachedAt: sql<string>`now()` }).where('id', '=', file.id).execute()
  await appendHistory(db, documentId, 'ATTACHED', { attachmentId: id, fileName: file.fileName, userId })
  return id
}
