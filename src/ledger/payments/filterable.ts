import { sql } from 'kysely'
import { amount, type Field, type Kind, type Relation, toMany } from '../../core/define/filterable.ts'
import type { LedgerKind } from '../kind.ts'

// What filters of automations read of the payments of every kind; each kind adds who paid or was paid, and its documents.

/** The payments of a kind, with what is open of each. */
export const paymentsOfKind = ({ name }: LedgerKind) =>
  sql`(select *, case when voided_at is null and source <> 'REFUND' then amount_minor - allocated_minor - refunded_minor else 0 end as open_minor
    from payments where kind = ${sql.lit(name)})`

export const paymentFields = {
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
} satisfies Record<string, Kind | Field>

const live = sql`(select * from allocations where voided_at is null)`

/** From a payment to the documents that it pays. */
export const paysFor = (object: string): Relation => ({
  ...toMany(object, 'id', 'paymentId'),
  through: { from: live, on: ['documentId', 'id'] },
})

/** From a document to its payments. */
export const isPaidBy = (object: string): Relation => ({
  ...toMany(object, 'id', 'documentId'),
  through: { from: live, on: ['paymentId', 'id'] },
})
