import type { Database, Inside } from '../../../../core/define/operation.ts'
import { one } from '../../../../core/define/query.ts'
import { add, exact, round, toMajor } from '../../../../core/values/money.ts'
import { pipeline } from '../../../../db/pipeline.ts'
import { appendHistory } from '../../../../ledger/history.ts'
import { countryView } from '../country-view.ts'
import type { Document } from '../document.ts'
import { receiptIssued, toEventPayload } from '../events/events.ts'
import { type DocumentRow, documentById, toDocument } from '../reading/read.ts'
import { type IssueContext, issueFrom } from './issued-from.ts'

/** A recorded payment with its allocations. */
type ReceivedPayment = {
  id: string
  currency: string
  amountMinor: number
  paidAt: string
  method: string | null
  bankAccountId: string | null
  allocations: readonly { documentId: string; amountMinor: number }[]
}

type ReceiptInput = {
  payment: ReceivedPayment
  customerId: string
  /** The documents that the payment is allocated to; the caller has locked them. */
  documents: readonly DocumentRow[]
  taxFree: boolean
}

/**
 * Issues the receipt for a payment: over the received amount, with a line for each document that it pays and one for what is
 * paid on account. A receipt has no open balance and is cancelled together with its payment.
 */
export async function issueReceipt(context: IssueContext, input: ReceiptInput): Promise<DocumentRow> {
  const { db, emit, member } = context
  const { payment, customerId, documents } = input
  const [only, ...others] = documents
  const source = others.length === 0 ? only : undefined
  const receipt = {
    ...receiptAmounts(input),
    documentType: 'RECEIPT' as const,
    status: 'PAID' as const,
    paymentId: payment.id,
    paymentMethod: payment.method,
    paymentDate: payment.paidAt,
    notes: null,
  }
  const origin = {
    id: source?.id ?? null,
    currency: payment.currency,
    customerId,
    bankAccountId: payment.bankAccountId ?? source?.bankAccountId ?? null,
  }
  const issued = await issueFrom(context, origin, receipt, (id) =>
    pipeline({
      receiptNumber: documents.length > 0 && setReceiptNumber(db, id, documents),
      history: Promise.all(
        documents.map((document) =>
          appendHistory(db, document.id, 'RECEIPT_ISSUED', { receiptId: id, userId: member.userId }),
        ),
      ),
    }),
  )
  emit(receiptIssued, toEventPayload(toDocument(issued)))
  return issued
}

/** The paid documents show the number of the receipt. The number of a document that is still open is not kept up to date. */
const setReceiptNumber = (db: Inside['db'], receiptId: string, documents: readonly DocumentRow[]) =>
  db
    .updateTable('documents')
    .set((query) => ({
      receiptNumber: query.selectFrom('documents as r').select('r.number').where('r.id', '=', receiptId),
    }))
    .where(
      'id',
      'in',
      documents.map(({ id }) => id),
    )
    .where('status', '=', 'PAID')
    .execute()

/** The lines and amounts of a receipt. */
function receiptAmounts({ payment, documents, taxFree }: ReceiptInput) {
  const parts = documents.map((row) => ({
    row,
    amountMinor: sum(payment.allocations.filter(({ documentId }) => documentId === row.id)),
  }))
  const onAccountMinor = payment.amountMinor - sum(parts)
  const [only, ...others] = parts
  return only && others.length === 0 && onAccountMinor === 0
    ? amountsOfOne(only.row, payment.amountMinor, taxFree)
    : amountsOfSeveral({ parts, onAccountMinor, currency: payment.currency, taxFree })
}

/** The lines and amounts of the document if it was paid as a whole; otherwise one line over the paid amount. */
function amountsOfOne(row: DocumentRow, amountMinor: number, taxFree: boolean) {
  const { items, subtotal, taxAmount, total, taxRate, invoiceNumber } = toDocument(row)
  if (amountMinor === row.totalMinor && !taxFree) return { items, subtotal, taxAmount, total, taxRate }
  const tax = taxFree ? 0n : taxShare(row, amountMinor)
  const rate = taxFree ? 0 : taxRate
  return toAmounts(row.currency, rate, [
    { description: paymentDescription(invoiceNumber), netMinor: BigInt(amountMinor) - tax, tax, taxRate: null },
  ])
}

type Parts = {
  parts: readonly { row: DocumentRow; amountMinor: number }[]
  onAccountMinor: number
  currency: string
  taxFree: boolean
}

/**
 * A line for each document and one for the rest, which is a payment on account. The lines are before tax only where a
 * receipt shows its tax; elsewhere they are what was received.
 */
function amountsOfSeveral({ parts, onAccountMinor, currency, taxFree }: Parts) {
  const showsTax = !taxFree && parts.some(({ row }) => showsTaxOnReceipts(row))
  const lines = parts.map(({ row, amountMinor }) => {
    const tax = showsTax ? taxShare(row, amountMinor) : 0n
    const { invoiceNumber, taxRate } = toDocument(row)
    return {
      description: paymentDescription(invoiceNumber),
      netMinor: BigInt(amountMinor) - tax,
      tax,
      taxRate: showsTax ? taxRate : null,
    }
  })
  if (onAccountMinor > 0)
    lines.push({
      description: onAccountDescription,
      netMinor: BigInt(onAccountMinor),
      tax: 0n,
      taxRate: showsTax ? 0 : null,
    })
  return toAmounts(currency, taxFree ? 0 : null, lines)
}

function showsTaxOnReceipts(row: DocumentRow): boolean {
  const view = countryView(row)
  if (!view) return false
  const { country, sale } = view
  return country.documents.showsTax({ ...sale, document: { ...sale.document, documentType: 'RECEIPT' } })
}

const taxShare = (row: DocumentRow, amountMinor: number) =>
  row.totalMinor === 0 ? 0n : round(exact(row.taxMinor).times(amountMinor).div(row.totalMinor), 'half-up')

type ReceiptLine = { description: string; netMinor: bigint; tax: bigint; taxRate: number | null }

function toAmounts(currency: string, taxRate: number | null, lines: readonly ReceiptLine[]) {
  const major = (minor: bigint) => toMajor(minor, currency)
  const [net, tax] = [add(lines.map(({ netMinor }) => netMinor)), add(lines.map((line) => line.tax))]
  const items = lines.map(({ description, netMinor, taxRate: rate }, at) => {
    const amount = major(netMinor)
    return { id: String(at + 1), description, quantity: 1, unitPrice: amount, amount, taxRate: rate }
  })
  return { items, subtotal: major(net), taxAmount: major(tax), total: major(net + tax), taxRate }
}

const sum = (amounts: readonly { amountMinor: number }[]) =>
  amounts.reduce((total, { amountMinor }) => total + amountMinor, 0)

/** The line of a receipt over a part of a document; the print shows it in its own language. */
export const paymentDescription = (number: string | null): string => `Payment of ${number}`

/** The line of a receipt over money that pays no document yet. */
export const onAccountDescription = 'Payment on account'

/** The valid receipt of a payment, if one was issued. */
export async function receiptFor({ db }: Pick<Inside, 'db'>, paymentId: string): Promise<Document | null> {
  const receipt = await validReceipts(db, [paymentId]).executeTakeFirst()
  return receipt ? toDocument(await one(documentById(db, receipt.id), 'receipt')) : null
}

/** The receipts that were issued for payments and are not cancelled. */
export const validReceipts = (db: Database, paymentIds: readonly string[]) =>
  db
    .selectFrom('documents')
    .select(['id', 'number'])
    .where('documentType', '=', 'RECEIPT')
    .where('cancelledAt', 'is', null)
    .where('paymentId', 'in', [...paymentIds])
    .orderBy('id')
