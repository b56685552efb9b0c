import { rm } from 'node:fs/promises'
import { setImmediate as turn } from 'node:timers/promises'
import { invalid } from '../define/failure.ts'
import type { Egress } from '../outside/egress.ts'
import type { Storage } from '../outside/storage.ts'
import { createBase64 } from './base64.ts'
import { contentType } from './content-type.ts'
import { type FileInput, fileMaxBytes, type Received, toLabel, toMediaType, type Upload } from './file.ts'
import { receivedAt, receiveInto, tooLarge } from './receive.ts'

type UploadDependencies = { storage: Storage; egress: Egress; organizationId: string }

/** Characters decoded per turn of the event loop. */
const sliceLength = 512 * 1024

/**
 * Provides the file of a call while `work` runs: already received by the surface, decoded from base64, or downloaded from its
 * URL. The bytes are in a temporary file that is removed afterwards, unless the store has moved it.
 */
export async function withUpload<T>(
  { file, received }: { file: FileInput; received: Received | undefined },
  dependencies: UploadDependencies,
  work: (upload: Upload) => Promise<T>,
): Promise<T> {
  if ((file.base64 === undefined) === (file.url === undefined)) {
    throw invalid('file', 'Give either base64 or url.')
  }
  const path = received?.path ?? dependencies.storage.scratch()
  try {
    const bytes = received ?? (await fetched(file, path, dependencies))
    if (bytes.size === 0) throw invalid('file', 'The file is empty.', 'FILE_EMPTY')
    return await work({
      ...bytes,
      fileName: toLabel(file.fileName),
      fileType: await contentType(path, file.fileName),
      declaredType: toMediaType(file.fileType),
    })
  } finally {
    await rm(path, { force: true })
  }
}

async function fetched({ base64 = '', url }: FileInput, path: string, { egress, organizationId }: UploadDependencies) {
  if (url === undefined) return decoded(base64, path)
  await egress.download(url, { organizationId, maxBytes: fileMaxBytes, to: { file: path } })
  return receivedAt(path)
}

async function decoded(text: string, path: string): Promise<Received> {
  if (text.length > (fileMaxBytes * 4) / 3 + 4) throw tooLarge()
  const receiver = await receiveInto(path)
  const base64 = createBase64('file.base64')
  try {
    for (let at = 0; at < text.length; at += sliceLength) {
      await receiver.write(base64.decode(text.slice(at, at + sliceLength)))
      await turn()
    }
    base64.end()
  } catch (error) {
    await receiver.discard()
    throw error
  }
  return receiver.finish()
}
