import { conflict, notFound } from '../../../../core/define/failure.ts'
import { type Database, operation } from '../../../../core/define/operation.ts'
import { one, toUuid } from '../../../../core/define/query.ts'
import { Id, nullable, storable, Type } from '../../../../core/define/schema.ts'
import { toMajor } from '../../../../core/values/money.ts'
import { pipeline } from '../../../../db/pipeline.ts'
import { appendHistory } from '../../../../ledger/history.ts'
import { lockWithDocuments } from '../../../../ledger/payments/lock-payment.ts'
import { voidPayments } from '../../../../ledger/payments/void-payment.ts'
import { Expense } from '../expense.ts'
import { expenseKind } from '../kind.ts'
import { expenseById, toExpense } from '../reading/read.ts'

const Reason = Type.String({ maxLength: 1_000, pattern: storable, examples: ['Entered for the wrong supplier'] })

export const voidCredit = operation({
  name: 'expenses_credits_void',
  http: 'POST /api/expenses/{id}/credits/{creditId}/void',
  does: 'Voids the credit note of a supplier that was recorded by mistake: what it settled is open again, and the journal reverses it today.',
  scope: 'expenses:write',
  role: 'MANAGER',
  within: 'expenses',
  input: Type.Object({ id: Id, creditId: Id, reason: Type.Optional(nullable(Reason)) }),
  output: Expense,
  async run(context, { id, creditId: named, reason = null }) {
    const { db, emit } = context
    const creditId = toUuid(named).toLowerCase()
    const { member, paymentId } = await pipeline({ member: context.who, paymentId: paymentOf(db, id, creditId) })
    const others = Promise.resolve([id, creditId])
    const { payment, documents } = await lockWithDocuments(db, expenseKind, paymentId, others)
    if (payment.refundedMinor > 0)
      throw conflict(
        'A part of the credit was refunded. Void its refunds first (POST /api/expenses/payments/{id}/void).',
        'REFUNDED',
      )
    if (payment.voidedAt === null) {
      const { userId } = member
      const total = toMajor(BigInt(payment.amountMinor), payment.currency)
      await pipeline({
        credit: appendHistory(db, creditId, 'CANCELLED', { reason, userId }),
        expense: appendHistory(db, id, 'CREDIT_VOIDED', { memoId: creditId, total, reason, userId }),
        voided: voidPayments({ db, emit, member }, [payment], {
          reason,
          documentIds: documents.map((document) => document.id).filter((documentId) => documentId !== id),
        }),
      })
    }
    return toExpense(context, await one(expenseById(db, id), 'expense'))
  },
})

/** The payment that holds the credit of an expense. */
async function paymentOf(db: Database, expenseId: string, creditId: string): Promise<string> {
  const credit = await db
    .selectFrom('documents')
    .select('paymentId')
    .where('id', '=', creditId)
    .where('sourceDocumentId', '=', expenseId)
    .where('documentType', '=', 'CREDIT_MEMO')
    .executeTakeFirst()
  if (!credit?.paymentId) throw notFound('credit')
  return credit.paymentId
}
