import type { Readable } from 'node:stream'

/**
 * The file store. Keys are random and made by the store; a stored file never changes. Functions that fail throw a Failure:
 * STORAGE_FULL, STORAGE_UNAVAILABLE, or FILE_LOST for a missing file.
 */
export type Storage = {
  /** A new path on the local disk for bytes that are being received. No file exists there yet. */
  scratch(): string
  /** Stores a file and returns its key. The file may be moved from its path. */
  put(path: string): Promise<string>
  open(key: string): Promise<Readable>
  has(key: string): Promise<boolean>
  /** Removes a file, if it exists. Files that the original of a restored copy stored are not removed. */
  remove(key: string): Promise<void>
  /** All files that this database has stored itself, page by page. */
  list(after?: string): Promise<Page>
  /** Throws, with a message for the operator, unless files can be stored. */
  check(): Promise<void>
}

export type Page = { objects: Stored[]; next?: string }
export type Stored = { key: string; modifiedAt: Date }
