import { event } from '../../../../core/define/event.ts'
import { Count, Id, Instant, nullable, OneOf, type Static, Type } from '../../../../core/define/schema.ts'

/** The most files of a batch; the table has the same limit. */
export const filesMax = 100

const BatchFile = Type.Object({
  attachmentId: Id,
  expenseId: Id,
  status: OneOf('WAITING', 'COMPLETED', 'FAILED'),
  scanError: nullable(Type.String({ description: 'Why it failed.' })),
  duplicateOfId: nullable({ ...Id, description: 'The expense that has this document already.' }),
})

/** A batch and how far it is, without its files. */
export const ScanProgress = Type.Object({
  id: Id,
  organizationId: Id,
  status: OneOf('RUNNING', 'DONE'),
  total: Count,
  done: Type.Integer({ minimum: 0, description: 'How many files were read and filled in.' }),
  failed: Count,
  waiting: Count,
  createdBy: nullable(Id),
  createdAt: Instant,
  updatedAt: Instant,
  completedAt: nullable(Instant),
})
export type ScanProgress = Static<typeof ScanProgress>

export const ScanBatch = Type.Object({
  ...ScanProgress.properties,
  files: Type.Array(BatchFile, { description: 'In the order in which they were given.' }),
})
export type ScanBatch = Static<typeof ScanBatch>

export const scanBatchCompleted = event(
  'scan_batch.completed',
  Type.Object({
    id: Id,
    organizationId: Id,
    total: Count,
    completed: Count,
    failed: Count,
  }),
  'All files of a batch were scanned',
)
