import { sql } from 'kysely'
import type { Database } from '../../../../core/define/operation.ts'
import { byId } from '../../../../core/define/query.ts'
import type { ScanBatch, ScanProgress } from './batch.ts'

/** The batches with their counts. */
export const progressOf = (db: Database) =>
  db
    .selectFrom('scanBatches as b')
    .select([
      'b.id',
      'b.organizationId',
      'b.total',
      'b.done',
      'b.failed',
      'b.createdBy',
      'b.createdAt',
      'b.updatedAt',
      'b.completedAt',
    ])

/** A batch with its files. */
export const batchById = byId((db, id) =>
  progressOf(db)
    .select(
      sql<
        ScanBatch['files']
      >`(select json_agg(json_build_object('attachmentId', f.attachment_id, 'expenseId', f.expense_id,
          'status', f.status, 'scanError', f.error, 'duplicateOfId', f.duplicate_of_id) order by f.position)
        from scan_batch_files f where f.organization_id = b.organization_id and f.batch_id = b.id)`.as('files'),
    )
    .where('b.id', '=', id),
)

type ProgressRow = Omit<ScanProgress, 'status' | 'waiting'>

export const toProgress = (row: ProgressRow): ScanProgress => ({
  ...row,
  status: row.completedAt === null ? 'RUNNING' : 'DONE',
  waiting: row.total - row.done - row.failed,
})

export const toBatch = (row: ProgressRow & Pick<ScanBatch, 'files'>): ScanBatch => ({
  ...toProgress(row),
  files: row.files,
})
