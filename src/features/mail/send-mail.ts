import { sql } from 'kysely'
import { unpacked } from '../../core/attachment.ts'
import { inTransaction, job, orderJob, type Pool } from '../../core/job.ts'
import type { Database } from '../../core/operation.ts'
import type { Mail, Message, Outcome } from '../../providers/mail.ts'
import {
  afterAttempt,
  type DeliveryStatus,
  interrupted,
  isGivenUp,
  type Next,
  orderKey,
  SendMail,
  sendMailName,
} from './delivery.ts'

type Context = { system: Pool; mail: Mail; random?: () => number }

/** Longer than any provider takes to send: a claim older than this belongs to a process that is gone. */
const claimS = 90

/** Under whose name mail goes out that no organization sends. */
const product = 'Kontor'

export const sendMail = job(sendMailName, SendMail, async (order, context: Context) => {
  await attemptDelivery(order, context)
})

/**
 * Makes one attempt at a delivery: claims it in one short transaction, sends outside any, records the outcome in another.
 * Of several that try at once, one sends. What a crash interrupts is tried again under the same Message-ID (INV-14).
 * Answers how the delivery stands; undefined when there is none.
 */
export async function attemptDelivery(order: SendMail, context: Context): Promise<DeliveryStatus | undefined> {
  const { system, mail, random } = context
  const claim = await inTransaction(system, (db) => claimDelivery(db, order))
  if (!('message' in claim)) return claim.status
  const [outcome = nothing(claim.message)] = await mail.send(claim.message)
  const next = afterAttempt(claim.attempt, outcome, random)
  return inTransaction(system, (db) => record(db, { order, attempt: claim.attempt, next }))
}

const nothing = ({ to }: Message): Outcome => ({
  address: to.join(),
  ok: false,
  reason: 'The mail provider gave no answer.',
  retry: true,
})

type Claim = { attempt: number; message: Message } | { status: DeliveryStatus | undefined }

async function claimDelivery(db: Database, order: SendMail): Promise<Claim> {
  const row = await deliveryOf(db, order).selectAll().forUpdate().executeTakeFirst()
  if (row?.status !== 'QUEUED') return { status: row?.status }
  const leftS = row.claimedUntil ? await secondsUntil(db, row.claimedUntil) : 0
  if (leftS > 0) {
    await orderJob(db, { name: sendMailName, payload: order, inS: leftS + 1, key: orderKey(order) })
    return { status: 'QUEUED' }
  }
  if (isGivenUp(row.attempts)) {
    await record(db, { order, attempt: row.attempts, next: { status: 'FAILED', reason: interrupted } })
    return { status: 'FAILED' }
  }
  const attempt = row.attempts + 1
  const claimedUntil = sql<string>`now() + make_interval(secs => ${claimS})`
  await changing(db, order).set({ attempts: attempt, claimedUntil }).execute()
  const sender = await senderOf(db, order.organizationId)
  const { id, organizationId, to, subject, text, html } = row
  return {
    attempt,
    message: {
      id,
      organizationId,
      to: [to],
      subject,
      text: text ?? '',
      html: html ?? '',
      attachments: unpacked(row),
      ...sender,
    },
  }
}

/** A late failure changes nothing: somebody else has claimed the delivery since. A late success is one. */
async function record(db: Database, { order, attempt, next }: { order: SendMail; attempt: number; next: Next }) {
  const mine = changing(db, order).where('status', '=', 'QUEUED')
  const done = { text: null, html: null, contents: Buffer.alloc(0), claimedUntil: null }
  switch (next.status) {
    case 'SENT':
      await mine.set({ ...done, status: 'SENT', messageId: next.messageId, lastReason: null }).execute()
      break
    case 'FAILED':
      await mine
        .set({ ...done, status: 'FAILED', lastReason: next.reason })
        .where('attempts', '=', attempt)
        .execute()
      break
    case 'QUEUED': {
      const still = mine.set({ claimedUntil: null, lastReason: next.reason }).where('attempts', '=', attempt)
      if (await still.returning('id').executeTakeFirst()) {
        await orderJob(db, { name: sendMailName, payload: order, inS: next.inS, key: orderKey(order) })
      }
    }
  }
  return (await deliveryOf(db, order).select('status').executeTakeFirst())?.status
}

const deliveryOf = (db: Database, { deliveryId, organizationId }: SendMail) =>
  db
    .selectFrom('mailDeliveries')
    .where('id', '=', deliveryId)
    .where(sql<boolean>`organization_id is not distinct from ${organizationId}`)

const changing = (db: Database, { deliveryId, organizationId }: SendMail) =>
  db
    .updateTable('mailDeliveries')
    .where('id', '=', deliveryId)
    .where(sql<boolean>`organization_id is not distinct from ${organizationId}`)

async function secondsUntil(db: Database, instant: string) {
  const { rows } = await sql<{
    left: number
  }>`select extract(epoch from ${instant}::timestamptz - now())::float8 as left`.execute(db)
  return rows[0]?.left ?? 0
}

async function senderOf(db: Database, organizationId: string | null) {
  const organization = organizationId
    ? await db.selectFrom('organizations').select(['name', 'email']).where('id', '=', organizationId).executeTakeFirst()
    : undefined
  return { senderName: organization?.name ?? product, replyTo: organization?.email ?? null }
}
