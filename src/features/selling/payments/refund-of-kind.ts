import type { Inside, Member } from '../../../core/define/operation.ts'
import { one } from '../../../core/define/query.ts'
import type { Static } from '../../../core/define/schema.ts'
import { withWarnings } from '../../../core/define/warning.ts'
import { pipeline } from '../../../db/pipeline.ts'
import type { LedgerKind } from '../../../ledger/kind.ts'
import { organizationContext, requiredDay } from '../../../ledger/organization-context.ts'
import { type NewRefund, toPayment } from '../../../ledger/payments/payment.ts'
import { earlyRefundWarnings } from '../../../ledger/payments/payment-warnings.ts'
import { lockPayment, paymentById } from '../../../ledger/payments/read-payment.ts'
import { recordRefund } from '../../../ledger/payments/refund-payment.ts'
import { paymentRateWarnings } from '../../../ledger/rate-warnings.ts'
import { checkReferences } from '../documents/write.ts'

type Context = Pick<Inside, 'db' | 'emit'> & { who: Promise<Member> }
type LockedPayment = Awaited<ReturnType<typeof lockPayment>>

/** Refunds a payment of a kind, or a part of it. `refuse` may refuse the locked payment in the words of the kind. */
export async function refundOfKind(
  { db, emit, who }: Context,
  { id, paidAt, amount, method = null, reference = null, bankAccountId = null }: Static<typeof NewRefund>,
  { kind, refuse }: { kind: LedgerKind; refuse?: (payment: LockedPayment) => void },
) {
  const { organization, member, payment } = await pipeline({
    organization: organizationContext(db),
    member: who,
    references: checkReferences(db, { bankAccountId }),
    payment: lockPayment(db, kind, id),
  })
  refuse?.(payment)
  const day = requiredDay('paidAt', paidAt, organization)
  const details = { amount, paidAt: day, method, reference: reference || null, bankAccountId }
  const refundId = await recordRefund({ db, emit, member }, payment, details)
  const row = await one(paymentById(db, refundId), 'payment')
  return withWarnings(toPayment(row), [
    ...earlyRefundWarnings({ paidAt: day, received: payment.paidAt }),
    ...paymentRateWarnings(row),
  ])
}
