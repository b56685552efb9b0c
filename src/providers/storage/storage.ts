import { join } from 'node:path'
import type { Storage } from '../../core/outside/storage.ts'
import type { Secret } from '../../core/secrets/secret.ts'
import { createDisk } from './disk.ts'
import { createS3 } from './s3.ts'
import { createScratch } from './scratch.ts'

type Settings = {
  dataDir: string
  s3Url: Secret | undefined
  /** The prefix of this database. Databases may share a store: each sweeps and removes only its own files. */
  home: string
}

/** The disk of this machine, or the S3-compatible store of S3_URL. */
export async function openStorage({ dataDir, s3Url, home }: Settings): Promise<Storage> {
  const folder = join(dataDir, 'files')
  const scratch = createScratch(join(folder, 'arriving'))
  await scratch.clear().catch(() => {}) // check() and every upload report a folder that is not writable
  const store = s3Url ? createS3(s3Url, home) : createDisk(folder, home)
  return { ...store, scratch: scratch.newPath }
}
