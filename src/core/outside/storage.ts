import type { Readable } from 'node:stream'

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
