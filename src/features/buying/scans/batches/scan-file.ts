import { sql } from 'kysely'
import { atLeast } from '../../../../core/define/access.ts'
import { Failure } from '../../../../core/define/failure.ts'
import { interruptionsMax, type JobContext, type JobInside, job, retryDelaysS } from '../../../../core/define/job.ts'
import type { Database } from '../../../../core/define/operation.ts'
import { requeueJob } from '../../../../core/define/requeue-job.ts'
import { Id, Type } from '../../../../core/define/schema.ts'
import { isLost, isRetryable, toFailure } from '../../../../core/run/errors.ts'
import { setContext } from '../../../../core/run/transaction-context.ts'
import { notify } from '../../../company/notifications/notify.ts'
import { type ReadScan, readForScan, writeScan } from '../scan.ts'
import { scanBatchCompleted } from './batch.ts'

type WaitingFile = { id: string; batchId: string; attachmentId: string; organizationId: string; userId: string | null }

/** What became of a file, as its row says it. */
type Result = { error: string | null; duplicateOfId: string | null }

/**
 * Reads a file of a batch, for the person who started it. The result, the count in the batch and the end of the job commit
 * together, so a job that is repeated after a crash writes nothing twice. Enqueued by enqueue_scan().
 */
export const scanBatchFile = job('scan-batch-file', Type.Object({ fileId: Id }), async (context, { fileId }) => {
  const file = await context.tx(({ db }) => waitingFile(db, fileId))
  if (!file) return // it was read, or its organization is gone
  if (context.interruptions >= interruptionsMax)
    return context.once((inside) => writeFailure(inside, file, errorOfServer))
  try {
    const read = await readForScan(
      {
        ...context,
        now: new Date(),
        tx: (work) => context.tx((inside) => asStarter(inside, file, () => work(inside))),
      },
      file.attachmentId,
    )
    if (isToRepeat(context, read)) await context.once((inside) => readLater(inside, file))
    else await context.once((inside) => asStarter(inside, file, () => writeResult(inside, file, read)))
  } catch (error) {
    if (isTooMany(error)) await context.once((inside) => readLater(inside, file))
    else if (isFinal(context, error)) await context.once((inside) => writeFailure(inside, file, reasonOf(error)))
    else throw error
  }
})

/** Enqueues the job again for waiting files that have none. */
export const requeueLostScans = requeueJob('recover-scans', {
  job: scanBatchFile.name,
  requeueLost: 'requeue_lost_scans',
})

const waitingFile = (db: Database, fileId: string) =>
  db
    .selectFrom('scanBatchFiles as f')
    .innerJoin('scanBatches as b', (join) =>
      join.onRef('b.organizationId', '=', 'f.organizationId').onRef('b.id', '=', 'f.batchId'),
    )
    .select(['f.id', 'f.batchId', 'f.attachmentId', 'f.organizationId', 'b.createdBy as userId'])
    .where('f.id', '=', fileId)
    .where('f.status', '=', 'WAITING')
    .executeTakeFirst()

/** Does work as the person who started the batch; refuses if that person may no longer scan. */
async function asStarter<T>(
  { db, connection }: JobInside,
  { userId, organizationId }: WaitingFile,
  work: () => Promise<T>,
) {
  setContext(connection, { userId, organizationId })
  const member = await db
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.userId')
    .select(['m.role', 'u.disabledAt'])
    .where('m.userId', '=', userId)
    .executeTakeFirst()
  if (!member || member.disabledAt !== null || !atLeast(member.role, 'CONTRIBUTOR'))
    throw new Failure(
      'FORBIDDEN',
      'The person who started the batch may no longer change expenses of this organization.',
    )
  return work()
}

/** The file was not read, and the reason is not the file: the reader is busy, or is ended together with this worker. */
const isToRepeat = ({ signal }: JobContext, { outcome }: ReadScan) =>
  'unread' in outcome && (outcome.unread === 'BUSY' || (signal.aborted && outcome.unread === 'CRASHED'))

/** The organization has too many files waiting at the reader. */
const isTooMany = (error: unknown) => error instanceof Failure && error.code === 'RATE_LIMIT'

/** Seconds until a file is tried again for which the reader had no time. */
const busyDelayS = 30

/** The same file as a new job, so that the attempts of this one are not used up. */
const readLater = ({ db }: JobInside, { id }: WaitingFile) =>
  sql`select enqueue_scan(${id}::uuid, now() + make_interval(secs => ${busyDelayS} * (0.8 + 0.4 * random())))`.execute(
    db,
  )

/** A refusal is final, as it is for every job; so is any other error of the last attempt. A lost connection never is. */
function isFinal({ attempt, signal }: JobContext, error: unknown) {
  if (isLost(error)) return false
  const isRefusal = !isRetryable(error) && toFailure(error).status < 500
  return isRefusal || (attempt > retryDelaysS.length && !signal.aborted)
}

function reasonOf(error: unknown) {
  const { status, message } = toFailure(error)
  return status < 500 ? message : errorOfServer
}

const errorOfServer = 'The file could not be read because of an error of the server. Scan it again.'

async function writeResult(inside: JobInside, file: WaitingFile, read: ReadScan) {
  if (!(await lockWaiting(inside, file))) return
  const who = Promise.resolve({ userId: file.userId ?? '', scopes: null })
  const { scanError, duplicateOfId } = await writeScan({ ...inside, who }, read)
  await endFile(inside, file, { error: scanError, duplicateOfId })
}

async function writeFailure(inside: JobInside, file: WaitingFile, error: string) {
  if (await lockWaiting(inside, file)) await endFile(inside, file, { error, duplicateOfId: null })
}

/** Whether the file still waits. Of two jobs for it, the second waits here for the first, and then writes nothing. */
const lockWaiting = ({ db }: JobInside, { id }: WaitingFile) =>
  db
    .selectFrom('scanBatchFiles')
    .select('id')
    .where('id', '=', id)
    .where('status', '=', 'WAITING')
    .forUpdate()
    .executeTakeFirst()

/** Notes the result of a file. The database counts it in its batch; the last file ends the batch. */
async function endFile({ db, emit }: JobInside, { id, batchId }: WaitingFile, { error, duplicateOfId }: Result) {
  await db
    .updateTable('scanBatchFiles')
    .set({ status: error === null ? 'COMPLETED' : 'FAILED', error, duplicateOfId })
    .where('id', '=', id)
    .execute()
  const { completedAt, createdBy, organizationId, total, done, failed } = await db
    .selectFrom('scanBatches')
    .select(['completedAt', 'createdBy', 'organizationId', 'total', 'done', 'failed'])
    .where('id', '=', batchId)
    .executeTakeFirstOrThrow()
  if (completedAt === null) return
  emit(scanBatchCompleted, { id: batchId, organizationId, total, completed: done, failed })
  if (createdBy) await notify(db, { kind: 'SCANS_COMPLETED', to: [createdBy], data: { batchId, total, failed } })
}
