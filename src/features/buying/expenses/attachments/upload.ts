import { operation } from '../../../../core/define/operation.ts'
import { one } from '../../../../core/define/query.ts'
import { Id, InOrganization, Type } from '../../../../core/define/schema.ts'
import { File, FileInput } from '../../../../core/files/file.ts'
import { insertAttachment, nextAttachment } from '../../../../ledger/attachments.ts'
import { storeFile } from '../../../platform/files/store.ts'
import { expenseKind } from '../kind.ts'
import { createForUpload } from '../writing/create.ts'
import { Attachment, attachmentPurpose, attachmentUrl, toAttachment } from './attachment.ts'
import { attachedFile, requireExpense } from './read.ts'

export const upload = operation({
  name: 'expenses_upload',
  http: 'POST /api/expenses/upload',
  does: 'Attaches a file of at most 20 MiB to an expense: a multipart form with the part file, or JSON. Without expenseId it creates a draft, to be filled in by a scan or by hand.',
  scope: 'expenses:write',
  role: 'CONTRIBUTOR',
  within: 'organizationId',
  input: Type.Object({
    ...InOrganization.properties,
    expenseId: Type.Optional({ ...Id, description: 'The expense it belongs to; a new one unless given.' }),
    file: FileInput,
  }),
  output: Attachment,
  status: 201,
  rate: 'uploads',
  outside: true,
  upload: true,
  async run(context, { expenseId: named }) {
    if (named)
      // refuses before the file is stored
      await context.tx(async ({ db }) => nextAttachment(db, expenseKind, await requireExpense(db, named)))
    const stored = await storeFile(context, context.upload, 'expense-attachment')
    return context.once(async (inside) => {
      const { db } = inside
      const { userId } = await context.who
      const expenseId = named ? await requireExpense(db, named) : await createForUpload(inside)
      const { organizationId, position } = await nextAttachment(db, expenseKind, expenseId)
      const file = await stored.row(inside)
      const id = await insertAttachment(db, { documentId: expenseId, position, userId, file })
      return toAttachment(context, { id: expenseId, organizationId }, { ...file, id })
    })
  },
})

export const get = operation({
  name: 'expenses_attachments',
  http: 'GET /api/expenses/attachments/{id}',
  does: 'Reads a file that is attached to an expense. Whoever holds its storageUrl needs no credentials while the link lives.',
  scope: 'expenses:read',
  within: 'documentAttachments',
  input: Type.Object({
    id: Id,
    token: Type.Optional(Type.String({ maxLength: 300, description: 'From a storageUrl; replaces credentials.' })),
  }),
  output: File,
  outside: true,
  link: attachmentPurpose,
  async run(context, { id, token }) {
    const { fileName, fileType, fileSize, storageKey, organizationId } = await context.tx(({ db }) =>
      one(attachedFile(db, id), 'attachment'),
    )
    return {
      fileName,
      fileType,
      fileSize,
      // the web app shows it beside the fields that were read from it; a link that is passed on saves it
      ...(fileType === 'application/pdf' && token === undefined && { inline: true as const }),
      open: () => context.storage.open(storageKey),
      link: attachmentUrl(context, { id, organizationId }, context.now),
    }
  },
})
