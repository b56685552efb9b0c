import { sql } from 'kysely'
import { type JobInside, job } from '../../../../core/define/job.ts'
import { one } from '../../../../core/define/query.ts'
import { Type } from '../../../../core/define/schema.ts'
import type { OccurredEvent, Subscriber } from '../../../../core/define/subscriber.ts'
import { salesKind } from '../kind.ts'
import { documentById, toDocument } from '../reading/read.ts'
import { invoiceOverdue, toEventPayload } from './events.ts'

/** Issued documents with an open balance, disputed or not, that are no receipts and whose current due date has no overdue event yet. */
const isUnreported = `d.kind = '${salesKind.name}' and d.status in ('UNSENT', 'SENT') and open_minor(d) > 0 and d.document_type <> 'RECEIPT' and not exists (select from overdue_marks m
  where m.organization_id = d.organization_id and m.document_id = d.id and m.due_date = d.due_date)`

/** Runs every morning of organizations that have unreported overdue documents. */
export const overdueSubscriber: Subscriber = {
  name: 'overdue',
  on: ['schedule.daily'],
  // No time zone is more than a day ahead of UTC; the job compares with the organization's own day.
  wants: `select d.organization_id, min(d.issued_at) as since from documents d
    where d.due_date < current_date + 1 and ${isUnreported} group by d.organization_id`,
  async run({ enqueue }, event) {
    enqueue('tell-overdue', { day: localDate(event) })
  },
}

const localDate = ({ payload }: OccurredEvent) => (payload as { localDate: string }).localDate // written by the clock

const batchSize = 200

/** Emits invoice.overdue for documents that were due before a day, in batches; each is marked in the same transaction. */
export const emitOverdue = job(
  'tell-overdue',
  Type.Object({ day: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' }) }),
  async ({ tx, signal }, { day }) => {
    let emitted = batchSize
    while (!signal.aborted && emitted === batchSize) emitted = await tx((inside) => emitBatch(inside, day))
  },
)

/** Marks and emits one batch; returns its size. */
async function emitBatch({ db, emit }: Pick<JobInside, 'db' | 'emit'>, day: string): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    insert into overdue_marks (document_id, due_date)
    select d.id, d.due_date from documents d where d.due_date < ${day}::date and ${sql.raw(isUnreported)}
    order by d.due_date, d.id limit ${sql.lit(batchSize)}
    on conflict do nothing returning document_id as id`.execute(db)
  const documents = await Promise.all(rows.map(({ id }) => one(documentById(db, id), 'document')))
  for (const row of documents) emit(invoiceOverdue, toEventPayload(toDocument(row)))
  return rows.length
}
