import { sql } from 'kysely'
import { Failure } from '../../../../core/define/failure.ts'
import { type JobContext, type JobInside, job } from '../../../../core/define/job.ts'
import { requeueJob } from '../../../../core/define/requeue-job.ts'
import { Id, Type } from '../../../../core/define/schema.ts'
import { type ListedMessage, type Mailbox, MailboxFailure, type MailWindow } from '../../../../core/outside/mailbox.ts'
import { accessOf } from '../access.ts'
import { complete, continueLater, fail, type RunFailure } from './end-run.ts'
import { filteredOut } from './filters.ts'
import { knownPlaces, recordKnown } from './known-messages.ts'
import { turnOfMessage } from './pace.ts'
import { ReaderBusy } from './read-documents.ts'
import { readMessage } from './read-message.ts'
import { type ClaimedRun, claim, hold, LeaseLost } from './run-lease.ts'
import { insertOutcomes } from './verdict.ts'

/** After so long a run makes place for other jobs, and goes on in a new one. */
const sliceMs = 60_000

/** Seconds until a run goes on for which the reader had no time, or whose server failed, for the nth time in a row. */
const busyDelayS = 30
const troubleDelaysS = [5, 30, 120]

/**
 * Reads a mailbox, message by message. What becomes of a message is committed before the next one is fetched, so a run that
 * is killed goes on where it was. Enqueued by enqueue_poll().
 */
export const pollMailbox = job('poll-mailbox', Type.Object({ runId: Id }), async (context, { runId }) => {
  if (polling >= pollsMax) {
    await context.once((inside) => pollLater(inside, runId))
    return
  }
  polling++
  try {
    const run = await context.tx((inside) => claim(inside, runId, context))
    if (run) await work(context, run)
  } catch (error) {
    if (error instanceof LeaseLost) return
    if (!(error instanceof Failure) || error.status >= 500) throw error
    await context.once((inside) => failUnclaimed(inside, runId, error))
  } finally {
    polling--
  }
})

/** Polls at a time in a process. A slow server holds a slot of the worker, and other jobs need some too. */
const pollsMax = 4
let polling = 0

const pollLater = ({ db }: Pick<JobInside, 'db'>, runId: string) =>
  sql`select enqueue_poll(${runId}::uuid, now() + make_interval(secs => 3 + 4 * random()))`.execute(db)

/** Enqueues the job again for runs that have none. */
export const requeueLostPolls = requeueJob('recover-polls', {
  job: pollMailbox.name,
  requeueLost: 'requeue_lost_polls',
})

async function failUnclaimed(inside: Parameters<typeof fail>[0], runId: string, { message }: Failure) {
  const run = await inside.db
    .selectFrom('ingestionRuns as r')
    .innerJoin('mailConnections as c', (join) =>
      join.onRef('c.organizationId', '=', 'r.organizationId').onRef('c.id', '=', 'r.connectionId'),
    )
    .select(['r.id', 'c.id as connectionId', 'c.name'])
    .where('r.id', '=', runId)
    .where('r.completedAt', 'is', null)
    .executeTakeFirst()
  if (!run) return
  await fail(
    inside,
    { id: run.id, connection: { id: run.connectionId, name: run.name } },
    { message, needsPerson: false },
  )
}

async function work(context: JobContext, run: ClaimedRun) {
  try {
    const isDone = await readMailbox(context, run)
    await context.once((inside) => (isDone ? complete(inside, run) : continueLater(inside, run)))
  } catch (error) {
    if (error instanceof ReaderBusy) return context.once((inside) => continueLater(inside, run, busyDelayS))
    if (!(error instanceof MailboxFailure)) throw error
    const delayS = error.isOfServer ? troubleDelaysS[run.resumed] : undefined
    if (delayS !== undefined && (await hasProgress(context, run)))
      return context.once((inside) => continueLater(inside, run, delayS))
    await context.once(async (inside) => {
      await hold(inside, run)
      await fail(inside, run, failureOf(error))
    })
  }
}

const failureOf = ({ message, needsPerson }: MailboxFailure): RunFailure => ({ message, needsPerson })

/** A run that has read something is tried again when the server fails; one that has read nothing ends, so that people see why. */
const hasProgress = (context: JobContext, { id }: ClaimedRun) =>
  context.read(async ({ db }) => {
    const run = await db.selectFrom('ingestionRuns').select('emailsScanned').where('id', '=', id).executeTakeFirst()
    return (run?.emailsScanned ?? 0) > 0
  })

/** Reads what is left of the window. False if the time is over before the end. */
async function readMailbox(context: JobContext, run: ClaimedRun): Promise<boolean> {
  const until = performance.now() + sliceMs
  const lease = keepLease(context, run)
  try {
    const mailbox = await context.mailboxClient.open(await accessOf(context, run.connection), lease.signal)
    return await readWindow(context, run, { mailbox, until }).finally(() => closed(mailbox))
  } finally {
    lease.end()
  }
}

/** Renews the lease while the server is waited for, and ends the waiting when the run was stopped or taken over. */
function keepLease(context: JobContext, run: ClaimedRun) {
  const lost = new AbortController()
  const renew = () =>
    context
      .tx((inside) => hold(inside, run))
      .catch((error) => {
        if (error instanceof LeaseLost) lost.abort(error)
      })
  const timer = setInterval(renew, renewalMs)
  return { signal: AbortSignal.any([context.signal, lost.signal]), end: () => clearInterval(timer) }
}
const renewalMs = 5_000

/**
 * Mail servers date messages by the second and by their own clock, so a run that goes on from the last poll begins a little
 * earlier. What was read then is known.
 */
function windowOf({ dateFrom, dateTo, isContinued }: ClaimedRun): MailWindow {
  const fromMs = Date.parse(dateFrom) - (isContinued ? overlapMs : 0)
  return { from: new Date(Math.floor(fromMs / 1_000) * 1_000), to: new Date(dateTo) }
}
const overlapMs = 60 * 60 * 1_000

async function readWindow(
  context: JobContext,
  run: ClaimedRun,
  { mailbox, until }: { mailbox: Mailbox; until: number },
): Promise<boolean> {
  let known: ReadonlySet<string> = new Set() // of the page that comes next
  const pages = mailbox.list(windowOf(run), async (places) => {
    known = await knownPlaces(context, run, places)
    return known
  })
  for await (const page of pages) {
    const left = await recordWithoutReading(context, run, { page, isKnown: known })
    for (const listed of left) {
      await turnOfMessage(context.signal)
      if (performance.now() > until || context.signal.aborted) return false
      await readMessage(context, run, mailbox, listed) // writes only while the run is held, so a stop takes effect within it
    }
    if (performance.now() > until || context.signal.aborted) return false
  }
  return true
}

const closed = (mailbox: Mailbox) => mailbox.close().catch(() => {})

/** Logs the messages of a page that need not be fetched; the others are returned. */
async function recordWithoutReading(
  context: JobContext,
  run: ClaimedRun,
  { page, isKnown }: { page: readonly ListedMessage[]; isKnown: ReadonlySet<string> },
) {
  const known = page.filter(({ place }) => isKnown.has(place))
  const others = page.filter(({ place }) => !isKnown.has(place))
  const judged = others.map((listed) => ({ listed, reason: reasonToSkip(run, listed) }))
  const skipped = judged.flatMap(({ listed, reason }) =>
    reason === null ? [] : [{ ...listed, listed, outcome: 'SKIPPED_NOT_EXPENSE' as const, reason, isDetected: false }],
  )
  await context.tx(async (inside) => {
    await recordKnown(
      inside,
      run,
      known.map(({ place }) => place),
    )
    if (skipped.length > 0) await insertOutcomes(inside, run, skipped)
  })
  return judged.filter(({ reason }) => reason === null).map(({ listed }) => listed)
}

/** By what the server lists. A message without these headers is fetched, and judged by its content. */
const reasonToSkip = ({ connection }: ClaimedRun, listed: ListedMessage): string | null =>
  listed.from === null || (connection.subjectFilter !== null && listed.subject === null)
    ? null
    : filteredOut(connection, listed)
