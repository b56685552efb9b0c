import { operation } from '../../../core/define/operation.ts'
import { NewRefund, Payment } from '../../../ledger/payments/payment.ts'
import { salesKind } from '../documents/kind.ts'
import { refundOfKind } from './refund-of-kind.ts'

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
  run: (context, input) => refundOfKind(context, input, { kind: salesKind }),
})
