import { sql } from 'kysely'
import { amount, column, filterable, toMany, toOne } from '../../../core/define/filterable.ts'
import { paymentFields, paymentsOfKind, paysFor } from '../../../ledger/payments/filterable.ts'
import { salesKind } from '../documents/kind.ts'

const Payment = filterable({
  feature: 'invoices',
  from: paymentsOfKind(salesKind),
  fields: {
    id: 'id',
    organizationId: 'id',
    customerId: column('id', 'counterpartyId'),
    direction: 'text',
    ...paymentFields,
    voidReason: 'text',
    createdAt: 'instant',
    updatedAt: 'instant',
  },
  relations: {
    customer: toOne('Customer', 'counterpartyId', 'id'),
    createdBy: toOne('Member', 'createdBy', 'userId'),
    allocations: toMany('Allocation', 'id', 'paymentId'),
    documents: paysFor('Document'),
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
