import type { Database } from '../../../core/define/operation.ts'
import { Count, Id, Type } from '../../../core/define/schema.ts'
import type { Services } from '../../../core/define/services.ts'
import { enclosuresMaxBytes } from '../../../core/files/attachment.ts'
import { storageUrl } from '../../files/file.ts'
import type { Enclosure } from '../../mail/enclosure.ts'

/** A file that goes along with a document. */
export const Attachment = Type.Object({
  id: Id,
  documentId: Id,
  fileName: Type.String(),
  fileType: Type.String(),
  fileSize: Count,
  storageUrl: Type.String({ format: 'uri', description: 'Opens the file without credentials for 15 minutes.' }),
})

export type Attached = { id: string; fileId: string; fileName: string; fileType: string; fileSize: number }

export const attachedTo = (db: Database, documentId: string): Promise<Attached[]> =>
  db
    .selectFrom('documentAttachments')
    .innerJoin('files', 'files.id', 'documentAttachments.fileId')
    .select(['documentAttachments.id', 'fileId', 'fileName', 'fileType', 'fileSize'])
    .where('documentId', '=', documentId)
    .orderBy('position')
    .execute()

/** An attachment as a resource shows it. */
export const toAttachment = (
  kept: Services & { now: Date },
  { id: documentId, organizationId }: { id: string; organizationId: string },
  { fileId, ...attached }: Attached,
) => ({ ...attached, documentId, storageUrl: storageUrl(kept, { id: fileId, organizationId }, kept.now) })

/** Of what a letter carries, this much is left for the document itself. */
const printMaxBytes = 2 * 1024 * 1024

/**
 * What goes along with the letter about a document: itself as a PDF, and the files attached to it, if a letter carries that
 * much; if not, the page behind its link has them.
 */
export async function attachmentsOf(db: Database, { id }: { id: string }): Promise<Enclosure[]> {
  const attached = await attachedTo(db, id)
  const bytes = attached.reduce((sum, { fileSize }) => sum + fileSize, 0)
  const files = bytes > enclosuresMaxBytes - printMaxBytes ? [] : attached
  return [{ kind: 'PRINT', documentId: id }, ...files.map(({ fileId }) => ({ kind: 'FILE', fileId }) as const)]
}
