import { sql } from 'kysely'
import { amount, column, filterable, toMany, toOne } from '../../../core/define/filterable.ts'
import { salesKind } from '../documents/kind.ts'

const Payment = filterable({
  feature: 'invoices',
  from: sql`(select *, case when voided_at is null and source <> 'REFUND' then amount_minor - allocated_minor - refunded_minor else 0 end as open_minor
    from payments where kind = ${sql.lit(salesKind.name)})`,
  fields: {
    id: 'id',
    organizationId: 'id',
    customerId: column('id', 'counterpartyId'),
    direction: 'text',
    amount: amount('amountMinor'),
    allocatedTotal: amount('allocatedMinor'),
    openRemainder: amount('openMinor'),
    refundedTotal: amount('refundedMinor'),
    withheldAmount: amount('withheldMinor'),
    reference: 'text',
    refundOf: 'id',
    bankAccountId: 'id',
    currency: 'text',
    paidAt: 'day',
    method: 'text',
    source: 'text',
    voidedAt: 'instant',
    voidReason: 'text',
    createdAt: 'instant',
    updatedAt: 'instant',
  },
  relations: {
    customer: toOne('Customer', 'counterpartyId', 'id'),
    createdBy: toOne('Member', 'createdBy', 'userId'),
    allocations: toMany('Allocation', 'id', 'paymentId'),
    documents: {
      ...toMany('Document', 'id', 'paymentId'),
      through: { from: sql`(select * from allocations where voided_at is null)`, on: ['documentId', 'id'] },
    },
  },
})

const Allocation = filterable({
  feature: 'invoices',
  from: sql`(select a.*, p.minor_digits, p.currency from allocations a
    join payments p on p.organization_id = a.organization_id and p.id = a.payment_id and p.kind = ${sql.lit(salesKind.name)})`,
  fields: {
    id: 'id',
    paymentId: 'id',
    documentId: 'id',
    lineId: 'text',
    amount: amount('amountMinor'),
    currency: 'text',
    voidedAt: 'instant',
    createdAt: 'instant',
  },
  relations: { payment: toOne('Payment', 'paymentId', 'id'), document: toOne('Document', 'documentId', 'id') },
})

export const paymentObjects = { Payment, Allocation }
