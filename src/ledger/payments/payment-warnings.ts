import { sql } from 'kysely'
import type { Database } from '../../core/define/operation.ts'
import type { Warning } from '../../core/define/schema.ts'

/** Money goes back after it came in. */
export const earlyRefundWarnings = ({ paidAt, received }: { paidAt: string; received: string }): Warning[] =>
  paidAt < received
    ? [
        {
          code: 'REFUND_BEFORE_PAYMENT',
          path: 'paidAt',
          message: `The refund is dated ${paidAt}, which is before the payment (${received}).`,
        },
      ]
    : []

type RecordedPayment = { id: string; paidAt: string }

/** Warns about a payment that was probably recorded before: same customer, amount, currency, date and reference. */
export async function duplicateWarnings(db: Database, id: string): Promise<Warning[]> {
  const { rows } = await sql<RecordedPayment>`select o.id, o.paid_at from payments p join payments o
      on o.organization_id = p.organization_id and o.id <> p.id and o.counterparty_id = p.counterparty_id and o.paid_at = p.paid_at
        and o.amount_minor = p.amount_minor and o.currency = p.currency and o.direction = p.direction
        and o.reference is not distinct from p.reference and o.voided_at is null and o.source not in ('CREDIT_MEMO', 'REFUND')
    where p.id = ${id} order by o.id limit 1`.execute(db)
  return rows.map((other) => ({
    code: 'POSSIBLE_DUPLICATE_PAYMENT',
    path: 'amount',
    message: `The customer has a payment of the same amount on ${other.paidAt} with the same reference (${other.id}). Void one of them if it was recorded twice.`,
  }))
}
