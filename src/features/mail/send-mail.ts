import { sql } from 'kysely'
import { faultPoint } from '../../core/fault-point.ts'
import { job } from '../../core/job.ts'
import type { Database } from '../../core/operation.ts'
import type { Secrets } from '../../core/secrets.ts'
import type { Mail, Message, Outcome } from '../../providers/mail.ts'
import { afterAttempt, interrupted, isGivenUp, type Next, SendMail, sendMailName } from './delivery.ts'
import { openLetter } from './sealed-letter.ts'
import { senderOf } from './sender.ts'

/** Longer than any provider takes to send: a claim older than this belongs to a process that is gone. */
const claimS = 90

/**
 * Makes one attempt at a delivery: claims it in one short transaction, sends outside any, records the outcome in another.
 * Of several that try at once, one sends. What a crash interrupts is tried again under the same Message-ID (INV-14).
 *
 * The outcome is recorded whether or not the job is still this worker's: a message that went out has gone out.
 */
export const sendMail = job(
  sendMailName,
  SendMail,
  async ({ organizationId, attempt, mail, secrets, tx, once }, { deliveryId }) => {
    const which = { id: deliveryId, organizationId }
    const claim = await tx(({ db }) => claimDelivery(db, secrets, which))
    if (!claim) return
    if ('heldUntil' in claim) {
      const runAt = new Date(Date.parse(claim.heldUntil) + 1_000)
      return once(async ({ enqueue }) => enqueue(sendMailName, { deliveryId }, { runAt }))
    }
    const { outcome, cause } = await attemptAt(mail, claim.message)
    faultPoint('after-effect-before-record')
    const next = afterAttempt(Math.max(attempt, claim.attempt), outcome)
    const counted = await tx(({ db }) => record(db, { which, attempt: claim.attempt, next }))
    if (counted && next.status === 'QUEUED') throw new Error(next.reason, { cause }) // the worker tries again
  },
)

async function attemptAt(mail: Mail, message: Message): Promise<{ outcome: Outcome; cause?: unknown }> {
  const nothing: Outcome = { address: message.to.join(), ok: false, reason: noAnswer, retry: true }
  try {
    const [outcome = nothing] = await mail.send(message)
    return { outcome }
  } catch (cause) {
    return { outcome: nothing, cause }
  }
}

const noAnswer = 'The mail provider gave no answer.'
const unreadable = 'The message was altered while it waited and cannot be read.'

/** A delivery, and whose it is: the organization's that the job was ordered in, or null for Kontor's own. */
type Which = { id: string; organizationId: string | null }

/** The message to send; until when somebody else has it; undefined when there is nothing to send. */
type Claim = { attempt: number; message: Message } | { heldUntil: string } | undefined

async function claimDelivery(db: Database, secrets: Secrets, which: Which): Promise<Claim> {
  const row = await db
    .selectFrom('mailDeliveries')
    .selectAll()
    .select(sql<boolean>`coalesce(claimed_until > now(), false)`.as('held'))
    .where(isThe(which))
    .forUpdate()
    .executeTakeFirst()
  if (row?.status !== 'QUEUED') return undefined
  if (row.held && row.claimedUntil) return { heldUntil: row.claimedUntil }
  if (isGivenUp(row.attempts)) {
    await record(db, { which, attempt: row.attempts, next: { status: 'FAILED', reason: interrupted } })
    return undefined
  }
  const said = openLetter(secrets, row)
  if (!said) {
    await record(db, { which, attempt: row.attempts, next: { status: 'FAILED', reason: unreadable } })
    return undefined
  }
  const attempt = row.attempts + 1
  const claimedUntil = sql<string>`now() + make_interval(secs => ${claimS})`
  await db.updateTable('mailDeliveries').set({ attempts: attempt, claimedUntil }).where(isThe(which)).execute()
  const { id, organizationId, to, subject } = row
  return {
    attempt,
    message: {
      id,
      organizationId,
      to: [to],
      subject,
      ...said,
      ...(await senderOf(db, organizationId)),
    },
  }
}

/**
 * Whether this outcome is the one that counts. A late failure changes nothing: somebody else has claimed the delivery
 * since. A late success is one.
 */
async function record(db: Database, { which, attempt, next }: { which: Which; attempt: number; next: Next }) {
  const change = db.updateTable('mailDeliveries').where(isThe(which)).where('status', '=', 'QUEUED')
  const mine = change.where('attempts', '=', attempt)
  const done = { letter: null, contents: Buffer.alloc(0), claimedUntil: null }
  const changed = {
    SENT: () => change.set({ ...done, status: 'SENT', ...told(next) }),
    FAILED: () => mine.set({ ...done, status: 'FAILED', ...told(next) }),
    QUEUED: () => mine.set({ claimedUntil: null, ...told(next) }),
  }[next.status]()
  return (await changed.returning('id').executeTakeFirst()) !== undefined
}

const told = (next: Next) =>
  next.status === 'SENT' ? { messageId: next.messageId, lastReason: null } : { lastReason: next.reason }

const isThe = ({ id, organizationId }: Which) =>
  sql<boolean>`id = ${id} and organization_id is not distinct from ${organizationId}`
