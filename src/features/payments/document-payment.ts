import type { Database, Inside } from '../../core/define/operation.ts'
import { one } from '../../core/define/query.ts'
import { pipeline } from '../../db/pipeline.ts'
import { appendHistory } from '../../ledger/history.ts'
import { toPayment } from '../../ledger/payments/payment.ts'
import { paymentById } from '../../ledger/payments/read-payment.ts'
import { type PaymentInput, recordPayment, type Share } from '../../ledger/payments/record-payment.ts'
import { invoicePaid, toEventPayload } from '../documents/events/events.ts'
import { salesKind } from '../documents/kind.ts'
import { documentById, toDocument } from '../documents/reading/read.ts'

type Context = Pick<Inside<'organizationId'>, 'db' | 'emit' | 'who'>

/** Records a payment of sales documents, and emits invoice.paid for each document that it settles. */
export async function recordDocumentPayment(context: Context, input: Omit<PaymentInput, 'kind' | 'source'>) {
  const { db, emit, who } = context
  const member = await who
  const { id, recorded } = recordPayment({ db, emit, member }, { ...input, kind: salesKind, source: 'PAYMENT' })
  const { payment } = await pipeline({ recorded, payment: one(paymentById(db, id), 'payment') })
  await recordPaidDocuments(context, input.shares)
  return toPayment(payment)
}

/**
 * Notes in the history of each document that these shares have settled it, and emits invoice.paid. None of them was PAID
 * before: a paid document has no open balance, so it gets no share.
 */
export async function recordPaidDocuments({ db, emit, who }: Context, shares: readonly Share[]) {
  const ids = [...new Set(shares.map(({ documentId }) => documentId))]
  const rows = await Promise.all(ids.map((id) => one(documentById(db, id), 'document')))
  const paid = rows.filter(({ status }) => status === 'PAID').map(toDocument)
  const { userId } = await who
  for (const document of paid) emit(invoicePaid, toEventPayload(document))
  await Promise.all(paid.map(({ id }) => appendHistory(db, id, 'PAID', { userId })))
}

/** Locks a payment, after its documents (reliability, lock order). */
export async function lockPayment(db: Database, id: string) {
  const { payment } = await pipeline({
    locked: db.selectFrom('payments').select('id').where('id', '=', id).forUpdate().execute(),
    payment: one(paymentById(db, id), 'payment'),
  })
  return payment
}

/** The ids of the documents that a payment is allocated to. */
export async function documentsPaidBy(db: Database, paymentId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('allocations')
    .select('documentId')
    .distinct()
    .where('paymentId', '=', paymentId)
    .where('voidedAt', 'is', null)
    .execute()
  return rows.map(({ documentId }) => documentId)
}
