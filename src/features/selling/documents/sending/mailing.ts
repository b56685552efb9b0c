import { sql } from 'kysely'
import { job } from '../../../../core/define/job.ts'
import type { Database, Inside } from '../../../../core/define/operation.ts'
import { one } from '../../../../core/define/query.ts'
import { Id, Type } from '../../../../core/define/schema.ts'
import { appendHistory } from '../../../../ledger/history.ts'
import { takeOverAfterMs } from '../../../platform/mail/deliver-now.ts'
import { countOutcomes, type Outcomes, type SendAnswer } from '../../../platform/mail/outcome.ts'
import { queueMail } from '../../../platform/mail/queue.ts'
import { enclosuresOf } from '../attachments/attachment.ts'
import { invoiceSent, toEventPayload } from '../events/events.ts'
import { type DocumentRow, documentById, toDocument } from '../reading/read.ts'
import { documentEmail } from './document-email.ts'
import { type Letter, usualLetter } from './letter.ts'

/** The e-mails with one document, one for each recipient. The id is the intent of the call that queued them. */
export type Mailing = { mailingId: string; documentId: string; deliveryIds: string[] }

type QueueContext = Pick<Inside, 'db' | 'secrets' | 'installation' | 'enqueue' | 'consumeRateLimit'>

/** The recipients of a customer, or the customer's own address if there are none. */
export async function recipientsOf(
  db: Database,
  { customerId, customerEmail }: Pick<DocumentRow, 'customerId' | 'customerEmail'>,
): Promise<string[]> {
  const recipients = await db
    .selectFrom('customerRecipients')
    .select('email')
    .where('customerId', '=', customerId)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
  if (recipients.length > 0) return [...new Set(recipients.map(({ email }) => email))]
  return customerEmail ? [customerEmail] : []
}

type NewMailing = {
  row: DocumentRow
  recipients: readonly string[]
  mailingId: string
  letter?: Letter
  /** Whether the caller makes no attempt of its own: a worker sends it at once. */
  later?: boolean
}

/** Queues an e-mail to each recipient, to be sent if this transaction commits. */
export async function queueMailing(
  context: QueueContext,
  { row, recipients, mailingId, letter = usualLetter, later = false }: NewMailing,
): Promise<Mailing> {
  const { db, consumeRateLimit } = context
  await consumeRateLimit(db, 'mailRecipients', { count: recipients.length })
  const content = documentEmail(context, row, letter)
  const enclosures = await enclosuresOf(db, row)
  const runAt = new Date(Date.now() + (later ? 0 : takeOverAfterMs))
  const followUp = {
    job: outcomeJobName,
    payload: { mailingId, documentId: row.id },
    key: `${outcomeJobName}:${mailingId}`,
    notBefore: runAt.toISOString(), // the sending call normally records the outcome first
  }
  const email = { template: templates[letter.kind], ...content, enclosures, followUp, runAt }
  const deliveryIds: string[] = []
  // In one order, so that two mailings to the same recipients do not wait for each other's counters.
  for (const to of recipients.toSorted()) deliveryIds.push(await queueMail(context, { to, ...email }))
  await db
    .insertInto('documentMailings')
    .values(deliveryIds.map((deliveryId) => ({ mailingId, deliveryId, documentId: row.id })))
    .execute()
  return { mailingId, documentId: row.id, deliveryIds }
}

/** The names of the e-mails, by which the outcome of a reminder is recorded as one. */
const templates = { DOCUMENT: 'sales-document', REMINDER: 'sales-reminder' }

/** The mailing that the same intent queued before a crash, so that nobody is mailed twice. */
export async function findMailing(db: Database, mailingId: string): Promise<Mailing | undefined> {
  const deliveries = db.selectFrom('documentMailings').select(['deliveryId', 'documentId'])
  const rows = await deliveries.where('mailingId', '=', mailingId).execute()
  const [first] = rows
  return first && { mailingId, documentId: first.documentId, deliveryIds: rows.map(({ deliveryId }) => deliveryId) }
}

export const toQueuedAnswer = ({ deliveryIds: { length } }: Mailing): SendAnswer => ({
  success: true,
  sent: 0,
  failed: 0,
  queued: length,
  totalRecipients: length,
})

type OutcomeContext = Pick<Inside, 'db' | 'emit'> & { userId?: string }

/**
 * Records each outcome of a mailing once in the history of the document, and marks the document as sent once a recipient
 * has it. `includeQueued` also records e-mails that the mail server has put off.
 */
export async function recordMailingOutcome(
  { db, emit, userId }: OutcomeContext,
  { mailingId, documentId }: Omit<Mailing, 'deliveryIds'>,
  { includeQueued = false } = {},
): Promise<Outcomes> {
  const { sentAt } = await one(
    db.selectFrom('documents').select('sentAt').where('id', '=', documentId).forNoKeyUpdate(),
    'document',
  )
  const deliveries = await deliveriesOf(db, mailingId)
  const unrecorded = deliveries.filter(({ toldAt }) => toldAt === null)
  const sent = unrecorded.filter(({ status }) => status === 'SENT')
  const unsent = unrecorded.filter(({ status }) => status === 'FAILED' || (includeQueued && status === 'QUEUED'))
  const isReminder = deliveries.some(({ template }) => template === templates.REMINDER)
  const said = { mailingId, userId, ...(isReminder && { kind: 'REMINDER' }) }
  if (sent.length > 0) {
    await markSent(db, documentId)
    const kept = sent.filter((each) => each.kept).length
    const counts = { sent: sent.length, ...(kept > 0 && { kept }) }
    await appendHistory(db, documentId, 'SENT', { ...counts, to: sent.map(({ to }) => to), ...said })
    // A reminder of what was sent before is no news to those who wait for the document to be sent.
    if (!isReminder || sentAt === null)
      emit(invoiceSent, toEventPayload(toDocument(await one(documentById(db, documentId), 'document'))))
  }
  if (unsent.length > 0) await appendHistory(db, documentId, 'SEND_FAILED', { ...failureDetails(unsent), ...said })
  await markRecorded(db, mailingId, unrecorded)
  return countOutcomes(deliveries)
}

const deliveriesOf = (db: Database, mailingId: string) =>
  db
    .selectFrom('documentMailings')
    .innerJoin('mailDeliveries', 'mailDeliveries.id', 'deliveryId')
    .select(['deliveryId', 'toldAt', 'to', 'status', 'lastReason', 'template', 'kept'])
    .where('mailingId', '=', mailingId)
    .orderBy('to')
    .execute()
type Delivery = Awaited<ReturnType<typeof deliveriesOf>>[number]

const failureDetails = (deliveries: readonly Delivery[]) => ({
  failed: deliveries.length,
  to: deliveries.map(({ to }) => to),
  reasons: deliveries.map(({ lastReason }) => lastReason ?? 'The mail server has not answered yet.'),
  retrying: deliveries.filter(({ status }) => status === 'QUEUED').length,
})

/** Marks final outcomes as recorded. A queued e-mail is recorded again when it is sent or has failed. */
async function markRecorded(db: Database, mailingId: string, deliveries: readonly Delivery[]) {
  const ids = deliveries.filter(({ status }) => status !== 'QUEUED').map(({ deliveryId }) => deliveryId)
  if (ids.length === 0) return
  await db
    .updateTable('documentMailings')
    .set({ toldAt: sql<string>`now()` })
    .where('mailingId', '=', mailingId)
    .where('deliveryId', 'in', ids)
    .execute()
}

/** A PAID document keeps its status, but also gets the time it was first sent. */
const markSent = (db: Database, id: string) =>
  db
    .updateTable('documents')
    .set({
      status: sql<'SENT'>`case when status = 'UNSENT' then 'SENT' else status end`,
      sentAt: sql<string>`coalesce(sent_at, now())`,
    })
    .where('id', '=', id)
    .execute()

const outcomeJobName = 'tell-mailing'

/** Records outcomes that came after the sending call was answered or the process stopped. */
export const recordMailingOutcomeJob = job(
  outcomeJobName,
  Type.Object({ mailingId: Id, documentId: Id }),
  async ({ once }, mailing) => {
    await once((inside) => recordMailingOutcome(inside, mailing))
  },
)
