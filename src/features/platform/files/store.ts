import type { Inside, Outside } from '../../../core/define/operation.ts'
import { byId, one } from '../../../core/define/query.ts'
import type { Upload } from '../../../core/files/file.ts'
import { faultPoint } from '../../../core/observe/fault-point.ts'
import { newId } from '../../../core/values/id.ts'

/** The columns that operations use. */
const fileColumns = [
  'id', 'organizationId', 'fileName', 'fileType', 'fileSize', 'sha256', 'storageKey', 'createdAt',
] as const // biome-ignore format: a list of words

/**
 * Stores the bytes of an upload. The caller then writes the row: `once(stored.row)`. If that fails, the sweep removes the
 * bytes later; they are not removed here, because the commit may have happened although its answer was lost.
 */
export async function storeFile({ storage }: Pick<Outside, 'storage'>, upload: Upload, purpose = 'upload') {
  const { fileName, fileType, declaredType, size, sha256, path } = upload
  const storageKey = await storage.put(path)
  faultPoint('after-rename-before-row')
  const row = { id: newId(), fileName, fileType, declaredType, fileSize: size, sha256, storageKey, purpose }
  return {
    /** Writes the row, in the transaction that uses the file. */
    row: ({ db }: Pick<Inside, 'db'>) =>
      db.insertInto('files').values(row).returning(fileColumns).executeTakeFirstOrThrow(),
  }
}

export const fileById = byId((db, id) => db.selectFrom('files').select(fileColumns).where('id', '=', id))

/** Removes a file: its links end with the row, and a job removes its bytes. */
export async function remove({ db, enqueue }: Pick<Inside, 'db' | 'enqueue'>, id: string) {
  const { storageKey } = await one(db.deleteFrom('files').where('id', '=', id).returning('storageKey'), 'file')
  enqueue('remove-file', { storageKey })
}
