import { sql } from 'kysely'
import { job } from '../../../core/define/job.ts'
import type { Database, Inside } from '../../../core/define/operation.ts'
import { one } from '../../../core/define/query.ts'
import { Id, Type } from '../../../core/define/schema.ts'
import { appendHistory } from '../../../ledger/history.ts'
import { takeOverAfterMs } from '../../mail/deliver-now.ts'
import { queueMail } from '../../mail/queue.ts'
import { languageOf } from '../../settings/language.ts'
import { factsOf, invoiceSent } from '../document.ts'
import { type DocumentRow, documentById, toDocument } from '../reading/read.ts'
import { attachmentsOf } from './attachment.ts'
import { documentEmail } from './document-email.ts'

/** Letters about one document to everybody who gets it, known by what asked for them. */
export type Mailing = { mailingId: string; documentId: string; deliveryIds: string[] }

type Queuing = Pick<Inside, 'db' | 'secrets' | 'installation' | 'enqueue' | 'consumeRateLimit'>

/** Who gets the documents of a customer by mail: their recipients, else themselves. */
export async function recipientsOf(db: Database, { customerId, customer }: DocumentRow): Promise<string[]> {
  const recipients = await db
    .selectFrom('customerRecipients')
    .select('email')
    .where('customerId', '=', customerId)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
  if (recipients.length > 0) return [...new Set(recipients.map(({ email }) => email))]
  return customer?.email ? [customer.email] : []
}

/** Queues a letter to each recipient, to be sent if this transaction commits. */
export async function queueMailing(
  context: Queuing,
  { row, recipients, mailingId }: { row: DocumentRow; recipients: readonly string[]; mailingId: string },
): Promise<Mailing> {
  const { db, consumeRateLimit } = context
  await consumeRateLimit(db, 'mailRecipients', { count: recipients.length })
  const content = documentEmail(context, row, await languageOf(db))
  const enclosures = await attachmentsOf(db, row)
  const later = new Date(Date.now() + takeOverAfterMs)
  const followUp = {
    job: tellMailingName,
    payload: { mailingId, documentId: row.id },
    key: `${tellMailingName}:${mailingId}`,
    notBefore: later.toISOString(), // whoever sends tells it first, all of it at once
  }
  const letter = { template: 'sales-document', ...content, enclosures, followUp, runAt: later }
  const deliveryIds: string[] = []
  for (const to of recipients) deliveryIds.push(await queueMail(context, { to, ...letter }))
  await db
    .insertInto('documentMailings')
    .values(deliveryIds.map((deliveryId) => ({ mailingId, deliveryId, documentId: row.id })))
    .execute()
  return { mailingId, documentId: row.id, deliveryIds }
}

/** The mailing that this intent has queued before, if a crash came between that and its end: nobody is mailed twice. */
export async function mailingKnownBy(db: Database, mailingId: string): Promise<Mailing | undefined> {
  const letters = db.selectFrom('documentMailings').select(['deliveryId', 'documentId'])
  const rows = await letters.where('mailingId', '=', mailingId).execute()
  const [first] = rows
  return first && { mailingId, documentId: first.documentId, deliveryIds: rows.map(({ deliveryId }) => deliveryId) }
}

/** How many recipients have it, and how many have not; of those, how many are tried again. */
export type Counts = { sent: number; failed: number; retrying: number; totalRecipients: number }

type Telling = Pick<Inside, 'db' | 'emit'> & { userId?: string }

/**
 * Tells in the events of the document what became of its letters, each outcome once, and that it was sent once somebody
 * has it. `putOff` tells too what the mail server would not take yet.
 */
export async function recordMailingOutcome(
  { db, emit, userId }: Telling,
  { mailingId, documentId }: Omit<Mailing, 'deliveryIds'>,
  { putOff = false } = {},
): Promise<Counts> {
  await db.selectFrom('documents').select('id').where('id', '=', documentId).forNoKeyUpdate().execute()
  const letters = await lettersOf(db, mailingId)
  const fresh = letters.filter(({ toldAt }) => toldAt === null)
  const sent = fresh.filter(({ status }) => status === 'SENT')
  const unsent = fresh.filter(({ status }) => status === 'FAILED' || (putOff && status === 'QUEUED'))
  if (sent.length > 0) {
    await markSent(db, documentId)
    await appendHistory(db, documentId, 'SENT', { sent: sent.length, to: sent.map(({ to }) => to), mailingId, userId })
    emit(invoiceSent, factsOf(toDocument(await one(documentById(db, documentId), 'document'))))
  }
  if (unsent.length > 0)
    await appendHistory(db, documentId, 'SEND_FAILED', { ...refusalsOf(unsent), mailingId, userId })
  const told = fresh.filter(({ status }) => status !== 'QUEUED').map(({ deliveryId }) => deliveryId)
  if (told.length > 0)
    await db
      .updateTable('documentMailings')
      .set({ toldAt: sql<string>`now()` })
      .where('mailingId', '=', mailingId)
      .where('deliveryId', 'in', told)
      .execute()
  const accepted = letters.filter(({ status }) => status === 'SENT').length
  const retrying = letters.filter(({ status }) => status === 'QUEUED').length
  return { sent: accepted, failed: letters.length - accepted, retrying, totalRecipients: letters.length }
}

const lettersOf = (db: Database, mailingId: string) =>
  db
    .selectFrom('documentMailings')
    .innerJoin('mailDeliveries', 'mailDeliveries.id', 'deliveryId')
    .select(['deliveryId', 'toldAt', 'to', 'status', 'lastReason'])
    .where('mailingId', '=', mailingId)
    .orderBy('to')
    .execute()
type Letter = Awaited<ReturnType<typeof lettersOf>>[number]

const refusalsOf = (letters: Letter[]) => ({
  failed: letters.length,
  to: letters.map(({ to }) => to),
  reasons: letters.map(({ lastReason }) => lastReason ?? 'The mail server has not answered yet.'),
  retrying: letters.filter(({ status }) => status === 'QUEUED').length,
})

/** What is paid stays paid, and remembers that it went out. */
const markSent = (db: Database, id: string) =>
  db
    .updateTable('documents')
    .set({
      status: sql<'SENT'>`case when status = 'UNSENT' then 'SENT' else status end`,
      sentAt: sql<string>`coalesce(sent_at, now())`,
    })
    .where('id', '=', id)
    .execute()

const tellMailingName = 'tell-mailing'

/** Tells what became of letters after whoever sent them was answered, or died. */
export const recordMailingOutcomeJob = job(
  tellMailingName,
  Type.Object({ mailingId: Id, documentId: Id }),
  async ({ once }, mailing) => {
    await once((inside) => recordMailingOutcome(inside, mailing))
  },
)
