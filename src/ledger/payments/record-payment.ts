import type { Inside, Member } from '../../core/define/operation.ts'
import { newId } from '../../core/values/id.ts'
import { minorDigits, toMajor } from '../../core/values/money.ts'
import { pipeline } from '../../db/pipeline.ts'
import { appendHistory } from '../history.ts'
import type { LedgerKind } from '../kind.ts'
import { paymentRecorded } from './payment.ts'
import { noDetails, type StoredDetails } from './payment-details.ts'

/** What functions that record, allocate and void payments need. */
export type PaymentContext = Pick<Inside, 'db' | 'emit'> & { member: Pick<Member, 'userId' | 'organizationId'> }

/** A share of a payment that goes to a document, or to one line of it. */
export type Share = { documentId: string; lineId?: string; amountMinor: number }

/** A payment and its shares, in minor units. */
export type PaymentInput = {
  /** That of its plan; a new one unless given. */
  id?: string
  /** The kind of the documents that it pays. */
  kind: LedgerKind
  customerId: string | null
  currency: string
  amountMinor: number
  paidAt: string
  method: string | null
  source: 'DOCUMENT' | 'MARK_PAID' | 'PAYMENT' | 'CREDIT_MEMO' | 'ADVANCE' | 'NET' | 'STATUTORY' | 'LEAVE_CLAIM'
  /** No payment.recorded: its readers may not know what people are paid. */
  quiet?: true
  /** None unless given. */
  stored?: StoredDetails | undefined
  /** The rate that was given for it; the published one of its day applies without. */
  rate?: { exchangeRate: string; rateDate: string | null } | undefined
  shares: readonly Share[]
}

/** A payment that goes to one document as a whole. */
export const paymentOfDocument = (documentId: string, payment: Omit<PaymentInput, 'shares'>): PaymentInput => ({
  ...payment,
  shares: [{ documentId, amountMinor: payment.amountMinor }],
})

/**
 * Records a payment with its allocations. The database derives the paid amounts and statuses of the documents. No statement
 * is awaited before the others are sent, so that all of them leave in the caller's flush.
 */
export function recordPayment(
  { db, emit, member }: PaymentContext,
  { id = newId(), shares, kind, stored = noDetails, rate, quiet, ...payment }: PaymentInput,
) {
  const { customerId, currency, amountMinor, paidAt, method, source } = payment
  const { organizationId } = member
  if (!quiet) emit(paymentRecorded, { ...payment, id, organizationId, amount: toMajor(BigInt(amountMinor), currency) })
  const row = { id, counterpartyId: customerId, currency, amountMinor, paidAt, method, source }
  const recorded = pipeline({
    payment: db
      .insertInto('payments')
      .values({
        ...row,
        ...stored,
        ...rate,
        details: stored.details && JSON.stringify(stored.details),
        kind: kind.name,
        direction: kind.paymentDirection,
        minorDigits: minorDigits(currency),
        createdBy: member.userId,
      })
      .execute(),
    allocations:
      source === 'CREDIT_MEMO'
        ? insertAllocations(db, id, shares) // the entry MEMO_ISSUED says it
        : allocate({ db, member }, { id, currency, paidAt, method }, shares),
  })
  return { id, recorded }
}

/** The fields of a payment that the history of its documents shows. */
export type PaymentFacts = { id: string; currency: string; paidAt: string; method: string | null }

/** Allocates shares of a payment, and adds an entry to the history of each document. */
export function allocate(
  { db, member }: Pick<PaymentContext, 'db' | 'member'>,
  { id, currency, paidAt, method }: PaymentFacts,
  shares: readonly Share[],
) {
  return pipeline({
    allocations: insertAllocations(db, id, shares),
    history: Promise.all(
      [...sumsByDocument(shares)].map(([documentId, minor]) => {
        const amount = toMajor(BigInt(minor), currency)
        const payload = { paymentId: id, amount, currency, paidAt, method, userId: member.userId }
        return appendHistory(db, documentId, 'PAYMENT_RECORDED', payload)
      }),
    ),
  })
}

async function insertAllocations(db: PaymentContext['db'], paymentId: string, shares: readonly Share[]) {
  if (shares.length === 0) return
  const rows = shares.map(({ documentId, lineId = null, amountMinor }) => ({
    id: newId(),
    ...{ paymentId, documentId, lineId, amountMinor },
  }))
  await db.insertInto('allocations').values(rows).execute()
}

function sumsByDocument(shares: readonly Share[]): Map<string, number> {
  const sums = new Map<string, number>()
  for (const { documentId, amountMinor } of shares) sums.set(documentId, (sums.get(documentId) ?? 0) + amountMinor)
  return sums
}
