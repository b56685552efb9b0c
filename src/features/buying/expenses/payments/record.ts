import { sql } from 'kysely'
import type { Inside, Member } from '../../../../core/define/operation.ts'
import { one } from '../../../../core/define/query.ts'
import type { Warning } from '../../../../core/define/schema.ts'
import { pipeline } from '../../../../db/pipeline.ts'
import { appendHistory } from '../../../../ledger/history.ts'
import type { OrganizationContext } from '../../../../ledger/organization-context.ts'
import { duplicateWarnings } from '../../../../ledger/payments/payment-warnings.ts'
import { paymentById } from '../../../../ledger/payments/read-payment.ts'
import { type PaymentInput, recordPayment, type Share } from '../../../../ledger/payments/record-payment.ts'
import { paymentRateWarnings } from '../../../../ledger/rate-warnings.ts'
import { type GivenRate, rateColumns } from '../../../selling/documents/rates/exchange-rate.ts'
import { expensePaid, toEventPayload } from '../events.ts'
import { countryOf } from '../expense-context.ts'
import { expenseKind } from '../kind.ts'
import { expenseWithHome, toExpense } from '../reading/read.ts'

export type PaymentContext = Omit<Inside, 'who'> & { who: Promise<Member> }
type NewPayment = Omit<PaymentInput, 'kind' | 'source' | 'rate'> & { given: Partial<GivenRate> }

/** Records a payment to a supplier or claimant, and emits expense.paid for each expense that it settles. */
export async function recordExpensePayment(
  context: PaymentContext & { organization: OrganizationContext },
  { given, ...input }: NewPayment,
) {
  const { db, emit, organization } = context
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
  const { row, duplicates, withholding } = await pipeline({
    recorded,
    row: one(paymentById(db, id), 'payment'),
    duplicates: duplicateWarnings(db, id),
    withholding: withholdingWarnings(db, input, organization),
  })
  await emitPaid(context, member, input.shares)
  const warnings: Warning[] = [...ignored, ...paymentRateWarnings(row), ...withholding, ...duplicates]
  return { payment: row, warnings }
}

type Paid = Pick<NewPayment, 'customerId' | 'amountMinor' | 'paidAt' | 'stored' | 'shares'>

/** What the country says about tax that is withheld from the supplier. What a person claims back is no payment to a supplier. */
async function withholdingWarnings(
  db: PaymentContext['db'],
  { customerId, amountMinor, paidAt, stored, shares }: Paid,
  organization: OrganizationContext,
): Promise<Warning[]> {
  if (customerId === null) return []
  const ids = shares.map(({ documentId }) => documentId)
  const { rows } = await sql<{ rate: string | null; validUntil: string | null }>`
    select s.withholding_rate as rate, s.withholding_valid_until as valid_until from suppliers s where s.id = ${customerId}
      and not exists (select from expenses x where x.id = any (${ids}::uuid[]) and x.claimant_id = s.id)`.execute(db)
  return rows.flatMap(
    ({ rate, validUntil }) =>
      countryOf(organization)?.withholdingWarnings({
        day: paidAt,
        amountMinor: BigInt(amountMinor),
        withheldMinor: BigInt(stored?.withheldMinor ?? 0),
        rate: rate === null ? null : Number(rate),
        validUntil,
      }) ?? [],
  )
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
