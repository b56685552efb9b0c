import type { Inside, Member } from '../../../core/define/operation.ts'
import { one } from '../../../core/define/query.ts'
import type { Warning } from '../../../core/define/schema.ts'
import { withWarnings } from '../../../core/define/warning.ts'
import { pipeline } from '../../../db/pipeline.ts'
import { appendHistory } from '../../../ledger/history.ts'
import type { OrganizationContext } from '../../../ledger/organization-context.ts'
import { toPayment } from '../../../ledger/payments/payment.ts'
import { noDetails } from '../../../ledger/payments/payment-details.ts'
import { duplicateWarnings } from '../../../ledger/payments/payment-warnings.ts'
import { paymentById } from '../../../ledger/payments/read-payment.ts'
import { type PaymentInput, recordPayment, type Share } from '../../../ledger/payments/record-payment.ts'
import { paymentRateWarnings } from '../../../ledger/rate-warnings.ts'
import { invoicePaid, toEventPayload } from '../documents/events/events.ts'
import { salesKind } from '../documents/kind.ts'
import { type GivenRate, rateColumns } from '../documents/rates/exchange-rate.ts'
import { documentById, toDocument } from '../documents/reading/read.ts'
import { cashWarnings } from './cash-warnings.ts'
import { laterDay, planPayment } from './planned/plan.ts'

type Context = Pick<Inside, 'db' | 'emit'> & { who: Promise<Pick<Member, 'userId' | 'organizationId'>> }
type NewPayment = Omit<PaymentInput, 'kind' | 'source' | 'rate'> & { given: Partial<GivenRate> }

/** Records a payment of sales documents, or plans it if it is a cheque that is due later. */
export async function recordOrPlan(
  context: Context & { now: Date; organization: OrganizationContext },
  input: NewPayment,
) {
  const dueOn = laterDay(input.stored ?? noDetails, context.now, context.organization)
  if (dueOn === null) return recordDocumentPayment(context, input)
  const { stored = noDetails, ...payment } = input
  return planPayment({ db: context.db, member: await context.who }, { ...payment, stored, dueOn })
}

/** Records a payment of sales documents, and emits invoice.paid for each document that it settles. */
export async function recordDocumentPayment(
  context: Context & { organization: OrganizationContext },
  { given, ...input }: NewPayment,
) {
  const { db, emit, who, organization } = context
  const member = await who
  const { exchangeRate = null, exchangeRateDate = null } = given
  const { columns, warnings: ignored } = rateColumns(
    { exchangeRate, exchangeRateDate, currency: input.currency },
    organization,
    'payment',
  )
  const { givenRate, givenRateDate } = columns
  const rate = givenRate === null ? undefined : { exchangeRate: givenRate, rateDate: givenRateDate }
  const { id, recorded } = recordPayment({ db, emit, member }, { ...input, rate, kind: salesKind, source: 'PAYMENT' })
  const { payment, duplicates } = await pipeline({
    recorded,
    payment: one(paymentById(db, id), 'payment'),
    duplicates: duplicateWarnings(db, id),
  })
  const documents = await recordPaidDocuments(context, input.shares)
  const warnings: Warning[] = [
    ...ignored,
    ...paymentRateWarnings(payment),
    ...duplicates,
    ...cashWarnings(organization, payment, documents),
  ]
  return withWarnings(toPayment(payment), warnings)
}

/**
 * Notes in the history of each document that these shares have settled it, and emits invoice.paid. None of them was PAID
 * before: a paid document has no open balance, so it gets no share. Returns the documents as they are now.
 */
export async function recordPaidDocuments({ db, emit, who }: Context, shares: readonly Share[]) {
  const ids = [...new Set(shares.map(({ documentId }) => documentId))]
  const rows = await Promise.all(ids.map((id) => one(documentById(db, id), 'document')))
  const paid = rows.filter(({ status }) => status === 'PAID').map(toDocument)
  const { userId } = await who
  for (const document of paid) emit(invoicePaid, toEventPayload(document))
  await Promise.all(paid.map(({ id }) => appendHistory(db, id, 'PAID', { userId })))
  return rows
}
