import { Count, Id, nullable, type Static, Type } from '../../../../core/define/schema.ts'
import type { Services } from '../../../../core/define/services.ts'
import { linkToken } from '../../../../core/secrets/link-token.ts'

/** A file attached to an expense, usually the receipt. */
export const Attachment = Type.Object({
  id: Id,
  expenseId: Id,
  fileName: Type.String(),
  fileType: nullable(Type.String({ description: 'Its media type, told by the content.' })),
  fileSize: nullable(Count),
  storageUrl: Type.String({ format: 'uri', description: 'Opens the file without credentials for 15 minutes.' }),
})
export type Attachment = Static<typeof Attachment>

export type AttachmentRow = { id: string; fileName: string; fileType: string; fileSize: number }

export const attachmentPurpose = 'expense-attachment'

/** A link that opens an attachment without credentials for 15 minutes. */
export function attachmentUrl(
  { secrets, installation }: Services,
  { id, organizationId }: { id: string; organizationId: string },
  now: Date,
) {
  const object = { purpose: attachmentPurpose, objectId: id, organizationId }
  const token = linkToken(secrets.derived('signed-url'), object, now)
  return `${installation.url}/api/expenses/attachments/${id}?token=${token}`
}

/** An attachment as the API shows it. */
export const toAttachment = (
  services: Services & { now: Date },
  { id: expenseId, organizationId }: { id: string; organizationId: string },
  { id, fileName, fileType, fileSize }: AttachmentRow,
): Attachment => ({
  id,
  expenseId,
  fileName,
  fileType,
  fileSize,
  storageUrl: attachmentUrl(services, { id, organizationId }, services.now),
})
