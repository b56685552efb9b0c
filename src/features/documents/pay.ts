import { sql } from 'kysely'
import { conflict } from '../../core/failure.ts'
import { newId } from '../../core/id.ts'
import { minorDigits } from '../../core/money.ts'
import type { Database, Inside } from '../../core/operation.ts'
import type { DocumentRow } from './read.ts'
import { recordEvent } from './write.ts'

/** A payment of one document, in minor units. */
export type Paying = {
  document: { id: string; customerId: string; currency: string }
  amountMinor: number
  paidAt: string
  method: string | null
  source: 'DOCUMENT' | 'MARK_PAID' | 'PAYMENT'
  userId: string
}

/**
 * Records a payment and allocates all of it to the document. What is paid and whether that makes the document PAID follows
 * in the database. Nothing is awaited before the statements are asked for, so they travel with the caller's.
 */
export function payDocument(db: Database, { document, amountMinor, paidAt, method, source, userId }: Paying) {
  const { id: documentId, customerId: counterpartyId, currency } = document
  const id = newId()
  const payment = {
    id,
    counterpartyId,
    amountMinor,
    currency,
    minorDigits: minorDigits(currency),
    paidAt,
    method,
    source,
  }
  const recorded = Promise.all([
    db
      .insertInto('payments')
      .values({ ...payment, createdBy: userId })
      .execute(),
    db
      .insertInto('allocations')
      .values({ id: newId(), paymentId: id, documentId, lineId: null, amountMinor })
      .execute(),
    recordEvent(db, documentId, 'PAYMENT_RECORDED', { paymentId: id, amountMinor, currency, paidAt, method, userId }),
  ])
  return { id, recorded }
}

type Clearing = Pick<Inside, 'db' | 'emit'> & { userId: string }

/** Voids what a paid document was paid with; the database opens it again and cancels the receipts. */
export async function clearPayments({ db, userId }: Clearing, { id, paymentId, payments }: DocumentRow) {
  if (paymentId !== null)
    throw conflict('This one stands for the payment of another document; clear the payment there.', 'NOT_OWED')
  const ids = payments.map((payment) => payment.id)
  if (ids.length === 0) {
    await db.updateTable('documents').set(reopened).where('id', '=', id).execute()
    return
  }
  const elsewhere = await db
    .selectFrom('allocations')
    .select('documentId')
    .where('paymentId', 'in', ids)
    .where('documentId', '<>', id)
    .where('voidedAt', 'is', null)
    .executeTakeFirst()
  if (elsewhere)
    throw conflict(
      'The payment covers other documents too: void it as a whole (POST /api/payments/{id}/void).',
      'SHARED',
    )
  await Promise.all([
    db.updateTable('payments').set({ voidedAt: sql`now()`, voidReason: 'CLEARED' }).where('id', 'in', ids).execute(),
    ...ids.map((paymentId) => recordEvent(db, id, 'PAYMENT_VOIDED', { paymentId, userId })),
  ])
}

/** A document over nothing was paid without a payment. */
const reopened = {
  status: sql<'SENT' | 'UNSENT'>`case when sent_at is null then 'UNSENT' else 'SENT' end`,
  paymentDate: null,
  paymentMethod: null,
  receiptNumber: null,
}
