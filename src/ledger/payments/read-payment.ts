import { sql } from 'kysely'
import type { Database } from '../../core/define/operation.ts'
import { byId } from '../../core/define/query.ts'
import type { PaymentDetails } from './payment-details.ts'

type AllocationRow = {
  id: string
  documentId: string
  invoiceNumber: string | null
  lineId: string | null
  amountMinor: number
}

/** Payments with their allocations; a voided payment has none. */
export const payments = (db: Database) => db.selectFrom('payments').select(columns).select(allocations)

export const paymentById = byId((db, id) => payments(db).where('id', '=', id))

/** Whether a part of the payment is neither allocated nor refunded. */
export const isOpen = sql<boolean>`(voided_at is null and source <> 'REFUND' and amount_minor > allocated_minor + refunded_minor)`

const columns = [
  'id', 'organizationId', 'counterpartyId as customerId', 'direction', 'amountMinor', 'allocatedMinor', 'currency',
  'paidAt', 'method', 'source', 'reference', 'withheldMinor', 'bankAccountId', 'refundOf', 'refundedMinor', 'voidedAt',
  'voidReason', 'createdAt', 'updatedAt', 'exchangeRate', 'rateCurrency', 'rateDate as exchangeRateDate', sql<PaymentDetails | null>`details`.as('details'),
] as const // biome-ignore format: a list of words

const allocations = sql<
  AllocationRow[]
>`(select coalesce(jsonb_agg(jsonb_build_object('id', a.id, 'documentId', a.document_id,
      'invoiceNumber', d.number, 'lineId', a.line_id, 'amountMinor', a.amount_minor) order by a.id), '[]')
    from allocations a join documents d on d.organization_id = a.organization_id and d.id = a.document_id
    where a.organization_id = payments.organization_id and a.payment_id = payments.id and a.voided_at is null)`.as(
  'allocations',
)
