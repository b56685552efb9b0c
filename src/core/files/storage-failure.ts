import { Failure } from '../define/failure.ts'

const fullCodes = ['ENOSPC', 'EDQUOT', 'EFBIG']

/** The file store is full: nothing was stored, and it works again as soon as there is space (FLT-08). */
export const storageFull = (cause: unknown) =>
  trouble('There is no space left to store the file. Nothing was stored; try again later.', 'STORAGE_FULL', cause)

export const storageUnavailable = (cause: unknown) =>
  trouble('The file store is unavailable. Nothing was stored; try again shortly.', 'STORAGE_UNAVAILABLE', cause)

/** A row refers to a file that is missing from the store: restore it from a backup. */
export const fileLost = (cause: unknown) =>
  trouble('The content of this file is missing from the file store.', 'FILE_LOST', cause)

/** Turns errors of the file system into failures; any other error is returned unchanged. */
export function toStorageFailure(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof Failure || !('code' in error) || !('syscall' in error)) return error
  return fullCodes.includes(String(error.code)) ? storageFull(error) : storageUnavailable(error)
}

const trouble = (message: string, code: string, cause: unknown) =>
  new Failure('INTERNAL', message, { details: [{ path: '', message, code }], retryAfterS: 5, cause })
