import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { JobInside } from '../../../../core/define/job.ts'
import type { ListedMessage } from '../../../../core/outside/mailbox.ts'
import { newId } from '../../../../core/values/id.ts'
import type { Outcome } from '../runs/run.ts'
import { type ClaimedRun, hold } from './run-lease.ts'

/** What became of a message. */
export type Verdict = {
  outcome: Outcome
  reason: string | null
  /** Whether the message holds what may be a receipt. */
  isDetected: boolean
  expenseId?: string | null
  /** Of a failure: whether the next poll tries again. At most three times, unless the message is not to blame. */
  retry?: 'ALWAYS' | 'THREE_TIMES'
}

/** A message as the run knows it. The key identifies it: made of Message-ID and content, or of the bytes that could not be read. */
export type SeenMessage = {
  key: string
  messageId: string | null
  subject: string | null
  listed: ListedMessage
}

/** A message by its Message-ID and content: the same wherever it lies and however it came there (INV-16). */
export const messageKey = (messageId: string | null, contentHash: string) =>
  createHash('sha256')
    .update(`${messageId ?? ''}\n${contentHash}`)
    .digest('hex')

export const folderOf = ({ connection }: ClaimedRun) => connection.folderOrLabel ?? 'INBOX'

const attemptsMax = 3

/** Writes what became of a message: for the log of the run, and so that later runs know the message. */
export async function recordVerdict(
  inside: JobInside,
  run: ClaimedRun,
  { message, verdict }: { message: SeenMessage; verdict: Verdict },
): Promise<void> {
  await hold(inside, run)
  await rememberMessage(inside, run, { message, verdict })
  await notePlace(inside, run, message)
  await insertOutcomes(inside, run, [{ ...message, ...verdict }])
}

/** Remembers the message, or another attempt at it. False if it was finished before. */
export async function rememberMessage(
  { db }: JobInside,
  run: ClaimedRun,
  { message, verdict }: { message: SeenMessage; verdict: Verdict },
): Promise<boolean> {
  const { outcome, reason, isDetected, expenseId = null, retry } = verdict
  const row = await db
    .insertInto('mailMessages')
    .values({
      key: message.key,
      messageId: cut(message.messageId, 1_000),
      subject: cut(message.subject, 1_000),
      outcome,
      reason: cut(reason, 2_000),
      isDetected,
      expenseId,
      connectionId: run.connection.id,
      receivedAt: message.listed.receivedAt?.toISOString() ?? null,
      isRetried: retry !== undefined,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['organizationId', 'key'])
        .doUpdateSet((row) => ({
          outcome: row.ref('excluded.outcome'),
          reason: row.ref('excluded.reason'),
          isDetected: row.ref('excluded.isDetected'),
          expenseId: row.ref('excluded.expenseId'),
          attempts: sql<number>`mail_messages.attempts + 1`,
          isRetried:
            retry === 'THREE_TIMES'
              ? sql<boolean>`mail_messages.attempts + 1 < ${attemptsMax}`
              : row.ref('excluded.isRetried'),
        }))
        .where('mailMessages.isRetried', '=', true),
    )
    .returning('key')
    .executeTakeFirst()
  return row !== undefined
}

export const notePlace = ({ db }: JobInside, run: ClaimedRun, { key, listed }: SeenMessage) =>
  db
    .insertInto('mailPlaces')
    .values({ connectionId: run.connection.id, folder: folderOf(run), place: listed.place, key })
    .onConflict((conflict) => conflict.doNothing())
    .execute()

type Logged = Verdict & { messageId: string | null; subject: string | null; listed: ListedMessage }

/** Writes lines of the log; the database counts them. */
export const insertOutcomes = ({ db }: JobInside, run: ClaimedRun, logged: readonly Logged[]) =>
  db
    .insertInto('ingestionMessages')
    .values(
      logged.map(({ outcome, reason, isDetected, expenseId = null, messageId, subject, listed }) => ({
        id: newId(),
        runId: run.id,
        folder: folderOf(run),
        place: listed.place,
        messageId: cut(messageId, 1_000) || `(no Message-ID, ${listed.place})`,
        subject: cut(subject, 1_000),
        outcome,
        reason: cut(reason, 2_000),
        isDetected,
        expenseId,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()

const cut = <T extends string | null>(text: T, length: number) => (text === null ? null : text.slice(0, length)) as T
