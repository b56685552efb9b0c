import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { Secret } from '../../core/secrets/secret.ts'
import { createDisk } from './disk.ts'
import { createS3 } from './s3.ts'
import { createScratch } from './scratch.ts'

/**
 * Where files are kept. A key is random, made here and means nothing to anybody; what is kept never changes. Whatever
 * cannot be done throws a Failure: STORAGE_FULL, STORAGE_UNAVAILABLE, or FILE_LOST for what is not there.
 */
export type Storage = {
  /** A path for bytes that are arriving, on the disk of this machine. It begins free. */
  scratch(): string
  /** Keeps a file for good and returns its key. The file may be moved away. */
  put(path: string): Promise<string>
  open(key: string): Promise<Readable>
  has(key: string): Promise<boolean>
  /** Removes it, or finds that it is gone already. What the original of a restored copy has kept stays. */
  remove(key: string): Promise<void>
  /** Everything that this database has kept itself, a page at a time. */
  list(after?: string): Promise<Page>
  /** Throws, with a sentence for the operator, unless files can be kept. */
  check(): Promise<void>
}

export type Page = { objects: Stored[]; next?: string }
export type Stored = { key: string; modifiedAt: Date }

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
