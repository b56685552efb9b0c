import { sql } from 'kysely'
import { conflict } from '../../core/define/failure.ts'
import type { Database, Inside, Member } from '../../core/define/operation.ts'
import { newId } from '../../core/values/id.ts'
import { minorDigits, toMajor } from '../../core/values/money.ts'
import { appendHistory } from '../history.ts'
import type { LedgerKind } from '../kind.ts'
import { paymentRecorded, paymentVoided } from './payment.ts'

/** What recording, allocating and voiding payments needs. */
export type PaymentContext = Pick<Inside, 'db' | 'emit'> & { member: Pick<Member, 'userId' | 'organizationId'> }

/** A share of a payment that goes to a document, or to one line of it. */
export type Share = { documentId: string; lineId?: string; amountMinor: number }

/** A payment and where it goes, in minor units. */
export type PaymentInput = {
  /** The kind of the documents it pays. */
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
 * Records a payment with its allocations. What that pays, and the status that follows, is derived in the database. No
 * statement is awaited before the others are sent, so they travel in the caller's flush.
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
  const recorded = Promise.all([
    db
      .insertInto('payments')
      .values({
        ...row,
        direction: kind.paymentDirection,
        minorDigits: minorDigits(currency),
        createdBy: member.userId,
      })
      .execute(),
    allocate({ db, member }, { id, currency, paidAt, method }, shares),
  ])
  return { id, recorded }
}

type PaymentFacts = { id: string; currency: string; paidAt: string; method: string | null }

/** Allocates shares of a payment, and tells it in the history of each document. */
export function allocate(
  { db, member }: Pick<PaymentContext, 'db' | 'member'>,
  { id, currency, paidAt, method }: PaymentFacts,
  shares: readonly Share[],
) {
  const rows = shares.map(({ documentId, lineId = null, amountMinor }) => ({
    id: newId(),
    paymentId: id,
    documentId,
    lineId,
    amountMinor,
  }))
  return Promise.all([
    rows.length > 0 && db.insertInto('allocations').values(rows).execute(),
    ...[...sumsByDocument(shares)].map(([documentId, minor]) => {
      const amount = toMajor(BigInt(minor), currency)
      const payload = { paymentId: id, amount, currency, paidAt, method, userId: member.userId }
      return appendHistory(db, documentId, 'PAYMENT_RECORDED', payload)
    }),
  ])
}

function sumsByDocument(shares: readonly Share[]): Map<string, number> {
  const sums = new Map<string, number>()
  for (const { documentId, amountMinor } of shares) sums.set(documentId, (sums.get(documentId) ?? 0) + amountMinor)
  return sums
}

type VoidedPayment = PaymentFacts & { customerId: string | null; amountMinor: number; source: string }

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
  await Promise.all([
    db.updateTable('payments').set({ voidedAt: sql`now()`, voidReason: reason }).where('id', 'in', ids).execute(),
    ...documentIds.map((documentId) =>
      appendHistory(db, documentId, 'PAYMENT_VOIDED', { paymentIds: ids, reason, userId: member.userId }),
    ),
  ])
}

/** Voids the payments of a paid document. What a credit memo granted stays. */
export async function clearPayments(
  context: PaymentContext,
  { id, paymentId }: { id: string; paymentId: string | null },
  kind: LedgerKind,
) {
  const { db } = context
  if (paymentId !== null)
    throw conflict('This document stands for the payment of another one. Clear the payment there.', 'NOT_OWED')
  const payments = await paymentsOf(db, id)
  if (payments.length === 0) return reopen(db, id, kind)
  const money = payments.filter(({ source }) => source !== 'CREDIT_MEMO')
  if (money.some(({ elsewhere }) => elsewhere))
    throw conflict(
      'The payment covers other documents too. Void it as a whole: POST /api/payments/{id}/void.',
      'SHARED',
    )
  if (money.length === 0)
    throw conflict('The document was settled by a credit memo, which stays. Only payments can be cleared.', 'CREDITED')
  await voidPayments(context, money, { reason: 'Cleared on the document', documentIds: [id] })
}

const paymentsOf = (db: Database, documentId: string) =>
  db
    .selectFrom('payments')
    .select(['id', 'counterpartyId as customerId', 'amountMinor', 'currency', 'paidAt', 'method', 'source'])
    .select(
      sql<boolean>`exists (select from allocations a where a.organization_id = payments.organization_id and a.payment_id = payments.id
        and a.document_id <> ${documentId} and a.voided_at is null)`.as('elsewhere'),
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

/** A document with a total of zero became PAID without a payment. */
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
