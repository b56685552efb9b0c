import { conflict, notFound } from '../../../core/define/failure.ts'
import { type Database, operation } from '../../../core/define/operation.ts'
import { one, toUuid } from '../../../core/define/query.ts'
import { Id, Type } from '../../../core/define/schema.ts'
import { pipeline } from '../../../db/pipeline.ts'
import { lockPayable } from '../../../ledger/payments/payable-documents.ts'
import { Payment, toPayment } from '../../../ledger/payments/payment.ts'
import { lockPayment, paymentById } from '../../../ledger/payments/read-payment.ts'
import { correctedBy, takeBack } from '../../../ledger/payments/void-payment.ts'
import { salesKind } from '../documents/kind.ts'
import { requireReopening } from './reopening.ts'

export const unallocate = operation({
  name: 'invoices_payments_unallocate',
  http: 'DELETE /api/payments/{id}/allocations/{allocationId}',
  does: 'Takes one allocation of a payment back: its amount is open again; to open a paid document needs MANAGER.',
  scope: 'invoices:write',
  role: 'CONTRIBUTOR',
  within: 'payments',
  input: Type.Object({ id: Id, allocationId: Id }),
  output: Payment,
  async run({ db, who }, { id, allocationId }) {
    const { member, allocation, corrected } = await pipeline({
      member: who,
      allocation: allocationOf(db, id, allocationId),
      corrected: correctedBy(db, id),
    })
    if (!allocation) throw notFound('allocation')
    const documents = await lockPayable(db, salesKind, [allocation.documentId, ...corrected])
    const { payment, current } = await pipeline({
      payment: lockPayment(db, salesKind, id),
      current: allocationOf(db, id, allocationId),
    })
    if (current?.voidedAt !== null) return toPayment(payment)
    if (current.isOwnCredit)
      throw conflict('The memo credits this document. Its credit cannot be taken back.', 'CREDITED')
    requireReopening(
      member,
      documents.filter((document) => document.id === allocation.documentId),
    )
    await takeBack({ db, member }, [{ ...current, currency: payment.currency }])
    return toPayment(await one(paymentById(db, id), 'payment'))
  },
})

/** An allocation of a payment, and whether it is the credit of a memo for the document that the memo corrects. */
const allocationOf = (db: Database, paymentId: string, allocationId: string) =>
  db
    .selectFrom('allocations')
    .select(['id', 'paymentId', 'documentId', 'amountMinor', 'voidedAt'])
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom('documents as memo')
          .select('memo.id')
          .whereRef('memo.organizationId', '=', 'allocations.organizationId')
          .whereRef('memo.paymentId', '=', 'allocations.paymentId')
          .whereRef('memo.sourceDocumentId', '=', 'allocations.documentId')
          .where('memo.documentType', '=', 'CREDIT_MEMO'),
      )
        .$castTo<boolean>()
        .as('isOwnCredit'),
    )
    .where('paymentId', '=', paymentId)
    .where('id', '=', toUuid(allocationId))
    .executeTakeFirst()
