import { sql } from 'kysely'
import { Failure } from '../../../../core/define/failure.ts'
import type { JobInside } from '../../../../core/define/job.ts'
import { setContext } from '../../../../core/run/transaction-context.ts'
import { newId } from '../../../../core/values/id.ts'
import { personOf } from '../../scans/person-of.ts'
import { connectionById, type MailConnection } from '../connection.ts'

/** A run that this job works on, and for whom. */
export type ClaimedRun = {
  id: string
  organizationId: string
  userId: string
  lease: string
  dateFrom: string
  dateTo: string
  startedAt: string
  isContinued: boolean
  resumed: number
  connection: MailConnection
}

/** The run was stopped, or another worker has it: this one writes nothing any more. */
export class LeaseLost extends Error {}

/** Longer than the longest thing that happens between two renewals: a file is read for at most 50 seconds. */
const lease = sql`now() + interval '3 minutes'`

/** More attempts in a row than this, without one message in between, and the run ends in ERROR. */
const resumedMax = 20

/**
 * Takes a run over, unless it has ended, another job holds it, or another run of the same mailbox is under way: then the end
 * of that run enqueues this one. `isRepeated`: the worker that had this very job is gone, and its lease with it.
 */
export async function claim(
  inside: JobInside,
  runId: string,
  { isRepeated }: { isRepeated: boolean },
): Promise<ClaimedRun | undefined> {
  const { db } = inside
  const run = await db
    .selectFrom('ingestionRuns')
    .select([
      'id',
      'organizationId',
      'connectionId',
      'dateFrom',
      'dateTo',
      'startedAt',
      'isContinued',
      'resumed',
      'isAutomatic',
      'createdBy',
    ])
    .select(sql<boolean>`status = 'RUNNING' and lease_until > now()`.as('isHeld'))
    .where('id', '=', runId)
    .where('completedAt', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!run || (run.isHeld && !isRepeated) || (await isBehindAnother(inside, run))) return undefined
  if (run.resumed > resumedMax)
    throw new Failure('CONFLICT', 'The mailbox could not be read because of an error of the server. Poll it again.')
  const connection = await connectionById(db, run.connectionId).executeTakeFirst()
  if (!connection) throw new Failure('CONFLICT', 'The connection was deleted.')
  const token = newId()
  await db
    .updateTable('ingestionRuns')
    .set({
      status: 'RUNNING',
      lease: token,
      leaseUntil: sql<string>`${lease}`,
      claimedAt: sql<string>`coalesce(claimed_at, now())`,
      lastProgressAt: sql<string>`now()`,
      resumed: run.resumed + 1,
    })
    .where('id', '=', runId)
    .execute()
  const { id, organizationId, dateFrom, dateTo, startedAt, isContinued, resumed } = run
  const userId = await personOf(inside, run)
  return { id, organizationId, userId, lease: token, dateFrom, dateTo, startedAt, isContinued, resumed, connection }
}

/** Whether another run of the mailbox is being worked on, or was queued earlier. */
async function isBehindAnother({ db }: JobInside, { id, connectionId }: { id: string; connectionId: string }) {
  await sql`select from mail_connections where id = ${connectionId}::uuid for no key update`.execute(db)
  const { rows } = await sql`select from ingestion_runs r, ingestion_runs me
    where me.id = ${id}::uuid and r.connection_id = ${connectionId}::uuid and r.id <> me.id and r.completed_at is null
      and ((r.status = 'RUNNING' and r.lease_until > now()) or (r.started_at, r.id) < (me.started_at, me.id)) limit 1`.execute(
    db,
  )
  return rows.length > 0
}

/** Renews the lease, in a transaction that acts for the person of the run. Throws if the run was stopped or taken over. */
export async function hold({ db, connection }: JobInside, run: ClaimedRun): Promise<void> {
  setContext(connection, { userId: run.userId, organizationId: run.organizationId })
  const held = await db
    .updateTable('ingestionRuns')
    .set({ leaseUntil: sql<string>`${lease}` })
    .where('id', '=', run.id)
    .where('lease', '=', run.lease)
    .where('status', '=', 'RUNNING')
    .returning('id')
    .executeTakeFirst()
  if (!held) throw new LeaseLost()
}
