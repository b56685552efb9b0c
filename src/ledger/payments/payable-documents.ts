import { sql } from 'kysely'
import { conflict, invalid } from '../../core/define/failure.ts'
import type { Database } from '../../core/define/operation.ts'
import { toMinor } from '../../core/values/money.ts'
import { isPayable, type LedgerKind } from '../kind.ts'
import { openMinorOf } from './payment.ts'

/** A document that is about to be paid or reopened. */
export type PayableDocument = {
  id: string
  customerId: string | null
  currency: string
  documentType: string
  status: string
  /** What is still to be paid: nothing of a document that was credited in full, cancelled or converted. */
  openMinor: number
  cancelledAt: string | null
  convertedToId: string | null
}

/** Locks documents of a kind in the order of their ids (reliability, lock order). */
export const lockPayable = (db: Database, { name }: LedgerKind, ids: readonly string[]): Promise<PayableDocument[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom('documents')
        .select(['id', 'counterpartyId as customerId', 'currency', 'documentType', 'status'])
        .select(['cancelledAt', 'convertedToId'])
        .select(sql<number>`open_minor(documents)`.as('openMinor'))
        .where('kind', '=', sql.lit(name))
        .where('id', 'in', [...ids])
        .orderBy('id')
        .forNoKeyUpdate()
        .execute()

/** How messages name what is paid, and the field of a request that names it. */
export type PayableWords = {
  noun: string
  one: string
  field: string
  party: string
  firstStep: string
  refund: string
}
const documentWords: PayableWords = {
  noun: 'document',
  one: 'A document',
  field: 'documentId',
  party: 'customer',
  firstStep: 'Issue it first.',
  refund: 'A refund went back to the customer and pays nothing.',
}

/** Refuses a payment of a document that is not payable, and one above the open balance. */
export function refuseOverpayment(
  kind: LedgerKind,
  { status, openMinor, ...document }: PayableDocument,
  { path, amountMinor }: { path: string; amountMinor: number },
  { one, firstStep }: PayableWords = documentWords,
) {
  if (kind.draftStatuses.includes(status) && !isPayable(kind, status))
    throw conflict(`${one} that is ${status} cannot be paid. ${firstStep}`, 'DRAFT')
  if (!isPayable(kind, status)) throw conflict(`${one} that is ${status} cannot be paid.`, 'NOT_PAYABLE')
  refuseClosed(document)
  if (amountMinor > openMinor) throw invalid(path, 'The amount is larger than the open balance.', 'AMOUNT_OVER_OPEN')
}

/** Refuses a payment of a document that was cancelled or converted. */
export function refuseClosed({ cancelledAt, convertedToId }: Pick<PayableDocument, 'cancelledAt' | 'convertedToId'>) {
  if (cancelledAt !== null) throw conflict('The document was cancelled and cannot be paid.', 'CANCELLED')
  if (convertedToId !== null)
    throw conflict('An invoice was issued for this payment request. Pay the invoice instead.', 'CONVERTED')
}

/** The amount of a payment in minor units; refuses zero, negative amounts and fractions of a minor unit. */
export function paymentMinor(path: string, amount: number, currency: string): number {
  const parsed = toMinor(amount, currency)
  if (parsed.kind !== 'exact' || parsed.minor <= 0n)
    throw invalid(path, `${path} must be a positive amount with no more decimal places than ${currency} has.`, 'AMOUNT')
  return Number(parsed.minor)
}

type AllocationRequest = { documentId: string; amount?: number }

/** The customer that a payment belongs to: the one that it names, or that of its documents if all are of one customer. */
export function payerOf(customerId: string | null, documents: readonly PayableDocument[]): string | null {
  const owing = new Set(documents.map((document) => document.customerId))
  const [only = null] = owing
  return customerId ?? (owing.size === 1 ? only : null)
}

/**
 * The shares of a payment that go to documents: of its customer, if it names one; the requested amount, or the open balance as far as the
 * payment suffices. Also returns the rest of the payment, which is negative if more was requested than is available.
 */
export function sharesOf(
  kind: LedgerKind,
  { currency, amountMinor, customerId }: { currency: string; amountMinor: number; customerId: string | null },
  requests: readonly AllocationRequest[],
  documents: readonly PayableDocument[],
  words: PayableWords = documentWords,
) {
  const { noun, field, party } = words
  let leftMinor = amountMinor
  const shares = requests.map(({ documentId, amount }, at) => {
    const path = `allocations.${at}`
    const document = documents.find(({ id }) => id === documentId)
    if (!document) throw invalid(`${path}.${field}`, `The ${noun} does not exist.`, 'UNKNOWN_REFERENCE')
    if (requests.findIndex((other) => other.documentId === documentId) !== at)
      throw invalid(`${path}.${field}`, `The ${noun} is listed twice.`)
    if (document.currency !== currency)
      throw invalid(
        `${path}.${field}`,
        `The ${noun} is in ${document.currency}, the payment in ${currency}.`,
        'CURRENCY',
      )
    if (customerId !== null && document.customerId !== customerId)
      throw invalid(`${path}.${field}`, `The ${noun} is of another ${party} than the payment.`, 'OTHER_CUSTOMER')
    const share =
      amount === undefined
        ? Math.max(0, Math.min(document.openMinor, leftMinor))
        : paymentMinor(`${path}.amount`, amount, currency)
    refuseOverpayment(kind, document, { path: `${path}.amount`, amountMinor: share }, words)
    leftMinor -= share
    return { documentId, amountMinor: share }
  })
  return { shares: shares.filter((share) => share.amountMinor > 0), leftMinor }
}

/** Refuses to allocate a payment that was voided, or a refund. */
export function refuseUnusable(
  { voidedAt, source }: { voidedAt: string | null; source: string },
  { refund }: PayableWords = documentWords,
) {
  if (voidedAt !== null) throw conflict('The payment was voided and cannot be allocated.', 'VOIDED')
  if (source === 'REFUND') throw conflict(refund, 'REFUND')
}

type LockedPayment = Parameters<typeof openMinorOf>[0] & { currency: string; customerId: string | null }

/** The shares of the open remainder of a payment that go to documents; refuses more than the remainder, and none. */
export function sharesOfRemainder(
  kind: LedgerKind,
  payment: LockedPayment,
  requests: readonly AllocationRequest[],
  documents: readonly PayableDocument[],
  words: PayableWords = documentWords,
) {
  const { currency, customerId } = payment
  const remainder = { currency, customerId, amountMinor: openMinorOf(payment) }
  const { shares, leftMinor } = sharesOf(kind, remainder, requests, documents, words)
  if (leftMinor < 0)
    throw invalid('allocations', 'The allocations exceed the open remainder of the payment.', 'AMOUNT_OVER_REMAINDER')
  if (shares.length === 0)
    throw conflict(`The payment has no open remainder, or the ${words.noun}s have no open balance.`, 'NOTHING_OPEN')
  return shares
}
