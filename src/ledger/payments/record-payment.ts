import { sql } from 'kysely'
import { conflict } from '../../core/define/failure.ts'
import type { Database, Inside, Member } from '../../core/define/operation.ts'
import { newId } from '../../core/values/id.ts'
import { minorDigits, toMajor } from '../../core/values/money.ts'
import { pipeline } from '../../db/pipeline.ts'
import { appendHistory } from '../history.ts'
import type { LedgerKind } from '../kind.ts'
import { paymentRecorded, paymentVoided } from './payment.ts'

/** What functions that record, allocate and void payments need. */
export type PaymentContext = Pick<Inside, 'db' | 'emit'> & { member: Pick<Member, 'userId' | 'organizationId'> }

/** A share of a payment that goes to a document, or to one line of it. */
export type Share = { documentId: string; lineId?: string; amountMinor: number }

/** A payment and its shares, in minor units. */
export type PaymentInput = {
  /** The kind of the documents that it pays. */
  kind: LedgerKind
  customerId: string | null
  currency: string
  amountMinor: number
  paidAt: string
  method: string | null
  source: 'DOCUMENT' | 'MARK_PAID' | 'PAYMENT' | 'CREDIT_MEMO'
  shares: readonly Share[]
}

/** A payment that goes to one document as a whole. */
export const paymentOfDocument = (documentId: string, payment: Omit<PaymentInput, 'shares'>): PaymentInput => ({
  ...payment,
  shares: [{ documentId, amountMinor: payment.amountMinor }],
})

/**
 * Records a payment with its allocations. The database derives the paid amounts and statuses of the documents. No statement
 * is awaited before the others are sent, so that all of them leave in the caller's flush.
 */
export function recordPayment({ db, emit, member }: PaymentContext, { shares, kind, ...payment }: PaymentInput) {
  const { customerId, currency, amountMinor, paidAt, method, source } = payment
  const id = newId()
  emit(paymentRecorded, {
    ...payment,
    id,
    organizationId: member.organizationId,
    amount: toMajor(BigInt(amountMinor), currency),
  })
  const row = { id, counterpartyId: customerId, currency, amountMinor, paidAt, method, source }
  const recorded = pipeline({
    payment: db
      .insertInto('payments')
      .values({
        ...row,
        direction: kind.paymentDirection,
        minorDigits: minorDigits(currency),
        createdBy: member.userId,
      })
      .execute(),
    allocations: allocate({ db, member }, { id, currency, paidAt, method }, shares),
  })
  return { id, recorded }
}

type PaymentDetails = { id: string; currency: string; paidAt: string; method: string | null }

/** Allocates shares of a payment, and adds an entry to the history of each document. */
export function allocate(
  { db, member }: Pick<PaymentContext, 'db' | 'member'>,
  { id, currency, paidAt, method }: PaymentDetails,
  shares: readonly Share[],
) {
  const rows = shares.map(({ documentId, lineId = null, amountMinor }) => ({
    id: newId(),
    paymentId: id,
    documentId,
    lineId,
    amountMinor,
  }))
  return pipeline({
    allocations: rows.length > 0 && db.insertInto('allocations').values(rows).execute(),
    history: Promise.all(
      [...sumsByDocument(shares)].map(([documentId, minor]) => {
        const amount = toMajor(BigInt(minor), currency)
        const payload = { paymentId: id, amount, currency, paidAt, method, userId: member.userId }
        return appendHistory(db, documentId, 'PAYMENT_RECORDED', payload)
      }),
    ),
  })
}

function sumsByDocument(shares: readonly Share[]): Map<string, number> {
  const sums = new Map<string, number>()
  for (const { documentId, amountMinor } of shares) sums.set(documentId, (sums.get(documentId) ?? 0) + amountMinor)
  return sums
}

type VoidedPayment = PaymentDetails & { customerId: string | null; amountMinor: number; source: string }

/** Voids payments; the database reopens the documents they paid and cancels their receipts. */
export async function voidPayments(
  { db, emit, member }: PaymentContext,
  payments: readonly VoidedPayment[],
  { reason, documentIds }: { reason: string | null; documentIds: readonly string[] },
) {
  const ids = payments.map(({ id }) => id)
  for (const { amountMinor, ...payment } of payments)
    emit(paymentVoided, {
      ...payment,
      organizationId: member.organizationId,
      amount: toMajor(BigInt(amountMinor), payment.currency),
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

/** Voids the payments of a paid document; credits from credit memos stay. */
export async function clearPayments(
  context: PaymentContext,
  { id, paymentId }: { id: string; paymentId: string | null },
  kind: LedgerKind,
) {
  const { db } = context
  if (paymentId !== null)
    throw conflict(
      'A receipt or credit memo has no payment of its own. Clear the payment on the document that it is about.',
      'NOT_OWED',
    )
  const { settlements } = await pipeline({ locked: lockPaymentsOf(db, id), settlements: paymentsOf(db, id) })
  if (settlements.length === 0) return reopen(db, id, kind)
  const payments = settlements.filter(({ source }) => source !== 'CREDIT_MEMO')
  if (payments.some(({ isShared }) => isShared))
    throw conflict(
      'The payment also covers other documents. Void it as a whole: POST /api/payments/{id}/void.',
      'SHARED',
    )
  if (payments.length === 0)
    throw conflict(
      'The document was settled by a credit memo, which cannot be cleared. Only payments can be cleared.',
      'CREDITED',
    )
  await voidPayments(context, payments, { reason: 'Cleared on the document', documentIds: [id] })
}

/** Locks the payments of a locked document, so that none of them can be allocated to another document meanwhile. */
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

const paymentsOf = (db: Database, documentId: string) =>
  db
    .selectFrom('payments')
    .select(['id', 'counterpartyId as customerId', 'amountMinor', 'currency', 'paidAt', 'method', 'source'])
    .select(
      sql<boolean>`exists (select from allocations a where a.organization_id = payments.organization_id and a.payment_id = payments.id
        and a.document_id <> ${documentId} and a.voided_at is null)`.as('isShared'),
    )
    .where('voidedAt', 'is', null)
    .where('id', 'in', (query) =>
      query
        .selectFrom('allocations')
        .select('paymentId')
        .where('documentId', '=', documentId)
        .where('voidedAt', 'is', null),
    )
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
