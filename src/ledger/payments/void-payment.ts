import { sql } from 'kysely'
import { conflict } from '../../core/define/failure.ts'
import type { Database, Inside, Member } from '../../core/define/operation.ts'
import { one } from '../../core/define/query.ts'
import { toMajor } from '../../core/values/money.ts'
import { pipeline } from '../../db/pipeline.ts'
import { appendHistory } from '../history.ts'
import type { LedgerKind } from '../kind.ts'
import { lockWithDocuments } from './lock-payment.ts'
import type { PayableDocument } from './payable-documents.ts'
import { paymentVoided, toPayment } from './payment.ts'
import { paymentById } from './read-payment.ts'
import type { PaymentContext, PaymentFacts } from './record-payment.ts'

type VoidedPayment = PaymentFacts & { customerId: string | null; amountMinor: number; source: string }

/** Voids payments; the database reopens the documents they paid and cancels their receipts. */
export async function voidPayments(
  { db, emit, member }: PaymentContext,
  payments: readonly VoidedPayment[],
  { reason, documentIds }: { reason: string | null; documentIds: readonly string[] },
) {
  const ids = payments.map(({ id }) => id)
  for (const { id, customerId, amountMinor, currency, paidAt, method, source } of payments)
    emit(paymentVoided, {
      id,
      organizationId: member.organizationId,
      customerId,
      amount: toMajor(BigInt(amountMinor), currency),
      currency,
      paidAt,
      method,
      source,
    })
  await pipeline({
    voided: db
      .updateTable('payments')
      .set({ voidedAt: sql`now()`, voidReason: reason })
      .where('id', 'in', ids)
      .execute(),
    history: Promise.all(
      documentIds.map((documentId) =>
        appendHistory(db, documentId, 'PAYMENT_VOIDED', { paymentIds: ids, reason, userId: member.userId }),
      ),
    ),
  })
}

type VoidRules = {
  kind: LedgerKind
  /** Why the credit of a memo is not voided as a payment. */
  credit: string
  /** Refuses to reopen documents that the member may not reopen. */
  refuseReopening?: (member: Member, documents: readonly PayableDocument[]) => void
}

/** Voids one payment of a kind and returns it; one that is voided already stays as it is. */
export async function voidPayment(
  { db, emit, who }: Pick<Inside, 'db' | 'emit'> & { who: Promise<Member> },
  { id, reason }: { id: string; reason: string | null },
  { kind, credit, refuseReopening }: VoidRules,
) {
  const { member, locked } = await pipeline({
    member: who,
    locked: lockWithDocuments(db, kind, id, correctedBy(db, id)),
  })
  const { payment, documents } = locked
  if (payment.voidedAt !== null) return toPayment(payment)
  if (payment.source === 'CREDIT_MEMO') throw conflict(credit, 'CREDITED')
  if (payment.refundedMinor > 0)
    throw conflict('A part of the payment was refunded. Void its refunds first.', 'REFUNDED')
  refuseReopening?.(member, documents)
  await voidPayments({ db, emit, member }, [payment], { reason, documentIds: documents.map((each) => each.id) })
  return toPayment(await one(paymentById(db, id), 'payment'))
}

/** An allocation that is taken back: its amount is an open remainder of the payment again. */
export type TakenBack = { id: string; paymentId: string; documentId: string; amountMinor: number; currency: string }

/**
 * Takes allocations back, and adds an entry to the history of each document; the database reopens the documents. The credit of
 * a memo that is free again goes to the document that the memo corrects, if that is open.
 */
export async function takeBack(
  { db, member }: Pick<PaymentContext, 'db' | 'member'>,
  allocations: readonly TakenBack[],
) {
  if (allocations.length === 0) return
  const ids = allocations.map(({ id }) => id)
  await pipeline({
    taken: db
      .updateTable('allocations')
      .set({ voidedAt: sql`now()` })
      .where('id', 'in', ids)
      .where('voidedAt', 'is', null)
      .execute(),
    freed: Promise.all(
      [...new Set(allocations.map(({ paymentId }) => paymentId))].map((paymentId) =>
        sql`select apply_freed_credit(${paymentId})`.execute(db),
      ),
    ),
    history: Promise.all(
      allocations.map(({ id, paymentId, documentId, amountMinor, currency }) =>
        appendHistory(db, documentId, 'PAYMENT_UNALLOCATED', {
          paymentId,
          allocationId: id,
          amount: toMajor(BigInt(amountMinor), currency),
          currency,
          userId: member.userId,
        }),
      ),
    ),
  })
}

/**
 * The document that the memo of a credit corrects; of a refund, that of the credit it gives back. The credit may fall back on
 * it, so it is locked before the payment (reliability, lock order).
 */
export async function correctedBy(db: Database, paymentId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('documents')
    .select(sql<string>`source_document_id`.as('documentId'))
    .where('documentType', '=', 'CREDIT_MEMO')
    .where('sourceDocumentId', 'is not', null)
    .where('paymentId', 'in', (query) =>
      query.selectFrom('payments').select(sql<string>`coalesce(refund_of, id)`.as('id')).where('id', '=', paymentId),
    )
    .execute()
  return rows.map(({ documentId }) => documentId)
}

/**
 * Clears what paid a document. A payment of this document alone is voided; of any other payment only the allocation to this
 * document is taken back, and the money stays with the customer. The credits of the document's own memos stay.
 */
export async function clearPayments(
  context: PaymentContext,
  { id, paymentId, convertedToId }: { id: string; paymentId: string | null; convertedToId: string | null },
  kind: LedgerKind,
) {
  const { db } = context
  if (convertedToId !== null)
    throw conflict(
      'The payments of this payment request were moved to its invoice (convertedToId). Clear them there.',
      'CONVERTED',
    )
  if (paymentId !== null)
    throw conflict(
      'A receipt or credit memo has no payment of its own. Clear the payment on the document that it is about.',
      'NOT_OWED',
    )
  const { settlements } = await pipeline({ locked: lockPaymentsOf(db, id), settlements: settlementsOf(db, id) })
  if (settlements.length === 0) return reopen(db, id, kind)
  const payments = settlements.filter(({ isOwnCredit }) => !isOwnCredit)
  if (payments.length === 0)
    throw conflict(
      'The document was settled by a credit memo, which cannot be cleared. Only payments can be cleared.',
      'CREDITED',
    )
  const whole = payments.filter(({ isWhole }) => isWhole)
  if (whole.length > 0) await voidPayments(context, whole, { reason: 'Cleared on the document', documentIds: [id] })
  const shared = payments.filter(({ isWhole }) => !isWhole)
  await takeBack(
    context,
    shared.flatMap(({ id: sharedId, currency, allocations }) =>
      allocations.map((allocation) => ({ ...allocation, documentId: id, paymentId: sharedId, currency })),
    ),
  )
}

/** Locks the payments of a locked document, so that none of them can be allocated or refunded meanwhile. */
const lockPaymentsOf = (db: Database, documentId: string) =>
  db
    .selectFrom('payments')
    .select('id')
    .where('id', 'in', (query) =>
      query.selectFrom('allocations').select('paymentId').where('documentId', '=', documentId),
    )
    .orderBy('id')
    .forUpdate()
    .execute()

const settlementsOf = (db: Database, documentId: string) =>
  db
    .selectFrom('payments')
    .select(['id', 'counterpartyId as customerId', 'amountMinor', 'currency', 'paidAt', 'method', 'source'])
    .select([
      sql<boolean>`exists (select from documents m where m.organization_id = payments.organization_id and m.payment_id = payments.id
        and m.source_document_id = ${documentId} and m.document_type = 'CREDIT_MEMO')`.as('isOwnCredit'),
      sql<boolean>`source <> 'CREDIT_MEMO' and amount_minor = (select coalesce(sum(a.amount_minor), 0) from allocations a
        where a.organization_id = payments.organization_id and a.payment_id = payments.id and a.document_id = ${documentId}
          and a.voided_at is null)
        and not exists (select from allocations a where a.organization_id = payments.organization_id and a.payment_id = payments.id
          and a.document_id <> ${documentId} and a.voided_at is null)`.as('isWhole'),
      sql<
        { id: string; amountMinor: number }[]
      >`(select jsonb_agg(jsonb_build_object('id', a.id, 'amountMinor', a.amount_minor) order by a.id)
        from allocations a where a.organization_id = payments.organization_id and a.payment_id = payments.id
          and a.document_id = ${documentId} and a.voided_at is null)`.as('allocations'),
    ])
    .where('voidedAt', 'is', null)
    .where('id', 'in', (query) =>
      query
        .selectFrom('allocations')
        .select('paymentId')
        .where('documentId', '=', documentId)
        .where('voidedAt', 'is', null),
    )
    .orderBy('id')
    .execute()

/** Reopens a document with a total of zero, which became PAID without a payment. */
async function reopen(db: Database, id: string, { unpaid }: LedgerKind) {
  if (!unpaid) return
  const { openStatus, sentStatus } = unpaid
  const status = sql<never>`case when sent_at is null then ${openStatus} else ${sentStatus ?? openStatus} end`
  await db
    .updateTable('documents')
    .set({ status, paymentDate: null, paymentMethod: null, receiptNumber: null })
    .where('id', '=', id)
    .execute()
}
