import type { Inside, Outside } from '../../core/define/operation.ts'
import { byId, one } from '../../core/define/query.ts'
import type { Upload } from '../../core/files/file.ts'
import { faultPoint } from '../../core/observe/fault-point.ts'
import { newId } from '../../core/values/id.ts'

/** What of a row operations work with. */
const fileColumns = [
  'id', 'organizationId', 'fileName', 'fileType', 'fileSize', 'sha256', 'storageKey', 'createdAt',
] as const // biome-ignore format: a list of words

/**
 * Keeps an upload: first the bytes, for good, then the row, by whoever asked: `once(kept.row)`. If the row cannot be written, the bytes are an orphan that the
 * sweep removes; they are not removed here, since a commit whose answer was lost may have happened.
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

/** Removes a file: its links die with the row, its bytes when the job has run. */
export async function remove({ db, enqueue }: Pick<Inside, 'db' | 'enqueue'>, id: string) {
  const { storageKey } = await one(db.deleteFrom('files').where('id', '=', id).returning('storageKey'), 'file')
  enqueue('remove-file', { storageKey })
}
