import { conflict, invalid } from '../../core/define/failure.ts'
import { newId } from '../../core/values/id.ts'
import { minorDigits, toMajor } from '../../core/values/money.ts'
import { paymentMinor } from './payable-documents.ts'
import { openMinorOf, paymentRefunded } from './payment.ts'
import type { StoredDetails } from './payment-details.ts'
import type { PaymentContext } from './record-payment.ts'

type RefundedPayment = {
  id: string
  kind: string
  customerId: string | null
  direction: 'OUTGOING' | 'INCOMING'
  currency: string
  amountMinor: number
  withheldMinor: number
  allocatedMinor: number
  refundedMinor: number
  voidedAt: string | null
  source: string
}

type Refund = Pick<StoredDetails, 'reference' | 'bankAccountId'> & {
  /** In major units; the cash of the open remainder unless given. */
  amount?: number | undefined
  paidAt: string
  method: string | null
}

/**
 * Refunds the open remainder of a locked payment or credit, or a part of it. The refund is a payment in the other direction;
 * the database adds it to the refunded amount of the payment. Returns its id.
 */
export async function recordRefund(
  { db, emit, member }: PaymentContext,
  payment: RefundedPayment,
  { amount, paidAt, method, reference, bankAccountId }: Refund,
): Promise<string> {
  const { currency, customerId } = payment
  const amountMinor = refundedMinor(payment, amount)
  const id = newId()
  const row = { id, counterpartyId: customerId, currency, amountMinor, paidAt, method, reference, bankAccountId }
  await db
    .insertInto('payments')
    .values({
      ...row,
      source: 'REFUND',
      kind: payment.kind,
      refundOf: payment.id,
      direction: payment.direction === 'OUTGOING' ? 'INCOMING' : 'OUTGOING',
      minorDigits: minorDigits(currency),
      createdBy: member.userId,
    })
    .execute()
  emit(paymentRefunded, {
    id,
    organizationId: member.organizationId,
    customerId,
    amount: toMajor(BigInt(amountMinor), currency),
    currency,
    paidAt,
    method,
    source: 'REFUND',
    refundOf: payment.id,
  })
  return id
}

function refundedMinor(payment: RefundedPayment, amount: number | undefined): number {
  if (payment.source === 'REFUND') throw conflict('A refund cannot be refunded. Void it instead.', 'REFUND')
  if (payment.voidedAt !== null) throw conflict('The payment was voided and cannot be refunded.', 'VOIDED')
  const openMinor = openMinorOf(payment)
  const { currency } = payment
  // Tax that was withheld went to the state. The cash is refunded first, as far as it is open and was not refunded before.
  const cashMinor = Math.min(openMinor, payment.amountMinor - payment.withheldMinor - payment.refundedMinor)
  const amountMinor = amount === undefined ? Math.max(cashMinor, 0) : paymentMinor('amount', amount, currency)
  if (openMinor === 0)
    throw conflict(
      'The payment has no open remainder. Take back an allocation first (DELETE /api/payments/{id}/allocations/{allocationId}).',
      'NOTHING_OPEN',
    )
  if (amountMinor > openMinor)
    throw invalid('amount', 'The amount is larger than the open remainder of the payment.', 'AMOUNT_OVER_REMAINDER')
  if (amountMinor > cashMinor || amountMinor === 0)
    throw invalid(
      'amount',
      `At most ${toMajor(BigInt(Math.max(cashMinor, 0)), currency)} ${currency} can be refunded: the rest is tax that was withheld, which went to the state.`,
      'AMOUNT_OVER_OPEN',
    )
  return amountMinor
}
