import { sql } from 'kysely'
import { type JobInside, job } from '../../../core/define/job.ts'
import { one } from '../../../core/define/query.ts'
import { Type } from '../../../core/define/schema.ts'
import type { OccurredEvent, Subscriber } from '../../../core/define/subscriber.ts'
import { factsOf, invoiceOverdue } from '../document.ts'
import { salesKind } from '../kind.ts'
import { documentById, toDocument } from '../reading/read.ts'

/** What is issued and open, disputed or not, and nobody was told of: once for each due date that it ever had. */
const untold = `d.kind = '${salesKind.name}' and d.status in ('UNSENT', 'SENT') and d.total_minor > d.paid_minor and not exists (select from overdue_marks m
  where m.organization_id = d.organization_id and m.document_id = d.id and m.due_date = d.due_date)`

/** Every morning where the organization is, if something of it is overdue that nobody was told of. */
export const overdueSubscriber: Subscriber = {
  name: 'overdue',
  on: ['schedule.daily'],
  // No place on earth is further than a day ahead; the day itself is that of the organization.
  wants: `select d.organization_id, min(d.issued_at) as since from documents d
    where d.due_date < current_date + 1 and ${untold} group by d.organization_id`,
  async run({ enqueue }, event) {
    enqueue('tell-overdue', { day: localDate(event) })
  },
}

const localDate = ({ payload }: OccurredEvent) => (payload as { localDate: string }).localDate // the clock wrote it

const batch = 200

/** Tells of documents that were due before a day, some at a time; each is marked in the transaction that tells. */
export const emitOverdue = job(
  'tell-overdue',
  Type.Object({ day: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' }) }),
  async ({ tx, signal }, { day }) => {
    while (!signal.aborted && (await tx((inside) => tellSome(inside, day))) === batch) {
      // the next ones
    }
  },
)

async function tellSome({ db, emit }: Pick<JobInside, 'db' | 'emit'>, day: string): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    insert into overdue_marks (document_id, due_date)
    select d.id, d.due_date from documents d where d.due_date < ${day}::date and ${sql.raw(untold)}
    order by d.due_date, d.id limit ${sql.lit(batch)}
    on conflict do nothing returning document_id as id`.execute(db)
  const found = await Promise.all(rows.map(({ id }) => one(documentById(db, id), 'document')))
  for (const row of found) emit(invoiceOverdue, factsOf(toDocument(row)))
  return rows.length
}
