import { sql } from 'kysely'
import type { Database, Inside } from '../../../../core/define/operation.ts'
import { one } from '../../../../core/define/query.ts'
import type { ClearanceAnswer } from '../../../../core/outside/clearance.ts'
import type { AuthorityReason } from '../../../../core/outside/tax-authority.ts'
import { appendHistory } from '../../../../ledger/history.ts'
import { lockDocument } from '../../../../ledger/numbering.ts'
import { invoiceClearanceRejected, invoiceCleared, toEventPayload } from '../../../selling/documents/events/events.ts'
import { documentById, toDocument } from '../../../selling/documents/reading/read.ts'
import { noteFailure } from '../failure.ts'
import { integrationNamed } from '../integrations.ts'
import { type ClearanceRow, clearanceRow } from './clearance.ts'
import { enqueueAttempt } from './queue.ts'

/** What came of an attempt. `impossible`: nothing was sent, because something is missing that a person has to add. */
export type Answer = Exclude<ClearanceAnswer, { kind: 'unauthorized' }> | { kind: 'impossible'; message: string }

type RecordContext = Pick<Inside, 'db' | 'emit' | 'enqueue'>
type Recorded = { documentId: string; attempt: number; connectionId?: string; answer: Answer }

/** Records an answer in one transaction with everything that follows from it. */
export async function recordAnswer(context: RecordContext, given: Recorded): Promise<void> {
  const { db } = context
  const { documentId, attempt, connectionId, answer } = given
  await lockDocument(db, documentId)
  const row = await clearanceRow(db, documentId).forUpdate().executeTakeFirst()
  if (!row || row.source === 'AUTHORITY') return
  if (answer.kind === 'approved') return approve(context, row, answer.number)
  // Another process has made an attempt since, or a person has entered a number: this answer decides nothing.
  if (row.attempts !== attempt || row.status !== 'PENDING') return
  if (answer.kind === 'rejected') return reject(context, row, answer.reasons)
  if (answer.kind === 'pending') return wait(context, row)
  if (answer.kind === 'refused' && connectionId) await noteFailure(db, connectionId, answer.message)
  const isRepeated = answer.kind === 'unavailable'
  const delayS = isRepeated ? Math.max(delayAfter(attempt), answer.retryAfterS ?? 0) : undefined
  await fail(context, row, { message: answer.message, delayS })
}

/** Workers have died in every attempt of a job. The next attempt is a new job, as after any failure, unless somebody makes one now. */
export async function recordInterrupted(context: RecordContext, documentId: string): Promise<void> {
  const { db } = context
  await lockDocument(db, documentId)
  const row = await clearanceRow(db, documentId)
    .where(sql<boolean>`coalesce(claimed_until < now(), true)`)
    .forUpdate()
    .executeTakeFirst()
  if (row?.status !== 'PENDING' && row?.status !== 'ERROR') return
  await fail(context, row, { message: 'The server stopped in every attempt.', delayS: delayAfter(row.attempts) })
}

/** The number, on the document and in its history, with the event: all or nothing. */
async function approve({ db, emit, enqueue }: RecordContext, row: ClearanceRow, number: string) {
  const { documentId, authority, environment } = row
  if (row.status === 'APPROVED') {
    if (row.number?.slice(-9) === number.slice(-9)) return
    // A person was faster. What they entered stays; the answer is kept where it can be found.
    await appendHistory(db, documentId, 'CLEARANCE_ANSWER_UNUSED', { allocationNumber: number, authority })
    return
  }
  const taken = await holderOf(db, row, number)
  if (taken) {
    const message = `The tax authority answered with the number of another document (${taken}), which was not taken over.`
    return fail({ db, emit, enqueue }, row, { message, delayS: delayAfter(row.attempts) })
  }
  await db
    .updateTable('clearances')
    .set({
      status: 'APPROVED',
      number,
      source: 'AUTHORITY',
      decidedAt: sql<string>`now()`,
      error: null,
      reasons: '[]',
      claimedUntil: null,
      nextAttemptAt: null,
    })
    .where('documentId', '=', documentId)
    .execute()
  await db.updateTable('documents').set({ vatAllocationNumber: number }).where('id', '=', documentId).execute()
  await appendHistory(db, documentId, 'CLEARANCE_APPROVED', { allocationNumber: number, authority, environment })
  const document = toDocument(await one(documentById(db, documentId), 'document'))
  emit(invoiceCleared, { ...toEventPayload(document), vatAllocationNumber: number })
}

/** The printed number of another document of the organization that has this number already. */
async function holderOf(db: Database, { documentId, authority, environment }: ClearanceRow, number: string) {
  const holder = await db
    .selectFrom('clearances')
    .innerJoin('documents', (join) =>
      join
        .onRef('documents.organizationId', '=', 'clearances.organizationId')
        .onRef('documents.id', '=', 'clearances.documentId'),
    )
    .select('documents.number')
    .where('clearances.source', '=', 'AUTHORITY')
    .where('clearances.number', '=', number)
    .where('authority', '=', authority)
    .where(sql<boolean>`clearances.environment is not distinct from ${environment}`)
    .where('documentId', '<>', documentId)
    .executeTakeFirst()
  return holder?.number
}

async function reject(
  { db, emit }: RecordContext,
  { documentId, authority, environment }: ClearanceRow,
  reasons: AuthorityReason[],
) {
  const error = integrationNamed(authority).rejection(reasons)
  await db
    .updateTable('clearances')
    .set({
      status: 'REJECTED',
      error,
      reasons: JSON.stringify(reasons),
      decidedAt: sql<string>`now()`,
      claimedUntil: null,
      nextAttemptAt: null,
    })
    .where('documentId', '=', documentId)
    .execute()
  await appendHistory(db, documentId, 'CLEARANCE_REJECTED', { reasons, authority, environment })
  const document = toDocument(await one(documentById(db, documentId), 'document'))
  emit(invoiceClearanceRejected, { ...toEventPayload(document), reason: error })
}

/** The authority has the document and has not decided: it is asked again later. */
async function wait(context: RecordContext, row: ClearanceRow) {
  const next = nextTime(row, delayAfter(row.attempts))
  if (!next) return fail(context, row, { message: 'There was no decision for too long.', delayS: undefined })
  await context.db
    .updateTable('clearances')
    .set({ claimedUntil: null, nextAttemptAt: next.toISOString() })
    .where('documentId', '=', row.documentId)
    .execute()
  enqueueAttempt(context, row.documentId, next)
}

/** The time of the next attempt, within the days in which a number can be requested. */
function nextTime({ submittedAt }: ClearanceRow, delayS: number): Date | undefined {
  const next = Date.now() + delayS * 1000 * (0.8 + 0.4 * Math.random())
  return next < Date.parse(submittedAt) + requestDays * 86_400_000 ? new Date(next) : undefined
}

/** A failed attempt, with the time of the next one if there is one. */
async function fail(
  { db, enqueue }: RecordContext,
  row: ClearanceRow,
  { message, delayS }: { message: string; delayS: number | undefined },
) {
  const { documentId, authority } = row
  const next = delayS === undefined ? undefined : nextTime(row, delayS)
  const { otherwise } = integrationNamed(authority)
  await db
    .updateTable('clearances')
    .set({
      status: 'ERROR',
      error: [message, next && 'The request is repeated by itself.', otherwise].filter(Boolean).join(' '),
      claimedUntil: null,
      nextAttemptAt: next?.toISOString() ?? null,
    })
    .where('documentId', '=', documentId)
    .execute()
  if (next) enqueueAttempt({ enqueue }, documentId, next)
}

/** In Israel a tax invoice is issued, and its number requested, within 14 days (VAT law, section 46). Used for all. */
const requestDays = 14

/** Seconds to wait after each failed attempt; the last one is for all later ones. */
const delaysS = [5, 30, 120, 600, 1_800, 3_600, 10_800, 21_600]
const delayAfter = (attempt: number) => delaysS[Math.min(attempt, delaysS.length) - 1] ?? 21_600
