import { sql } from 'kysely'
import { conflict, invalid } from '../../core/define/failure.ts'
import type { Database } from '../../core/define/operation.ts'
import { toMinor } from '../../core/values/money.ts'
import { isPayable, type LedgerKind } from '../kind.ts'

/** A document that is about to be paid or reopened. */
export type PayableDocument = {
  id: string
  customerId: string | null
  currency: string
  status: string
  totalMinor: number
  paidMinor: number
}

/** Locks documents of a kind in the order of their ids (reliability, lock order). */
export const lockPayable = (db: Database, { name }: LedgerKind, ids: readonly string[]): Promise<PayableDocument[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom('documents')
        .select(['id', 'counterpartyId as customerId', 'currency', 'status', 'totalMinor', 'paidMinor'])
        .where('kind', '=', sql.lit(name))
        .where('id', 'in', [...ids])
        .orderBy('id')
        .forNoKeyUpdate()
        .execute()

/** The open balance may be paid, and no more. */
export function refuseOverpayment(
  kind: LedgerKind,
  { status, totalMinor, paidMinor }: PayableDocument,
  { path, amountMinor }: { path: string; amountMinor: number },
) {
  if (kind.draftStatuses.includes(status) && !isPayable(kind, status))
    throw conflict(`A document that is ${status} cannot be paid. Issue it first.`, 'DRAFT')
  if (!isPayable(kind, status)) throw conflict(`A document that is ${status} cannot be paid.`, 'NOT_PAYABLE')
  if (amountMinor > totalMinor - paidMinor)
    throw invalid(path, 'The amount is larger than the open balance.', 'AMOUNT_OVER_OPEN')
}

export function paymentMinor(path: string, amount: number, currency: string): number {
  const parsed = toMinor(amount, currency)
  if (parsed.kind !== 'exact' || parsed.minor <= 0n)
    throw invalid(path, `${path} must be a positive amount that ${currency} can be paid in.`, 'AMOUNT')
  return Number(parsed.minor)
}

type Wanted = { documentId: string; amount?: number }

/**
 * The shares of a payment that go to documents: as asked, or as much of each as is open and left. Answers what is left of
 * the payment too.
 */
export function sharesOf(
  kind: LedgerKind,
  { currency, amountMinor }: { currency: string; amountMinor: number },
  wanted: readonly Wanted[],
  documents: readonly PayableDocument[],
) {
  let left = amountMinor
  const shares = wanted.map(({ documentId, amount }, at) => {
    const path = `allocations.${at}`
    const document = documents.find(({ id }) => id === documentId)
    if (!document) throw invalid(`${path}.documentId`, 'There is no such document.', 'UNKNOWN_REFERENCE')
    if (wanted.findIndex((other) => other.documentId === documentId) !== at)
      throw invalid(`${path}.documentId`, 'The document is named twice.')
    if (document.currency !== currency)
      throw invalid(
        `${path}.documentId`,
        `The document is in ${document.currency}, the payment in ${currency}.`,
        'CURRENCY',
      )
    const open = document.totalMinor - document.paidMinor
    const share = amount === undefined ? Math.min(open, left) : paymentMinor(`${path}.amount`, amount, currency)
    refuseOverpayment(kind, document, { path: `${path}.amount`, amountMinor: share })
    left -= share
    return { documentId, amountMinor: share }
  })
  return { shares: shares.filter((share) => share.amountMinor > 0), left }
}
