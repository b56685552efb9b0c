import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline, type Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { Secret } from '../core/secrets/secret.ts'
import { decryptWith, headerBytes, isEncrypted, keyOf } from './encryption.ts'

/** The bytes of the tar archive in a file: decompressed, and decrypted first if the file is encrypted. */
export async function openArchive(
  file: string,
  passphrase: Secret | undefined,
): Promise<{ bytes: AsyncIterable<Buffer>; encrypted: boolean }> {
  const start = await startOf(file)
  if (!isEncrypted(start)) return { bytes: unzipped(createReadStream(file)), encrypted: false }
  const key = await keyOf(start, passphrase, file)
  const gunzip = createGunzip({ chunkSize: 1 << 16 })
  const bytes = pipeline(createReadStream(file, { start: headerBytes }), decryptWith(key, start), gunzip, ignore)
  return { bytes: bytes as AsyncIterable<Buffer>, encrypted: true }
}

const unzipped = (source: Readable) =>
  pipeline(source, createGunzip({ chunkSize: 1 << 16 }), ignore) as AsyncIterable<Buffer>

/** `pipeline` passes an error of any stream on to the last one, which is the one that is read. */
function ignore() {}

async function startOf(file: string): Promise<Buffer> {
  const handle = await open(file, 'r')
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(headerBytes), 0, headerBytes, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}
