import { operation } from '../../core/define/operation.ts'
import { one } from '../../core/define/query.ts'
import { withWarnings } from '../../core/define/warning.ts'
import { today } from '../../core/values/day.ts'
import { pipeline } from '../../db/pipeline.ts'
import { organizationContext, requiredDay } from '../../ledger/organization-context.ts'
import { NewRefund, Payment, toPayment } from '../../ledger/payments/payment.ts'
import { earlyRefundWarnings, futureDateWarnings } from '../../ledger/payments/payment-warnings.ts'
import { lockPayment, paymentById } from '../../ledger/payments/read-payment.ts'
import { recordRefund } from '../../ledger/payments/refund-payment.ts'
import { paymentRateWarnings } from '../../ledger/rate-warnings.ts'
import { salesKind } from '../documents/kind.ts'
import { checkReferences } from '../documents/write.ts'

export const refund = operation({
  name: 'invoices_payments_refund',
  http: 'POST /api/payments/{id}/refund',
  does: 'Refunds the open remainder of a payment or of the credit of a memo, or a part of it, to the customer.',
  scope: 'invoices:write',
  role: 'CONTRIBUTOR',
  within: 'payments',
  input: NewRefund,
  output: Payment,
  status: 201,
  async run({ db, emit, who, now }, { id, paidAt, amount, method = null, reference = null, bankAccountId = null }) {
    const { organization, member, payment } = await pipeline({
      organization: organizationContext(db),
      member: who,
      references: checkReferences(db, { bankAccountId }),
      payment: lockPayment(db, salesKind, id),
    })
    const day = requiredDay('paidAt', paidAt, organization)
    const details = { amount, paidAt: day, method, reference: reference || null, bankAccountId }
    const refundId = await recordRefund({ db, emit, member }, payment, details)
    const row = await one(paymentById(db, refundId), 'payment')
    return withWarnings(toPayment(row), [
      ...futureDateWarnings('paidAt', { paidAt: day, today: today(now, organization.timezone) }),
      ...earlyRefundWarnings({ paidAt: day, received: payment.paidAt }),
      ...paymentRateWarnings(row),
    ])
  },
})
