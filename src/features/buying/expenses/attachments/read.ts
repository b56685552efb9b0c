import { invalid } from '../../../../core/define/failure.ts'
import type { Database } from '../../../../core/define/operation.ts'
import { byId, toUuid } from '../../../../core/define/query.ts'

/** The file of an attachment of an expense; the attachments of other documents are not found. */
export const attachedFile = byId((db, id) =>
  db
    .selectFrom('documentAttachments as a')
    .innerJoin('files as f', (join) =>
      join.onRef('f.organizationId', '=', 'a.organizationId').onRef('f.id', '=', 'a.fileId'),
    )
    .innerJoin('expenses as e', (join) =>
      join.onRef('e.organizationId', '=', 'a.organizationId').onRef('e.id', '=', 'a.documentId'),
    )
    .select(['a.id', 'a.organizationId', 'e.id as expenseId', 'f.fileName', 'f.fileType', 'f.fileSize', 'f.storageKey'])
    .where('a.id', '=', id),
)

/** The id of an expense that an upload names. */
export async function requireExpense(db: Database, id: string): Promise<string> {
  const found = await db.selectFrom('expenses').select('id').where('id', '=', toUuid(id)).executeTakeFirst()
  if (!found) throw invalid('expenseId', 'The expense does not exist.', 'UNKNOWN_REFERENCE')
  return found.id
}
