import { sql } from 'kysely'
import { conflict } from '../../../core/define/failure.ts'
import { type Database, operation } from '../../../core/define/operation.ts'
import { one } from '../../../core/define/query.ts'
import { ById, Type } from '../../../core/define/schema.ts'
import { FileInput } from '../../../core/files/file.ts'
import { newId } from '../../../core/values/id.ts'
import { appendHistory } from '../../../ledger/history.ts'
import { storeFile } from '../../files/store.ts'
import { Attachment, toAttachment } from './attachment.ts'

export const attach = operation({
  name: 'invoices_attachments',
  http: 'POST /api/documents/{id}/attachments',
  does: 'Attaches a file of at most 20 MiB to a sales document: a multipart form with the part file, or JSON. It goes along with letters and stands on the public page.',
  scope: 'invoices:write',
  role: 'CONTRIBUTOR',
  within: 'documents',
  input: Type.Object({ ...ById.properties, file: FileInput }),
  output: Attachment,
  status: 201,
  rate: 'uploads',
  outside: true,
  upload: true,
  async run(context, { id }) {
    await context.tx(({ db }) => nextPosition(db, id)) // refuses before the file is stored
    const stored = await storeFile(context, context.upload, 'document-attachment')
    return context.once(async (inside) => {
      const { db } = inside
      const { userId } = await context.who
      const { organizationId, position } = await nextPosition(db, id)
      const { id: fileId, fileName, fileType, fileSize } = await stored.row(inside)
      const attachment = { id: newId(), fileId }
      await db
        .insertInto('documentAttachments')
        .values({ ...attachment, documentId: id, position })
        .execute()
      await db.updateTable('files').set({ attachedAt: sql<string>`now()` }).where('id', '=', fileId).execute()
      await appendHistory(db, id, 'ATTACHED', { attachmentId: attachment.id, fileName, userId })
      return toAttachment(context, { id, organizationId }, { ...attachment, fileName, fileType, fileSize })
    })
  },
})

const attachmentsMax = 20

/** Locks the document and returns the position of its next attachment. The database enforces the same maximum. */
async function nextPosition(db: Database, id: string) {
  const locked = db.selectFrom('documents').select(['id', 'organizationId']).where('id', '=', id).forNoKeyUpdate()
  const { organizationId } = await one(locked, 'document')
  const { last } = await db
    .selectFrom('documentAttachments')
    .select(sql<number>`coalesce(max(position), 0)::integer`.as('last'))
    .where('documentId', '=', id)
    .executeTakeFirstOrThrow()
  if (last >= attachmentsMax)
    throw conflict(`A document cannot have more than ${attachmentsMax} attachments.`, 'TOO_MANY_ATTACHMENTS')
  return { organizationId, position: last + 1 }
}
