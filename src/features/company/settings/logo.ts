import { readFile } from 'node:fs/promises'
import type { DetailCode } from '../../../core/define/error-codes.ts'
import { Failure, invalid } from '../../../core/define/failure.ts'
import { inspect } from '../../../core/files/inspect.ts'
import { withLocalCopy } from '../../../core/files/local-copy.ts'
import { toStorageFailure } from '../../../core/files/storage-failure.ts'
import type { Storage } from '../../../core/outside/storage.ts'

/** The image types that can be printed on documents and shown on pages, with their file extension. */
const extensions: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
}
const maxBytes = 2 * 1024 * 1024
const maxPixels = 16_000_000

type FileRow = { fileType: string | null; fileSize: number | bigint | string | null }

/** Whether the type and the size of a file allow it as a logo. */
export const isLogo = (file: FileRow): boolean => extensionOf(file) !== undefined

const extensionOf = ({ fileType, fileSize }: FileRow): string | undefined =>
  Number(fileSize) <= maxBytes ? extensions[fileType ?? ''] : undefined

export type Logo = { extension: string; bytes: Buffer }

/**
 * Reads a logo from the store and inspects it, so that no decoder gets an image that is damaged or too large (FLT-13).
 * Throws a validation failure about `logoFileId` for a file that cannot be a logo.
 */
export async function readLogo(storage: Storage, file: FileRow & { storageKey: string }): Promise<Logo> {
  const extension = extensionOf(file)
  if (!extension) throw refusal('A logo is a PNG, JPEG, GIF or WebP picture of at most 2 MiB.', 'NO_LOGO')
  try {
    return await withLocalCopy(storage, file.storageKey, async (path) => {
      await requireLogoSize(path, file.fileType ?? '')
      return { extension, bytes: await readFile(path) }
    })
  } catch (error) {
    throw toStorageFailure(error)
  }
}

async function requireLogoSize(path: string, fileType: string) {
  const { width = 0, height = 0 } = await inspect({ path, fileType }).catch((error: unknown) => {
    const [detail] = error instanceof Failure && error.code === 'VALIDATION' ? error.details : []
    throw detail ? refusal(detail.message, detail.code) : error
  })
  if (width * height <= maxPixels) return
  const size = `${width} x ${height}`
  throw refusal(`The image has ${size} pixels; a logo has at most ${maxPixels / 1e6} million.`, 'TOO_MANY_PIXELS')
}

const refusal = (message: string, code?: DetailCode) => invalid('logoFileId', message, code)
