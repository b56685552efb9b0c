import { sql } from 'kysely'
import { conflict, invalid } from '../../../../core/define/failure.ts'
import type { Inside, Member } from '../../../../core/define/operation.ts'
import { one } from '../../../../core/define/query.ts'
import { withWarnings } from '../../../../core/define/warning.ts'
import { today } from '../../../../core/values/day.ts'
import { newId } from '../../../../core/values/id.ts'
import { minorDigits, toMajor } from '../../../../core/values/money.ts'
import { appendHistory } from '../../../../ledger/history.ts'
import type { OrganizationContext } from '../../../../ledger/organization-context.ts'
import type { Payment } from '../../../../ledger/payments/payment.ts'
import type { StoredDetails } from '../../../../ledger/payments/payment-details.ts'
import type { Share } from '../../../../ledger/payments/record-payment.ts'
import type { GivenRate } from '../../documents/rates/exchange-rate.ts'
import { type PlannedRow, plannedById, toPlanned } from './planned-payment.ts'

/** The day of a cheque that is dated after today, or null: then the payment is money already. */
export function laterDay({ details }: StoredDetails, now: Date, { timezone }: OrganizationContext): string | null {
  const dueDate = details?.cheque?.dueDate
  return dueDate !== undefined && dueDate > today(now, timezone) ? dueDate : null
}

type NewPlan = {
  dueOn: string
  customerId: string | null
  currency: string
  amountMinor: number
  method: string | null
  stored: StoredDetails
  shares: readonly Share[]
  receipt?: PlannedRow['receipt']
  given?: Partial<GivenRate>
}

/** Plans a payment of sales documents, which the caller has locked; on its day a job records it. */
export async function planPayment(
  { db, member }: Pick<Inside, 'db'> & { member: Pick<Member, 'userId'> },
  { dueOn, customerId, currency, amountMinor, method, stored, shares, receipt = 'NONE', given }: NewPlan,
): Promise<Payment> {
  if (given?.exchangeRate)
    throw invalid('exchangeRate', `The exchange rate is that of ${dueOn}, when the cheque is due. Leave it out.`)
  if (shares.some(({ lineId }) => lineId !== undefined))
    throw invalid(
      'lineAllocations',
      'A cheque that is due later is planned for the whole document. Leave the lines out.',
    )
  await refusePlannedTwice(db, shares, currency)
  const id = newId()
  const { details, ...rest } = stored
  await db
    .insertInto('plannedPayments')
    .values({
      ...{ id, dueOn, currency, amountMinor, method, receipt, ...rest },
      details: JSON.stringify(details),
      shares: JSON.stringify(shares),
      counterpartyId: customerId,
      minorDigits: minorDigits(currency),
      createdBy: member.userId,
    })
    .execute()
  await Promise.all(
    shares.map((share) => {
      const amount = toMajor(BigInt(share.amountMinor), currency)
      const payload = { paymentId: id, amount, currency, dueOn, method, userId: member.userId }
      return appendHistory(db, share.documentId, 'PAYMENT_PLANNED', payload)
    }),
  )
  return plannedAnswer(await one(plannedById(db, id), 'payment'))
}

/** Several cheques may be planned for a document, together for what is open of it at most. */
async function refusePlannedTwice(db: Inside['db'], shares: readonly Share[], currency: string) {
  for (const { documentId, amountMinor } of shares) {
    const { rows } = await sql<{ openMinor: number; plannedMinor: number }>`select open_minor(d) as open_minor,
        (select coalesce(sum((s ->> 'amountMinor')::bigint), 0)::bigint from planned_payments p, jsonb_array_elements(p.shares) s
          where p.status = 'PLANNED' and p.shares @> jsonb_build_array(jsonb_build_object('documentId', d.id))
            and s ->> 'documentId' = d.id::text) as planned_minor
      from documents d where d.id = ${documentId}`.execute(db)
    const { openMinor = 0, plannedMinor = 0 } = rows[0] ?? {}
    if (amountMinor + plannedMinor <= openMinor) continue
    const major = (minor: number) => `${toMajor(BigInt(minor), currency)} ${currency}`
    throw conflict(
      `Cheques of ${major(plannedMinor)} are planned for this document already, and ${major(openMinor)} of it is open. Cancel one of them first (POST /api/planned-payments/{id}/cancel), or plan a smaller amount.`,
      'PLANNED',
    )
  }
}

/** What the recording operation answers: a payment that is no money yet. */
function plannedAnswer(row: PlannedRow): Payment {
  const { allocations: _, dueOn, status: __, receipt: ___, problem: ____, ...planned } = toPlanned(row)
  const payment: Payment = {
    ...{ ...planned, paidAt: dueOn, source: 'PLANNED', direction: 'OUTGOING', allocations: [] },
    ...{ exchangeRate: null, exchangeRateDate: null, allocatedTotal: 0, refundedTotal: 0, openRemainder: 0 },
    ...{ refundOf: null, voidedAt: null, voidReason: null },
  }
  return withWarnings(payment, [
    {
      code: 'PAYMENT_PLANNED',
      path: 'details.cheque.dueDate',
      message: `The cheque is due on ${dueOn}. It is recorded as a payment on that day; until then it is planned, and nothing is paid.`,
    },
  ])
}
