import { sql } from 'kysely'
import { notFound } from '../../core/define/failure.ts'
import type { Database } from '../../core/define/operation.ts'
import { byId, one } from '../../core/define/query.ts'
import { pipeline } from '../../db/pipeline.ts'
import type { LedgerKind } from '../kind.ts'
import type { PaymentDetails } from './payment-details.ts'

type AllocationRow = {
  id: string
  documentId: string
  invoiceNumber: string | null
  lineId: string | null
  amountMinor: number
}

/** Payments with their allocations; a voided payment has none. */
const payments = (db: Database) => db.selectFrom('payments').select(columns).select([customerName, allocations])

/** The payments that settle documents of a kind, and their refunds. */
export const paymentsOf = (db: Database, { name }: LedgerKind) => payments(db).where('kind', '=', sql.lit(name))

export const paymentById = byId((db, id) => payments(db).where('id', '=', id))

/** Locks a payment of a kind, after its documents (reliability, lock order). */
export async function lockPayment(db: Database, kind: LedgerKind, id: string) {
  const { payment } = await pipeline({
    locked: db.selectFrom('payments').select('id').where('id', '=', id).forUpdate().execute(),
    payment: one(paymentById(db, id), 'payment'),
  })
  if (payment.kind !== kind.name) throw notFound('payment')
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

/** Whether a part of the payment is neither allocated nor refunded. */
export const isOpen = sql<boolean>`(voided_at is null and source <> 'REFUND' and amount_minor > allocated_minor + refunded_minor)`

const columns = [
  'id', 'organizationId', 'kind', 'counterpartyId as customerId', 'direction', 'amountMinor', 'allocatedMinor', 'currency',
  'paidAt', 'method', 'source', 'reference', 'withheldMinor', 'bankAccountId', 'refundOf', 'refundedMinor', 'voidedAt',
  'voidReason', 'createdAt', 'updatedAt', 'exchangeRate', 'rateCurrency', 'rateDate as exchangeRateDate', sql<PaymentDetails | null>`details`.as('details'),
] as const // biome-ignore format: a list of words

const customerName = sql<string | null>`(select coalesce(c.name, c.email) from customers c
    where c.organization_id = payments.organization_id and c.id = payments.counterparty_id)`.as('customerName')

const allocations = sql<
  AllocationRow[]
>`(select coalesce(jsonb_agg(jsonb_build_object('id', a.id, 'documentId', a.document_id,
      'invoiceNumber', d.number, 'lineId', a.line_id, 'amountMinor', a.amount_minor) order by a.id), '[]')
    from allocations a join documents d on d.organization_id = a.organization_id and d.id = a.document_id
    where a.organization_id = payments.organization_id and a.payment_id = payments.id and a.voided_at is null)`.as(
  'allocations',
)
