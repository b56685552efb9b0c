import { sql } from 'kysely'
import { Failure } from '../../../core/define/failure.ts'
import type { Inside } from '../../../core/define/operation.ts'
import type { PrintDocument, PrintOrder, PrintPayslip } from '../../../core/define/services.ts'
import { faultPoint } from '../../../core/observe/fault-point.ts'
import type { Mail, Message, Outcome } from '../../../core/outside/mail.ts'
import type { Storage } from '../../../core/outside/storage.ts'
import type { Secrets } from '../../../core/secrets/secrets.ts'
import { mailName } from '../../../core/values/mail-name.ts'
import { afterAttempt, type FollowUp, interrupted, isGivenUp, type Next } from './delivery.ts'
import { type Enclosure, loadEnclosures } from './enclosure.ts'
import { openMessage } from './sealed-message.ts'
import { senderOf } from './sender.ts'

/** Longer than any provider takes to send: an older claim belongs to a process that has ended. */
const claimS = 90

/** A delivery and its organization; null for mail from Kontor itself. */
export type DeliveryRef = { id: string; organizationId: string | null }

/** The dependencies of an attempt. Its transactions have no user: no request changes a delivery. */
export type AttemptDependencies = {
  tx<T>(work: (inside: Pick<Inside, 'db' | 'enqueue'>) => Promise<T>): Promise<T>
  mail: Mail
  secrets: Secrets
  storage: Storage
  printDocument: PrintDocument
  printOrder: PrintOrder
  printPayslip: PrintPayslip
  /** The attempt number of the job, without interrupted attempts at the delivery. */
  attempt: number
}

/** Undefined if there is nothing to send; until when another process has claimed it; or the result of the attempt. */
export type AttemptResult = undefined | { heldUntil: string } | { next: Next; counted: boolean; cause: unknown }

/**
 * Makes one attempt at a delivery: claims it in one short transaction, sends outside any, and records the outcome in
 * another. Of concurrent attempts one sends. An interrupted attempt is repeated with the same Message-ID (INV-14).
 */
export async function attemptDelivery(
  dependencies: AttemptDependencies,
  delivery: DeliveryRef,
): Promise<AttemptResult> {
  const claim = await dependencies.tx((inside) => claimDelivery(inside, dependencies.secrets, delivery))
  if (!claim || 'heldUntil' in claim) return claim
  const { outcome, cause } = await sendClaimed(dependencies, claim)
  faultPoint('after-effect-before-record')
  const next = afterAttempt(Math.max(dependencies.attempt, claim.attempt), outcome)
  const counted = await dependencies.tx((inside) => record(inside, { delivery, attempt: claim.attempt, next }))
  return { next, counted, cause }
}

async function sendClaimed(
  dependencies: AttemptDependencies,
  { message, enclosures }: Claimed,
): Promise<{ outcome: Outcome; cause?: unknown }> {
  const noOutcome: Outcome = { address: message.to.join(), ok: false, reason: noAnswer, retry: true }
  try {
    const attachments = [...message.attachments, ...(await loadEnclosures(dependencies, enclosures))]
    const [outcome = noOutcome] = await dependencies.mail.send({ ...message, attachments })
    return { outcome }
  } catch (cause) {
    const isFinal = cause instanceof Failure && cause.status < 500 && cause.status !== 429 // a document that is too long
    return { outcome: isFinal ? { ...noOutcome, reason: cause.message, retry: false } : noOutcome, cause }
  }
}

const noAnswer = 'The mail provider gave no answer.'
const unreadable = 'The queued message cannot be decrypted: it was altered, or the key of the installation was lost.'

type Claimed = { attempt: number; message: Message; enclosures: readonly Enclosure[] }
type Claim = Claimed | { heldUntil: string } | undefined
type RecordContext = Pick<Inside, 'db' | 'enqueue'>

async function claimDelivery(inside: RecordContext, secrets: Secrets, delivery: DeliveryRef): Promise<Claim> {
  const { db } = inside
  const row = await db
    .selectFrom('mailDeliveries')
    .selectAll()
    .select(sql<boolean>`coalesce(claimed_until > now(), false)`.as('held'))
    .where(isDelivery(delivery))
    .forUpdate()
    .executeTakeFirst()
  if (row?.status !== 'QUEUED') return undefined
  if (row.held && row.claimedUntil) return { heldUntil: row.claimedUntil }
  const failed = (reason: string) =>
    record(inside, { delivery, attempt: row.attempts, next: { status: 'FAILED', reason } })
  if (isGivenUp(row.attempts)) {
    await failed(interrupted)
    return undefined
  }
  const content = openMessage(secrets, row)
  if (!content) {
    await failed(unreadable)
    return undefined
  }
  const attempt = row.attempts + 1
  const claimedUntil = sql<string>`now() + make_interval(secs => ${claimS})`
  await db.updateTable('mailDeliveries').set({ attempts: attempt, claimedUntil }).where(isDelivery(delivery)).execute()
  const { id, organizationId, to, subject } = row
  const { senderName, replyTo } = await senderOf(db, organizationId)
  // An invitation is mail of Kontor in all but its sender; whoever gets it need not know the organization.
  const holdsPayroll = row.template.startsWith('payslip')
  const name = row.template === 'invitation' ? mailName(senderName, 'Kontor') : senderName
  return {
    attempt,
    message: { id, organizationId, to: [to], subject, ...content, senderName: name, replyTo, holdsPayroll },
    enclosures: row.enclosures as Enclosure[], // a JSON column, written by `queueMail`
  }
}

/**
 * Records an outcome, and returns whether it counts. A late failure is ignored, because another process has claimed the
 * delivery since; a late success counts. Enqueues the follow-up job of a finished delivery.
 */
async function record({ db, enqueue }: RecordContext, { delivery, attempt, next }: OutcomeRecord) {
  const change = db.updateTable('mailDeliveries').where(isDelivery(delivery)).where('status', '=', 'QUEUED')
  const sameAttempt = change.where('attempts', '=', attempt)
  const cleared = { letter: null, contents: Buffer.alloc(0), claimedUntil: null }
  const changed = {
    SENT: () => change.set({ ...cleared, status: 'SENT', ...outcomeColumns(next) }),
    FAILED: () => sameAttempt.set({ ...cleared, status: 'FAILED', ...outcomeColumns(next) }),
    QUEUED: () => sameAttempt.set({ claimedUntil: null, ...outcomeColumns(next) }),
  }[next.status]()
  const row = await changed.returning('followUp').executeTakeFirst()
  if (row?.followUp && next.status !== 'QUEUED') enqueueFollowUp(enqueue, row.followUp as FollowUp) // written by `queueMail`
  return row !== undefined
}

function enqueueFollowUp(enqueue: Inside['enqueue'], { job, payload, key, notBefore }: FollowUp) {
  enqueue(job, payload, { key, runAt: new Date(Math.max(Date.now(), Date.parse(notBefore))) })
}

type OutcomeRecord = { delivery: DeliveryRef; attempt: number; next: Next }

const outcomeColumns = (next: Next) =>
  next.status === 'SENT'
    ? { messageId: next.messageId, kept: next.kept, lastReason: null }
    : { lastReason: next.reason }

const isDelivery = ({ id, organizationId }: DeliveryRef) =>
  sql<boolean>`id = ${id} and organization_id is not distinct from ${organizationId}`
