import { sql } from 'kysely'
import type { JobContext, JobInside } from '../../../../core/define/job.ts'
import type { MailFile } from '../../../../core/outside/mail-reader.ts'
import { newId } from '../../../../core/values/id.ts'
import { type ClaimedRun, hold } from './run-lease.ts'
import { folderOf, type Verdict } from './verdict.ts'

/** The places of which nothing has to be fetched: this run or an earlier one is done with the message that lies there. */
export async function knownPlaces(
  context: Pick<JobContext, 'read'>,
  run: ClaimedRun,
  places: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await context.read(({ db }) =>
    sql<{ place: string }>`select w.place from unnest(${places}::text[]) w (place)
      where exists (select from ingestion_messages m where m.run_id = ${run.id}::uuid and m.folder = ${folderOf(run)} and m.place = w.place)
        or exists (select from mail_places p join mail_messages m on m.organization_id = p.organization_id and m.key = p.key
          where p.connection_id = ${run.connection.id}::uuid and p.folder = ${folderOf(run)} and p.place = w.place and not m.is_retried)`.execute(
      db,
    ),
  )
  return new Set(rows.map(({ place }) => place))
}

/** Logs messages of the window that an earlier run is done with, as it was: one that made an expense is a DUPLICATE now. */
export async function recordKnown(inside: JobInside, run: ClaimedRun, places: readonly string[]): Promise<void> {
  await hold(inside, run)
  await sql`insert into ingestion_messages (id, run_id, folder, place, message_id, subject, outcome, reason, is_detected, expense_id)
    select w.id, ${run.id}::uuid, p.folder, p.place, coalesce(m.message_id, '(no Message-ID, ' || p.place || ')'), m.subject,
      case when m.outcome = 'CREATED' then 'DUPLICATE' else m.outcome end,
      case when m.outcome = 'CREATED' then ${madeBefore} else m.reason end, m.is_detected, m.expense_id
    from unnest(${places}::text[], ${places.map(newId)}::uuid[]) w (place, id)
      join mail_places p on p.connection_id = ${run.connection.id}::uuid and p.folder = ${folderOf(run)} and p.place = w.place
      join mail_messages m on m.organization_id = p.organization_id and m.key = p.key
    where m.received_at is null or (m.received_at >= date_trunc('second', ${run.dateFrom}::timestamptz) and m.received_at < ${run.dateTo}::timestamptz)
    on conflict (organization_id, run_id, folder, place) do nothing`.execute(inside.db)
}

const madeBefore = 'This message has made an expense before.'

/** What an earlier run said of the message, wherever it was; undefined if it is new or is to be tried again. */
export async function verdictOf({ db }: Pick<JobInside, 'db'>, key: string): Promise<Verdict | undefined> {
  const known = await db
    .selectFrom('mailMessages')
    .select(['outcome', 'reason', 'isDetected', 'expenseId'])
    .where('key', '=', key)
    .where('isRetried', '=', false)
    .executeTakeFirst()
  if (known?.outcome !== 'CREATED') return known
  return { ...known, outcome: 'DUPLICATE', reason: madeBefore }
}

/** A document of a message. The key is the same in each copy of the message: the hash of the file, except for a body. */
export type MailDocument = MailFile & { key: string }

/** Documents that no message brought before, and the expense of one that another message did. */
export async function newDocuments(
  { db }: Pick<JobInside, 'db'>,
  documents: readonly MailDocument[],
): Promise<{ fresh: MailDocument[]; expenseId: string | null }> {
  const known = await db
    .selectFrom('mailDocuments as d')
    .innerJoin('mailMessages as m', (join) =>
      join.onRef('m.organizationId', '=', 'd.organizationId').onRef('m.key', '=', 'd.messageKey'),
    )
    .select(['d.hash', 'm.expenseId'])
    .where(
      'd.hash',
      'in',
      documents.map(({ key }) => key),
    )
    .execute()
  const keys = new Set(known.map(({ hash }) => hash))
  return {
    fresh: documents.filter(({ key }) => !keys.has(key)),
    expenseId: known[0]?.expenseId ?? null,
  }
}

export const broughtBefore = (expenseId: string | null): Verdict => ({
  outcome: 'DUPLICATE',
  reason: 'Another message has brought the same document before; this is a copy or a forward of it.',
  isDetected: true,
  expenseId,
})
