import type { Database } from '../../../../core/define/operation.ts'
import { Count, Id, type Static, Type } from '../../../../core/define/schema.ts'
import type { Services } from '../../../../core/define/services.ts'
import { enclosuresMaxBytes } from '../../../../core/files/attachment.ts'
import { storageUrl } from '../../../platform/files/file.ts'
import type { Enclosure } from '../../../platform/mail/enclosure.ts'

/** A file attached to a document. */
export const Attachment = Type.Object({
  id: Id,
  documentId: Id,
  fileName: Type.String(),
  fileType: Type.String(),
  fileSize: Count,
  storageUrl: Type.String({ format: 'uri', description: 'Opens the file without credentials for 15 minutes.' }),
})
export type Attachment = Static<typeof Attachment>

export type AttachmentRow = { id: string; fileId: string; fileName: string; fileType: string; fileSize: number }

export const readAttachments = (db: Database, documentId: string): Promise<AttachmentRow[]> =>
  db
    .selectFrom('documentAttachments')
    .innerJoin('files', 'files.id', 'documentAttachments.fileId')
    .select(['documentAttachments.id', 'fileId', 'fileName', 'fileType', 'fileSize'])
    .where('documentId', '=', documentId)
    .orderBy('position')
    .execute()

/** An attachment as the API shows it. */
export const toAttachment = (
  services: Services & { now: Date },
  { id: documentId, organizationId }: { id: string; organizationId: string },
  { fileId, ...attachment }: AttachmentRow,
): Attachment => ({
  ...attachment,
  documentId,
  storageUrl: storageUrl(services, { id: fileId, organizationId }, services.now),
})

/** The part of an e-mail's size limit that is reserved for the PDF of the document. */
const printMaxBytes = 2 * 1024 * 1024

/**
 * What an e-mail with a document encloses: its PDF, and its attachments if they fit together. If they do not, the customer
 * finds them on the public page.
 */
export async function enclosuresOf(db: Database, { id }: { id: string }): Promise<Enclosure[]> {
  const files = await enclosedFiles(db, { id })
  return [{ kind: 'PRINT', documentId: id }, ...files.map(({ fileId }) => ({ kind: 'FILE', fileId }) as const)]
}

/** The attachments that an e-mail with the document encloses. */
export async function enclosedFiles(db: Database, { id }: { id: string }): Promise<AttachmentRow[]> {
  const attachments = await readAttachments(db, id)
  const bytes = attachments.reduce((sum, { fileSize }) => sum + fileSize, 0)
  return bytes > enclosuresMaxBytes - printMaxBytes ? [] : attachments
}
