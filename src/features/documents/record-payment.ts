import { sql } from 'kysely'
import { conflict } from '../../core/define/failure.ts'
import type { Database, Inside, Member } from '../../core/define/operation.ts'
import { newId } from '../../core/values/id.ts'
import { minorDigits, toMajor } from '../../core/values/money.ts'
import { pipeline } from '../../db/pipeline.ts'
import { paymentRecorded, paymentVoided } from '../../ledger/payment.ts'
import type { DocumentRow } from './reading/read.ts'
import { appendHistory } from './write.ts'

export type Payer = Pick<Inside, 'db' | 'emit'> & { member: Pick<Member, 'userId' | 'organizationId'> }

/** A payment and where it goes, in minor units. */
export type Paying = {
  customerId: string | null
  currency: string
  amountMinor: number
  paidAt: string
  method: string | null
  source: 'DOCUMENT' | 'MARK_PAID' | 'PAYMENT' | 'CREDIT_MEMO'
  allocations: { documentId: string; lineId?: string; amountMinor: number }[]
}

/** A payment of so much that goes to one document, all of it. */
export const payingFor = (documentId: string, paying: Omit<Paying, 'allocations'>): Paying => ({
  ...paying,
  allocations: [{ documentId, amountMinor: paying.amountMinor }],
})

/**
 * Records a payment with its allocations. What that pays, and whether a document is PAID now, follows in the database.
 * Nothing is awaited before the statements are asked for, so they travel with the caller's.
 */
export function recordPayment({ db, emit, member }: Payer, { allocations, ...paying }: Paying) {
  const { customerId, currency, amountMinor, paidAt, method, source } = paying
  const id = newId()
  const row = { id, counterpartyId: customerId, currency, amountMinor, paidAt, method, source }
  const shares = allocations.map(({ documentId, lineId = null, amountMinor: share }) => ({
    id: newId(),
    paymentId: id,
    documentId,
    lineId,
    amountMinor: share,
  }))
  const told = [...paidPerDocument(allocations)].map(
    ([documentId, minor]) =>
    appendHistory(db, documentId, 'PAYMENT_RECORDED', {
      paymentId: id, amount: toMajor(BigInt(minor), currency), currency, paidAt, method, userId: member.userId,
    }), // biome-ignore format: a list of words
  )
  emit(paymentRecorded, {
    ...paying,
    id,
    organizationId: member.organizationId,
    amount: toMajor(BigInt(amountMinor), currency),
  })
  const recorded = pipeline({
    payment: db
      .insertInto('payments')
      .values({ ...row, minorDigits: minorDigits(currency), createdBy: member.userId })
      .execute(),
    allocations: shares.length > 0 && db.insertInto('allocations').values(shares).execute(),
    history: Promise.all(told),
  })
  return { id, recorded }
}

/** Documents are written in the order of their ids, whoever pays them (lock order). */
function paidPerDocument(allocations: Paying['allocations']): Map<string, number> {
  const sums = new Map<string, number>()
  for (const { documentId, amountMinor } of allocations) sums.set(documentId, (sums.get(documentId) ?? 0) + amountMinor)
  return sums
}

type Voided = {
  id: string
  customerId: string | null
  amountMinor: number
  currency: string
  paidAt: string
  method: string | null
  source: string
}

/** Voids payments; the database opens again what they paid and cancels the receipts for them. */
export async function voidPayments(
  { db, emit, member }: Payer,
  payments: readonly Voided[],
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

/** Takes back the money that a paid document was paid with; what was credited of it stays. */
export async function clearPayments(payer: Payer, { id, paymentId }: DocumentRow) {
  const { db } = payer
  if (paymentId !== null)
    throw conflict('This one stands for the payment of another document; clear the payment there.', 'NOT_OWED')
  const payments = await paymentsOf(db, id)
  if (payments.length === 0) {
    await db.updateTable('documents').set(reopened).where('id', '=', id).execute()
    return
  }
  const money = payments.filter(({ source }) => source !== 'CREDIT_MEMO')
  if (money.some(({ elsewhere }) => elsewhere))
    throw conflict(
      'The payment covers other documents too: void it as a whole (POST /api/payments/{id}/void).',
      'SHARED',
    )
  if (money.length === 0)
    throw conflict('It was credited with a memo, which stays; only payments are cleared.', 'CREDITED')
  await voidPayments(payer, money, { reason: 'Cleared on the document', documentIds: [id] })
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

/** A document over nothing was paid without a payment. */
const reopened = {
  status: sql<'SENT' | 'UNSENT'>`case when sent_at is null then 'UNSENT' else 'SENT' end`,
  paymentDate: null,
  paymentMethod: null,
  receiptNumber: null,
}
