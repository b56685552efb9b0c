import type { DetailCode } from '../define/error-codes.ts'
import { Failure } from '../define/failure.ts'

const fullCodes = ['ENOSPC', 'EDQUOT', 'EFBIG']

/** The store has no room: nothing was kept, and it works again as soon as there is some (FLT-08). */
export const storageFull = (cause: unknown) =>
  trouble('There is no room left to keep the file. Nothing was kept; try again later.', 'STORAGE_FULL', cause)

export const storageUnavailable = (cause: unknown) =>
  trouble(
    'The file store cannot be reached just now. Nothing was kept; try again shortly.',
    'STORAGE_UNAVAILABLE',
    cause,
  )

/** A row says that it is kept, and it is not: a backup brings it back. */
export const fileLost = (cause: unknown) =>
  trouble('The content of this file is missing from the file store.', 'FILE_LOST', cause)

/** What the file system raises, in our words. What is no trouble of the store stays what it is. */
export function toStorageFailure(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof Failure || !('code' in error) || !('syscall' in error)) return error
  return fullCodes.includes(String(error.code)) ? storageFull(error) : storageUnavailable(error)
}

const trouble = (message: string, code: DetailCode, cause: unknown) =>
  new Failure('INTERNAL', message, { details: [{ path: '', message, code }], retryAfterS: 5, cause })
