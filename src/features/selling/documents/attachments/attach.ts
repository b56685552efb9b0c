import { operation } from '../../../../core/define/operation.ts'
import { ById, Type } from '../../../../core/define/schema.ts'
import { FileInput } from '../../../../core/files/file.ts'
import { insertAttachment, nextAttachment } from '../../../../ledger/attachments.ts'
import { storeFile } from '../../../platform/files/store.ts'
import { salesKind } from '../kind.ts'
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
    await context.tx(({ db }) => nextAttachment(db, salesKind, id)) // refuses before the file is stored
    const stored = await storeFile(context, context.upload, 'document-attachment')
    return context.once(async (inside) => {
      const { db } = inside
      const { userId } = await context.who
      const { organizationId, position } = await nextAttachment(db, salesKind, id)
      const file = await stored.row(inside)
      const attachmentId = await insertAttachment(db, { documentId: id, position, userId, file })
      const { id: fileId, fileName, fileType, fileSize } = file
      return toAttachment(context, { id, organizationId }, { id: attachmentId, fileId, fileName, fileType, fileSize })
    })
  },
})
