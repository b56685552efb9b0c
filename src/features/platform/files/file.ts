import { Id, Instant, type Static, Type } from '../../../core/define/schema.ts'
import type { Services } from '../../../core/define/services.ts'
import { linkToken } from '../../../core/secrets/link-token.ts'

export const StoredFile = Type.Object({
  id: Id,
  organizationId: Id,
  fileName: Type.String(),
  fileType: Type.String({ description: 'Its media type, told by the content.' }),
  fileSize: Type.Integer({ description: 'In bytes.' }),
  sha256: Type.String({ description: 'SHA-256 of the content, in hexadecimal.' }),
  storageKey: Type.String({
    description:
      'Names the file in later calls by the same person in the same organization. It opens nothing by itself.',
  }),
  storageUrl: Type.String({ format: 'uri', description: 'Opens the file without credentials for 15 minutes.' }),
  createdAt: Instant,
})
export type StoredFile = Static<typeof StoredFile>

export const filePurpose = 'file'

/** A link that opens a file without credentials for 15 minutes. */
export function storageUrl(
  { secrets, installation }: Services,
  file: { id: string; organizationId: string },
  now: Date,
) {
  const object = { purpose: filePurpose, objectId: file.id, organizationId: file.organizationId }
  return `${installation.url}/api/files/${file.id}?token=${linkToken(secrets.derived('signed-url'), object, now)}`
}
