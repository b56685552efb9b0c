import { operation } from '../../../core/define/operation.ts'
import { one } from '../../../core/define/query.ts'
import { ById, InOrganization, Type } from '../../../core/define/schema.ts'
import { File, FileInput } from '../../../core/files/file.ts'
import { filePurpose, StoredFile, storageUrl } from './file.ts'
import { fileById, storeFile } from './store.ts'

export const upload = operation({
  name: 'organizations_file_upload',
  http: 'POST /api/files',
  does: 'Keeps a file of at most 20 MiB for an organization: a multipart form with the part file, or JSON.',
  scope: 'organizations:write',
  within: 'organizationId',
  input: Type.Object({ ...InOrganization.properties, file: FileInput }),
  output: StoredFile,
  status: 201,
  rate: 'uploads',
  outside: true,
  upload: true,
  async run(context) {
    const stored = await storeFile(context, context.upload)
    return context.once(async (inside) => {
      const file = await stored.row(inside)
      return { ...file, storageUrl: storageUrl(context, file, context.now) }
    })
  },
})

export const get = operation({
  name: 'organizations_file',
  http: 'GET /api/files/{id}',
  does: 'Reads a file. Whoever holds its storageUrl needs no credentials while the link lives.',
  scope: 'organizations:read',
  within: 'files',
  input: Type.Object({
    ...ById.properties,
    token: Type.Optional(Type.String({ maxLength: 300, description: 'From a storageUrl; replaces credentials.' })),
  }),
  output: File,
  outside: true,
  link: filePurpose,
  async run(context, { id }) {
    const { fileName, fileType, fileSize, storageKey, organizationId } = await context.tx(({ db }) =>
      one(fileById(db, id), 'file'),
    )
    return {
      fileName,
      fileType,
      fileSize,
      open: () => context.storage.open(storageKey),
      link: storageUrl(context, { id, organizationId }, context.now),
    }
  },
})
