import { join } from 'node:path'
import type { Storage } from '../../core/outside/storage.ts'
import type { Secret } from '../../core/secrets/secret.ts'
import { createDisk } from './disk.ts'
import { createS3 } from './s3.ts'
import { createScratch } from './scratch.ts'

type Settings = {
  dataDir: string
  s3Url: Secret | undefined
  /** Tells databases apart that share a store: each sweeps and removes its own. */
  home: string
}

/** The disk of this machine, or the S3-compatible store of S3_URL. */
export async function openStorage({ dataDir, s3Url, home }: Settings): Promise<Storage> {
  const folder = join(dataDir, 'files')
  const scratch = createScratch(join(folder, 'arriving'))
  await scratch.clear().catch(() => {}) // a folder that cannot be written to is told by check() and by every upload
  const kept = s3Url ? createS3(s3Url, home) : createDisk(folder, home)
  return { ...kept, scratch: scratch.newPath }
}
