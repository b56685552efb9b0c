import { Readable } from 'node:stream'
import { notFound } from '../../../core/define/failure.ts'
import { type Database, operation } from '../../../core/define/operation.ts'
import { Id, Type } from '../../../core/define/schema.ts'
import { File } from '../../../core/files/file.ts'
import { readLogo } from './logo.ts'
import { type LogoSize, logoSizes, scaledLogo } from './logo-size.ts'

const Size = Type.Unsafe<LogoSize>({
  type: 'integer',
  enum: logoSizes,
  description: 'The picture fits into a square of so many pixels; the largest unless given.',
})

export const logo = operation({
  name: 'settings_logo',
  http: 'GET /api/organizations/{id}/logo',
  does: 'Reads the logo of an organization as PNG, in one of a few sizes. It is never enlarged.',
  scope: 'settings:read',
  role: 'EMPLOYEE',
  within: 'organizations',
  input: Type.Object({ id: Id, size: Type.Optional(Size) }),
  output: File,
  outside: true,
  async run({ tx, storage }, { size = 512 }) {
    const file = await tx(({ db }) => logoFileOf(db))
    if (!file) throw notFound('logo')
    const bytes = await scaledLogo(file.id, size, () => readLogo(storage, file))
    return {
      ...{ fileName: 'logo.png', fileType: 'image/png', fileSize: bytes.length, bytes },
      open: async () => Readable.from([bytes]),
      keptS: 24 * 60 * 60, // its address names the file (people/signed-in.ts)
    }
  },
})

const logoFileOf = (db: Database) =>
  db
    .selectFrom('organizationSettings as s')
    .innerJoin('files as f', 'f.id', 's.logoFileId')
    .select(['f.id', 'f.storageKey', 'f.fileType', 'f.fileSize'])
    .executeTakeFirst()
