import type { Reading, ReadRecords } from '../tables/field.ts'

/** A file to read as a table, and whose it is: organizations take turns. */
export type TableRequest = { path: string; reading: Reading; organizationId: string }

/**
 * Reads CSV and XLSX files, in threads of its own, because a large file keeps its thread busy for seconds. A file that cannot
 * be read is refused with 400, and an organization with too many files waiting with 429.
 */
export type TableReader = {
  read(request: TableRequest): Promise<ReadRecords>
  close(): Promise<void>
}
