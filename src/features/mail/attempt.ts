import { sql } from 'kysely'
import type { Inside } from '../../core/define/operation.ts'
import type { PrintDocument } from '../../core/define/services.ts'
import { faultPoint } from '../../core/observe/fault-point.ts'
import type { Mail, Message, Outcome } from '../../core/outside/mail.ts'
import type { Storage } from '../../core/outside/storage.ts'
import type { Secrets } from '../../core/secrets/secrets.ts'
import { afterAttempt, type FollowUp, interrupted, isGivenUp, type Next } from './delivery.ts'
import { type Enclosure, loadEnclosures } from './enclosure.ts'
import { openMessage } from './sealed-message.ts'
import { senderOf } from './sender.ts'

/** Longer than any provider takes to send: a claim older than this belongs to a process that is gone. */
const claimS = 90

/** A delivery, and whose it is: the organization's that it was queued in, or null for Kontor's own. */
export type DeliveryRef = { id: string; organizationId: string | null }

/** What an attempt is made with. The transactions are nobody's in particular: no request changes a delivery. */
export type AttemptDependencies = {
  tx<T>(work: (inside: Pick<Inside, 'db' | 'enqueue'>) => Promise<T>): Promise<T>
  mail: Mail
  secrets: Secrets
  storage: Storage
  printDocument: PrintDocument
  /** How often the order was tried before, interrupted attempts at the delivery aside. */
  attempt: number
}

/** Nothing to send; somebody else is at it until then; or what follows from the attempt, unless it came too late. */
export type AttemptResult = undefined | { heldUntil: string } | { next: Next; counted: boolean; cause: unknown }

/**
 * Makes one attempt at a delivery: claims it in one short transaction, sends outside any, records the outcome in another.
 * Of several that try at once, one sends. What a crash interrupts is tried again under the same Message-ID (INV-14).
 */
export async function attemptDelivery(means: AttemptDependencies, which: DeliveryRef): Promise<AttemptResult> {
  const claim = await means.tx((inside) => claimDelivery(inside, means.secrets, which))
  if (!claim || 'heldUntil' in claim) return claim
  const { outcome, cause } = await attemptAt(means, claim)
  faultPoint('after-effect-before-record')
  const next = afterAttempt(Math.max(means.attempt, claim.attempt), outcome)
  const counted = await means.tx((inside) => record(inside, { which, attempt: claim.attempt, next }))
  return { next, counted, cause }
}

async function attemptAt(
  means: AttemptDependencies,
  { message, enclosures }: Claimed,
): Promise<{ outcome: Outcome; cause?: unknown }> {
  const nothing: Outcome = { address: message.to.join(), ok: false, reason: noAnswer, retry: true }
  try {
    const attachments = [...message.attachments, ...(await loadEnclosures(means, enclosures))]
    const [outcome = nothing] = await means.mail.send({ ...message, attachments })
    return { outcome }
  } catch (cause) {
    return { outcome: nothing, cause }
  }
}

const noAnswer = 'The mail provider gave no answer.'
const unreadable = 'The message was altered while it waited and cannot be read.'

type Claimed = { attempt: number; message: Message; enclosures: readonly Enclosure[] }
type Claim = Claimed | { heldUntil: string } | undefined
type Recording = Pick<Inside, 'db' | 'enqueue'>

async function claimDelivery(inside: Recording, secrets: Secrets, which: DeliveryRef): Promise<Claim> {
  const { db } = inside
  const row = await db
    .selectFrom('mailDeliveries')
    .selectAll()
    .select(sql<boolean>`coalesce(claimed_until > now(), false)`.as('held'))
    .where(isThe(which))
    .forUpdate()
    .executeTakeFirst()
  if (row?.status !== 'QUEUED') return undefined
  if (row.held && row.claimedUntil) return { heldUntil: row.claimedUntil }
  const failed = (reason: string) =>
    record(inside, { which, attempt: row.attempts, next: { status: 'FAILED', reason } })
  if (isGivenUp(row.attempts)) {
    await failed(interrupted)
    return undefined
  }
  const said = openMessage(secrets, row)
  if (!said) {
    await failed(unreadable)
    return undefined
  }
  const attempt = row.attempts + 1
  const claimedUntil = sql<string>`now() + make_interval(secs => ${claimS})`
  await db.updateTable('mailDeliveries').set({ attempts: attempt, claimedUntil }).where(isThe(which)).execute()
  const { id, organizationId, to, subject } = row
  const sender = await senderOf(db, organizationId)
  return {
    attempt,
    message: { id, organizationId, to: [to], subject, ...said, ...sender },
    enclosures: row.enclosures as Enclosure[], // a JSON column, written by `queueMail`
  }
}

/**
 * Whether this outcome is the one that counts. A late failure changes nothing: somebody else has claimed the delivery
 * since. A late success is one. Whoever waits for the end of it is told with it.
 */
async function record({ db, enqueue }: Recording, { which, attempt, next }: Recorded) {
  const change = db.updateTable('mailDeliveries').where(isThe(which)).where('status', '=', 'QUEUED')
  const mine = change.where('attempts', '=', attempt)
  const done = { letter: null, contents: Buffer.alloc(0), claimedUntil: null }
  const changed = {
    SENT: () => change.set({ ...done, status: 'SENT', ...told(next) }),
    FAILED: () => mine.set({ ...done, status: 'FAILED', ...told(next) }),
    QUEUED: () => mine.set({ claimedUntil: null, ...told(next) }),
  }[next.status]()
  const row = await changed.returning('followUp').executeTakeFirst()
  if (row?.followUp && next.status !== 'QUEUED') follow(enqueue, row.followUp as FollowUp) // written by `queueMail`
  return row !== undefined
}

function follow(enqueue: Inside['enqueue'], { job, payload, key, notBefore }: FollowUp) {
  enqueue(job, payload, { key, runAt: new Date(Math.max(Date.now(), Date.parse(notBefore))) })
}

type Recorded = { which: DeliveryRef; attempt: number; next: Next }

const told = (next: Next) =>
  next.status === 'SENT' ? { messageId: next.messageId, lastReason: null } : { lastReason: next.reason }

const isThe = ({ id, organizationId }: DeliveryRef) =>
  sql<boolean>`id = ${id} and organization_id is not distinct from ${organizationId}`
