import { sql } from 'kysely'
import type { Database } from '../../../../core/define/operation.ts'
import { byId } from '../../../../core/define/query.ts'
import { Id, identity, nullable, OneOf, type Static, Text, Type } from '../../../../core/define/schema.ts'
import { toMajor } from '../../../../core/values/money.ts'
import { type PaymentDetails, shownDetails } from '../../../../ledger/payments/payment-details.ts'

export const PlannedPayment = Type.Object({
  ...identity,
  customerId: nullable(Id),
  customerName: nullable(Text),
  amount: Type.Number(),
  currency: Text,
  dueOn: Type.String({ description: 'The day on which it becomes a payment.', examples: ['2026-12-31'] }),
  method: nullable(Text),
  ...shownDetails,
  allocations: Type.Array(Type.Object({ documentId: Id, invoiceNumber: nullable(Text), amount: Type.Number() }), {
    description: 'What it shall pay. On its day it pays as much of it as is still open; the rest stays open.',
  }),
  receipt: OneOf('NONE', 'WITH_TAX', 'TAX_FREE'),
  status: Type.String({
    description: 'PLANNED, RECORDED or CANCELLED. A recorded one is a payment with the same id.',
    examples: ['PLANNED'],
  }),
  problem: nullable(
    Type.String({ description: 'Why it could not be recorded on its day. It is tried again every hour.' }),
  ),
})
export type PlannedPayment = Static<typeof PlannedPayment>

export type PlannedShare = { documentId: string; amountMinor: number }

/** The planned payments of the organization. */
export const plannedPayments = (db: Database) =>
  db
    .selectFrom('plannedPayments')
    .select([
      'id',
      'organizationId',
      'counterpartyId as customerId',
      'currency',
      'amountMinor',
      'withheldMinor',
      'dueOn',
      'method',
      'reference',
      'bankAccountId',
      'receipt',
      'status',
      'problem',
      'createdBy',
      'createdAt',
      'updatedAt',
    ])
    .select([
      sql<PaymentDetails>`details`.as('details'),
      sql<string | null>`(select coalesce(c.name, c.email) from customers c
        where c.organization_id = planned_payments.organization_id and c.id = counterparty_id)`.as('customerName'),
      sql<
        (PlannedShare & { invoiceNumber: string | null })[]
      >`(select coalesce(jsonb_agg(s.share || jsonb_build_object('invoiceNumber',
          (select d.number from documents d where d.organization_id = planned_payments.organization_id
            and d.id = (s.share ->> 'documentId')::uuid)) order by s.position), '[]')
        from jsonb_array_elements(shares) with ordinality s (share, position))`.as('shares'),
    ])
export type PlannedRow = Awaited<ReturnType<ReturnType<typeof plannedPayments>['executeTakeFirstOrThrow']>>

export const plannedById = byId((db, id) => plannedPayments(db).where('id', '=', id))

export function toPlanned({ amountMinor, withheldMinor, shares, createdBy: _, ...row }: PlannedRow): PlannedPayment {
  const major = (minor: number) => toMajor(BigInt(minor), row.currency)
  return {
    ...row,
    amount: major(amountMinor),
    withheldAmount: major(withheldMinor),
    allocations: shares.map(({ documentId, invoiceNumber, amountMinor: minor }) => ({
      documentId,
      invoiceNumber,
      amount: major(minor),
    })),
  }
}
