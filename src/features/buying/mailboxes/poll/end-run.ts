import { sql } from 'kysely'
import type { JobInside } from '../../../../core/define/job.ts'
import { notify } from '../../../company/notifications/notify.ts'
import type { MailConnection } from '../connection.ts'
import { ingestionCompleted, ingestionFailed, runs } from '../runs/run.ts'
import { type ClaimedRun, hold } from './run-lease.ts'

/** The mailbox was read to the end. The next poll goes on from there, unless this one left a gap to the last. */
export async function complete(inside: JobInside, run: ClaimedRun): Promise<void> {
  await hold(inside, run)
  const { db, emit } = inside
  await db
    .updateTable('ingestionRuns')
    .set({ status: 'DONE', completedAt: sql<string>`now()` })
    .where('id', '=', run.id)
    .execute()
  await sql`update mail_connections set failures = 0, retry_at = null, attention = null,
      last_polled_at = case when last_polled_at is null or last_polled_at >= ${run.dateFrom}::timestamptz
        then greatest(last_polled_at, least(${run.dateTo}::timestamptz, ${run.startedAt}::timestamptz)) else last_polled_at end
    where id = ${run.connection.id}::uuid`.execute(db)
  emit(ingestionCompleted, await factsOf(inside, run))
  await startNext(inside, run.connection.id)
}

/** How a run failed. `needsPerson`: polling again helps only when a person has done something. */
export type RunFailure = { message: string; needsPerson: boolean }

type Failed = { id: string; connection: Pick<MailConnection, 'id' | 'name'> }

/** The run ends in ERROR. Automatic polls wait longer after every failure in a row, or for a person who is told once. */
export async function fail(inside: JobInside, run: Failed, { message, needsPerson }: RunFailure): Promise<void> {
  const { db, emit } = inside
  const errorMessage = message.slice(0, 2_000)
  await db
    .updateTable('ingestionRuns')
    .set({ status: 'ERROR', errorMessage, completedAt: sql<string>`now()` })
    .where('id', '=', run.id)
    .execute()
  const { rows } = await sql<{ isNew: boolean; createdBy: string | null }>`
    with before as (select id, attention from mail_connections where id = ${run.connection.id}::uuid for no key update)
    update mail_connections c set failures = c.failures + 1, next_poll_on = null,
      retry_at = now() + make_interval(mins => least(15 * 2 ^ least(c.failures, 10), 1440)::integer),
      attention = case when ${needsPerson}::boolean then ${errorMessage} else c.attention end
    from before where c.id = before.id returning before.attention is null as is_new, c.created_by`.execute(db)
  emit(ingestionFailed, { ...(await factsOf(inside, run)), errorMessage })
  if (needsPerson && rows[0]?.isNew) await tell(inside, run, { createdBy: rows[0].createdBy, reason: errorMessage })
  await startNext(inside, run.connection.id)
}

async function tell(
  { db }: JobInside,
  { connection }: Failed,
  { createdBy, reason }: { createdBy: string | null; reason: string },
) {
  const data = { connectionId: connection.id, name: connection.name, reason }
  const kind = 'MAILBOX_NEEDS_ATTENTION'
  await notify(db, { kind, to: 'MANAGERS', data })
  const managers = await db.selectFrom('memberships').select('userId').where('role', '>=', 'MANAGER').execute()
  if (createdBy && !managers.some(({ userId }) => userId === createdBy))
    await notify(db, { kind, to: [createdBy], data })
}

async function factsOf({ db }: JobInside, { id, connection }: Failed) {
  const { organizationId, connectionId, dateFrom, dateTo, emailsScanned, emailsDetected, expensesCreated } = await runs(
    db,
  )
    .where('r.id', '=', id)
    .executeTakeFirstOrThrow()
  const counts = { emailsScanned, emailsDetected, expensesCreated }
  return { id, organizationId, connectionId, connectionName: connection.name, dateFrom, dateTo, ...counts }
}

/** A run that was queued while this one was under way. */
export const startNext = ({ db }: Pick<JobInside, 'db'>, connectionId: string) =>
  sql`select enqueue_poll(r.id) from ingestion_runs r where r.connection_id = ${connectionId}::uuid and r.completed_at is null
    order by r.started_at, r.id limit 1`.execute(db)

/** Lets another job go on with the run: at once, or after a while, in which it is PENDING. */
export async function continueLater(inside: JobInside, run: ClaimedRun, seconds = 0): Promise<void> {
  await hold(inside, run)
  const { db } = inside
  await db
    .updateTable('ingestionRuns')
    .set({ status: seconds > 0 ? 'PENDING' : 'RUNNING', leaseUntil: sql<string>`now()` })
    .where('id', '=', run.id)
    .execute()
  await sql`select enqueue_poll(${run.id}::uuid, now() + make_interval(secs => ${seconds}))`.execute(db)
}
