import type { Inside, Member } from '../../../core/define/operation.ts'
import { one } from '../../../core/define/query.ts'
import type { Warning } from '../../../core/define/schema.ts'
import { today } from '../../../core/values/day.ts'
import { pipeline } from '../../../db/pipeline.ts'
import { appendHistory } from '../../../ledger/history.ts'
import type { OrganizationContext } from '../../../ledger/organization-context.ts'
import { duplicateWarnings, futureDateWarnings } from '../../../ledger/payments/payment-warnings.ts'
import { paymentById } from '../../../ledger/payments/read-payment.ts'
import { type PaymentInput, recordPayment, type Share } from '../../../ledger/payments/record-payment.ts'
import { paymentRateWarnings } from '../../../ledger/rate-warnings.ts'
import { type GivenRate, rateColumns } from '../../documents/rates/exchange-rate.ts'
import { expensePaid, toEventPayload } from '../events.ts'
import { expenseKind } from '../kind.ts'
import { expenseWithHome, toExpense } from '../reading/read.ts'

export type PaymentContext = Omit<Inside, 'who'> & { who: Promise<Member> }
type NewPayment = Omit<PaymentInput, 'kind' | 'source' | 'rate'> & { given: Partial<GivenRate> }

/** Records a payment to a supplier or claimant, and emits expense.paid for each expense that it settles. */
export async function recordExpensePayment(
  context: PaymentContext & { organization: OrganizationContext },
  { given, ...input }: NewPayment,
) {
  const { db, emit, now, organization } = context
  const member = await context.who
  const { exchangeRate = null, exchangeRateDate = null } = given
  const rate = { exchangeRate, exchangeRateDate, currency: input.currency }
  const { columns, warnings: ignored } = rateColumns(rate, organization, 'payment')
  const { givenRate, givenRateDate } = columns
  const payment: PaymentInput = {
    ...input,
    kind: expenseKind,
    source: 'PAYMENT',
    rate: givenRate === null ? undefined : { exchangeRate: givenRate, rateDate: givenRateDate },
  }
  const { id, recorded } = recordPayment({ db, emit, member }, payment)
  const { row, duplicates } = await pipeline({
    recorded,
    row: one(paymentById(db, id), 'payment'),
    duplicates: duplicateWarnings(db, id),
  })
  await emitPaid(context, member, input.shares)
  const warnings: Warning[] = [
    ...ignored,
    ...paymentRateWarnings(row),
    ...futureDateWarnings('paidAt', { paidAt: input.paidAt, today: today(now, organization.timezone) }),
    ...duplicates,
  ]
  return { payment: row, warnings }
}

/** Notes that these shares have settled expenses, which were open before, and emits expense.paid for each. */
export async function emitPaid(context: PaymentContext, { userId }: Member, shares: readonly Share[]) {
  const { db, emit } = context
  const ids = [...new Set(shares.map(({ documentId }) => documentId))]
  const rows = await Promise.all(ids.map((id) => one(expenseWithHome(db, id), 'expense')))
  const paid = rows
    .map((row) => ({ id: row.id, row, expense: toExpense(context, row) }))
    .filter(({ expense }) => expense.openBalance === 0)
  for (const { expense, row } of paid) emit(expensePaid, toEventPayload(expense, row))
  await Promise.all(paid.map(({ id }) => appendHistory(db, id, 'PAID', { userId })))
}
